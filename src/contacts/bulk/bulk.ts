// Bulk changes: tags, owner, some fields, deletion, restoration, tasks, moves or enrichment of many records in the background, with progress; they can
// be canceled and taken back.

import type { Queries } from '../../database/queries.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { capitalized } from '../../kernel/input/case.ts'
import { at, Invalid, valueError } from '../../kernel/input/problem.ts'
import { isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { bulkOperation, eventsOf } from '../../kernel/nouns/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { checkReason } from '../deals/check.ts'
import { selectStage } from '../pipelines/pipeline.sql.ts'
import { lostReason as readReason } from '../pipelines/settings.ts'
import { forNouns } from '../records/hanging/ref.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import { checkTask } from '../tasks/task.ts'
import {
  type BulkAction,
  type BulkChange,
  type BulkParameters,
  changed,
  changesById,
  countChanges,
  countReversals,
  insertChange,
  inserted,
  lockChange,
  selectChanges,
  undoDays,
  undosOf,
  updateChange,
} from './bulk.sql.ts'
import { bulkActs } from './nouns.ts'
import { checkSelection, type Selected, sizeOf } from './selection.ts'

export const bulkEvents = forNouns(noun =>
  eventsOf(`${noun}_bulk_change`, {
    canceled: `A bulk change of ${tableOfNoun[noun]} was canceled.`,
    completed: `A bulk change has reached the last ${noun}.`,
    failed: `A bulk change ended before the last ${noun}.`,
    progressed: `A bulk change has changed ${tableOfNoun[noun]}. At most once a second, for all ${tableOfNoun[noun]} since.`,
    started: `A bulk change of ${tableOfNoun[noun]} was queued.`,
  }),
)

export const changeOperations = forNouns(noun => bulkOperation(`change${capitalized(tableOfNoun[noun])}InBulk`, noun))

export interface NamedChange {
  orgId: string
  changeId: string
}

// The retries take a quarter of an hour.
const options = { retryLimit: 8, retryDelaySeconds: 2, timeoutSeconds: 300, concurrency: 2, perOrganization: 1 }

/**
 * Works on the next records of a bulk change, for half a minute, and queues an item for the rest. Changes of contacts have a kind of their own:
 * during an upgrade, workers of an earlier release take every item of that kind for one.
 */
export const bulkItems = {
  contact: queueItem<NamedChange>('contact-bulk', options),
  other: queueItem<NamedChange>('record-bulk', options),
}
export const bulkItemOf = (noun: RecordNoun) => (noun === 'contact' ? bulkItems.contact : bulkItems.other)

/** The values of an update: tags to add or remove, and fields of the noun. */
export interface UpdateInBulk extends Selected {
  readonly [value: string]: unknown
}

/** Queues a change of tags and fields. Throws INVALID. */
export async function updateInBulk(context: Context, noun: RecordNoun, { ids, filter, ...given }: UpdateInBulk): Promise<BulkChange> {
  const parameters = await bulkActs[noun].parametersOf(context, organizationOf(context), given)
  return startChange(context, noun, 'update', parameters, { ids, filter })
}

export interface CreateTasksInBulk extends Selected {
  title: string
  description?: string | null
  dueAt?: Date | null
  assigneeUserId?: string | null
}

/** Queues the addition of a task to each contact. Throws INVALID. */
export async function createTasksInBulk(context: Context, { ids, filter, ...given }: CreateTasksInBulk): Promise<BulkChange> {
  const { title = '', description = null, dueAt = null, assigneeUserId = null } = await checkTask(context, organizationOf(context), given)
  return startChange(context, 'contact', 'update', { task: { title, description, dueAt, assigneeUserId } }, { ids, filter })
}

export interface MoveInBulk extends Selected {
  stageId: string
  lostReason?: string | null
}

/** Queues moves of deals to a stage. Throws INVALID. */
export async function moveInBulk(context: Context, { ids, filter, stageId, lostReason: given }: MoveInBulk): Promise<BulkChange> {
  const reason = given ? readReason(given) : null
  if (reason instanceof Invalid) throw invalid(at('lostReason', reason))
  const [stage] = isId(stageId) ? await context.db.query(selectStage, [organizationOf(context), stageId]) : []
  if (!stage) throw invalid(valueError('stageId', 'no stage has this id', stageId))
  await checkReason(context, stage.kind, reason)
  return startChange(context, 'deal', 'update', { move: { stageId: stage.id, lostReason: reason } }, { ids, filter })
}

/** Queues a deletion. Throws INVALID. */
export const deleteInBulk = (context: Context, noun: RecordNoun, selected: Selected): Promise<BulkChange> =>
  startChange(context, noun, 'delete', {}, selected)

/** Queues a restoration. A filter is about deleted records that were not merged into others. Throws INVALID. */
export const restoreInBulk = (context: Context, noun: RecordNoun, { ids, filter }: Selected): Promise<BulkChange> =>
  startChange(context, noun, 'update', { restore: true }, { ids, filter: filter && { ...filter, onlyDeleted: true } })

/** Its action, by the name that callers know. */
export const actionOf = ({ action, parameters }: Pick<BulkChange, 'action' | 'parameters'>): BulkActionName =>
  parameters.restore ? 'restore' : parameters.task ? 'create_tasks' : parameters.move ? 'move' : action
export type BulkActionName = BulkAction | 'restore' | 'create_tasks' | 'move'

/** Queues the work on the selected records. Throws INVALID. */
export async function startChange(
  context: Context,
  noun: RecordNoun,
  action: Exclude<BulkAction, 'undo'>,
  parameters: BulkParameters,
  selected: Selected,
): Promise<BulkChange> {
  const isOfDeleted = parameters.restore ?? false
  const selection = { noun, ...checkSelection(noun, selected, isOfDeleted) }
  return queue(context, { action, parameters, ...selection, undoOfId: null, total: await sizeOf(context, selection, isOfDeleted) })
}

/**
 * Queues the reversal of a change that has ended: values that nobody has changed since are set back. Throws CONFLICT for a change that is
 * running, that was taken back, that is itself a reversal, for enrichment, and after 7 days.
 */
export async function undoChange(context: Context, noun: RecordNoun, id: string): Promise<BulkChange> {
  return changing(context, noun, id, async (tx, row) => {
    const { action, status, finishedAt } = row
    if (action === 'enrich' || action === 'undo') throw new AppError('CONFLICT', 'Only changes, deletions and restorations are taken back')
    if (status === 'queued' || status === 'running') throw new AppError('CONFLICT', 'The change goes on; cancel it first')
    if ((await tx.db.query(undosOf, [row.orgId, [row.id]])).length > 0) throw new AppError('CONFLICT', 'The change was taken back already')
    if (finishedAt === null || Date.parse(finishedAt) < tx.now().getTime() - undoDays * 86_400_000)
      throw new AppError('CONFLICT', `A change is taken back within ${undoDays} days`)
    const [count] = await tx.db.query(countReversals, [row.id])
    return queue(tx, { noun, action: 'undo', parameters: {}, recordIds: [], filter: null, undoOfId: row.id, total: count?.total ?? 0 })
  })
}

/** Ends a change; what it has done stays. Canceling again changes nothing. Throws CONFLICT for one that has ended. */
export function cancelChange(context: Context, noun: RecordNoun, id: string): Promise<BulkChange> {
  return changing(context, noun, id, async (tx, row) => {
    if (row.status === 'canceled') return row
    if (row.status === 'completed' || row.status === 'failed') throw new AppError('CONFLICT', `The change is ${row.status} already`)
    return write(tx, { ...row, status: 'canceled', finishedAt: tx.now().toISOString() }, 'canceled')
  })
}

/** Throws NOT_FOUND. */
export async function getChange(context: Context, noun: RecordNoun, id: string): Promise<BulkChange> {
  organizationOf(context)
  const found = isId(id) ? await load(context, loadChanges[noun], id.toLowerCase()) : null
  if (!found) throw notFound('bulk change', id)
  return found
}

/** The loaders of the changes of each noun. */
export const loadChanges = forNouns(
  (noun): Batch<string, BulkChange | null> =>
    async (context, ids) => {
      const found = await context.db.query(changesById, [organizationOf(context), ids])
      return inOrder(
        ids,
        found.filter(row => row.noun === noun),
        row => row.id,
      )
    },
)

/** The change that takes this one back; null for none. */
export const undoOf = (context: Context, { id }: BulkChange): Promise<string | null> => load(context, loadUndos, id)
const loadUndos: Batch<string, string | null> = async (context, ids) => {
  const found = await context.db.query(undosOf, [organizationOf(context), ids])
  return inOrder(ids, found, row => row.undoOfId).map(row => row?.id ?? null)
}

/** The organization's bulk changes of a noun, newest first. */
export async function listChanges(context: Context, noun: RecordNoun, { counted, ...args }: ListArgs): Promise<Page<BulkChange>> {
  const orgId = organizationOf(context)
  const list = noun === 'contact' ? 'bulk changes' : `bulk changes of ${tableOfNoun[noun]}`
  const page = pageOf(args, list, isTime)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countChanges, [orgId, noun])))[0]?.total ?? 0)
  const position = page.start ? [page.start.key, page.start.id] : []
  const found = await context.db.query(selectChanges[noun](page), [orgId, page.size + 1, ...position])
  return new Page(
    found.map(row => ({ row, key: row.createdAt })),
    page,
    list,
    total,
  )
}

