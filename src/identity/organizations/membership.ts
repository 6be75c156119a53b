// Managing an organization: roles, removing members, leaving, offering ownership, and the name. Changes of one organization's members run one
// after the other. Nobody is made an owner, or the payer, by others: see ownership.ts.

import type { Queries } from '../../database/client.ts'
import type { Membership } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, organizationOf, userOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isText } from '../../kernel/lists/pagination.ts'
import { isAtLeast, type Role, type SessionPrincipal, tooWeak } from '../../kernel/principal.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { lengthProblems } from '../keys/input.ts'
import { endKeysIn } from '../keys/key.ts'
import { type Member, memberOf } from './member.ts'
import { offerOwnership, withdrawOffers } from './offer.ts'
import { lockOrganization, lockUser, organizationEvents } from './organization.sql.ts'
import { loadOrganizations, maxName, type Organization, roleNamed } from './organization.ts'
import { stopPaying } from './payer.ts'

/** The signed-in user who makes a change, with the role in its organization. */
export interface Manager {
  context: Context
  organizationId: string
  userId: string
  role: Role
}

/**
 * Runs `change` in a transaction, one at a time per organization, if the signed-in user has the role there. When it resolves, every process
 * knows the current members and roles. Throws FORBIDDEN.
 */
export function managing<Result>(
  context: Context,
  organizationId: string,
  needed: Role,
  change: (manager: Manager) => Promise<Result>,
): Promise<Result> {
  const user: SessionPrincipal = userOf(context)
  const role = user.roles[organizationId]
  if (role === undefined) throw notFound('organization', organizationId)
  if (!isAtLeast(role, needed)) throw new AppError('FORBIDDEN', tooWeak(role))
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    // Every change locks first the organization, then the user, then memberships, so that changes cannot deadlock.
    await tx.query(lockOrganization, [organizationId])
    await tx.query(lockUser, [user.userId])
    await holdCredential(inside)
    const result = await change({ context: inside, organizationId, userId: user.userId, role })
    await tx.afterCommit(context.services.listener.settle)
    return result
  })
}

/**
 * Changes a member's role; with `owner` offers it, and the role stays until the member accepts. Only owners can add or remove owners. Throws
 * NOT_FOUND, FORBIDDEN, and CONFLICT for the last owner.
 */
export function changeMemberRole(context: Context, { userId, role }: { userId: string; role: Role }): Promise<Member> {
  return managing(context, organizationOf(context), 'admin', async manager => {
    const member = await manageable(manager, userId)
    if (!isAtLeast(manager.role, role)) throw new AppError('FORBIDDEN', 'Only an owner of the organization makes owners')
    if (role === 'owner') {
      if (member.role !== 'owner') await offer(manager, userId, { isTransfer: false })
      return asMember(member)
    }
    return giveRole(manager, member, role)
  })
}

/**
 * Ends a membership, together with the user's API keys and open invitations there. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for the last
 * owner.
 */
export function removeMember(context: Context, userId: string): Promise<Member> {
  return managing(context, organizationOf(context), 'admin', async manager => end(manager, await manageable(manager, userId)))
}

/** Ends the signed-in user's own membership in the same way. Throws NOT_FOUND, and CONFLICT for the last owner. */
export function leaveOrganization(context: Context, organizationId: string): Promise<Organization> {
  return managing(context, organizationId, 'viewer', async manager => {
    const [organization] = await loadOrganizations(manager.context, [organizationId])
    await end(manager, await memberNamed(manager, manager.userId))
    if (!organization) throw notFound('organization', organizationId)
    return organization
  })
}

/**
 * Offers another member the ownership: when the member accepts, the caller becomes an admin, at once if the member is an owner already.
 * Throws NOT_FOUND, and CONFLICT when the member is the caller.
 */
export function transferOwnership(context: Context, userId: string): Promise<Organization> {
  return managing(context, organizationOf(context), 'owner', async manager => {
    if (userId === manager.userId) throw new AppError('CONFLICT', 'You are the owner already; name another member')
    const { role } = await memberNamed(manager, userId)
    if (role === 'owner') await giveRole(manager, await memberNamed(manager, manager.userId), 'admin')
    else await offer(manager, userId, { isTransfer: true })
    return reloadOrganization(manager.context, manager.organizationId)
  })
}

const offer = ({ context, organizationId, userId: offeredById }: Manager, userId: string, { isTransfer }: { isTransfer: boolean }) =>
  offerOwnership(context, { organizationId, userId, offeredById, isTransfer })

