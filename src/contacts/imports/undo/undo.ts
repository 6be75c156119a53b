// Takes an import back: its queue item deletes the contacts that it added and gives changed ones their former values, in batches. The position is
// committed with a batch, so no contact is done twice.

import { mayStill } from '../../../identity/authentication/still-allowed.ts'
import { type Context, createContext, inTransaction, type Services } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { bulkOperation } from '../../../kernel/nouns/events.ts'
import { actorOf, principalOf } from '../../../kernel/principal.ts'
import { handlerOf } from '../../../kernel/queue/handler.ts'
import { queueItem, type RunningItem } from '../../../kernel/queue/item.ts'
import { type ContactImport, importsById, lockImport } from '../import.sql.ts'
import { changing, importEvents, type NamedImport, writeImport } from '../import.ts'
import { revertNext } from './revert.ts'
import { type ImportUndo, undoDays } from './undo.sql.ts'

const undoItem = queueItem<NamedImport>('contact-import-undo', {
  retryLimit: 8,
  retryDelaySeconds: 2,
  timeoutSeconds: 300,
  concurrency: 2,
  perOrganization: 1,
})

const undoOperation = bulkOperation('undoContactImport', 'contact')

// 30 s: then another item continues, so that others get their turn.
const sliceMs = 30_000
// Subscribers receive the progress at most this often.
const announceMs = 1000

/** When an import can no longer be undone; null for one that has not ended, or was not started. */
export const undoableUntil = ({ noun, startedAt, finishedAt }: ContactImport): string | null =>
  noun !== 'contact' || startedAt === null || finishedAt === null
    ? null
    : new Date(Date.parse(finishedAt) + undoDays * 86_400_000).toISOString()

/**
 * Queues the undo. Repeating it changes nothing; one that failed goes on. Throws CONFLICT for an import that goes on or was not started, and
 * after 7 days.
 */
export const undoImport = (context: Context, id: string): Promise<ContactImport> =>
  changing(context, id, async (tx, row) => {
    if (row.undo && row.undo.status !== 'failed') return { row }
    if (row.status === 'queued' || row.status === 'running') throw new AppError('CONFLICT', 'The import goes on; cancel it first')
    if (row.noun !== 'contact') throw new AppError('CONFLICT', 'Only an import of contacts can be undone')
    const until = undoableUntil(row)
    if (until === null) throw new AppError('CONFLICT', 'The import was not started, so there is nothing to undo')
    if (Date.parse(until) < tx.now().getTime()) throw new AppError('CONFLICT', `An import can be undone for ${undoDays} days`)
    const counts = { position: null, deletedCount: 0, restoredCount: 0, keptCount: 0, goneCount: 0 }
    const undo: ImportUndo = {
      ...(row.undo ?? counts),
      ...{ status: 'queued', statusReason: null, startedBy: actorOf(tx.principal), startedAt: tx.now().toISOString(), finishedAt: null },
    }
    await tx.services.queue.enqueue(undoItem, { orgId: row.orgId, importId: row.id }, { db: tx.db })
    return { row: { ...row, undo }, event: importEvents.undo_started }
  })

async function runUndo(services: Services, { payload: { orgId, importId }, signal, isLast }: RunningItem<NamedImport>): Promise<void> {
  const [row] = await services.database.query(importsById, [orgId, [importId]])
  if (!row?.undo || !isOpen(row.undo)) return
  const context = contextOf(services, row.undo, orgId)
  try {
    await runSlice(context, row, signal)
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'FORBIDDEN'
    if (!isRefused && !isLast) throw error
    if (!isRefused) services.log.error({ err: error, importId }, 'the undo of an import failed')
    await failUndo(context, importId, isRefused ? error.message : 'Unexpected error; undo it again to go on')
  }
}

async function giveUpUndo(services: Services, { orgId, importId }: NamedImport, reason: string): Promise<void> {
  const [row] = await services.database.query(importsById, [orgId, [importId]])
  if (row?.undo) await failUndo(contextOf(services, row.undo, orgId), importId, `It was given up: ${reason}. Undo it again to go on`)
}

export const importUndoHandler = handlerOf(undoItem, runUndo, giveUpUndo)

const isOpen = ({ status }: ImportUndo) => status === 'queued' || status === 'running'

const contextOf = (services: Services, { startedBy }: ImportUndo, orgId: string): Context =>
  createContext(services, {
    ...{ principal: principalOf(startedBy, orgId), requestId: newId(), door: 'tasks', operation: undoOperation },
    requestedOrgId: orgId,
  })

async function runSlice(context: Context, { id, orgId }: ContactImport, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  let announcedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    signal.throwIfAborted()
    const isAnnounced = performance.now() - announcedAt > announceMs
    const goesOn = await context.db.transaction(async db => {
      const tx = inTransaction(context, db)
      const [row] = await db.query(lockImport, [orgId, id])
      if (!row?.undo || !isOpen(row.undo)) return false
      const { undo } = row
      if (!(await mayStill(tx, undo.startedBy, orgId, 'contacts:write')))
        throw new AppError('FORBIDDEN', 'The member who undid it may no longer change contacts here. Earlier changes stay')
      const { deleted, restored, kept, gone, position } = await revertNext(tx, orgId, id, undo.position)
      const after: ImportUndo = {
        ...undo,
        position: position ?? undo.position,
        deletedCount: undo.deletedCount + deleted,
        restoredCount: undo.restoredCount + restored,
        keptCount: undo.keptCount + kept,
        goneCount: undo.goneCount + gone,
        ...(position === null ? { status: 'completed', finishedAt: tx.now().toISOString() } : { status: 'running' }),
      }
      await writeImport(db, { ...row, undo: after })
      if (position === null) await recordEvent(tx, { type: importEvents.undone, entityId: id })
      else if (isAnnounced) await recordEvent(tx, { type: importEvents.undo_progressed, entityId: id })
      return position !== null
    })
    if (!goesOn) return
    if (isAnnounced) announcedAt = performance.now()
    if (performance.now() - began > sliceMs) return void (await context.services.queue.enqueue(undoItem, { orgId, importId: id }))
  }
}

function failUndo(context: Context, id: string, reason: string): Promise<void> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [row] = await db.query(lockImport, [context.requestedOrgId, id])
    if (!row?.undo || !isOpen(row.undo)) return
    const undo: ImportUndo = { ...row.undo, status: 'failed', statusReason: reason, finishedAt: tx.now().toISOString() }
    await writeImport(db, { ...row, undo })
    await recordEvent(tx, { type: importEvents.undo_failed, entityId: id })
  })
}
