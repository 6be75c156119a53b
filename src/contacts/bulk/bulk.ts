// Bulk changes: tags, owner, stage, tasks, deletion, restoration or enrichment of many contacts in the background, with progress; they can be canceled and taken back.

import type { Queries } from '../../database/queries.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { bulkOperation, type EventType, eventsOf } from '../../kernel/nouns/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { checkContact } from '../contact/check.ts'
import type { LifecycleStage } from '../contact/row.ts'
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
import { checkSelection, type Selected, sizeOf } from './selection.ts'

export const bulkEvents = eventsOf('contact_bulk_change', {
  canceled: 'A bulk change of contacts was canceled.',
  completed: 'A bulk change has reached the last contact.',
  failed: 'A bulk change ended before the last contact.',
  progressed: 'A bulk change has changed contacts. At most once a second, for all contacts since.',
  started: 'A bulk change of contacts was queued.',
})

export const changeOperation = bulkOperation('changeContactsInBulk', 'contact')

export interface NamedChange {
  orgId: string
  changeId: string
}

/** Works on the next contacts of a bulk change, for half a minute, and queues an item for the rest. The retries take a quarter of an hour. */
export const bulkItem = queueItem<NamedChange>('contact-bulk', {
  retryLimit: 8,
  retryDelaySeconds: 2,
  timeoutSeconds: 300,
  concurrency: 2,
  perOrganization: 1,
})

export interface UpdateInBulk extends Selected {
  addTags?: readonly string[] | null
  removeTags?: readonly string[] | null
  ownerUserId?: string | null
  lifecycleStage?: LifecycleStage | null
  doNotCall?: boolean | null
}

/** Queues a change of tags, owner, stage and "do not call". Throws INVALID. */
export async function updateInBulk(context: Context, { ids, filter, ...given }: UpdateInBulk): Promise<BulkChange> {
  const { addTags, removeTags, ownerUserId } = given
  const lifecycleStage = given.lifecycleStage ?? undefined
  const doNotCall = given.doNotCall ?? undefined
  if (!addTags?.length && !removeTags?.length && ownerUserId === undefined && !lifecycleStage && doNotCall === undefined)
    throw invalid(valueError('addTags', 'there is nothing to change: give tags to add or remove, an owner, a lifecycleStage, or doNotCall'))
  const checked = await checkContact(context, organizationOf(context), {
    addTags: addTags ?? [],
    removeTags: removeTags ?? [],
    ownerUserId,
    lifecycleStage,
    doNotCall,
  })
  const parameters = {
    ...{ addTags: checked.addTags, removeTags: checked.removeTags },
    ...(ownerUserId !== undefined && { ownerUserId: checked.fields.ownerUserId ?? null }),
    ...(lifecycleStage && { lifecycleStage }),
    ...(doNotCall !== undefined && { doNotCall }),
  }
  return startChange(context, 'update', parameters, { ids, filter })
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
  return startChange(context, 'update', { task: { title, description, dueAt, assigneeUserId } }, { ids, filter })
}

/** Queues a deletion. Throws INVALID. */
export const deleteInBulk = (context: Context, selected: Selected): Promise<BulkChange> => startChange(context, 'delete', {}, selected)

/** Queues a restoration. A filter is about deleted contacts that were not merged into others. Throws INVALID. */
export const restoreInBulk = (context: Context, { ids, filter }: Selected): Promise<BulkChange> =>
  startChange(context, 'update', { restore: true }, { ids, filter: filter && { ...filter, onlyDeleted: true } })

/** Its action, by the name that callers know. */
export const actionOf = ({ action, parameters }: Pick<BulkChange, 'action' | 'parameters'>): BulkAction | 'restore' | 'create_tasks' =>
  parameters.restore ? 'restore' : parameters.task ? 'create_tasks' : action

/** Queues the work on the selected contacts. Throws INVALID. */
export async function startChange(
  context: Context,
  action: Exclude<BulkAction, 'undo'>,
  parameters: BulkParameters,
  selected: Selected,
): Promise<BulkChange> {
  const isOfDeleted = parameters.restore ?? false
  const selection = checkSelection(selected, isOfDeleted)
  return queue(context, { action, parameters, ...selection, undoOfId: null, total: await sizeOf(context, selection, isOfDeleted) })
}

