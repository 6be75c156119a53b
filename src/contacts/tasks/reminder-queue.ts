// Queues reminders of open tasks, in the context's transaction. One that was queued for another time, or twice, does nothing.

import type { Context } from '../../kernel/context.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { type ContactTask, unremindedTasks } from './task.sql.ts'

export interface Reminder {
  orgId: string
  taskId: string
  remindAt: string
}

/** Reminds of a task, if its `remindAt` is still this time. */
export const reminderItem = queueItem<Reminder>('contact-reminder', {
  retryLimit: 5,
  retryDelaySeconds: 5,
  timeoutSeconds: 60,
  concurrency: 2,
})

export async function remindLater(context: Context, { id, orgId, status, remindAt, remindedAt }: ContactTask): Promise<void> {
  if (status !== 'open' || remindAt === null || remindedAt !== null) return
  const options = { db: context.db, startAfter: new Date(remindAt) }
  await context.services.queue.enqueue(reminderItem, { orgId, taskId: id, remindAt }, options)
}

/** Queues the reminders of restored contacts. Reminders that were due while the contact was deleted come at once. */
export async function remindOfContacts(context: Context, orgId: string, contactIds: readonly string[]): Promise<void> {
  for (const task of await context.db.query(unremindedTasks, [orgId, contactIds])) await remindLater(context, task)
}
