// Stopping endpoints that must not go on: of accounts that were taken over, of makers who have left, and of receivers that are gone.

import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { endDeliveries } from '../deliveries/delivery.sql.ts'
import { lockEndpoints } from '../outbox/reader.sql.ts'
import { type DisabledReason, type Endpoint, endpointEvents, lockEndpoint } from './endpoint.sql.ts'

const sentences: Readonly<Record<DisabledReason, string>> = {
  by_user: 'somebody has disabled it',
  gone: 'it answered 410 Gone',
  failing: 'it has not taken a single delivery in five days',
  maker_left: 'the membership or the API key that it reads with has ended, or the key waits for the payer to confirm it',
  account_recovered: 'it was made before the address of its owner was verified',
}

/** Why nothing is sent to an endpoint any more, and what its members can do. */
export const disabledSentence = (reason: string): string => {
  const known = Object.entries(sentences).find(([one]) => one === reason)
  return `It was stopped${known ? `, because ${known[1]}` : ''}. Undelivered events stay in the log for 30 days: enable the webhook endpoint again and replay them from there.`
}

/** Disables the endpoint if it is enabled. Its event makes inbox items. Pending deliveries stay in the log, from which they can be replayed. */
export async function disableEndpoint(services: Services, { orgId, id }: Endpoint, reason: DisabledReason): Promise<void> {
  const context = createContext(services, {
    ...{ principal: { kind: 'system', name: 'webhooks', orgId }, requestId: id, door: 'tasks', operation: 'disableEndpoint' },
  })
  await services.database.transaction(async db => {
    const inside = inTransaction(context, db)
    await db.query(lockEndpoints)
    await stop(inside, orgId, id, reason)
  })
}

/** Disables all endpoints of the organizations, and replaces their secrets without an overlap, in the context's transaction. */
export async function stopEndpoints(context: Context, orgIds: readonly string[]): Promise<void> {
  await context.db.query(lockEndpoints)
  for (const orgId of orgIds) {
    const principal = { kind: 'system', name: 'webhooks', orgId } as const
    const about = { principal, requestId: context.requestId, door: 'system', operation: 'stopEndpoints' } as const
    const inside = inTransaction(createContext(context.services, about), context.db)
    const found = await inside.db.prisma.webhookEndpoint.findMany({ where: { orgId }, select: { id: true }, orderBy: { id: 'asc' } })
    for (const { id } of found) {
      await stop(inside, orgId, id, 'account_recovered')
      await inside.db.prisma.webhookEndpoint.update({
        where: { id, orgId },
        data: { secretVersion: { increment: 1 }, previousSecretUntil: null },
      })
    }
  }
}

async function stop(context: Context, orgId: string, id: string, reason: DisabledReason): Promise<void> {
  const { db } = context
  const [endpoint] = await db.query(lockEndpoint, [orgId, id])
  if (endpoint?.state !== 'enabled') return
  const now = context.now().toISOString()
  const changed = { state: 'disabled', disabledReason: reason, disabledAt: now } as const
  await db.prisma.webhookEndpoint.update({ where: { id, orgId }, data: { ...changed, updatedAt: now, version: endpoint.version + 1 } })
  await db.query(endDeliveries, [id, 'canceled', `the endpoint was disabled: ${sentences[reason]}`, now])
  const changes = { state: ['enabled', 'disabled'], disabledReason: [null, reason] }
  await recordEvent(context, { type: endpointEvents.disabled, entityId: id, orgId, changes })
}
