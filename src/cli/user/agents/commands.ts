// The command line of `rolocom agents`.

import { buildCommand, buildRouteMap } from '@stricli/core'
import { argument, commonFlags, listFlags, text, texts } from '../flags.ts'

const list = buildCommand({
  loader: async () => (await import('./list.ts')).list,
  parameters: { flags: listFlags },
  docs: { brief: 'List voice agents', customUsage: [{ input: '--limit 10', brief: 'the newest' }] },
})

const talk = buildCommand({
  loader: async () => (await import('./talk.ts')).talk,
  parameters: {
    flags: {
      ...commonFlags,
      contact: text('id', 'The contact whose values fill the words of the agent. Default: a sample person'),
      variable: texts('name=value', 'A value for the words of the agent; may be repeated'),
    },
    positional: { kind: 'tuple', parameters: [argument('agent', 'Its id or its name')] },
  },
  docs: {
    brief: 'Talk to a voice agent in writing: no phone rings, and only the tokens of a model cost',
    customUsage: [
      { input: '"Appointment desk"', brief: 'a line is a turn; Ctrl-D leaves' },
      { input: '01a1fb24-cc37-73f0-a612-214b2776a9d9 < lines.txt', brief: 'prints each turn as JSON, and the conversation at the end' },
    ],
  },
})

export const agents = buildRouteMap({
  routes: { list, talk },
  docs: { brief: 'List voice agents, and talk to them' },
})
