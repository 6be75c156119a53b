// The command line of `rolocom calls`.

import { buildCommand, buildRouteMap } from '@stricli/core'
import { argument, commonFlags, flag, listFlags, text, texts } from '../flags.ts'
import type { Status } from './fields.ts'

const statuses = [
  ...['queued', 'ringing', 'in_progress', 'completed'],
  ...['busy', 'no_answer', 'failed', 'canceled'],
] as const satisfies readonly Status[]

const list = buildCommand({
  loader: async () => (await import('./list.ts')).list,
  parameters: {
    flags: {
      ...listFlags,
      contact: text('id', 'Calls of this contact'),
      agent: text('id', 'Calls of this agent'),
      status: { kind: 'enum', values: statuses, brief: 'Calls with this status; may be repeated', optional: true, variadic: true },
      trials: flag('Only trials of agents, which are not listed otherwise'),
    },
  },
  docs: {
    brief: 'List calls',
    customUsage: [{ input: '--status failed --status no_answer --limit 10', brief: 'those that reached nobody' }],
  },
})

const get = buildCommand({
  loader: async () => (await import('./get.ts')).get,
  parameters: { flags: commonFlags, positional: { kind: 'tuple', parameters: [argument('call', 'Its id')] } },
  docs: {
    brief: 'Show a call with its transcript',
    customUsage: [{ input: '01a1fb24-cc37-73f0-a612-214b2776a9d9', brief: 'by its id' }],
  },
})

const place = buildCommand({
  loader: async () => (await import('./place.ts')).place,
  parameters: {
    flags: {
      ...commonFlags,
      agent: { ...text('id', 'The agent that speaks'), optional: false },
      to: { ...text('number', 'The number to ring, +442079460958'), optional: false },
      contact: text('id', 'The contact that is called'),
      variable: texts('name=value', 'A value for the words of the agent; may be repeated'),
      trial: flag('Try the agent on the simulator: no phone rings, and no statistics count it'),
      follow: flag('Wait for its end, and show each change'),
      dryRun: flag('Say what would happen, and ring nobody'),
    },
  },
  docs: {
    brief: 'Place a call',
    customUsage: [
      { input: '--agent 01a1fb24-cc37-73f0-a612-214b2776a9d9 --to +442079460958 --follow', brief: 'ends with 1 unless it was completed' },
      { input: '--agent 01a1fb24-cc37-73f0-a612-214b2776a9d9 --to +442079460958 --dry-run', brief: 'whether it may be dialled now' },
    ],
  },
})

export const calls = buildRouteMap({
  routes: { list, get, place },
  docs: { brief: 'List, show and place calls' },
})
