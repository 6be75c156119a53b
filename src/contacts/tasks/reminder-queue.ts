// Queues reminders of open tasks, in the context's transaction. One that was queued for another time, or twice, does nothing.

import type { Context } from '../../kernel/context.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import type { RecordNoun } from '../records/nouns.ts'
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

/** Queues the reminders of restored records. Reminders that were due while the record was deleted come at once. */
export async function remindOfRestored(context: Context, noun: RecordNoun, orgId: string, ids: readonly string[]): Promise<void> {
  for (const task of await context.db.query(unremindedTasks[noun], [orgId, ids])) await remindLater(context, task)
}
