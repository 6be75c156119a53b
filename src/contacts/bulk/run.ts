// The queue item of a bulk change: works in batches. The position is committed with a batch, so the next item continues behind the last one, and no
// record is changed twice.

import { mayStill } from '../../identity/authentication/still-allowed.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { principalOf } from '../../kernel/principal.ts'
import { type HandlerOf, handlerOf } from '../../kernel/queue/handler.ts'
import type { RunningItem } from '../../kernel/queue/item.ts'
import { tableOfNoun } from '../records/nouns.ts'
import { type BulkChange, changesById, insertReversals, lockChange, nextReversals } from './bulk.sql.ts'
import { bulkItemOf, bulkItems, changeOperations, type NamedChange, write } from './bulk.ts'
import { addTaskBatch } from './nouns/contacts.ts'
import { moveBatch } from './nouns/moves.ts'
import { bulkActs } from './nouns.ts'
import { type Acted, nothing } from './records.ts'
import { nextBatch } from './selection.ts'

// 200: larger batches are hardly faster, and hold their locks longer.
const batchSize = 200
// 25: the jobs of a batch are queued together or not at all, so a batch is small beside what credits and the queue have room for.
const enrichSize = 25
// 30 s: then another item continues, so that other changes get their turn.
const sliceMs = 30_000
// Subscribers receive the progress at most this often.
const announceMs = 1000
// The maximum number of failures that are listed. 100, like the problems of a request. All failures are counted.
const maxFailures = 100
// The queue of enrichment jobs is full: it has room again when some have run.
const fullQueueMs = 15_000

/** Queues enrichment for contacts. Throws INSUFFICIENT_CREDITS, and RATE_LIMITED while the queue is full. */
export type EnrichContacts = (tx: Context, contactIds: readonly string[], recipe: string | null) => Promise<Omit<Acted, 'reversals'>>

/** `enrich` belongs to a later domain. */
export const bulkHandlers = (enrich: EnrichContacts): readonly HandlerOf[] =>
  Object.values(bulkItems).map(item => handlerOf(item, (services, running) => runBulkChange(services, running, enrich), failBulkChange))

/** Changes records until the end of the selection or of the time slice. */
async function runBulkChange(
  services: Services,
  { payload: { orgId, changeId }, signal, isLast }: RunningItem<NamedChange>,
  enrich: EnrichContacts,
): Promise<void> {
  const [row] = await services.database.query(changesById, [orgId, [changeId]])
  if (!row || !isOpen(row)) return
  const context = contextOf(services, row)
  try {
    await runSlice(context, row, signal, enrich)
  } catch (error) {
    const isRefused = error instanceof AppError && ['INVALID', 'FORBIDDEN', 'INSUFFICIENT_CREDITS'].includes(error.code)
    if (error instanceof AppError && error.code === 'RATE_LIMITED') {
      const startAfter = new Date(services.now().getTime() + fullQueueMs)
      return void (await services.queue.enqueue(bulkItemOf(row.noun), { orgId, changeId }, { startAfter }))
    }
    if (!isRefused && !isLast) throw error
    if (!isRefused) services.log.error({ err: error, changeId }, 'a bulk change failed')
    await finish(context, row.id, isRefused ? error.message : 'Unexpected error; earlier changes stay')
  }
}

const contextOf = (services: Services, { id, noun, createdBy, orgId }: BulkChange): Context =>
  createContext(services, {
    ...{ principal: principalOf(createdBy, orgId), requestId: id, door: 'tasks', operation: changeOperations[noun] },
    requestedOrgId: orgId,
  })

/** Fails a change that is open, because its queue item was given up. */
async function failBulkChange(services: Services, { orgId, changeId }: NamedChange, reason: string): Promise<void> {
  const [row] = await services.database.query(changesById, [orgId, [changeId]])
  if (row) await finish(contextOf(services, row), row.id, `The change was given up: ${reason}. Earlier changes stay`)
}

const isOpen = ({ status }: BulkChange) => status === 'queued' || status === 'running'

