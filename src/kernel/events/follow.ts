// Subscriptions to the organization's events: maps each event to the rows that a subscription sends.

import { type Context, organizationOf } from '../context.ts'
import type { OutboxEvent } from './event.sql.ts'
import { mapped } from './follower.ts'

/**
 * The rows of every event that is committed from now on, in commit order. `rowsOf` returns an empty list for events that do not concern the
 * subscription. Ends when `context.signal` is aborted.
 */
export async function followOutbox<Row>(
  context: Context,
  rowsOf: (event: OutboxEvent) => readonly Row[] | Promise<readonly Row[]>,
): Promise<AsyncIterableIterator<Row>> {
  return mapped(await context.services.outbox.follow(organizationOf(context), context.signal), rowsOf)
}
