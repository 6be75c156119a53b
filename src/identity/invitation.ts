// Invitations: one-use addresses by which a person becomes an organization's owner or member. The operator's are called claims.

import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { type Context, inTransaction, organizationOf, type Services, userOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, notFound } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { holdCredential } from './held-credential.ts'
import type { Organization } from './organization.ts'

/** 7 days: a weekend and a holiday, and not for ever in somebody's shell history. */
const validMs = 7 * 86_400_000
// 32 random bytes in base64url.
const form = /^[A-Za-z0-9_-]{43}$/

export interface CreatedInvitation {
  /** Shown this once; only its SHA-256 is stored. */
  token: string
  expiresAt: string
}

/** An invitation that can still be used, as its holder may know it. */
export interface OpenInvitation {
  organizationId: string
  organizationName: string
  role: 'owner' | 'member'
  /** Null for the operator's. */
  invitedById: string | null
  expiresAt: string
}

/** Where a person uses the invitation. */
export const claimAddress = (publicUrl: string, token: string) => `${publicUrl.replace(/\/+$/, '')}/claim/${token}`

/**
 * The operator's: its user becomes an owner of the organization, also of one that has owners. Those that the operator made before
 * for the same organization are void. Throws NOT_FOUND.
 */
export function createClaim(context: Context, organizationId: string): Promise<CreatedInvitation> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    // Of two claims at once the second voids the first, instead of both being valid.
    const [organization] = await tx.query(lockOrganization, [organizationId])
    if (!organization) throw notFound('organization', organizationId)
    await tx.query(voidClaims, [organizationId, context.now().toISOString()])
    return insertInvitation(inside, { organizationId, role: 'owner', invitedById: null })
  })
}

// 50: a company invites its people in one go; a script that goes wrong stops there.
const maxOpen = 50

/** An owner's: its user becomes a member, or an owner, of the organization. Throws FORBIDDEN for others, and beyond 50 unused ones. */
export function inviteToOrganization(
  context: Context,
  role: 'owner' | 'member',
): Promise<CreatedInvitation & { role: 'owner' | 'member' }> {
  const { userId } = userOf(context)
  const organizationId = organizationOf(context)
  return context.db.transaction(async tx => {
    await holdCredential(inTransaction(context, tx))
    // Of two at once the second counts what the first one made.
    await tx.query(lockOrganization, [organizationId])
    const [counted] = await tx.query(countOpen, [organizationId, context.now().toISOString(), userId])
    if (!counted?.isOwner) throw new AppError('FORBIDDEN', 'Only an owner of the organization invites others')
    if (counted.open >= maxOpen)
      throw new AppError('FORBIDDEN', `The organization has ${counted.open} invitations that nobody has used; they expire after 7 days`)
    return { ...(await insertInvitation(inTransaction(context, tx), { organizationId, role, invitedById: userId })), role }
  })
}

/** What the token opens; null for one that is unknown, used, void or expired. */
export async function openInvitation(services: Services, token: string): Promise<OpenInvitation | null> {
  if (!form.test(token)) return null
  const [found] = await services.database.query(selectOpen, [hashOf(token), services.now().toISOString()])
  return found ?? null
}

/** Whether somebody new may sign up with this token, or with none. */
export async function mayBecomeUser(services: Services, token: string | null): Promise<boolean> {
  const { SIGN_UP } = services.config
  if (SIGN_UP === 'open') return true
  const invitation = token === null ? null : await openInvitation(services, token)
  return invitation !== null && (SIGN_UP === 'invited' || invitation.invitedById === null)
}

/** The sentence for somebody new who has no invitation. */
export const notInvited = ({ config }: Services) =>
  config.SIGN_UP === 'invited'
    ? 'Signing up takes an invitation (SIGN_UP=invited): open the one-use address that an owner or the operator of this server gives you'
    : 'Signing up is closed (SIGN_UP=closed): open the one-use address that the operator prints with "npm run claim"'

