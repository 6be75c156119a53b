// Organizations: the tenants. The user who creates one owns it.

import { type Context, inTransaction, organizationOf, userOf } from '../../kernel/context.ts'
import { countryOfZone } from '../../kernel/countries.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { giveToNewOrganization } from '../../kernel/nouns/new-organization.ts'
import { type Role, roles } from '../../kernel/principal.ts'
import { lengthProblems } from '../keys/input.ts'
import { preferencesOf } from '../users/preferences.ts'
import { lockUser, organizationEvents } from './organization.sql.ts'

/** `memberships.role` and `invitations.role` have no other values than roles, so the fallback is never used. */
export const roleNamed = (text: string): Role => roles.find(role => role === text) ?? 'viewer'

/** An organization as one of its members sees it. */
export interface Organization {
  id: string
  name: string
  role: Role | 'guest'
}

export interface NewOrganization {
  /** The owner, an existing user; null for an organization that is claimed later. */
  userId: string | null
  name: string
  /** ISO 3166-1 alpha-2; absent or null when it is not known. */
  country?: string | null
  /** The organization that guests read; there can be only one. */
  isDemo?: boolean
  /** The organization that the first start creates; there can be only one. */
  isFirst?: boolean
}

export const maxName = 200

/** Creates an organization that the signed-in user owns. All of the user's sessions have access from the next request on. */
export async function createOrganization(context: Context, name: string): Promise<Organization> {
  const { userId } = userOf(context)
  const trimmed = name.trim()
  const problems = lengthProblems(['name'], trimmed, maxName)
  if (problems.length > 0) throw invalid(problems)

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await requireRoom(inside, userId)
    const country = countryOfZone((await preferencesOf(inside))?.timezone)
    const organization = await createOrganizationFor(inside, { userId, name: trimmed, country })
    await tx.afterCommit(context.services.listener.settle)
    return organization
  })
}

// Other limits are per organization: a user who could create any number of organizations would have no limit.
async function requireRoom(context: Context, userId: string): Promise<void> {
  const max = context.services.config.ORGANIZATIONS_PER_USER
  // The second of two concurrent requests waits here, and then counts the first one's organization.
  await context.db.query(lockUser, [userId])
  const owned = await context.db.prisma.membership.count({ where: { userId, role: 'owner' } })
  if (owned >= max)
    throw new AppError(
      'FORBIDDEN',
      `You own ${owned} organizations; a user may make ${max} (the operator's setting ORGANIZATIONS_PER_USER)`,
    )
}

/** Creates an organization for any user, or without an owner. Used at the first sign-in, by seeds and tests. */
export function createOrganizationFor(
  context: Context,
  { userId, name, country = null, isDemo = false, isFirst = false }: NewOrganization,
): Promise<Organization> {
  const id = newId()
  return context.db.transaction(async tx => {
    const createdAt = context.now()
    await tx.prisma.organization.create({
      data: {
        ...{ id, name, country, isDemo, isFirst, createdAt },
        ...(userId !== null && { memberships: { create: { userId, role: 'owner', createdAt } } }),
      },
    })
    const inside = inTransaction(context, tx)
    await giveToNewOrganization(inside, id)
    await recordEvent(inside, {
      type: organizationEvents.created,
      entityId: id,
      orgId: id,
      changes: { name, ownerUserId: userId },
    })
    return { id, name, role: 'owner' as const }
  })
}

/** The organizations whose only member is the user. */
export async function organizationsOnlyOf(context: Context, userId: string): Promise<string[]> {
  const found = await context.db.prisma.membership.findMany({
    where: { userId, organization: { memberships: { none: { userId: { not: userId } } } } },
  })
  return found.map(({ organizationId }) => organizationId)
}

/** The organization of the request. */
export async function currentOrganization(context: Context): Promise<Organization> {
  const id = organizationOf(context)
  const [organization] = await loadOrganizations(context, [id])
  if (!organization) throw notFound('organization', id)
  return organization
}

/** Organizations that the caller has access to, by id; null for others. */
export async function loadOrganizations(context: Context, ids: readonly string[]): Promise<(Organization | null)[]> {
  const { principal } = context
  if (principal.kind === 'guest') {
    const own = ids.filter(id => id === principal.orgId)
    return inOrder(ids, await organizationsById(context, own, 'guest'), idOf)
  }
  if (!('orgIds' in principal)) return ids.map(() => null)
  const accessible = ids.filter(id => principal.orgIds.includes(id))
  if (accessible.length === 0) return ids.map(() => null)
  const found =
    principal.kind === 'session'
      ? await organizationsOfUser(context, principal.userId)
      : await organizationsById(context, accessible, 'member')
  return inOrder(ids, found, idOf)
}

const idOf = ({ id }: Organization) => id

export async function organizationsOfUser(context: Context, userId: string): Promise<Organization[]> {
  const found = await context.db.prisma.membership.findMany({
    where: { userId },
    select: { role: true, organization: true },
    orderBy: [{ createdAt: 'asc' }, { organizationId: 'asc' }],
  })
  return found.map(({ role, organization: { id, name } }) => ({ id, name, role: roleNamed(role) }))
}

/** Organizations for a credential that has no membership: an API key, or a guest. */
export async function organizationsById(context: Context, ids: readonly string[], role: 'member' | 'guest'): Promise<Organization[]> {
  const found = await context.db.prisma.organization.findMany({
    where: { id: { in: [...ids] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return found.map(({ id, name }) => ({ id, name, role }))
}