/**
 * Queues the reversal of a change that has ended: values that nobody has changed since are set back. Throws CONFLICT for a change that is
 * running, that was taken back, that is itself a reversal, for enrichment, and after 7 days.
 */
export async function undoChange(context: Context, id: string): Promise<BulkChange> {
  return changing(context, id, async (tx, row) => {
    const { action, status, finishedAt } = row
    if (action === 'enrich' || action === 'undo') throw new AppError('CONFLICT', 'Only changes, deletions and restorations are taken back')
    if (status === 'queued' || status === 'running') throw new AppError('CONFLICT', 'The change goes on; cancel it first')
    if ((await tx.db.query(undosOf, [row.orgId, [row.id]])).length > 0) throw new AppError('CONFLICT', 'The change was taken back already')
    if (finishedAt === null || Date.parse(finishedAt) < tx.now().getTime() - undoDays * 86_400_000)
      throw new AppError('CONFLICT', `A change is taken back within ${undoDays} days`)
    const [count] = await tx.db.query(countReversals, [row.id])
    return queue(tx, { action: 'undo', parameters: {}, contactIds: [], filter: null, undoOfId: row.id, total: count?.total ?? 0 })
  })
}

/** Ends a change; what it has done stays. Canceling again changes nothing. Throws CONFLICT for one that has ended. */
export function cancelChange(context: Context, id: string): Promise<BulkChange> {
  return changing(context, id, async (tx, row) => {
    if (row.status === 'canceled') return row
    if (row.status === 'completed' || row.status === 'failed') throw new AppError('CONFLICT', `The change is ${row.status} already`)
    return write(tx, { ...row, status: 'canceled', finishedAt: tx.now().toISOString() }, bulkEvents.canceled)
  })
}

/** Throws NOT_FOUND. */
export async function getChange(context: Context, id: string): Promise<BulkChange> {
  organizationOf(context)
  const found = isId(id) ? await load(context, loadChanges, id.toLowerCase()) : null
  if (!found) throw notFound('bulk change', id)
  return found
}

export const loadChanges: Batch<string, BulkChange | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(changesById, [organizationOf(context), ids]), row => row.id)

/** The change that takes this one back; null for none. */
export const undoOf = (context: Context, { id }: BulkChange): Promise<string | null> => load(context, loadUndos, id)
const loadUndos: Batch<string, string | null> = async (context, ids) => {
  const found = await context.db.query(undosOf, [organizationOf(context), ids])
  return inOrder(ids, found, row => row.undoOfId).map(row => row?.id ?? null)
}

const list = 'bulk changes'

/** The organization's bulk changes, newest first. */
export async function listChanges(context: Context, { counted, ...args }: ListArgs): Promise<Page<BulkChange>> {
  const orgId = organizationOf(context)
  const page = pageOf(args, list, isTime)
  const total = totalOf(counted, async () => (await bounded(context, db => db.query(countChanges, [orgId])))[0]?.total ?? 0)
  const position = page.start ? [page.start.key, page.start.id] : []
  const found = await context.db.query(selectChanges(page), [orgId, page.size + 1, ...position])
  return new Page(
    found.map(row => ({ row, key: row.createdAt })),
    page,
    list,
    total,
  )
}

/** Writes the change with its event, in the context's transaction. */
export async function write(tx: Context, row: BulkChange, event?: EventType): Promise<BulkChange> {
  await writeRow(tx.db, row)
  if (event) await recordEvent(tx, { type: event, entityId: row.id, orgId: row.orgId })
  return row
}

const writeRow = (db: Queries, row: BulkChange) => db.query(updateChange, [row.id, ...changed.of(row)])

type BulkRequest = Pick<BulkChange, 'action' | 'parameters' | 'contactIds' | 'filter' | 'undoOfId' | 'total'>

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
    await recordEvent(tx, { type: bulkEvents.started, entityId: row.id, changes: { action: actionOf(row), total: row.total } })
    await context.services.queue.enqueue(bulkItem, { orgId, changeId: row.id }, { db })
    return row
  })
}

async function changing(context: Context, id: string, change: (tx: Context, row: BulkChange) => Promise<BulkChange>): Promise<BulkChange> {
  const orgId = organizationOf(context)
  return context.db.transaction(async db => {
    const [row] = isId(id) ? await db.query(lockChange, [orgId, id]) : []
    if (!row) throw notFound('bulk change', id)
    return change(inTransaction(context, db), row)
  })
}
