// Shell completion: the script for a shell, and the proposals that it asks for.

import { type Application, buildCommand, proposeCompletions } from '@stricli/core'
import type { Terminal } from './terminal.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

export const completion = buildCommand({
  loader: async () => {
    const { script } = await import('@bomb.sh/tab')
    return function (this: Terminal, _flags: object, shell: (typeof shells)[number]) {
      script(shell, 'rolocom', 'rolocom')
    }
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: (given: string) => shells.find(shell => shell === given) ?? unknown(given),
          brief: shells.join(', '),
          placeholder: 'shell',
          proposeCompletions: () => shells,
        },
      ],
    },
  },
  docs: {
    brief: 'Print the completion script of a shell',
    customUsage: [
      { input: 'bash >> ~/.bashrc', brief: 'needs the package bash-completion' },
      { input: 'zsh > ~/.zfunc/_rolocom', brief: 'in a folder of fpath' },
      { input: 'fish > ~/.config/fish/completions/rolocom.fish', brief: 'found by fish itself' },
    ],
  },
})

function unknown(given: string): never {
  throw new Error(`there is no shell "${given}": ${shells.join(', ')}`)
}

// The end of an answer to the scripts of @bomb.sh/tab: whether the shell may propose files as well.
const files = ':0'
const noFiles = ':4'

/** The command `complete -- words...` of the scripts: the last word is the one to complete. */
export const completing = (applicationOf: () => Application<Terminal>) =>
  buildCommand<Record<never, never>, string[], Terminal>({
    loader: async () =>
      async function (this: Terminal, _flags: object, ...words: string[]) {
        const proposed = await proposeCompletions(applicationOf(), words, this)
        const lines = proposed.map(({ completion, brief }) => `${completion}\t${brief}`)
        this.process.stdout.write([...lines, lines.length > 0 ? noFiles : files, ''].join('\n'))
      },
    parameters: { positional: { kind: 'array', parameter: { parse: String, brief: 'The command line', placeholder: 'word' } } },
    docs: { brief: 'Propose completions of a command line' },
  })
