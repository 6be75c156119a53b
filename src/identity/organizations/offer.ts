// Offers of ownership: a member becomes an owner only by accepting one. An offer ends when it is accepted, declined or withdrawn, when its
// owner is one no longer, when the member leaves, and after seven days.

import type { OwnershipOffer } from '../../generated/prisma/client.ts'
import type { Context } from '../../kernel/context.ts'
import { inOrder, load } from '../../kernel/dataloaders.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { type MemberRow, organizationEvents } from './organization.sql.ts'

export type { OwnershipOffer }

/** 7 days, as for invitations. */
const validMs = 7 * 86_400_000

interface NewOffer {
  organizationId: string
  userId: string
  offeredById: string
  isTransfer: boolean
}

/** Makes an offer in place of the member's open ones. The caller holds the lock of the organization. */
export async function offerOwnership(context: Context, offer: NewOffer): Promise<OwnershipOffer> {
  const { organizationId, userId, isTransfer } = offer
  const createdAt = context.now()
  await withdrawOffers(context, { organizationId, userId })
  const expiresAt = new Date(createdAt.getTime() + validMs)
  const made = await context.db.prisma.ownershipOffer.create({ data: { id: newId(), ...offer, createdAt, expiresAt } })
  await recordEvent(context, {
    type: organizationEvents.ownership_offered,
    entityId: organizationId,
    orgId: organizationId,
    changes: { userId, isTransfer },
  })
  return made
}

/** Withdraws the open offers to a member, or of an owner. */
export async function withdrawOffers(
  context: Context,
  which: { organizationId: string } & ({ userId: string } | { offeredById: string } | { id: string }),
): Promise<void> {
  const now = context.now()
  const withdrawn = await context.db.prisma.ownershipOffer.updateManyAndReturn({
    where: { ...which, ...openOffersAt(now) },
    data: { withdrawnAt: now },
  })
  for (const { organizationId, userId } of withdrawn)
    await recordEvent(context, {
      type: organizationEvents.ownership_withdrawn,
      entityId: organizationId,
      orgId: organizationId,
      changes: { userId },
    })
}

/** The condition that selects open offers. */
export const openOffersAt = (now: Date) => ({ acceptedAt: null, declinedAt: null, withdrawnAt: null, expiresAt: { gt: now } })

/** The open offers to the signed-in user, of every organization, newest first. None for other callers. */
export async function offersToMe(context: Context): Promise<OwnershipOffer[]> {
  const { principal } = context
  if (principal.kind !== 'session') return []
  const { userId } = principal
  return context.db.prisma.ownershipOffer.findMany({ where: { userId, ...openOffersAt(context.now()) }, orderBy: { id: 'desc' } })
}

/** The open offer to a member; null without one. */
export const offerTo = (context: Context, { organizationId, userId }: Pick<MemberRow, 'organizationId' | 'userId'>) =>
  load(context, offersTo, `${organizationId} ${userId}`)

async function offersTo(context: Context, keys: readonly string[]): Promise<(OwnershipOffer | null)[]> {
  const OR = keys.map(key => ({ organizationId: key.slice(0, 36), userId: key.slice(37) }))
  const found = await context.db.prisma.ownershipOffer.findMany({ where: { OR, ...openOffersAt(context.now()) } })
  return inOrder(keys, found, ({ organizationId, userId }) => `${organizationId} ${userId}`)
}
