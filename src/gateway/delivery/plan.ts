// The plan of a delivery: which channel and recipient, in which parts, with which links.

import { type ChannelName, mainSessionKey } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'
import { mayStill } from '../../identity/authentication/still-allowed.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import type { Channels } from '../channels/channel.ts'
import { workChannel } from '../heartbeat/request.ts'
import { turnsOfRun } from '../runs/history.ts'
import type { Run } from '../runs/row.ts'
import { type AgentSession, sessionByKey } from '../sessions/lists.ts'
import type { DeliveryState } from './delivery.ts'
import { addressesIn, defang } from './links.ts'
import { presentRecipient } from './moved.ts'
import { split } from './split.ts'

/** Stores the deliveries of a reply, in the context's transaction. Without a channel or recipient there is one undeliverable row. */
export async function planDelivery(context: Context, channels: Channels, run: Run, reply: string): Promise<void> {
  const { services, db } = context
  const { channel, recipient, problem } = await destinationOf(context, run)
  const driver = channels[channel]
  const reason = driver ? problem : `the channel ${channel} is not configured`
  const safe = await withSafeLinks(context, run, reply)
  const texts = driver && !reason ? split(safe, driver) : [safe]
  const now = context.now()
  const state: DeliveryState = reason ? 'undeliverable' : 'pending'
  const common = { orgId: run.orgId, runId: run.id, channel, recipient, parts: texts.length, state, reason: reason ?? null }
  await db.prisma.gatewayDelivery.createMany({
    data: texts.map((text, index) => ({ id: newId(), ...common, part: index + 1, text, dueAt: now, createdAt: now, updatedAt: now })),
  })
  if (!reason) await db.afterCommit(() => services.notifier.notify(workChannel))
}

interface Destination {
  channel: ChannelName
  recipient: string | null
  problem?: string
}

// `last` is the channel that was last delivered to. Without a recipient it is the last one of that channel, or the channel's default.
async function destinationOf(context: Context, run: Run): Promise<Destination> {
  const { services, db } = context
  const { channels, lastChannelFallback } = services.config.gateway
  const last = await lastDelivered(context, run)
  const channel = run.channel === 'last' ? (last?.lastChannel ?? lastChannelFallback) : run.channel
  const recipient = run.recipient ?? (last?.lastChannel === channel ? last.lastRecipient : null) ?? channels[channel]?.defaultTo ?? null
  return recipient === null
    ? {
        channel,
        recipient,
        problem: `nobody is named to deliver to: neither "to", nor a last recipient, nor channels.${channel}.defaultTo`,
      }
    : { channel, recipient: await presentRecipient(db, run.orgId, channel, recipient) }
}

// None where the member who named the recipient has left: the replies would go on to who may not read them any more.
async function lastDelivered(context: Context, { orgId }: Run): Promise<AgentSession | null> {
  const main = await sessionByKey(context.db, orgId, mainSessionKey)
  const namedBy = main?.lastRecipientById ?? null
  if (namedBy === null) return main
  return (await mayStill(context, { type: 'user', id: namedBy, name: null }, orgId, 'contacts:read')) ? main : null
}

/**
 * The reply with links that nothing opens, unless they are the platform's own or allowed. In a session where only users of the organization
 * have written, all links stay.
 */
async function withSafeLinks({ db, services }: Context, run: Run, reply: string): Promise<string> {
  if (!/[./\\:\u3002]/.test(reply.normalize('NFKC'))) return reply
  if (!(await hasUntrustedText(db, run.sessionId))) return reply
  const { PUBLIC_URL, gateway } = services.config
  const turns = (await turnsOfRun(db, run)).filter(({ role }) => role === 'tool')
  // An address that the model itself wrote into a record stays untrusted when a tool returns it.
  const written = JSON.stringify(turns.map(({ toolInput }) => toolInput))
  const known = new Set([...addressesIn(turns.map(({ toolOutput }) => toolOutput))].filter(address => !written.includes(address)))
  const own = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname]
  return defang(reply, { allowedHosts: [...own, ...(gateway.channels.allowedLinkHosts ?? [])], known })
}

// Heartbeats read events from outside, and tools return records that outsiders may have written.
async function hasUntrustedText({ prisma }: Queries, sessionId: string): Promise<boolean> {
  const select = { id: true }
  return (
    (await prisma.gatewayRun.findFirst({ where: { sessionId, OR: [{ kind: 'heartbeat' }, { origin: { not: null } }] }, select })) !==
      null || (await prisma.gatewayTurn.findFirst({ where: { sessionId, role: 'tool' }, select })) !== null
  )
}
