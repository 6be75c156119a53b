// Tasks of many contacts at once, for bulk changes: they are added alike, and taken back where nobody has changed them.

import type { Context } from '../../kernel/context.ts'
import { recordEvents } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { actorOf, createdByColumns } from '../../kernel/principal.ts'
import { type TaskFields, taskEvents } from './task.sql.ts'

export type TaskInBulk = Pick<TaskFields, 'title' | 'description' | 'dueAt' | 'assigneeUserId'>

/** The contacts are locked, and live. */
export async function addTasks(
  tx: Context,
  orgId: string,
  contactIds: readonly string[],
  { title, description, dueAt, assigneeUserId }: TaskInBulk,
): Promise<{ id: string; contactId: string }[]> {
  const now = tx.now().toISOString()
  const by = createdByColumns(actorOf(tx.principal))
  const tasks = contactIds.map(contactId => ({
    ...{ id: newId(), orgId, contactId, title, description, dueAt, assigneeUserId },
    ...{ status: 'open', remindAt: null, remindedAt: null, completedAt: null, createdAt: now, updatedAt: now, version: 1, ...by },
  }))
  if (tasks.length > 0) await tx.db.prisma.contactTask.createMany({ data: tasks })
  const changes = { title, dueAt, assigneeUserId }
  await recordEvents(
    tx,
    tasks.map(({ id, contactId }) => ({ type: taskEvents.created, entityId: id, contactId, orgId, changes })),
  )
  return tasks
}

/** Deletes those that are as they were added. Returns their number. */
export async function removeTasks(tx: Context, orgId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const where = { orgId, id: { in: [...ids] }, version: 1, status: 'open' }
  const found = await tx.db.prisma.contactTask.findMany({ where, select: { id: true, contactId: true, title: true } })
  await tx.db.prisma.contactTask.deleteMany({ where })
  await recordEvents(
    tx,
    found.map(({ id, contactId, title }) => ({ type: taskEvents.deleted, entityId: id, contactId, orgId, changes: { title } })),
  )
  return found.length
}
