// Subscriptions to the organization's events: from now on, or behind a position that the client has kept.

import { type Context, organizationOf } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import { valueError } from '../input/problem.ts'
import type { OutboxEvent } from './event.sql.ts'
import { mapItems } from './follower.ts'
import { decodePosition, encodePosition, type Position } from './position.ts'

/**
 * An item of a subscription that is not sent yet. Its rows are read when they are sent, with the rights that the caller has then. Rows read
 * earlier could be shown to a caller who has lost the right to them meanwhile, such as during an outage. Every subscription yields these.
 */
export class Unsent<Row = unknown> {
  readonly rows: (now: Context) => Promise<readonly Row[]>
  constructor(rows: (now: Context) => Promise<readonly Row[]>) {
    this.rows = rows
  }
}

/** A subscription whose items are `Unsent<Row>`. The schema sees rows: graphql/http/live.ts reads them before a resolver does. */
export const asSubscription = <Row>(items: AsyncIterableIterator<Unsent<Row>>): AsyncIterableIterator<Row> =>
  items as unknown as AsyncIterableIterator<Row>

/** The value that a subscription sends for an event, with the position behind it. */
export type Positioned<Row> = Row & { position: string }

interface Followed {
  /** The entities, by their names in events. */
  entities: readonly string[]
  /** The position behind which the subscription goes on. Absent: from now on. */
  after?: string | null | undefined
}

/**
 * The rows of every event of the entities, in commit order. `rowsOf` returns an empty list for events that do not concern the subscription.
 * Ends when `context.signal` is aborted, and with UNAVAILABLE when events can no longer be delivered. Throws INVALID for a malformed `after`.
 */
export async function followOutbox<Row extends object>(
  context: Context,
  { entities, after }: Followed,
  rowsOf: (event: OutboxEvent, now: Context) => readonly Row[] | Promise<readonly Row[]>,
): Promise<AsyncIterableIterator<Positioned<Row>>> {
  const wanted = { entities, types: null }
  const items = await context.services.outbox.resume(organizationOf(context), positionIn(after), wanted, context.signal)
  // The position of the previous item. If an event has several rows, only the last one has the position behind the event.
  let reached = after ?? null
  return asSubscription(
    mapItems(items, ({ event, position, ...item }) => {
      if (!event && 'signal' in item && item.signal === 'read_afresh') throw missedChangesError()
      const [before, behind] = [reached, encodePosition(position)]
      reached = behind
      if (!event) return []
      return [
        new Unsent(async now => {
          const rows = await rowsOf(event, now)
          return rows.map((row, index) => ({ ...row, position: index === rows.length - 1 ? behind : (before ?? behind) }))
        }),
      ]
    }),
  )
}

/** The position that a client gives as `after`; null without one. Throws INVALID for a malformed one. */
export function positionIn(after: string | null | undefined): Position | null {
  if (after == null) return null
  const position = decodePosition(after)
  if (position === null) throw invalid(valueError('after', 'is not the position of a change', after))
  return position
}

const missedChangesError = () =>
  new AppError(
    'UNAVAILABLE',
    'Changes were missed that can no longer be delivered: read again what you show, and follow again without `after`',
    { retryAfter: 1 },
  )
