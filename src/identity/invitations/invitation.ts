// Invitations: one-use tokens that make a person a member or owner of an organization. The operator's invitations are called claims.

import { createHash, randomBytes } from 'node:crypto'
import type { Invitation as InvitationRow } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, organizationOf, type Services, userOf } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { isAtLeast, type Role } from '../../kernel/principal.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { insertMembership, lockOrganization, organizationEvents } from '../organizations/organization.sql.ts'
import { type Organization, roleNamed } from '../organizations/organization.ts'
import { replacePlaceholder } from '../organizations/placeholder.ts'

export const invitationEvents = eventsOf('invitation', {
  created: 'A person was invited to the organization.',
  resent: 'The mail of an invitation was sent again.',
  revoked: 'An invitation was taken back.',
})

// 50: a company can invite its employees at once; a faulty script is stopped.
const maxOpen: Maximum = {
  ...{ noun: 'invitations', most: 50, of: 'An organization', nouns: 'open invitations' },
  remedy: 'revoke one first, or wait: they expire after 7 days',
  // As it was answered before other nouns had a maximum.
  code: 'FORBIDDEN',
}

/** 7 days: covers a weekend and a holiday, and limits how long a token in a shell's history is dangerous. */
const validMs = 7 * 86_400_000
// 32 random bytes in base64url.
const form = /^[A-Za-z0-9_-]{43}$/

export interface CreatedInvitation extends Omit<InvitationRow, 'tokenHash' | 'role'> {
  role: Role
  /** The token is shown only here; the database has its SHA-256. */
  token: string
}

/** An invitation that can still be used, without its token. */
export interface OpenInvitation {
  organizationId: string
  organizationName: string
  role: Role
  /** Null when the operator created it. */
  invitedById: string | null
  /** The address to which it was sent, in lower case; null for an invitation that any holder of its token can use. */
  email: string | null
  expiresAt: Date
}

/** The URL of the page that uses the invitation. */
export const claimAddress = (publicUrl: string, token: string) => `${publicUrl}/claim/${token}`

/**
 * Creates the operator's invitation: the person becomes an owner of the organization, even if it has owners. Revokes the operator's earlier
 * invitations to the organization. Throws NOT_FOUND.
 */
export function createClaim(context: Context, organizationId: string): Promise<CreatedInvitation> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    // Because of the lock, the second of two concurrent calls revokes the first one's invitation; otherwise both would be valid.
    const [organization] = await tx.query(lockOrganization, [organizationId])
    if (!organization) throw notFound('organization', organizationId)
    await tx.prisma.invitation.updateMany({
      where: { organizationId, invitedById: null, usedAt: null, revokedAt: null },
      data: { revokedAt: context.now() },
    })
    return insertInvitation(inside, { organizationId, role: 'owner', invitedById: null })
  })
}

/** Creates an invitation to at most the caller's role. Throws FORBIDDEN for members and viewers, and when too many invitations are open. */
export function inviteToOrganization(context: Context, role: Role): Promise<CreatedInvitation> {
  const { userId, roles } = userOf(context)
  const organizationId = organizationOf(context)
  const own = roles[organizationId] ?? 'viewer'
  if (!isAtLeast(own, 'admin')) throw new AppError('FORBIDDEN', 'Only owners and admins of the organization invite others')
  if (!isAtLeast(own, role)) throw new AppError('FORBIDDEN', 'Only an owner of the organization invites owners')
  return context.db.transaction(async tx => {
    // Because of the lock, the second of two concurrent calls counts the first one's invitation. Changes of members take the same lock
    // first.
    await tx.query(lockOrganization, [organizationId])
    await holdCredential(inTransaction(context, tx))
    const inside = inTransaction(context, tx)
    await requireRoomForInvitation(inside, organizationId)
    const made = await insertInvitation(inside, { organizationId, role, invitedById: userId })
    await recordEvent(inside, { type: invitationEvents.created, entityId: made.id, orgId: organizationId, changes: { email: null, role } })
    return made
  })
}

/** Throws FORBIDDEN when the maximum number of invitations is open. */
export async function requireRoomForInvitation({ db, now }: Context, organizationId: string): Promise<void> {
  const open = await db.prisma.invitation.count({ where: { organizationId, invitedById: { not: null }, ...openAt(now()) } })
  requireRoom(maxOpen, open)
}

/** The invitation of the token; null when it is unknown, used, revoked or expired. */
export async function openInvitation(services: Services, token: string): Promise<OpenInvitation | null> {
  if (!form.test(token)) return null
  const found = await services.database.prisma.invitation.findFirst({
    where: { tokenHash: hashOf(token), ...openAt(services.now()) },
    include: { organization: true },
  })
  if (!found) return null
  const { organizationId, organization, invitedById, email, expiresAt } = found
  return { organizationId, organizationName: organization.name, role: roleNamed(found.role), invitedById, email, expiresAt }
}

