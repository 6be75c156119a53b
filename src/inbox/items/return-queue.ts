// Queues the return of a snoozed item, in the context's transaction. One that was snoozed again or woken meanwhile stays as it is.

import type { Context } from '../../kernel/context.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import type { InboxItem } from './item.sql.ts'

export interface Return {
  orgId: string
  itemId: string
  snoozedUntil: string
}

export const returnItem = queueItem<Return>('inbox-return', { retryLimit: 5, retryDelaySeconds: 5, timeoutSeconds: 60, concurrency: 2 })

export async function returnLater(context: Context, { id, orgId, snoozedUntil }: InboxItem): Promise<void> {
  if (snoozedUntil === null) return
  const options = { db: context.db, startAfter: new Date(snoozedUntil) }
  await context.services.queue.enqueue(returnItem, { orgId, itemId: id, snoozedUntil }, options)
}
