// Reads the outbox for inboxes: each committed event becomes items of the members that it concerns. The same transaction stores how far
// the outbox was read.

import type { Queries } from '../../database/client.ts'
import { renumberRestored } from '../../database/migrations/restored.ts'
import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvents } from '../../kernel/events/events.ts'
import { snapshotOf } from '../../kernel/events/position.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { allBulkOperations } from '../../kernel/nouns/events.ts'
import { type InboxItem, insertItems, itemEvents, itemRecord } from '../items/item.sql.ts'
import { asWanted, mailLater } from '../mails/later.ts'
import { itemsOf } from './items-of.ts'
import { lockFreeReader, moveReader, type ReaderState, readPending } from './reader.sql.ts'
import { alwaysTold, toldByField, toldFields } from './told.ts'

// Events of one transaction: about 50 ms of work.
const maxEvents = 500

/** The result of one reading. */
export interface Reading {
  hasMore: boolean
  added: number
}

const nothing: Reading = { hasMore: false, added: 0 }

/** Reads the next events. `isQuiet`: the position is stored only if something was found, because storing it is a write. */
export function readForInboxes(services: Services, isQuiet: boolean): Promise<Reading> {
  return services.database.transaction(async (db): Promise<Reading> => {
    const [state] = await db.query(lockFreeReader)
    // Another process reads.
    if (!state) return nothing
    if (isElsewhere(state)) return await beginElsewhere(services, db, state)
    const until = state.until ?? state.snapshot
    const since = snapshotOf(state.since)
    const behind = state.until === null ? 0 : state.sequence
    const wanted = [allBulkOperations(), alwaysTold, toldByField, toldFields]
    const events = await db.query(readPending, [since.next, since.running, until, behind, maxEvents, ...wanted])
    const hasMore = events.length === maxEvents
    if (events.length === 0 && state.until === null && (isQuiet || state.since === state.snapshot)) return nothing
    const added = await addItems(services, db, await itemsOf(services, db, events))
    const sequence = Math.max(state.sequence, events.at(-1)?.sequence ?? 0)
    await db.query(moveReader, [...(hasMore ? [state.since, until, sequence] : [until, null, sequence]), state.currentCluster])
    return { hasMore, added }
  })
}

/** Whether the database was restored in another cluster, in which the stored snapshots mean nothing. */
const isElsewhere = ({ cluster, currentCluster, since, snapshot }: ReaderState): boolean =>
  cluster !== currentCluster || snapshotOf(snapshot).next < snapshotOf(since).next

// Goes on by sequence numbers: all transactions of the restored database, behind the last event that was read.
async function beginElsewhere({ database, log }: Services, db: Queries, state: ReaderState): Promise<Reading> {
  log.warn('the database was replaced by a restored one; inboxes go on behind the last event that was read')
  await renumberRestored(database.url)
  const [now] = await db.query(lockFreeReader)
  await db.query(moveReader, ['1:1:', now?.snapshot ?? state.snapshot, state.sequence, now?.currentCluster ?? state.currentCluster])
  return { hasMore: true, added: 0 }
}

async function addItems(services: Services, db: Queries, drafted: readonly InboxItem[]): Promise<number> {
  if (drafted.length === 0) return 0
  const items = await asWanted(services, db, drafted)
  const inserted = new Set((await db.query(insertItems, [storedJson(items.map(itemRecord))])).map(({ id }) => id))
  const added = items.filter(({ id }) => inserted.has(id))
  const principal = { kind: 'system', name: 'inbox', orgId: null } as const
  const context = createContext(services, { principal, requestId: newId(), door: 'tasks', operation: 'inbox' })
  await recordEvents(
    inTransaction(context, db),
    added.map(({ id, orgId, kind, userId }) => ({ type: itemEvents.created, entityId: id, orgId, changes: { kind, privateTo: userId } })),
  )
  await mailLater(services, db, added)
  return added.length
}
