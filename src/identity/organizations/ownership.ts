// Becoming an owner and the payer of an organization, which only the signed-in user does, for themselves.

import { type Context, organizationOf, userOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId } from '../../kernel/ids.ts'
import { endOwnership, managing, memberNamed, reloadOrganization, write } from './membership.ts'
import { type OwnershipOffer, openOffersAt, withdrawOffers } from './offer.ts'
import { organizationEvents } from './organization.sql.ts'
import type { Organization } from './organization.ts'
import { startPaying } from './payer.ts'

/**
 * Makes the signed-in user an owner, and after a transfer the former owner an admin. With `pays` the user pays for the organization's work
 * from now on, otherwise who paid does, or nobody. Throws NOT_FOUND for an offer that is not open, or is to somebody else.
 */
export async function acceptOwnership(context: Context, { id, pays }: { id: string; pays: boolean }): Promise<Organization> {
  const { organizationId } = await offerToMe(context, id)
  return managing(context, organizationId, 'viewer', async manager => {
    const { context: inside, userId } = manager
    // Read again behind the lock.
    const { offeredById, isTransfer } = await offerToMe(inside, id)
    const from = await memberNamed(manager, offeredById)
    if (from.role !== 'owner') throw notFound('open offer of ownership', id)
    await inside.db.prisma.ownershipOffer.update({ where: { id }, data: { acceptedAt: inside.now() } })
    const before = manager.role
    await write(manager, userId, 'owner')
    if (pays) await startPaying(inside, organizationId, userId)
    if (isTransfer) {
      await write(manager, offeredById, 'admin')
      await endOwnership(manager, offeredById, 'admin')
    }
    const event = { entityId: organizationId, orgId: organizationId }
    if (isTransfer) {
      const changes = { from: offeredById, to: userId, role: [before, 'owner'] }
      await recordEvent(inside, { type: organizationEvents.transferred, ...event, changes })
    } else await recordEvent(inside, { type: organizationEvents.role_changed, ...event, changes: { userId, role: [before, 'owner'] } })
    return reloadOrganization(inside, organizationId)
  })
}

/** Declines an offer to the signed-in user. Throws NOT_FOUND. */
export async function declineOwnership(context: Context, id: string): Promise<OwnershipOffer> {
  const { organizationId } = await offerToMe(context, id)
  return managing(context, organizationId, 'viewer', async ({ context: inside, userId }) => {
    await offerToMe(inside, id)
    const declined = await inside.db.prisma.ownershipOffer.update({ where: { id }, data: { declinedAt: inside.now() } })
    const event = { entityId: organizationId, orgId: organizationId, changes: { userId } }
    await recordEvent(inside, { type: organizationEvents.ownership_declined, ...event })
    return declined
  })
}

/** Takes back an open offer in the organization of the request. Throws NOT_FOUND. */
export function withdrawOwnership(context: Context, id: string): Promise<OwnershipOffer> {
  return managing(context, organizationOf(context), 'owner', async ({ context: inside, organizationId }) => {
    const { prisma } = inside.db
    const where = { id, organizationId, ...openOffersAt(inside.now()) }
    if (!isId(id) || !(await prisma.ownershipOffer.findFirst({ where }))) throw notFound('open offer of ownership', id)
    await withdrawOffers(inside, { organizationId, id })
    return prisma.ownershipOffer.findUniqueOrThrow({ where: { id } })
  })
}

/** Makes the signed-in owner the payer of the organization of the request. */
export function payForOrganization(context: Context): Promise<Organization> {
  return managing(context, organizationOf(context), 'owner', async ({ context: inside, organizationId, userId }) => {
    await startPaying(inside, organizationId, userId)
    return reloadOrganization(inside, organizationId)
  })
}

/** The open offer with this id to the signed-in user. Throws NOT_FOUND. */
async function offerToMe(context: Context, id: string): Promise<OwnershipOffer> {
  const { userId } = userOf(context)
  const where = { id, userId, ...openOffersAt(context.now()) }
  const offer = isId(id) ? await context.db.prisma.ownershipOffer.findFirst({ where }) : null
  if (!offer) throw notFound('open offer of ownership', id)
  return offer
}
