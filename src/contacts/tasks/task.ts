// Tasks: to-dos about a record, with a due time, an assignee, a status and a reminder.

import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder } from '../../kernel/dataloaders.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { emptyOf, namesOf, readFields } from '../../kernel/fields/table.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { membersAmong } from '../records/check.ts'
import { lockToHang, timelinesOf } from '../records/hanging/lock.ts'
import { chosenRecord, idsOf, type RecordIds } from '../records/hanging/ref.ts'
import { remindLater } from './reminder-queue.ts'
import { type ContactTask, lockTask, type TaskFields, type TaskInput, taskAt, taskEvents, taskFields, tasksById } from './task.sql.ts'

const { title: _, ...empty } = emptyOf(taskFields)
// `as`: the title alone has no default.
const emptyTask = empty as Omit<TaskFields, 'title'>

/** It names one record. */
export interface NewTask extends TaskInput, Partial<RecordIds> {}

export interface TaskChange extends TaskInput {
  id: string
  ifVersion?: number | null
}

/** A task by its id. Throws NOT_FOUND. */
export async function getTask(context: Context, id: string): Promise<ContactTask> {
  const orgId = organizationOf(context)
  const task = isId(id) ? await taskAt(context, orgId, id) : undefined
  if (!task) throw notFound('task', id)
  return task
}

export const loadTasks: Batch<string, ContactTask | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(tasksById, [organizationOf(context), ids]), task => task.id)

/** Adds a task. Throws NOT_FOUND for a record that is deleted or unknown. */
export async function createTask(context: Context, { contactId, companyId, dealId, ...input }: NewTask): Promise<ContactTask> {
  const orgId = organizationOf(context)
  const { title = '', ...fields } = await checkTask(
    context,
    orgId,
    input,
    input.title === undefined ? [problem('title', 'missing', input)] : [],
  )
  const record = chosenRecord({ contactId, companyId, dealId }, 'a task')
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const timelines = await lockToHang(tx, orgId, record)
    const now = context.now().toISOString()
    const task: ContactTask = {
      ...emptyTask,
      ...fields,
      id: newId(),
      orgId,
      ...idsOf(record),
      title,
      remindedAt: null,
      completedAt: fields.status === 'done' ? now : null,
      createdBy: actorOf(context.principal),
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    const { createdBy, ...row } = task
    await db.prisma.contactTask.create({ data: { ...row, ...createdByColumns(createdBy) } })
    const changes = { title, dueAt: task.dueAt, assigneeUserId: task.assigneeUserId }
    await recordEvent(tx, { type: taskEvents.created, entityId: task.id, ...timelines, changes })
    await remindLater(tx, task)
    return task
  })
}

/** Changes the fields in the input; writes nothing if all are equal. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function updateTask(context: Context, { id, ifVersion, ...input }: TaskChange): Promise<ContactTask> {
  const fields = await checkTask(context, organizationOf(context), input)
  return changing(context, 'task', lockTask, { id, ifVersion }, async (tx, before) => {
    const changed = namesOf(taskFields).filter(field => fields[field] !== undefined && fields[field] !== before[field])
    if (changed.length === 0) return before
    const now = context.now().toISOString()
    const status = fields.status ?? before.status
    const isMoved = changed.includes('remindAt')
    const written = {
      ...fields,
      completedAt: status === 'done' ? (before.completedAt ?? now) : null,
      // A reminder at a new time is sent even if the earlier one was.
      remindedAt: isMoved ? null : before.remindedAt,
      ...nextVersion(context, before),
    }
    await tx.db.prisma.contactTask.update({ where: { id: before.id, orgId: before.orgId }, data: written })
    const after: ContactTask = { ...before, ...written }
    await recordEvent(tx, {
      type: status === 'done' && before.status !== 'done' ? taskEvents.completed : taskEvents.updated,
      entityId: before.id,
      ...(await timelinesOf(tx, before.orgId, before)),
      changes: Object.fromEntries(changed.map(field => [field, [before[field], after[field]]])),
    })
    if (isMoved || status !== before.status) await remindLater(tx, after)
    return after
  })
}

/** Deletes a task permanently. Throws NOT_FOUND, PRECONDITION_FAILED. */
export function deleteTask(context: Context, { id, ifVersion }: { id: string; ifVersion?: number | null }): Promise<ContactTask> {
  return changing(context, 'task', lockTask, { id, ifVersion }, async (tx, task) => {
    await tx.db.prisma.contactTask.delete({ where: { id: task.id, orgId: task.orgId } })
    const timelines = await timelinesOf(tx, task.orgId, task)
    await recordEvent(tx, { type: taskEvents.deleted, entityId: task.id, ...timelines, changes: { title: task.title } })
    return task
  })
}

/** The fields of a task that an input sets. Throws INVALID. */
export async function checkTask(
  context: Context,
  orgId: string,
  input: TaskInput,
  found: readonly Problem[] = [],
): Promise<Partial<TaskFields>> {
  const { fields, problems } = readFields(taskFields, input)
  const { assigneeUserId } = fields
  if (assigneeUserId && !(await membersAmong(context, orgId, [assigneeUserId])).has(assigneeUserId))
    problems.push(valueError('assigneeUserId', 'no member of the organization has this id', assigneeUserId))
  if (found.length + problems.length > 0) throw invalid([...found, ...problems])
  return fields
}
