// The queue item of an import: writes its rows in batches. The position is committed with the rows, so the next item continues after the last
// batch, and no row is written twice.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { mayStill } from '../../identity/authentication/still-allowed.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { storableText, storedJson } from '../../kernel/input/storable.ts'
import { principalOf } from '../../kernel/principal.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import type { RunningItem } from '../../kernel/queue/item.ts'
import { findUpload } from '../../kernel/uploads/upload.ts'
import type { RowResult } from '../contact/batch/existing.ts'
import { importOperation } from '../records/source.ts'
import { maxColumns } from './columns/columns.ts'
import { withKnownCompanies } from './columns/companies.ts'
import { type ReadRow, sentenceOf } from './columns/mapping.ts'
import { type ContactImport, importsById, insertRefusals, insertWarnings, lockImport } from './import.sql.ts'
import { cancelOthers, endImport, importEvents, importItem, type NamedImport, writeImport } from './import.ts'
import { type LinkedRow, linkRows } from './nouns/links.ts'
import { writeRowsOf } from './nouns/write.ts'
import { type RecordOfFile, recordsOf } from './records.ts'
import { editor, readingOf } from './settings.ts'
import { continueImport } from './start.ts'
import { storeMadeCompanies, storeRecords } from './undo/records/written.ts'
import { storeWritten } from './undo/written.ts'

/** The rows of a transaction. 500: larger batches are hardly faster, and hold their locks longer. */
const batchSize = 500
// Other records are written one by one.
const otherBatchSize = 100
// In characters: a batch ends early when its rows are long.
const batchLength = 2_000_000
// 30 s: then another item continues, so that none nears its timeout, and other imports get their turn.
const sliceMs = 30_000
/** The cells that a report lists. An import counts all of them. */
const maxWarnings = 10_000
// Reading a batch of odd cells takes seconds. Other requests get their turn in between.
const turnMs = 20
// Subscribers receive the progress at most this often.
const announceMs = 1000

/** Imports rows until the end of the file or of the time slice. */
async function runImport(services: Services, { payload: { orgId, importId }, signal, isLast }: RunningItem<NamedImport>): Promise<void> {
  const [row] = await services.database.query(importsById, [orgId, [importId]])
  if (!row || (row.status !== 'queued' && row.status !== 'running') || row.uploadId === null || row.mapping === null) return
  const context = contextOf(services, row)
  try {
    await runSlice(context, row, signal)
  } catch (error) {
    // At once, because a retry would fail too.
    const isFinal = isUnreadable(error) || isRefused(error)
    if (!isFinal && !isLast) throw error
    if (!isFinal) services.log.error({ err: error, importId }, 'an import failed')
    await finish(context, row.id, 'failed', isFinal ? error.message : 'Unexpected error; the rows so far are imported')
  }
}

// The member who started it decided on the mapping, and answers for its changes.
const contextOf = (services: Services, { startedBy, createdBy, orgId }: ContactImport): Context =>
  createContext(services, {
    principal: principalOf(startedBy ?? createdBy, orgId),
    requestId: newId(),
    door: 'tasks',
    operation: importOperation,
    requestedOrgId: orgId,
  })

/** Fails an import that is open, because its queue item was given up. */
async function failImport(services: Services, { orgId, importId }: NamedImport, reason: string): Promise<void> {
  const [row] = await services.database.query(importsById, [orgId, [importId]])
  if (row) await finish(contextOf(services, row), row.id, 'failed', `The import was given up: ${reason}. The rows so far are imported`)
}

export const importHandler = handlerOf(importItem, runImport, failImport)

async function runSlice(context: Context, row: ContactImport, signal: AbortSignal): Promise<void> {
  const { uploadId, mapping } = row
  if (uploadId === null || mapping === null) return
  if (!(await findUpload(context, uploadId))) throw new AppError('INVALID', 'The file was deleted after 7 days; upload it again')
  const writer = batchWriter(context, row)
  let bytesRead = 0
  // Finding the position again takes as long as the file is; the slice begins after that, so that each writes equally much.
  let began: number | undefined
  let batch: RecordOfFile[] = []
  let length = 0
  const size = row.noun === 'contact' ? batchSize : otherBatchSize
  const write = () => {
    const records = batch
    batch = []
    length = 0
    return records.length === 0 ? true : writer(records, bytesRead)
  }
  try {
    const edited = editor(row.edits)
    for await (const given of recordsOf(context, { ...row, uploadId }, count => (bytesRead += count))) {
      const record = edited(given)
      if (record.row <= row.position || record.cells.every(cell => cell === '')) continue
      began ??= performance.now()
      batch.push(record)
      length += record.cells.reduce((sum, cell) => sum + cell.length + 1, 0)
      if (batch.length < size && length < batchLength) continue
      signal.throwIfAborted()
      if (!(await write())) return
      if (performance.now() - began > sliceMs) {
        await context.services.queue.enqueue(importItem, { orgId: row.orgId, importId: row.id })
        return
      }
    }
  } catch (error) {
    // Writes the rows before the unreadable one.
    if (isUnreadable(error)) await write()
    throw error
  }
  if (await write()) await finish(context, row.id, 'completed')
}