/** Uses the invitation for a user who exists. Of many at once one gets it. Throws NOT_FOUND for a token that is not open. */
export async function acceptInvitation(context: Context, token: string, userId: string): Promise<Organization> {
  const now = context.now().toISOString()
  const [used] = form.test(token) ? await context.db.query(useInvitation, [hashOf(token), now, userId]) : []
  if (!used) throw notOpen()
  const { organizationId, name, role: invitedAs } = used
  const [membership] = await context.db.query(insertMembership, [userId, organizationId, invitedAs, now, used.invitedById])
  const role = membership?.role ?? invitedAs
  await recordEvent(context, {
    type: 'organization.joined',
    entityId: organizationId,
    orgId: organizationId,
    changes: { userId, role, invitedById: used.invitedById },
  })
  return { id: organizationId, name, role }
}

/** The same for the signed-in user. Every session of the user has access from the next request on. */
export function claimOrganization(context: Context, token: string): Promise<Organization> {
  const { userId } = userOf(context)
  return context.db.transaction(async tx => {
    const organization = await acceptInvitation(inTransaction(context, tx), token, userId)
    await tx.afterCommit(context.services.listener.settled)
    return organization
  })
}

/** One answer for every token that opens nothing, so that nobody learns which there were. */
export const notOpen = () =>
  new AppError('NOT_FOUND', 'This address is unknown, used, replaced or expired; the operator prints another with "npm run claim"')

async function insertInvitation(
  context: Context,
  { organizationId, role, invitedById }: { organizationId: string; role: 'owner' | 'member'; invitedById: string | null },
): Promise<CreatedInvitation> {
  const token = randomBytes(32).toString('base64url')
  const now = context.now()
  const expiresAt = new Date(now.getTime() + validMs).toISOString()
  await context.db.query(insertRow, [uuid(), hashOf(token), organizationId, role, invitedById, now.toISOString(), expiresAt])
  return { token, expiresAt }
}

// SHA-256, not bcrypt: tokens are 256 random bits.
const hashOf = (token: string) => createHash('sha256').update(token).digest()

const lockOrganization = statement<{ id: string }>(
  'invitation_lock_organization',
  'select id from organizations where id = $1 for no key update',
)
const voidClaims = statement<never>(
  'invitations_void',
  'update invitations set revoked_at = $2 where organization_id = $1 and invited_by_id is null and used_at is null and revoked_at is null',
)
const insertRow = statement<never>(
  'invitation_insert',
  `insert into invitations (id, token_hash, organization_id, role, invited_by_id, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
)
const isOpen = 'i.used_at is null and i.revoked_at is null and i.expires_at > $2'
const selectOpen = statement<OpenInvitation>(
  'invitation_open',
  `select i.organization_id as "organizationId", o.name as "organizationName", i.role, i.invited_by_id as "invitedById", i.expires_at as "expiresAt"
   from invitations i join organizations o on o.id = i.organization_id where i.token_hash = $1 and ${isOpen}`,
)
const countOpen = statement<{ open: number; isOwner: boolean }>(
  'invitations_open',
  `select (select count(*)::int from invitations i where i.organization_id = $1 and i.invited_by_id is not null and ${isOpen}) as open,
     exists (select from memberships where organization_id = $1 and user_id = $3 and role = 'owner') as "isOwner"`,
)
// The row lock decides between many at once: the losers find it used.
const useInvitation = statement<{ organizationId: string; name: string; role: 'owner' | 'member'; invitedById: string | null }>(
  'invitation_use',
  `update invitations i set used_at = $2, used_by_id = $3 from organizations o
   where i.token_hash = $1 and ${isOpen} and o.id = i.organization_id
   returning i.organization_id as "organizationId", o.name, i.role, i.invited_by_id as "invitedById"`,
)
// An owner who is invited as a member stays an owner. Who came first by a member's invitation has come by it, whoever invites them later,
// until the operator lets them in.
const insertMembership = statement<{ role: 'owner' | 'member' }>(
  'invitation_join',
  `insert into memberships (user_id, organization_id, role, created_at, invited_by_id) values ($1, $2, $3, $4, $5)
   on conflict (user_id, organization_id) do update
     set role = case when excluded.role = 'owner' then 'owner' else memberships.role end,
       invited_by_id = case when excluded.invited_by_id is null then null else memberships.invited_by_id end
   returning role`,
)
