// The command line of `rolocom inbox`.

import { buildCommand, buildRouteMap, numberParser } from '@stricli/core'
import { argument, commonFlags, flag, listFlags, text } from '../flags.ts'

const states = ['open', 'snoozed', 'done'] as const
export type State = (typeof states)[number]

const id = '01a1fb24-cc37-73f0-a612-214b2776a9d9'
const positional = { kind: 'tuple', parameters: [argument('item', 'Its id')] } as const
const writeFlags = { ...commonFlags, dryRun: flag('Say what would happen, and do nothing') } as const

const list = buildCommand({
  loader: async () => (await import('./inbox.ts')).list,
  parameters: { flags: { ...listFlags, state: { kind: 'enum', values: states, brief: 'Items in this state', default: 'open' } } },
  docs: { brief: 'List your inbox', customUsage: [{ input: '--state snoozed', brief: 'what comes back later' }] },
})

const done = buildCommand({
  loader: async () => (await import('./inbox.ts')).done,
  parameters: { flags: writeFlags, positional },
  docs: { brief: 'Finish an item', customUsage: [{ input: id, brief: 'by its id' }] },
})

const reopen = buildCommand({
  loader: async () => (await import('./inbox.ts')).reopen,
  parameters: { flags: writeFlags, positional },
  docs: { brief: 'Open a finished or snoozed item', customUsage: [{ input: id, brief: 'by its id' }] },
})

const snooze = buildCommand({
  loader: async () => (await import('./inbox.ts')).snooze,
  parameters: { flags: { ...writeFlags, until: { ...text('time', 'When it comes back, in ISO 8601'), optional: false } }, positional },
  docs: {
    brief: 'Let an item come back later',
    customUsage: [{ input: `${id} --until 2026-12-01T08:00:00Z`, brief: 'at most a year ahead' }],
  },
})

const clear = buildCommand({
  loader: async () => (await import('./inbox.ts')).clear,
  parameters: { flags: writeFlags },
  docs: { brief: 'Finish all open items', customUsage: [{ input: '', brief: 'prints how many' }] },
})

const onOff = ['on', 'off'] as const
const mails = ['off', 'at_once', 'daily'] as const
export interface Choices {
  kind?: string
  list?: (typeof onOff)[number]
  toast?: (typeof onOff)[number]
  browser?: (typeof onOff)[number]
  mail?: (typeof mails)[number]
  hour?: number
}
const switchOf = (brief: string) => ({ kind: 'enum', values: onOff, brief, optional: true }) as const

const preferences = buildCommand({
  loader: async () => (await import('./preferences.ts')).preferences,
  parameters: {
    flags: {
      ...writeFlags,
      kind: text('kind', 'Change this kind alone: mentioned, call_ended, ...'),
      list: switchOf('Whether items wait in the list'),
      toast: switchOf('Whether the open app shows a message'),
      browser: switchOf('Whether the browser shows a notification'),
      mail: { kind: 'enum', values: mails, brief: 'Whether a mail tells of it', optional: true },
      hour: { kind: 'parsed', parse: numberParser, brief: 'The hour of the daily mail, 0 to 23', placeholder: 'hour', optional: true },
    },
  },
  docs: {
    brief: 'Show or change how you learn of items',
    customUsage: [
      { input: '', brief: 'shows them' },
      { input: '--kind mentioned --mail at_once', brief: 'mails mentions' },
    ],
  },
})

export const inbox = buildRouteMap({
  routes: { list, done, reopen, snooze, clear, preferences },
  docs: { brief: 'Read your inbox, finish and snooze its items' },
})
