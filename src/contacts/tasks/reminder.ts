// Reminders of tasks: at the given time, one event is written. It makes an inbox item of the assignee.

import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { lockRecord } from '../records/hanging/lock.ts'
import { recordOf } from '../records/hanging/ref.ts'
import { type Reminder, reminderItem } from './reminder-queue.ts'
import { lockTask, taskEvents } from './task.sql.ts'

/** Reminds of the task, unless it is closed, its reminder has another time or was sent already, or its record is deleted. */
export async function remind(services: Services, { orgId, taskId, remindAt }: Reminder): Promise<void> {
  const context = createContext(services, {
    principal: { kind: 'system', name: 'reminders', orgId },
    requestId: newId(),
    door: 'tasks',
    operation: 'remind',
  })
  await services.database.transaction(async db => {
    const tx = inTransaction(context, db)
    const [task] = await db.query(lockTask, [orgId, taskId])
    if (!task || task.status !== 'open' || task.remindAt !== remindAt || task.remindedAt !== null) return
    const timelines = await lockRecord(tx, orgId, recordOf(task))
    // The task rests. It is queued again when the record is restored.
    if (!timelines) return
    const now = context.now().toISOString()
    await db.prisma.contactTask.update({ where: { id: taskId, orgId }, data: { remindedAt: now, version: task.version + 1 } })
    const changes = { title: task.title, dueAt: task.dueAt, assigneeUserId: task.assigneeUserId }
    await recordEvent(tx, { type: taskEvents.reminded, entityId: task.id, ...timelines, changes })
  })
}

export const reminderHandler = handlerOf(reminderItem, (services, { payload }) => remind(services, payload))