/** Writes the change with its event, in the context's transaction. */
export async function write(tx: Context, row: BulkChange, event?: keyof (typeof bulkEvents)[RecordNoun]): Promise<BulkChange> {
  await writeRow(tx.db, row)
  if (event) await recordEvent(tx, { type: bulkEvents[row.noun][event], entityId: row.id, orgId: row.orgId })
  return row
}

const writeRow = (db: Queries, row: BulkChange) => db.query(updateChange, [row.id, ...changed.of(row)])

type BulkRequest = Pick<BulkChange, 'noun' | 'action' | 'parameters' | 'recordIds' | 'filter' | 'undoOfId' | 'total'>

function queue(context: Context, asked: BulkRequest): Promise<BulkChange> {
  const orgId = organizationOf(context)
  const row: BulkChange = {
    ...{ id: newId(), orgId, ...asked, status: 'queued', statusReason: null, positionKey: null, positionId: null },
    ...{ changedCount: 0, unchangedCount: 0, failedCount: 0, failures: [], startedAt: null, finishedAt: null },
    ...{ createdBy: actorOf(context.principal), createdAt: context.now().toISOString() },
  }
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await db.query(insertChange, inserted.of(row))
    await recordEvent(tx, { type: bulkEvents[row.noun].started, entityId: row.id, changes: { action: actionOf(row), total: row.total } })
    await context.services.queue.enqueue(bulkItemOf(row.noun), { orgId, changeId: row.id }, { db })
    return row
  })
}

async function changing(
  context: Context,
  noun: RecordNoun,
  id: string,
  change: (tx: Context, row: BulkChange) => Promise<BulkChange>,
): Promise<BulkChange> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    const [row] = isId(id) ? await db.query(lockChange, [orgId, id, noun]) : []
    if (!row) throw notFound('bulk change', id)
    return change(inTransaction(context, db), row)
  })
}
