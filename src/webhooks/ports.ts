// What sending webhooks needs of the parts that are put together later: what a principal may read, and objects as REST shows them.

import type { Context } from '../kernel/context.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'

export interface WebhookPorts {
  /** Whether the context's principal may read what the event is about. */
  mayRead(context: Context, event: Pick<OutboxEvent, 'entity' | 'entityId' | 'changes'>): boolean | Promise<boolean>
  /** The object as it is now; null for one that is gone, or that has no representation of its own. */
  objectOf(context: Context, entity: string, id: string): Promise<unknown>
}
