// Replays: deliveries that are over, sent again with the `webhook-id` that they had.

import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { oneOf, problem, valueError } from '../../kernel/input/problem.ts'
import { timeTexts } from '../../kernel/lists/comparisons.ts'
import { endpointEvents } from '../endpoints/endpoint.sql.ts'
import { getEndpoint } from '../endpoints/endpoint.ts'
import { lockReader } from '../outbox/reader.sql.ts'
import { added, webhookChannel } from '../sending/channel.ts'
import { countReplays, type Delivery, type DeliveryState, deliveriesById, replayDeliveries } from './delivery.sql.ts'
import { getDelivery } from './delivery.ts'

export interface ReplayRange {
  endpointId: string
  since: Date
  until?: Date | null
  stateIn?: readonly DeliveryState[] | null
  limit?: number | null
}

const defaultLimit = 1000
const maxLimit = 10_000
const finalStates: readonly DeliveryState[] = ['delivered', 'failed', 'canceled']

/** Sends a delivery again, behind what waits of its entity. Throws NOT_FOUND, and CONFLICT for one that is not over, whose endpoint is disabled, or behind 10,000 replays. */
export async function replayDelivery(context: Context, id: string): Promise<Delivery> {
  const delivery = await getDelivery(context, id)
  if (!finalStates.includes(delivery.state))
    throw new AppError('CONFLICT', `The delivery is ${delivery.state}: it is sent by itself, next at ${delivery.dueAt}`)
  return replaying(context, delivery.endpointId, [delivery.id, null, null, null], 1, async (tx, [replayed]) => {
    const [row] = replayed ? await tx.db.query(deliveriesById, [delivery.orgId, [replayed.id]]) : []
    if (!row) throw new AppError('CONFLICT', 'The delivery is being sent')
    return row
  })
}

/**
 * Sends the deliveries of a time again, in their order, each message once. Default: those that failed or were canceled. Resolves with their
 * number. Throws NOT_FOUND, INVALID, and CONFLICT for an endpoint that is disabled, or has 10,000 replays still to be sent.
 */
export function replayRange(context: Context, { endpointId, since, until, stateIn, limit: given }: ReplayRange): Promise<number> {
  const limit = given ?? defaultLimit
  if (limit < 1) throw invalid(problem('limit', 'greater_than_equal', limit, { ge: 1 }))
  if (limit > maxLimit) throw invalid(problem('limit', 'less_than_equal', limit, { le: maxLimit }))
  const times = timeTexts({ since, until })
  if (until && until <= since) throw invalid(valueError('until', 'is not after since', times.until))
  const unfit = stateIn?.findIndex(state => !finalStates.includes(state)) ?? -1
  if (unfit >= 0)
    throw invalid(problem(['stateIn', unfit], 'enum', stateIn?.[unfit], { expected: oneOf(finalStates.map(state => `'${state}'`)) }))
  const states = stateIn?.length ? stateIn : ['failed', 'canceled']
  const range = [null, times.since, times.until, states]
  return replaying(context, endpointId, range, limit, async (_tx, replayed) => replayed.length)
}

async function replaying<Result>(
  context: Context,
  endpointId: string,
  range: readonly unknown[],
  limit: number,
  answer: (tx: Context, replayed: readonly { id: string }[]) => Promise<Result>,
): Promise<Result> {
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    await db.query(lockReader)
    const { id, orgId, state } = await getEndpoint(tx, endpointId)
    if (state === 'disabled') throw new AppError('CONFLICT', 'The endpoint is disabled; enable it first')
    const [open] = await db.query(countReplays, [id, maxLimit])
    if ((open?.count ?? 0) >= maxLimit)
      throw new AppError('CONFLICT', `${maxLimit} replays to the endpoint are still to be sent; wait for some of them`)
    const replayed = await db.query(replayDeliveries, [
      orgId,
      id,
      ...range,
      Array.from({ length: limit }, () => newId()),
      tx.now().toISOString(),
    ])
    if (replayed.length > 0)
      await recordEvent(tx, { type: endpointEvents.replayed, entityId: id, changes: { deliveries: replayed.length } })
    await db.afterCommit(() => context.services.notifier.notify(webhookChannel, added))
    return answer(tx, replayed)
  })
}
