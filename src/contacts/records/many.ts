// Companies and deals that are written together, with their events.

import type { Context } from '../../kernel/context.ts'
import { type NewEvent, recordEvents } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import type { Many } from './many.sql.ts'

/** Writes the locked rows with an event for each. */
export async function writeMany<Written>(
  tx: Context,
  orgId: string,
  { update, record }: Many<unknown, Written>,
  writes: readonly { row: Written & { id: string }; event: NewEvent }[],
): Promise<void> {
  if (writes.length === 0) return
  await tx.db.query(update, [orgId, storedJson(writes.map(({ row }) => record(row)))])
  await recordEvents(
    tx,
    writes.map(({ event }) => event),
  )
}
