// inbox: the items of the member, and the commands that finish, reopen and snooze one.

import type { Input, Item } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { CommonFlags, ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import { isForPeople, minute, printJson } from '../output/print.ts'
import { type Column, printFields } from '../output/table.ts'
import { connect } from '../session/connect.ts'
import type { State } from './commands.ts'

interface WriteFlags extends CommonFlags {
  dryRun?: boolean
}

const columns: readonly Column<Item<'/api/crm/v1/inbox'>>[] = [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'TITLE', of: ({ title }) => title },
  { title: 'RESULT', of: ({ result }) => result },
  { title: 'BY', of: ({ actor }) => actor.name },
  { title: 'WHEN', of: ({ shown_at }) => minute(shown_at) },
]

export async function list(this: Terminal, flags: ListFlags & { state: State }): Promise<void> {
  const query = { limit: pageSize(flags), state: flags.state }
  await printEntries(this, flags, connect(this, flags).list('/api/crm/v1/inbox', { query }), { columns, nothing: 'Nothing waits for you' })
}

export function done(this: Terminal, flags: WriteFlags, id: string): Promise<void> {
  return change(this, flags, id, { done: true })
}

export function reopen(this: Terminal, flags: WriteFlags, id: string): Promise<void> {
  return change(this, flags, id, { done: false, snoozed_until: null })
}

export function snooze(this: Terminal, flags: WriteFlags & { until: string }, id: string): Promise<void> {
  return change(this, flags, id, { snoozed_until: flags.until })
}

export async function clear(this: Terminal, flags: WriteFlags): Promise<void> {
  const answer = await connect(this, flags).post('/api/crm/v1/inbox/finish', { body: {}, query: { dry_run: flags.dryRun } })
  print(this, flags, answer)
}

type Change = Input<'patch', '/api/crm/v1/inbox/{item_id}'>['body']

async function change(terminal: Terminal, flags: WriteFlags, id: string, body: Change): Promise<void> {
  const input = { path: { item_id: id }, body, query: { dry_run: flags.dryRun } }
  print(terminal, flags, await connect(terminal, flags).patch('/api/crm/v1/inbox/{item_id}', input))
}

/** A dry run answers what it would do, in place of the item. */
function print(terminal: Terminal, flags: WriteFlags, answer: object): void {
  if (isForPeople(terminal, flags) && !flags.dryRun) printFields(terminal, Object.entries(answer))
  else printJson(terminal, answer)
}