const isUnreadable = (error: unknown): error is AppError => error instanceof AppError && error.code === 'INVALID'
const isRefused = (error: unknown): error is AppError => error instanceof AppError && error.code === 'FORBIDDEN'

/**
 * Returns a function that writes the next batch. It resolves with false when the import was canceled, or another item has written the
 * batch.
 */
function batchWriter(context: Context, { id, orgId, position: begin, mapping, columns, hasHeader, headerRow }: ContactImport) {
  let position = begin
  let announcedAt = Number.NEGATIVE_INFINITY
  return (batch: readonly RecordOfFile[], bytesRead: number): Promise<boolean> =>
    context.db.transaction(async db => {
      const tx = inTransaction(context, db)
      const [row] = await db.query(lockImport, [orgId, id])
      if (!row || (row.status !== 'queued' && row.status !== 'running') || row.position !== position) return false
      if (!(await mayStill(tx, row.startedBy ?? row.createdBy, orgId, 'contacts:write')))
        throw new AppError('FORBIDDEN', 'The member who started it may no longer change contacts here. The rows so far are imported')
      const { read } = await readingOf(tx, row, { ...row, mapping: mapping ?? [] })
      const rows: Row[] = []
      let turnBegan = performance.now()
      for (const record of batch) {
        if (hasHeader && record.row === (headerRow ?? 1)) continue
        const row = { record, ...read(record.cells) }
        if (!row.isEmpty) rows.push(row)
        if (performance.now() - turnBegan < turnMs) continue
        await nextTurn()
        turnBegan = performance.now()
      }
      const known = await linkRows(tx, row, mapping ?? [], await withKnownCompanies(tx, orgId, rows))
      const { refused, results, ...counts } = await writeAll(tx, row, known)
      if (row.noun !== 'contact') await storeRecords(tx, id, row.noun, results)
      else {
        await storeWritten(tx, id, results)
        await storeMadeCompanies(tx, row, results)
      }
      const refusals = refused.map(({ record, problems }) => ({
        row: record.row,
        cells: record.cells.slice(0, maxColumns).map(cell => storableText(cell)),
        reason: storableText(sentenceOf(problems, mapping ?? [], columns)),
      }))
      if (refusals.length > 0) await db.query(insertRefusals, [id, storedJson(refusals), context.now().toISOString()])
      const isRefused = new Set(refused.map(({ record }) => record.row))
      const warnings = known.filter(({ record }) => !isRefused.has(record.row)).flatMap(warningsOf)
      const kept = warnings.slice(0, Math.max(0, maxWarnings - row.warningCount))
      if (kept.length > 0) await db.query(insertWarnings, [id, storedJson(kept), context.now().toISOString()])
      const last = batch.at(-1)?.row ?? position
      await writeImport(db, {
        ...row,
        status: 'running',
        position: last,
        bytesRead,
        rowCount: row.rowCount + rows.length,
        createdCount: row.createdCount + counts.created,
        updatedCount: row.updatedCount + counts.updated,
        skippedCount: row.skippedCount + counts.skipped,
        refusedCount: row.refusedCount + refused.length,
        warningCount: row.warningCount + warnings.length,
      })
      if (performance.now() - announcedAt > announceMs) {
        await recordEvent(tx, { type: importEvents.progressed, entityId: id })
        announcedAt = performance.now()
      }
      await db.afterCommit(() => {
        position = last
      })
      return true
    })
}

type Row = ReadRow & { record: RecordOfFile }

const warningsOf = ({ record, warnings }: Row) =>
  warnings.map(({ column, value, message }) => ({ row: record.row, cell: column, value, reason: storableText(message) }))

async function writeAll(context: Context, found: ContactImport, rows: readonly LinkedRow<Row>[]) {
  const counts = {
    ...{ created: 0, updated: 0, skipped: 0 },
    refused: [] as { record: RecordOfFile; problems: readonly Problem[] }[],
    results: [] as RowResult[],
  }
  if (rows.length === 0) return counts
  counts.results = await writeRowsOf(context, found, rows)
  for (const { index, outcome, error } of counts.results) {
    const row = rows[index]
    if (outcome !== 'failed') counts[outcome]++
    else if (row) counts.refused.push({ record: row.record, problems: problemsOf(error) })
  }
  return counts
}

const problemsOf = (error: { message: string; problems: readonly Problem[] | null } | null): readonly Problem[] => {
  if (error?.problems?.length) return error.problems
  const path = error?.message.includes('external id') ? ['externalId'] : ['email']
  return [{ path, type: 'value_error', message: error?.message ?? '' }]
}

function finish(context: Context, id: string, status: 'completed' | 'failed', reason: string | null = null): Promise<void> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [row] = await db.query(lockImport, [context.requestedOrgId, id])
    if (!row || (row.status !== 'queued' && row.status !== 'running')) return
    const after = await endImport(tx, row, status, reason)
    await writeImport(db, status === 'completed' ? { ...after, bytesRead: after.byteCount } : after)
    await recordEvent(tx, { type: importEvents[status], entityId: id })
    if (status === 'completed') await continueImport(tx, row)
    else await cancelOthers(tx, row, `The import of ${row.fileName ?? 'another file'} failed`)
  })
}
