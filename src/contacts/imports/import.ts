// Imports: an uploaded file is described, mapped to fields, and then imported by the queue.

import type { Queries } from '../../database/client.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { type AgedListArgs, ageOrder, isTime, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { type EventType, eventsOf } from '../../kernel/nouns/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { deleteUpload, findUpload, keepUpload, type Upload } from '../../kernel/uploads/upload.ts'
import { type Described, describeUpload, type GivenFormat } from './describe.ts'
import {
  type ContactImport,
  cancelWithoutFile,
  changed,
  countImports,
  importsById,
  inserted,
  insertImport,
  lockImport,
  selectImports,
  updateImport as updateRow,
} from './import.sql.ts'
import { checkRoom, filesOf, firstOf } from './parts/parts.ts'

export const importEvents = eventsOf('contact_import', {
  canceled: 'An import was canceled.',
  completed: 'An import has read its whole file.',
  created: 'A file to import was uploaded.',
  failed: 'An import ended before the end of its file.',
  progressed: 'An import has written rows. At most once a second, for all rows since.',
  started: 'An import was queued.',
  undo_failed: 'The undo of an import ended before its last record.',
  undo_progressed: 'The undo of an import has changed records. At most once a second, for all records since.',
  undo_started: 'The undo of an import was queued.',
  undone: 'An import was undone.',
  updated: 'The file of an import that is not started is read in another way.',
})

export interface NamedImport {
  orgId: string
  importId: string
}

/** Writes the next rows of an import, for half a minute, and queues an item for the rest. The retries take a quarter of an hour. */
export const importItem = queueItem<NamedImport>('contact-import', {
  retryLimit: 8,
  retryDelaySeconds: 2,
  timeoutSeconds: 300,
  concurrency: 2,
  perOrganization: 1,
})

export interface CreateImport extends GivenFormat {
  uploadId: string
  fileName?: string | null
  /** The import that the file is a part of: the id of its first file. */
  partOf?: string | null
}

export interface UpdateImport extends GivenFormat {
  id: string
}

/** Describes an uploaded file. Throws NOT_FOUND for an unknown upload, and INVALID or UNSUPPORTED_MEDIA_TYPE for a file that is not CSV. */
export async function createImport(context: Context, input: CreateImport): Promise<ContactImport> {
  const upload = isId(input.uploadId) ? await findUpload(context, input.uploadId) : null
  if (!upload) throw notFound('upload', input.uploadId)
  const first = input.partOf == null ? null : await getImport(context, input.partOf)
  if (first) await checkRoom(context, first)
  const described = await describeUpload(context, upload, input).catch(async (error: unknown) => {
    // Canceling another import of the file, or its end, may have deleted it while it was read.
    throw (await findUpload(context, upload.id)) ? error : notFound('upload', upload.id)
  })
  try {
    return await insertDescribed(context, upload, input.fileName ?? null, first && firstOf(first), described)
  } catch (error) {
    if (described.format.tableId !== null) await deleteUpload(context, described.format.tableId)
    throw error
  }
}

async function insertDescribed(
  context: Context,
  upload: Upload,
  fileName: string | null,
  partOf: string | null,
  described: Described,
): Promise<ContactImport> {
  const orgId = organizationOf(context)
  const created: ContactImport = {
    id: newId(),
    orgId,
    uploadId: upload.id,
    fileName: fileName ? cutText(storableText(fileName), 255) : null,
    kind: described.kind,
    partOf,
    ...described.format,
    status: 'waiting',
    mapping: null,
    onConflict: null,
    values: [],
    edits: [],
    country: null,
    bytesRead: 0,
    rowCount: 0,
    createdCount: 0,
    updatedCount: 0,
    skippedCount: 0,
    refusedCount: 0,
    warningCount: 0,
    statusReason: null,
    undo: null,
    startedBy: null,
    startedAt: null,
    finishedAt: null,
    createdBy: actorOf(context.principal),
    createdAt: context.now().toISOString(),
  }
  if (context.dryRun) context.dryRun.file = { rowCount: described.rowCount, columns: created.columns.map(({ name }) => name) }
  await context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    // The same since it was read.
    if (!(await keepUpload(inside, upload.id))) throw notFound('upload', upload.id)
    const [isFirst] = await tx.query(insertImport, inserted.of(created))
    if (!isFirst) throw await alreadyImportedError(inside, upload.id)
    await recordEvent(inside, { type: importEvents.created, entityId: created.id })
    for (const { id } of await tx.query(cancelWithoutFile, [orgId, created.createdAt]))
      await recordEvent(inside, { type: importEvents.canceled, entityId: id })
  })
  return created
}

/**
 * Describes the file of an import that is not started again, with the caller's settings; the rest is detected again. Throws NOT_FOUND,
 * CONFLICT when it is started, and as `createImport`.
 */
