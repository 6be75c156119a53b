// Deliveries: what is to be sent where, in which pieces; each piece is a row that knows whether its channel has it.

import pRetry from 'p-retry'
import { v7 as uuid } from 'uuid'
import { type Context, createContext, inTransaction, organizationOf, type Services } from '../context.ts'
import { type Queries, statement } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { grouped, load } from '../load.ts'
import { type Channel, type Channels, DeliveryError } from './channels.ts'
import { workChannel } from './heartbeat-bell.ts'
import type { Run } from './run.sql.ts'
import { withSafeLinks } from './safe-links.ts'
import { split } from './split.ts'
import { type ChannelName, mainSessionKey } from './words.ts'

export const deliveryStates = ['pending', 'sending', 'sent', 'undeliverable', 'unknown'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Delivery {
  id: string
  orgId: string
  runId: string
  channel: ChannelName
  recipient: string | null
  part: number
  parts: number
  text: string
  state: DeliveryState
  attempts: number
  messageId: string | null
  reason: string | null
  createdAt: string
  updatedAt: string
  sentAt: string | null
}

const columns = `d.id, d.org_id as "orgId", d.run_id as "runId", d.channel, d.recipient, d.part, d.parts, d.text, d.state, d.attempts,
  d.message_id as "messageId", d.reason, d.created_at as "createdAt", d.updated_at as "updatedAt", d.sent_at as "sentAt"`

const selectLast = statement<{ channel: ChannelName | null; recipient: string | null }>(
  'gateway_last_channel',
  'select last_channel as channel, last_recipient as recipient from gateway_sessions where org_id = $1 and key = $2',
)
const insertDeliveries = statement<never>(
  'gateway_insert_deliveries',
  `insert into gateway_deliveries (id, org_id, run_id, channel, recipient, part, parts, text, state, reason, due_at, created_at, updated_at)
   select id, $1, $2, $3, $4, part, $5, text, $6, $7, $8, $8, $8 from unnest($9::uuid[], $10::int[], $11::text[]) as g(id, part, text)`,
)
const selectByRuns = statement<Delivery>(
  'gateway_deliveries_by_run',
  `select ${columns} from gateway_deliveries d where d.org_id = $1 and d.run_id = any($2::uuid[]) order by d.part`,
)
// The parts of one reply go in order, one after the other.
const selectDue = statement<Delivery>(
  'gateway_due_delivery',
  `select ${columns} from gateway_deliveries d
   where d.org_id = $1 and ((d.state = 'pending' and d.due_at <= $2) or (d.state = 'sending' and d.lease_until < now()))
     and not exists (select 1 from gateway_deliveries e where e.run_id = d.run_id and e.part < d.part and e.state in ('pending', 'sending'))
   order by d.due_at limit 1 for update of d skip locked`,
)
// 30 s: three times what sending may take, so that most of it is left for writing down what came of it.
const leaseSeconds = 30
const beginSending = statement<never>(
  'gateway_begin_sending',
  `update gateway_deliveries set state = 'sending', attempts = attempts + 1, lease_token = $2, lease_until = now() + interval '${leaseSeconds} seconds',
     updated_at = $3 where id = $1`,
)
const giveBack = statement<never>(
  'gateway_give_back_delivery',
  `update gateway_deliveries set state = $3, attempts = attempts - 1, lease_token = null, lease_until = now() where id = $1 and lease_token = $2`,
)
// An acknowledgment that comes late is still one.
const settle = statement<{ id: string }>(
  'gateway_settle_delivery',
  `update gateway_deliveries set state = $3, message_id = $4, reason = $5, due_at = $6, sent_at = $7, updated_at = $8, lease_token = null,
     lease_until = null where id = $1 and (lease_token = $2 or ($3 = 'sent' and state = 'unknown')) returning id`,
)
const giveUpRest = statement<never>(
  'gateway_give_up_parts',
  `update gateway_deliveries set state = 'undeliverable', reason = 'an earlier part of the reply could not be delivered', updated_at = $3
   where run_id = $1 and part > $2 and state = 'pending'`,
)
const postpone = statement<never>(
  'gateway_postpone_channel',
  `update gateway_deliveries set due_at = $3 where org_id = $1 and channel = $2 and state = 'pending' and due_at < $3`,
)
const remember = statement<never>(
  'gateway_remember_channel',
  'update gateway_sessions set last_channel = $3, last_recipient = $4 where org_id = $1 and key = $2',
)

/** Writes what is to be delivered of a reply, in the context's transaction. A channel that cannot take it gets an undeliverable row. */
export async function planDelivery(context: Context, channels: Channels, run: Run, reply: string): Promise<void> {
  const { services, db } = context
  const { channel, recipient, problem } = await destinationOf(services, db, run)
  const driver = channels[channel]
  const reason = driver ? problem : `the channel ${channel} is not configured`
  const safe = await withSafeLinks(context, run, reply)
  const texts = driver && !reason ? split(safe, driver) : [safe]
  await db.query(insertDeliveries, [
    run.orgId,
    run.id,
    channel,
    recipient,
    texts.length,
    reason ? 'undeliverable' : 'pending',
    reason ?? null,
    context.now().toISOString(),
    texts.map(() => uuid()),
    texts.map((_, index) => index + 1),
    texts,
  ])
  if (!reason) await db.afterCommit(() => services.bell.ring(workChannel))
}

interface Destination {
  channel: ChannelName
  recipient: string | null
  problem?: string
}

// `last` is where the main session was last delivered to; a recipient that nobody named is the last one of that channel, or its default.
async function destinationOf(services: Services, db: Queries, run: Run): Promise<Destination> {
  const { channels, lastChannelFallback } = services.config.gateway
  const [last] = await db.query(selectLast, [run.orgId, mainSessionKey])
  const channel = run.channel === 'last' ? (last?.channel ?? lastChannelFallback) : run.channel
  const recipient = run.recipient ?? (last?.channel === channel ? last.recipient : null) ?? channels[channel]?.defaultTo ?? null
  return recipient === null
    ? {
        channel,
        recipient,
        problem: `nobody is named to deliver to: neither "to", nor a last recipient, nor channels.${channel}.defaultTo`,
      }
    : { channel, recipient }
}

/** The deliveries of a run, in the order of their parts. */
export const deliveriesOf = (context: Context, runId: string): Promise<Delivery[]> => load(context, deliveriesByRun, runId)

async function deliveriesByRun(context: Context, runIds: readonly string[]): Promise<Delivery[][]> {
  return grouped(runIds, await context.db.query(selectByRuns, [organizationOf(context), runIds]), delivery => delivery.runId)
}

export const runDeliveryStatuses = ['not_requested', 'skipped', 'pending', 'sent', 'undeliverable', 'unknown'] as const

/** The delivery of a whole reply. */
export interface RunDelivery {
  status: (typeof runDeliveryStatuses)[number]
  channel: ChannelName | null
  to: string | null
  messageIds: string[]
  reason: string | null
}

/** What became of the run's reply. */
export async function deliveryOf(context: Context, run: Run): Promise<RunDelivery> {
  const nowhere = { channel: null, to: null, messageIds: [], reason: null }
  if (!run.deliver) return { status: 'not_requested', ...nowhere }
  const parts = await deliveriesOf(context, run.id)
  const [first] = parts
  if (!first) return { status: run.status === 'accepted' || run.status === 'running' ? 'pending' : 'skipped', ...nowhere }
  const worst = (['undeliverable', 'pending', 'sending', 'unknown', 'sent'] as const).find(state =>
    parts.some(part => part.state === state),
  )
  return {
    status: worst === undefined || worst === 'sending' ? 'pending' : worst,
    channel: first.channel,
    to: first.recipient,
    messageIds: parts.flatMap(({ messageId }) => (messageId === null ? [] : [messageId])),
    reason: parts.find(({ reason, state }) => reason !== null && state === worst)?.reason ?? null,
  }
}

export interface Sending {
  delivery: Delivery
  token: string
  /** It was being sent when its worker died: the channel may have it. */
  isInterrupted: boolean
}

/** Claims the next delivery that is due; null when there is none. From here on it counts as being sent. */
export async function claimDelivery(services: Services, orgId: string): Promise<Sending | null> {
  return services.database.transaction(async db => {
    const now = services.now().toISOString()
    const [delivery] = await db.query(selectDue, [orgId, now])
    if (!delivery) return null
    const token = uuid()
    await db.query(beginSending, [delivery.id, token, now])
    return { delivery: { ...delivery, attempts: delivery.attempts + 1 }, token, isInterrupted: delivery.state === 'sending' }
  })
}

/** Gives a claimed delivery back unsent: this process stops. One whose worker died stays one that the channel may have. */
export async function returnDelivery(services: Services, { delivery, token, isInterrupted }: Sending): Promise<void> {
  await services.database.query(giveBack, [delivery.id, token, isInterrupted ? 'sending' : 'pending'])
}

const sendTimeoutMs = 10_000
// Seconds before each further attempt, some three hours in all: an outage is waited for, a channel that is gone is not.
const delays = [5, 15, 60, 300, 900, 1800, 3600, 3600]

/** Sends a claimed delivery and writes down what came of it. */
export async function deliver(services: Services, channels: Channels, sending: Sending): Promise<void> {
  const { delivery, isInterrupted } = sending
  const channel = channels[delivery.channel]
  if (!channel || delivery.recipient === null)
    return conclude(services, sending, new DeliveryError('refused', `the channel ${delivery.channel} is not configured any more`))
  if (isInterrupted && !channel.deduplicates)
    return conclude(services, sending, new DeliveryError('unknown', 'the process ended while it was being sent; the channel may have it'))
  const outcome = await send(channel, delivery, delivery.recipient)
  await conclude(services, sending, outcome)
}

async function send(channel: Channel, { id, text }: Delivery, to: string): Promise<string | DeliveryError> {
  try {
    return await channel.send({ to, text, deliveryId: id, signal: AbortSignal.timeout(sendTimeoutMs) })
  } catch (error) {
    if (!(error instanceof DeliveryError)) return new DeliveryError('unknown', 'the channel could not be asked', { cause: error })
    // What arrives once however often it is sent can be sent again.
    return error.fault === 'unknown' && channel.deduplicates ? new DeliveryError('retry', error.message, { cause: error.cause }) : error
  }
}

async function conclude(services: Services, { delivery, token }: Sending, outcome: string | DeliveryError): Promise<void> {
  const { id, orgId, runId, channel, recipient, part, attempts } = delivery
  const now = services.now()
  const delay = outcome instanceof DeliveryError && outcome.fault === 'retry' ? delays[attempts - 1] : undefined
  const state = stateAfter(outcome, delay)
  const dueAt = new Date(now.getTime() + 1000 * Math.max(delay ?? 0, retryAfterOf(outcome))).toISOString()
  const reason = outcome instanceof DeliveryError ? outcome.message.slice(0, 1000) : null
  if (outcome instanceof DeliveryError)
    services.log.warn({ err: outcome.cause, deliveryId: id, channel, state, reason }, 'a delivery did not go through')

  const writeDown = async (db: Queries) => {
    const written = [id, token, state, typeof outcome === 'string' ? outcome : null, reason, dueAt]
    const [settled] = await db.query(settle, [...written, state === 'sent' ? now.toISOString() : null, now.toISOString()])
    // Somebody else took it over, and will write what became of it.
    if (!settled) return
    if (state === 'undeliverable') await db.query(giveUpRest, [runId, part, now.toISOString()])
    if (state === 'sent') await db.query(remember, [orgId, mainSessionKey, channel, recipient])
    if (outcome instanceof DeliveryError && outcome.isChannelWide && state === 'pending') await db.query(postpone, [orgId, channel, dueAt])
    if (state === 'pending') return
    const principal = { kind: 'system', name: 'gateway', orgId } as const
    const context = createContext(services, { principal, requestId: runId, door: 'tasks', operation: 'deliver' })
    await recordEvent(inTransaction(context, db), { type: `delivery.${state}`, entityId: id, changes: { runId, channel, part } })
  }
  // Only this process knows what the channel answered. Written down already, or taken over, it is not written again.
  await pRetry(() => services.database.transaction(writeDown), {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: leaseSeconds * 1000,
    minTimeout: 500,
    factor: 1,
    shouldRetry: ({ error }) => error instanceof AppError && error.code === 'UNAVAILABLE',
  })
}

function stateAfter(outcome: string | DeliveryError, delay: number | undefined): DeliveryState {
  if (typeof outcome === 'string') return 'sent'
  if (outcome.fault === 'unknown') return 'unknown'
  return delay === undefined ? 'undeliverable' : 'pending'
}

// No channel asks for more than an hour in earnest.
const retryAfterOf = (outcome: string | DeliveryError) => (typeof outcome === 'string' ? 0 : Math.min(3600, outcome.retryAfterSeconds ?? 0))
