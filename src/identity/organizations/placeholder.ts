// The placeholder: a user without an address, whom the first start makes the owner of the first organization, so that its first key works. The
// person who claims the organization takes its place.

import { type Context, createContext, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { organizationEvents } from './organization.sql.ts'
import { startPaying } from './payer.ts'

/** A user in whose place another one works from now on, in one organization. */
export interface Replaced {
  orgId: string
  from: string
  to: string
}

const prefix = 'owner-'
export const placeholderId = (): string => `${prefix}${newId()}`

const replacedItem = queueItem<Replaced>('owner-replaced', {
  ...{ retryLimit: 5, retryDelaySeconds: 5, timeoutSeconds: 300, concurrency: 1 },
})

/**
 * Puts an owner in the place of the organization's placeholder, if it has one: its keys become the owner's, who pays where it paid, and gets
 * the credits that the operator gave it. The caller holds the lock of the organization, and has made the user an owner.
 */
export async function replacePlaceholder(context: Context, orgId: string, to: string): Promise<void> {
  const { services, db } = context
  const where = {
    organizationId: orgId,
    role: 'owner',
    userId: { startsWith: prefix, not: to },
    user: { email: null, sessions: { none: {} } },
  }
  for (const { userId: from } of await db.prisma.membership.findMany({ where })) {
    await db.prisma.apiKey.updateMany({
      where: { createdById: from, organizations: { some: { organizationId: orgId } } },
      data: { createdById: to },
    })
    const { payerId } = await db.prisma.organization.findUniqueOrThrow({ where: { id: orgId }, select: { payerId: true } })
    if (payerId === from) await startPaying(context, orgId, to)
    await services.money.moveAccount(context, from, to)
    await db.prisma.membership.delete({ where: { userId_organizationId: { userId: from, organizationId: orgId } } })
    await recordEvent(context, {
      type: organizationEvents.left,
      entityId: orgId,
      orgId,
      changes: { userId: from, role: 'owner', replacedBy: to },
    })
    await services.queue.enqueue(replacedItem, { orgId, from, to }, { db })
  }
}

/** Changes the rows of a domain that name the user. It is repeated after a failure. */
export type FollowReplaced = (context: Context, replaced: Replaced) => Promise<void>

export const replacedHandler = (followers: readonly FollowReplaced[]) =>
  handlerOf(replacedItem, async (services: Services, { payload }) => {
    const principal = { kind: 'system', name: 'ownership', orgId: payload.orgId } as const
    const context = createContext(services, { principal, requestId: newId(), door: 'tasks', operation: 'replaceOwner' })
    for (const follow of followers) await follow(context, payload)
  })