/** The work on a batch. Throws INVALID where it cannot be done any more. */
async function actOf(context: Context, { orgId, noun, action, parameters }: BulkChange, enrich: EnrichContacts) {
  const { restore, task, move, recipe = null } = parameters
  const acts = bulkActs[noun]
  if (task) return (tx: Context, ids: readonly string[]) => addTaskBatch(tx, orgId, ids, task)
  if (move) return (tx: Context, ids: readonly string[]) => moveBatch(tx, orgId, ids, move)
  if (action === 'enrich') return async (tx: Context, ids: readonly string[]) => ({ ...nothing(), ...(await enrich(tx, ids, recipe)) })
  const isUpdate = action === 'update' && !restore
  if (isUpdate) await acts.check(context, orgId, parameters)
  const act = restore ? acts.restore : isUpdate ? acts.update(parameters) : acts.remove
  return (tx: Context, ids: readonly string[]) => act(tx, orgId, ids)
}

async function runSlice(context: Context, change: BulkChange, signal: AbortSignal, enrich: EnrichContacts): Promise<void> {
  const { id, orgId, noun } = change
  const began = performance.now()
  const act = change.action === 'undo' ? null : await actOf(context, change, enrich)
  let announcedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    signal.throwIfAborted()
    const isAnnounced = performance.now() - announcedAt > announceMs
    const goesOn = await context.db.transaction(async db => {
      const tx = inTransaction(context, db)
      const [now] = await db.query(lockChange, [orgId, id, null])
      if (!now || !isOpen(now)) return false
      await requireStillAllowed(tx, now)
      const batch = act ? await actNext(tx, now, act) : await undoNext(tx, now)
      const { acted, position } = batch
      if (acted.reversals.length > 0) await db.query(insertReversals, [id, storedJson(acted.reversals), tx.now().toISOString()])
      const time = tx.now().toISOString()
      const after: BulkChange = {
        ...now,
        ...position,
        startedAt: now.startedAt ?? time,
        changedCount: now.changedCount + acted.changed,
        unchangedCount: now.unchangedCount + acted.unchanged,
        failedCount: now.failedCount + acted.failures.length,
        failures: [...now.failures, ...acted.failures].slice(0, maxFailures),
        ...(position ? { status: 'running' as const } : { status: 'completed' as const, finishedAt: time }),
      }
      if (!position) await write(tx, after, 'completed')
      else await write(tx, after, isAnnounced ? 'progressed' : undefined)
      return position !== null
    })
    if (!goesOn) return
    if (isAnnounced) announcedAt = performance.now()
    if (performance.now() - began > sliceMs) return void (await context.services.queue.enqueue(bulkItemOf(noun), { orgId, changeId: id }))
  }
}

// It goes on for minutes, and enrichment spends the credits of who pays now, who may not be who paid when it was started.
async function requireStillAllowed(tx: Context, { orgId, noun, action, createdBy }: BulkChange): Promise<void> {
  const isEnriching = action === 'enrich'
  if (await mayStill(tx, createdBy, orgId, isEnriching ? 'enrich:write' : 'contacts:write')) return
  throw new AppError(
    'FORBIDDEN',
    `The member who started it may no longer ${isEnriching ? 'enrich' : 'change'} ${tableOfNoun[noun]} here. Earlier changes stay`,
  )
}

async function actNext(tx: Context, change: BulkChange, act: (tx: Context, ids: readonly string[]) => Promise<Acted>) {
  const { ids, position } = await nextBatch(tx, change, change.action === 'enrich' ? enrichSize : batchSize)
  return { acted: ids.length > 0 ? await act(tx, ids) : nothing(), position }
}

async function undoNext(tx: Context, { orgId, noun, undoOfId, positionId }: BulkChange) {
  const nowhere = '00000000-0000-0000-0000-000000000000'
  const found = await tx.db.query(nextReversals, [undoOfId, positionId ?? nowhere, batchSize])
  const last = found.at(-1)
  if (!last) return { acted: nothing(), position: null }
  const acted = await bulkActs[noun].undo(tx, orgId, new Map(found.map(({ contactId, reversal }) => [contactId, reversal])))
  return { acted, position: { positionId: last.contactId } }
}

function finish(context: Context, id: string, reason: string): Promise<void> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [row] = await db.query(lockChange, [context.requestedOrgId, id, null])
    if (!row || !isOpen(row)) return
    const ended = { status: 'failed', statusReason: reason, finishedAt: tx.now().toISOString() } as const
    await write(tx, { ...row, ...ended }, 'failed')
  })
}