/** Whether a new user may sign up with this token, or without one. */
export async function mayBecomeUser(services: Services, token: string | null): Promise<boolean> {
  const { SIGN_UP } = services.config
  if (SIGN_UP === 'open') return true
  const invitation = token === null ? null : await openInvitation(services, token)
  return invitation !== null && (SIGN_UP === 'invited' || invitation.invitedById === null)
}

/** The error message for a new user without an invitation. */
export const notInvited = ({ config }: Services) =>
  config.SIGN_UP === 'invited'
    ? 'Signing up takes an invitation (SIGN_UP=invited): open the one-use address that an owner or the operator of this server gives you'
    : 'Signing up is closed (SIGN_UP=closed): open the one-use address that the operator prints with "npm run rolocom -- claim"'

/** The user who accepts an invitation. */
interface Invited {
  userId: string
  /** In lower case; null for a user who has not proved to receive mail there. */
  verifiedAddress: string | null
}

/**
 * Accepts the invitation for an existing user, who takes the place of the placeholder by the operator's. Of concurrent calls only one succeeds. Throws NOT_FOUND when the invitation cannot be used.
 */
export async function acceptInvitation(context: Context, token: string, { userId, verifiedAddress }: Invited): Promise<Organization> {
  const now = context.now()
  if (!form.test(token)) throw notOpen()
  const { prisma } = context.db
  const where = { tokenHash: hashOf(token), ...openAt(now) }
  const open = await prisma.invitation.findFirst({ where, select: { organizationId: true } })
  if (!open) throw notOpen()
  // As every change of members does, before the invitation: `createClaim` locks them in this order.
  await context.db.query(lockOrganization, [open.organizationId])
  const [used] = await prisma.invitation.updateManyAndReturn({
    where,
    data: { usedAt: now, usedById: userId },
    include: { organization: true },
  })
  if (!used) throw notOpen()
  // The transaction is rolled back, so the invitation stays open.
  if (used.email !== null && used.email !== verifiedAddress)
    throw new AppError(
      'FORBIDDEN',
      'The invitation is for another email address, or yours is not verified: open it with the account of that address',
    )
  const { organizationId, invitedById } = used
  const [membership] = await context.db.query(insertMembership, [userId, organizationId, used.role, now.toISOString(), invitedById])
  const role = membership?.role ?? roleNamed(used.role)
  await recordEvent(context, {
    type: organizationEvents.joined,
    entityId: organizationId,
    orgId: organizationId,
    changes: { userId, role, invitedById },
  })
  if (invitedById === null && role === 'owner') await replacePlaceholder(context, organizationId, userId)
  return { id: organizationId, name: used.organization.name, role }
}

/** Accepts the invitation for the signed-in user. All of the user's sessions have access from the next request on. */
export function claimOrganization(context: Context, token: string): Promise<Organization> {
  const { userId } = userOf(context)
  return context.db.transaction(async tx => {
    // With an outside identity provider, it is unknown here whether the address is verified. The claim page learns it from the provider's
    // token.
    const user = await tx.prisma.idpUser.findUnique({ where: { id: userId }, select: { email: true, emailVerified: true } })
    const verifiedAddress = user?.emailVerified ? user.email.toLowerCase() : null
    const organization = await acceptInvitation(inTransaction(context, tx), token, { userId, verifiedAddress })
    await tx.afterCommit(context.services.listener.settle)
    return organization
  })
}

/** The same error for every unusable token, so that the answer does not reveal which tokens existed. */
export const notOpen = () =>
  new AppError(
    'NOT_FOUND',
    'This address is unknown, used, replaced or expired; the operator prints another with "npm run rolocom -- claim"',
  )

async function insertInvitation(
  context: Context,
  { organizationId, role, invitedById }: { organizationId: string; role: Role; invitedById: string | null },
): Promise<CreatedInvitation> {
  const createdAt = context.now()
  const { token, ...fresh } = newToken(createdAt)
  const row = await context.db.prisma.invitation.create({
    data: { id: newId(), organizationId, role, invitedById, createdAt, ...fresh },
    omit: { tokenHash: true },
  })
  return { ...row, role, token }
}

/** A new token with its hash and expiry. */
export function newToken(now: Date): { token: string; tokenHash: Uint8Array<ArrayBuffer>; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token), expiresAt: new Date(now.getTime() + validMs) }
}

// SHA-256, not bcrypt: tokens are 256 random bits.
const hashOf = (token: string) => new Uint8Array(createHash('sha256').update(token).digest())

/** The condition that selects open invitations. */
export const openAt = (now: Date) => ({ usedAt: null, revokedAt: null, expiresAt: { gt: now } })
