// Sending deliveries: claimed by a worker, sent to the channel, repeated after failures that allow it.

import pRetry from 'p-retry'
import { mainSessionKey } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { deathReason, maxDeaths } from '../../kernel/queue/deaths.ts'
import { type Channel, type Channels, DeliveryError } from '../channels/channel.ts'
import { workChannel } from '../heartbeat/request.ts'
import { beginSending, leaseSeconds, postponeChannel, returnUnsent, selectDue, storeResult } from './delivery.sql.ts'
import { type Delivery, type DeliveryState, deliveryEvents } from './delivery.ts'
import { moveRecipient } from './moved.ts'

export interface Sending {
  delivery: Delivery
  token: string
  /** A worker died while it was sending: the channel may have the message. */
  isInterrupted: boolean
}

/** Claims the next delivery that is due, whose state is `sending` from then on. Null if there is none. */
export async function claimDelivery(services: Services, orgId: string): Promise<Sending | null> {
  return services.database.transaction(async db => {
    const now = services.now().toISOString()
    const [due] = await db.query(selectDue, [orgId, now])
    if (!due) return null
    const token = newId()
    await db.query(beginSending, [due.id, token, now])
    const delivery = await db.prisma.gatewayDelivery.findUniqueOrThrow({ where: { id: due.id } })
    return { delivery: delivery as Delivery, token, isInterrupted: due.state === 'sending' }
  })
}

/** Returns a claimed delivery unsent, because this process stops. An interrupted one keeps the state `sending`. */
export async function returnDelivery(services: Services, { delivery, token, isInterrupted }: Sending): Promise<void> {
  await services.database.query(returnUnsent, [delivery.id, token, isInterrupted ? 'sending' : 'pending'])
}

const sendTimeoutMs = 10_000
// Seconds before each further attempt, about three hours in all: longer than most outages.
const retryDelaysSeconds = [5, 15, 60, 300, 900, 1800, 3600, 3600]

/** Sends a claimed delivery and stores the result. */
export async function deliver(services: Services, channels: Channels, sending: Sending): Promise<void> {
  const { delivery, isInterrupted } = sending
  const channel = channels[delivery.channel]
  if (!channel || delivery.recipient === null)
    return finish(services, sending, new DeliveryError('refused', `the channel ${delivery.channel} is not configured any more`))
  if (isInterrupted && !channel.deduplicates)
    return finish(services, sending, new DeliveryError('unknown', 'the process ended while it was being sent; the channel may have it'))
  if (delivery.workersLost >= maxDeaths)
    return finish(services, sending, new DeliveryError('unknown', `${deathReason}; the channel may have it`))
  const outcome = await send(channel, delivery, delivery.recipient)
  await finish(services, sending, outcome)
}

async function send(channel: Channel, { id, text }: Delivery, to: string): Promise<string | DeliveryError> {
  try {
    return await channel.send({ to, text, deliveryId: id, signal: AbortSignal.timeout(sendTimeoutMs) })
  } catch (error) {
    if (!(error instanceof DeliveryError)) return new DeliveryError('unknown', 'the channel could not be asked', { cause: error })
    // A channel that recognizes repeats can be sent the message again.
    return error.fault === 'unknown' && channel.deduplicates ? new DeliveryError('retry', error.message, { cause: error.cause }) : error
  }
}

async function finish(services: Services, { delivery, token }: Sending, outcome: string | DeliveryError): Promise<void> {
  const { id, orgId, runId, channel, recipient, part, attempts } = delivery
  const now = services.now()
  const delay = outcome instanceof DeliveryError && outcome.fault === 'retry' ? retryDelaysSeconds[attempts - 1] : undefined
  const state = stateAfter(outcome, delay)
  const movedTo = outcome instanceof DeliveryError && state === 'pending' ? outcome.movedTo : undefined
  const waitSeconds = movedTo === undefined ? Math.max(delay ?? 0, retryAfterOf(outcome)) : 0
  const dueAt = new Date(now.getTime() + 1000 * waitSeconds).toISOString()
  const reason = outcome instanceof DeliveryError ? storableText(outcome.message, { maxLength: 1000 }) : null
  if (outcome instanceof DeliveryError)
    services.log.warn({ err: outcome.cause, deliveryId: id, channel, state, reason }, 'a delivery did not go through')

  const store = async (db: Queries) => {
    const written = [id, token, state, typeof outcome === 'string' ? outcome : null, reason, dueAt]
    const [settled] = await db.query(storeResult, [...written, state === 'sent' ? now.toISOString() : null, now.toISOString()])
    // Another worker has taken over the delivery, and will store its own result.
    if (!settled) return
    if (state === 'undeliverable')
      await db.prisma.gatewayDelivery.updateMany({
        where: { runId, part: { gt: part }, state: 'pending' },
        data: { state, reason: 'an earlier part of the reply could not be delivered', updatedAt: now },
      })
    if (state === 'sent') await rememberRecipient(db, delivery)
    if (movedTo !== undefined && recipient !== null) {
      await moveRecipient(db, { orgId, channel, recipient, movedTo, now })
      await db.afterCommit(() => services.notifier.notify(workChannel))
    }
    if (outcome instanceof DeliveryError && outcome.isChannelWide && state === 'pending')
      await db.query(postponeChannel, [orgId, channel, dueAt])
    if (state === 'pending') return
    const principal = { kind: 'system', name: 'gateway', orgId } as const
    const context = createContext(services, { principal, requestId: runId, door: 'tasks', operation: 'deliver' })
    await recordEvent(inTransaction(context, db), { type: deliveryEvents[state], entityId: id, changes: { runId, channel, part } })
  }
  // Repeated, because only this process knows the channel's answer. If a commit was not confirmed, the lease is gone and nothing changes.
  await pRetry(() => services.database.transaction(store), {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: leaseSeconds * 1000,
    minTimeout: 500,
    factor: 1,
    shouldRetry: ({ error }) => error instanceof AppError && error.code === 'UNAVAILABLE',
  })
}

// A recipient that was named from outside, by a hook or the template of a mapping, never becomes the default of other runs. One that a member
// named is the default for as long as the member stays: see plan.ts.
async function rememberRecipient({ prisma }: Queries, { orgId, runId, channel, recipient }: Delivery): Promise<void> {
  const run = await prisma.gatewayRun.findFirst({ where: { id: runId, origin: null }, select: { recipient: true, askedById: true } })
  if (!run) return
  const last = { lastChannel: channel, lastRecipient: recipient }
  const isNamed = run.recipient !== null
  await prisma.gatewaySession.updateMany({
    // A recipient that is the default already stays the default of the member who named it.
    where: { orgId, key: mainSessionKey, ...(!isNamed && { OR: [{ lastChannel: null }, { lastRecipient: null }, { NOT: last }] }) },
    data: { ...last, lastRecipientById: isNamed ? run.askedById : null },
  })
}

function stateAfter(outcome: string | DeliveryError, delay: number | undefined): Exclude<DeliveryState, 'sending'> {
  if (typeof outcome === 'string') return 'sent'
  if (outcome.fault === 'unknown') return 'unknown'
  return delay === undefined ? 'undeliverable' : 'pending'
}

// An hour at most: a wrong Retry-After must not stop deliveries for days.
const retryAfterOf = (outcome: string | DeliveryError) => (typeof outcome === 'string' ? 0 : Math.min(3600, outcome.retryAfterSeconds ?? 0))
