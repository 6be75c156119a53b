// Events of many changes that were made at once, in one statement.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { eventColumns, eventValues, type NewEvent } from '../events.ts'

const insertEvents = statement<never>(
  'events_insert',
  `insert into events (${eventColumns}) select ${eventColumns} from jsonb_populate_recordset(null::events, $1)`,
)
const names = eventColumns.split(', ')

/** Writes the events in the context's transaction, and wakes the readers of the outbox. */
export async function recordEvents(context: Context, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(event => {
    const values = eventValues(context, event)
    return { ...Object.fromEntries(names.map((name, index) => [name, values[index]])), changes: event.changes ?? {} }
  })
  await context.db.query(insertEvents, [JSON.stringify(rows)])
  context.services.outbox.announce()
}
