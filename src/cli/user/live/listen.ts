// hooks listen: reads the log of a webhook endpoint's deliveries, and posts each one to a local address.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { Item } from '../../../client/endpoints.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { displayText, isForPeople, printJsonLine, printLine, say } from '../output/print.ts'
import { connect } from '../session/connect.ts'
import { addressOf } from '../session/server.ts'
import { signer } from './sign.ts'

export interface Flags extends CommonFlags {
  forwardTo: string
  endpoint?: string
  type?: string[]
  secret?: string
}

type Delivery = Item<'/api/webhooks/v1/deliveries'>

const pollMs = 1_000
// The time within which a receiver of Rolocom's deliveries must answer.
const receiverMs = 10_000
// Deliveries that were queued before the last one that was seen, but committed after it.
const overlapMs = 60_000

export async function listen(this: Terminal, flags: Flags): Promise<void> {
  const client = connect(this, flags)
  const target = addressOf(flags.forwardTo)
  const endpointId = flags.endpoint ?? (await onlyEndpoint(client))
  const given = flags.secret ?? (this.environment.ROLOCOM_LISTEN_SECRET || undefined)
  const secret = given ?? `whsec_${randomBytes(24).toString('base64')}`
  const signed = signer(secret)
  if (given === undefined) say(this, `Signing secret: ${secret}`)
  const query = { endpoint_id: endpointId, ...(flags.type && { type: flags.type }) }
  // Deliveries that exist already are not forwarded.
  const seen = new Map<string, number>()
  for (const { id, created_at } of (await client.get('/api/webhooks/v1/deliveries', { query: { ...query, limit: 200 } })).data)
    seen.set(id, Date.parse(created_at))
  let newest = Math.max(0, ...seen.values())
  say(this, `Forwarding deliveries of ${endpointId} to ${target}; Ctrl-C ends it`)
  for (;;) {
    const created_since = new Date(newest - overlapMs).toISOString()
    const waiting: Delivery[] = []
    for await (const delivery of client.list('/api/webhooks/v1/deliveries', { query: { ...query, created_since, limit: 200 } }))
      if (!seen.has(delivery.id)) waiting.push(delivery)
    // The list has the newest first.
    for (const delivery of waiting.toReversed()) {
      const { id, created_at } = delivery
      if (!(await forward(this, flags, client, delivery, target, signed))) continue
      seen.set(id, Date.parse(created_at))
      newest = Math.max(newest, Date.parse(created_at))
    }
    for (const [id, queuedAt] of seen) if (queuedAt < newest - 2 * overlapMs) seen.delete(id)
    await sleep(pollMs)
  }
}

async function onlyEndpoint(client: Client): Promise<string> {
  const { data } = await client.get('/api/webhooks/v1/endpoints', { query: { limit: 20 } })
  const [endpoint, ...others] = data
  if (!endpoint)
    throw new CommandError('There is no webhook endpoint: add one with rolocom api POST /api/webhooks/v1/endpoints -f url=https://...')
  if (others.length > 0)
    throw new CommandError(
      `There are several webhook endpoints; --endpoint names one:\n${data.map(({ id, url }) => `  ${id}  ${url}`).join('\n')}`,
      exitStatus.usage,
    )
  return endpoint.id
}

/** Resolves with whether the delivery is done with: before its first attempt it has no body yet. */
async function forward(
  terminal: Terminal,
  flags: Flags,
  client: Client,
  { id, state, type }: Delivery,
  target: string,
  signed: ReturnType<typeof signer>,
): Promise<boolean> {
  const { message_id, request_body } = await client.get('/api/webhooks/v1/deliveries/{delivery_id}', { path: { delivery_id: id } })
  if (request_body === null) {
    if (state === 'waiting' || state === 'pending' || state === 'sending') return false
    say(terminal, `${type} ${id}: its body may not be read with this credential, or was never made`)
    return true
  }
  const began = performance.now()
  const outcome = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(message_id, request_body) },
    body: request_body,
    redirect: 'manual',
    signal: AbortSignal.timeout(receiverMs),
  }).then(
    async response => {
      await response.body?.cancel()
      return response.status
    },
    (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)),
  )
  const ms = Math.round(performance.now() - began)
  if (isForPeople(terminal, flags))
    printLine(terminal, `${new Date().toISOString().slice(11, 19)}  ${type}  ${message_id}  ${displayText(outcome)}  ${ms} ms`)
  else printJsonLine(terminal, { type, webhook_id: message_id, delivery_id: id, answer: outcome, ms })
  return true
}
