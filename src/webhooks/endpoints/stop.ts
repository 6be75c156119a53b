// Stopping endpoints that must not go on: of accounts that were taken over, of makers who have left, and of receivers that are gone.

import { mailNotice } from '../../identity/users/notice.ts'
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

/** Disables the endpoint if it is enabled, and mails its maker. Pending deliveries stay in the log, from which they can be replayed. */
export async function disableEndpoint(services: Services, { orgId, id }: Endpoint, reason: DisabledReason): Promise<void> {
  const context = createContext(services, {
    ...{ principal: { kind: 'system', name: 'webhooks', orgId }, requestId: id, door: 'tasks', operation: 'disableEndpoint' },
  })
  await services.database.transaction(async db => {
    const inside = inTransaction(context, db)
    await db.query(lockEndpoints)
    const stopped = await stop(inside, orgId, id, reason)
    if (stopped) await mailMaker(inside, stopped, reason)
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

async function stop(context: Context, orgId: string, id: string, reason: DisabledReason): Promise<Endpoint | null> {
  const { db } = context
  const [endpoint] = await db.query(lockEndpoint, [orgId, id])
  if (endpoint?.state !== 'enabled') return null
  const now = context.now().toISOString()
  const changed = { state: 'disabled', disabledReason: reason, disabledAt: now } as const
  await db.prisma.webhookEndpoint.update({ where: { id, orgId }, data: { ...changed, updatedAt: now, version: endpoint.version + 1 } })
  await db.query(endDeliveries, [id, 'canceled', `the endpoint was disabled: ${sentences[reason]}`, now])
  const changes = { state: ['enabled', 'disabled'], disabledReason: [null, reason] }
  await recordEvent(context, { type: endpointEvents.disabled, entityId: id, orgId, changes })
  return endpoint
}

async function mailMaker(context: Context, { orgId, makerUserId, url, description }: Endpoint, reason: DisabledReason) {
  const { services, db } = context
  if (!services.config.SMTP_URL) return
  // Its maker gets the mail. If the maker has left the organization, its owners get it.
  const where = { organizationId: orgId, OR: [{ userId: makerUserId }, { role: 'owner' }] }
  const members = await db.prisma.membership.findMany({ where, select: { userId: true, user: { select: { email: true } } } })
  const maker = members.filter(({ userId }) => userId === makerUserId)
  for (const { userId, user } of maker.length > 0 ? maker : members) {
    if (!user.email) continue
    const text = [
      `Changes are no longer sent to ${new URL(url).origin}${description === null ? '' : ` (${description})`}, because ${sentences[reason]}.`,
      'Undelivered events stay in the log for 30 days: enable the webhook endpoint again and replay them from there.',
    ]
    await mailNotice(context, { userId, to: user.email, subject: 'A webhook endpoint was disabled', text: text.join('\n\n') })
  }
}