export async function updateImport(context: Context, { id, ...given }: UpdateImport): Promise<ContactImport> {
  const found = await getImport(context, id)
  const upload = found.uploadId === null ? null : await findUpload(context, found.uploadId)
  if (found.status !== 'waiting' || !upload) throw notWaiting(found)
  const { format } = await describeUpload(context, upload, given, found)
  return changing(context, id, async (tx, row) => {
    if (row.status !== 'waiting') throw notWaiting(row)
    if (row.tableId !== null && row.tableId !== format.tableId) await deleteUpload(tx, row.tableId)
    return { row: { ...row, ...format }, event: importEvents.updated }
  }).catch(async (error: unknown) => {
    if (format.tableId !== null && format.tableId !== found.tableId) await deleteUpload(context, format.tableId)
    throw error
  })
}

const notWaiting = ({ status }: ContactImport) =>
  new AppError('CONFLICT', `The import is ${status}, so its format stays; upload the file again to import it in another one`)

async function alreadyImportedError({ db }: Context, uploadId: string): Promise<AppError> {
  const other = await db.prisma.contactImport.findUnique({ where: { uploadId }, select: { id: true } })
  const sentence = `The file has an import already${other ? `: ${other.id}` : ''}; start that one, or upload the file again`
  return new AppError('CONFLICT', sentence, { existingId: other?.id ?? null })
}

/** An import by its id. Throws NOT_FOUND. */
export async function getImport(context: Context, id: string): Promise<ContactImport> {
  organizationOf(context)
  const found = isId(id) ? await load(context, loadImports, id.toLowerCase()) : null
  if (!found) throw notFound('import', id)
  return found
}

export const loadImports: Batch<string, ContactImport | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(importsById, [organizationOf(context), ids]), row => row.id)

const list = 'contact imports'

/** The organization's imports, newest first. */
export async function listImports(context: Context, { counted, sort, ...args }: AgedListArgs): Promise<Page<ContactImport>> {
  const orgId = organizationOf(context)
  const { order, suffix } = ageOrder(sort)
  const name = `${list}${suffix}`
  const page = pageOf(args, name, isTime)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countImports, [orgId])))[0]?.total ?? 0)
  const position = page.start ? [page.start.key, page.start.id] : []
  const found = await context.db.query(selectImports(page, order), [orgId, page.size + 1, ...position])
  return new Page(
    found.map(row => ({ row, key: row.createdAt })),
    page,
    name,
    total,
  )
}

/**
 * Ends the import; rows that it has already written stay. A file that waits is taken out of its import alone; ending the first file, or one
 * that goes on, ends all. Canceling again changes nothing. Throws CONFLICT for a finished import.
 */
export function cancelImport(context: Context, id: string): Promise<ContactImport> {
  return changing(context, id, async (tx, row) => {
    if (row.status === 'canceled') return { row }
    if (row.status === 'completed' || row.status === 'failed') throw new AppError('CONFLICT', `The import is ${row.status} already`)
    if (row.partOf === null || row.status !== 'waiting') await cancelOthers(tx, row, null)
    return { row: await endImport(tx, row, 'canceled'), event: importEvents.canceled }
  })
}

/** Ends the other files of an import that have not ended. */
export async function cancelOthers(tx: Context, row: ContactImport, reason: string | null): Promise<void> {
  for (const { id } of (await filesOf(tx, row)).toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    if (id === row.id) continue
    await changing(tx, id, async (inside, other) =>
      other.status === 'waiting' || other.status === 'queued' || other.status === 'running'
        ? { row: await endImport(inside, other, 'canceled', reason), event: importEvents.canceled }
        : { row: other },
    )
  }
}

/** Ends the import, and deletes its file. */
export async function endImport(
  context: Context,
  row: ContactImport,
  status: 'completed' | 'canceled' | 'failed',
  statusReason: string | null = null,
): Promise<ContactImport> {
  if (row.uploadId !== null) await deleteUpload(context, row.uploadId)
  return { ...row, uploadId: null, tableId: null, status, statusReason, finishedAt: context.now().toISOString() }
}

export interface Change {
  row: ContactImport
  /** Absent when nothing has changed. */
  event?: EventType
}

/** Locks the import, and writes the changes that `change` returns together with its event. Throws NOT_FOUND. */
export async function changing(
  context: Context,
  id: string,
  change: (context: Context, row: ContactImport) => Promise<Change>,
): Promise<ContactImport> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const [row] = isId(id) ? await db.query(lockImport, [orgId, id]) : []
    if (!row) throw notFound('import', id)
    const { row: after, event } = await change(tx, row)
    if (event) {
      await writeImport(db, after)
      await recordEvent(tx, { type: event, entityId: row.id })
    }
    return after
  })
}

export const writeImport = (db: Queries, row: ContactImport) => db.query(updateRow, [row.id, ...changed.of(row)])
