// Takes an import back: its queue item deletes the records that it added and gives changed ones their former values, in batches. The position is
// committed with a batch, so no record is done twice. The files of an import are taken back one after the other, the last first: notes and
// tasks before the records that they hang on, and contacts and deals before their companies.

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
import { changing, getImport, importEvents, type NamedImport, writeImport } from '../import.ts'
import { filesOf } from '../parts/parts.ts'
import { anyRecord } from './records/records.sql.ts'
import { revertRecords } from './records/revert.ts'
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
for (const noun of ['company', 'deal', 'contact_task']) bulkOperation(undoOperation, noun)

// 30 s: then another item continues, so that others get their turn.
const sliceMs = 30_000
// Subscribers receive the progress at most this often.
const announceMs = 1000

/** When an import can no longer be undone; null for one that has not ended, or was not started. */
export const undoableUntil = ({ startedAt, finishedAt }: ContactImport): string | null =>
  startedAt === null || finishedAt === null ? null : new Date(Date.parse(finishedAt) + undoDays * 86_400_000).toISOString()

/**
 * Queues the undo: of all files for the first one of an import, otherwise of the file alone. Repeating it changes nothing; one that failed goes
 * on. Throws CONFLICT for an import that goes on or was not started, and after 7 days.
 */
export async function undoImport(context: Context, id: string): Promise<ContactImport> {
  const found = await getImport(context, id)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const files = found.partOf === null ? (await filesOf(tx, found)).toReversed() : [found]
    const queued: string[] = []
    for (const file of files.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      // One that was taken out of the import before its start has written nothing.
      if (file.id !== found.id && file.startedAt === null) continue
      await changing(tx, file.id, async (inside, row) => {
        if (row.undo && row.undo.status !== 'failed') return { row }
        await checkUndoable(inside, row)
        queued.push(row.id)
        return { row: { ...row, undo: beginning(inside, row) }, event: importEvents.undo_started }
      })
    }
    const next = files.find(file => queued.includes(file.id))
    if (next) await tx.services.queue.enqueue(undoItem, { orgId: next.orgId, importId: next.id }, { db })
    const [after] = await db.query(importsById, [found.orgId, [found.id]])
    return after ?? found
  })
}

const beginning = (tx: Context, { undo }: ContactImport): ImportUndo => ({
  ...{ position: null, deletedCount: 0, restoredCount: 0, keptCount: 0, goneCount: 0 },
  ...undo,
  ...{ status: 'queued', statusReason: null, startedBy: actorOf(tx.principal), startedAt: tx.now().toISOString(), finishedAt: null },
})

async function checkUndoable(tx: Context, row: ContactImport): Promise<void> {
  if (row.status === 'queued' || row.status === 'running') throw new AppError('CONFLICT', 'The import goes on; cancel it first')
  const until = undoableUntil(row)
  if (until === null) throw new AppError('CONFLICT', 'The import was not started, so there is nothing to undo')
  if (Date.parse(until) < tx.now().getTime()) throw new AppError('CONFLICT', `An import can be undone for ${undoDays} days`)
  if (row.noun === 'contact' || row.createdCount + row.updatedCount === 0) return
  const [kept] = await tx.db.query(anyRecord, [row.id])
  if (!kept?.hasAny) throw new AppError('CONFLICT', 'The import was made by an earlier release, which kept no former values')
}

/** The other files of an import whose undo is still open: the next one goes on, or all end with this one. */
async function othersOf(tx: Context, row: ContactImport): Promise<ContactImport[]> {
  const files = (await filesOf(tx, row)).toReversed()
  return files.filter(({ id, undo }) => id !== row.id && undo?.status === 'queued')
}

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
      const contacts = await revertNext(tx, orgId, id, undo.position)
      // Contacts first: the companies that were made for them have no others then.
      const records = contacts.position === null ? await revertRecords(tx, orgId, id, row.noun, undo.recordPosition ?? null) : null
      const { deleted, restored, kept, gone } = records && row.noun !== 'contact' ? records : contacts
      const isDone = contacts.position === null && records?.position === null
      const after: ImportUndo = {
        ...undo,
        position: contacts.position ?? undo.position,
        recordPosition: records?.position ?? undo.recordPosition ?? null,
        deletedCount: undo.deletedCount + deleted,
        restoredCount: undo.restoredCount + restored,
        keptCount: undo.keptCount + kept,
        goneCount: undo.goneCount + gone,
        companiesDeletedCount: (undo.companiesDeletedCount ?? 0) + (records?.made ?? 0),
        ...(isDone ? { status: 'completed', finishedAt: tx.now().toISOString() } : { status: 'running' }),
      }
      await writeImport(db, { ...row, undo: after })
      if (isDone) {
        await recordEvent(tx, { type: importEvents.undone, entityId: id })
        const [next] = await othersOf(tx, row)
        if (next) await tx.services.queue.enqueue(undoItem, { orgId, importId: next.id }, { db })
      } else if (isAnnounced) await recordEvent(tx, { type: importEvents.undo_progressed, entityId: id })
      return !isDone
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
    const finishedAt = tx.now().toISOString()
    const end = async (ended: ContactImport, statusReason: string) => {
      if (!ended.undo) return
      await writeImport(db, { ...ended, undo: { ...ended.undo, status: 'failed', statusReason, finishedAt } })
      await recordEvent(tx, { type: importEvents.undo_failed, entityId: ended.id })
    }
    await end(row, reason)
    for (const { id: other } of (await othersOf(tx, row)).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const [locked] = await db.query(lockImport, [row.orgId, other])
      if (locked) await end(locked, `The undo of ${row.fileName ?? 'another file'} failed`)
    }
  })
}
