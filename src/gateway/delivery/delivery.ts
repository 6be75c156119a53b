// Deliveries: messages to channels, one for each part of a reply, with their state.

import type { ChannelName } from '../../config/gateway/enums.ts'
import type { GatewayDeliveryModel } from '../../generated/prisma/models.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { grouped, load } from '../../kernel/dataloaders.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import type { Run } from '../runs/row.ts'

export const deliveryEvents = eventsOf('delivery', {
  sent: 'A channel has a message.',
  undeliverable: 'A channel will never have a message.',
  unknown: 'A channel may have a message: its answer never came.',
})

export const deliveryStates = ['pending', 'sending', 'sent', 'undeliverable', 'unknown'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** A row of `gateway_deliveries`. The rules write these values to its text columns and no others. */
export interface Delivery extends GatewayDeliveryModel {
  channel: ChannelName
  state: DeliveryState
}

/** The deliveries of a run, in the order of their parts. */
export const deliveriesOf = (context: Context, runId: string): Promise<Delivery[]> => load(context, deliveriesByRun, runId)

async function deliveriesByRun(context: Context, runIds: readonly string[]): Promise<Delivery[][]> {
  const where = { orgId: organizationOf(context), runId: { in: [...runIds] } }
  const found = await context.db.prisma.gatewayDelivery.findMany({ where, orderBy: { part: 'asc' } })
  return grouped(runIds, found as Delivery[], delivery => delivery.runId)
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

/** The delivery of the run's reply, over all its parts. */
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