/** Throws INVALID for an empty or too long name. */
export function renameOrganization(context: Context, name: string): Promise<Organization> {
  const trimmed = name.trim()
  const problems = lengthProblems(['name'], trimmed, maxName)
  if (problems.length > 0) throw invalid(problems)
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: id }) => {
    const { name: before } = await inside.db.prisma.organization.findUniqueOrThrow({ where: { id } })
    if (before !== trimmed) {
      await inside.db.prisma.organization.update({ where: { id }, data: { name: trimmed } })
      await recordEvent(inside, { type: organizationEvents.updated, entityId: id, orgId: id, changes: { name: [before, trimmed] } })
    }
    return reloadOrganization(inside, id)
  })
}

export async function reloadOrganization(context: Context, id: string): Promise<Organization> {
  const [organization] = await loadOrganizations(context, [id])
  if (!organization) throw notFound('organization', id)
  return organization
}

/** Throws NOT_FOUND. */
export async function memberNamed({ context, organizationId }: Manager, userId: string): Promise<Membership> {
  const where = { userId_organizationId: { userId, organizationId } }
  const member = isText(userId) ? await context.db.prisma.membership.findUnique({ where }) : null
  if (!member) throw notFound('member', userId)
  return member
}

async function manageable(manager: Manager, userId: string): Promise<Membership> {
  const member = await memberNamed(manager, userId)
  if (!isAtLeast(manager.role, roleNamed(member.role)))
    throw new AppError('FORBIDDEN', 'Only an owner of the organization changes or removes its owners')
  return member
}

async function giveRole(manager: Manager, member: Membership, role: Role): Promise<Member> {
  const { context, organizationId } = manager
  const { userId } = member
  const before = roleNamed(member.role)
  if (before === role) return asMember(member)
  if (before === 'owner') await requireOtherOwner(manager, userId)
  await endOwnership(manager, userId, role)
  const changes = { userId, role: [before, role] }
  await recordEvent(context, { type: organizationEvents.role_changed, entityId: organizationId, orgId: organizationId, changes })
  return asMember(await write(manager, userId, role))
}

async function end(manager: Manager, member: Membership): Promise<Member> {
  const { context, organizationId } = manager
  const { userId } = member
  if (member.role === 'owner') await requireOtherOwner(manager, userId)
  await endOwnership(manager, userId, null)
  await withdrawOffers(context, { organizationId, userId })
  const where = { userId_organizationId: { userId, organizationId } }
  const { user } = await context.db.prisma.membership.delete({ where, include: { user: true } })
  await endKeysIn(context, userId, organizationId)
  const changes = { userId, role: member.role }
  await recordEvent(context, { type: organizationEvents.left, entityId: organizationId, orgId: organizationId, changes })
  return { ...asMember(member), user }
}

export const write = ({ context, organizationId }: Manager, userId: string, role: Role): Promise<Membership> =>
  context.db.prisma.membership.update({ where: { userId_organizationId: { userId, organizationId } }, data: { role } })

const asMember = ({ createdAt, role, ...row }: Membership): Member =>
  memberOf({ ...row, role: roleNamed(role), createdAt: createdAt.toISOString() })

// A placeholder is not a person: it has no address and no session, and does not count. One is beside a person where an earlier release made the
// person an owner; the next claim replaces it.
async function requireOtherOwner({ context, organizationId }: Manager, userId: string): Promise<void> {
  const user = { OR: [{ email: { not: null } }, { sessions: { some: {} } }] }
  const others = await context.db.prisma.membership.count({ where: { organizationId, role: 'owner', userId: { not: userId }, user } })
  if (others === 0)
    throw new AppError('CONFLICT', 'The last owner of an organization stays: make another member an owner first, with transferOwnership')
}

/** Ends what the user has only as an owner: open offers of ownership, paying, and invitations above the new role (null: none). */
export async function endOwnership(manager: Manager, userId: string, role: Role | null): Promise<void> {
  const { context, organizationId } = manager
  await withdrawOffers(context, { organizationId, offeredById: userId })
  await stopPaying(context, organizationId, userId)
  await revokeInvitations(manager, userId, role)
}

// Revokes the member's open invitations that the new role would not allow, so that a removed member cannot return with an own invitation.
async function revokeInvitations({ context, organizationId }: Manager, userId: string, role: Role | null): Promise<void> {
  if (role === 'owner') return
  await revokeOpen(context.db, context.now(), {
    ...{ organizationId, invitedById: userId },
    ...(role === 'admin' && { role: 'owner' }),
  })
}

async function revokeOpen({ prisma }: Queries, now: Date, which: { organizationId: string; invitedById: string; role?: string }) {
  await prisma.invitation.updateMany({ where: { ...which, usedAt: null, revokedAt: null }, data: { revokedAt: now } })
}
