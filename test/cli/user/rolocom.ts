// Runs `rolocom` as a process of its own: in a pipe, or in a pseudo-terminal.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTerminal, type Terminal } from '../../tour/terminal.ts'

export const main = join(import.meta.dirname, '../../../src/main.ts')

interface Outcome {
  status: number | null
  out: string
  err: string
}

export interface Running {
  /** The output so far. */
  said: { out: string; err: string }
  ended: Promise<Outcome>
  kill(): void
}

/** A user of the command line, with a home of their own. */
export interface User {
  home: string
  run(words: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Outcome>
  start(words: readonly string[], options?: { input?: string; env?: Record<string, string> }): Running
  /** Runs it in a pseudo-terminal. */
  open(words: readonly string[], env?: Record<string, string>): Terminal
  /** Runs a script of bash. */
  shell(script: string): Promise<Outcome>
  /** Removes the home. */
  leave(): void
}

/** `environment`: what is set beside PATH and HOME. */
export function newUser(environment: Record<string, string>): User {
  const home = mkdtempSync(join(tmpdir(), 'rolocom-user-'))
  const base = { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm', ...environment }
  const start: User['start'] = (words, options) => spawned(process.execPath, [main, ...words], options)
  const spawned = (
    file: string,
    args: string[],
    { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  ): Running => {
    const child = spawn(file, args, { cwd: home, env: { ...base, ...env } })
    const said = { out: '', err: '' }
    child.stdout.on('data', chunk => (said.out += chunk))
    child.stderr.on('data', chunk => (said.err += chunk))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    const ended = new Promise<Outcome>(resolve => child.on('close', status => resolve({ status, ...said })))
    return { said, ended, kill: () => void child.kill() }
  }
  return {
    home,
    start,
    run: (words, options) => start(words, options).ended,
    shell: script => spawned('bash', ['-c', script]).ended,
    open(words, env) {
      const command = [process.execPath, main, ...words].map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
      // `script` makes a terminal of 0 columns.
      return inTerminal(`stty cols 120 rows 40; exec ${command}`, { cwd: home, env: { ...base, ...env } })
    },
    leave: () => rmSync(home, { recursive: true, force: true }),
  }
}
