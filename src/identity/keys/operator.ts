// API keys for the operator's command line: for all organizations, without a session.

import { createHash } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { isScope } from '../../kernel/principal.ts'
import { firstOrganization } from '../organizations/first.ts'
import { isApiKey } from './format.ts'
import { labelProblems, scopeProblems } from './input.ts'
import { lockNamed } from './key.sql.ts'
import { type ApiKey, type CreatedApiKey, insertApiKey, recordRevoked } from './key.ts'

export interface ListedKey extends Omit<ApiKey, 'organizationIds' | 'isConfirmed'> {
  organizations: { id: string; name: string }[]
}

// 500: more than a person reads; --org shortens the list.
export const maxListed = 500

/** The newest `maxListed` keys, of all organizations or of one, revoked ones included. */
export async function listEveryKey(context: Context, orgId: string | null): Promise<ListedKey[]> {
  const keys = await context.db.prisma.apiKey.findMany({
    ...(orgId !== null && { where: { organizations: { some: { organizationId: orgId } } } }),
    ...withOrganizations,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxListed,
  })
  return keys.map(keyForList)
}

/** Creates a key for the organizations; without any, for the result of `organizationOfOperator`. Throws INVALID, NOT_FOUND. */
export async function createKeyFor(
  context: Context,
  { label, scopes, orgIds }: { label: string; scopes: readonly string[]; orgIds: readonly string[] },
): Promise<CreatedApiKey> {
  const trimmed = label.trim()
  const problems = [...labelProblems(trimmed), ...scopeProblems(scopes)]
  if (problems.length > 0) throw invalid(problems)
  const organizations = orgIds.length > 0 ? [...new Set(orgIds)] : [await organizationOfOperator(context)]
  const found = await context.db.prisma.organization.findMany({
    where: { id: { in: organizations.filter(id => isUuid(id)) } },
    select: { id: true, memberships: { where: { role: 'owner' }, orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }], take: 1 } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  const missing = organizations.find(id => !found.some(one => one.id === id))
  if (missing !== undefined) throw notFound('organization', missing)
  const userId = found.flatMap(({ memberships }) => memberships)[0]?.userId ?? 'operator'
  return insertApiKey(context, { userId, label: trimmed, scopes: scopes.filter(isScope), orgIds: organizations })
}

/**
 * The organization of a command that names none: the first organization, otherwise the only existing one. Throws CONFLICT with their ids
 * when there are several.
 */
export async function organizationOfOperator(context: Context): Promise<string> {
  const first = await firstOrganization(context.services)
  if (first !== null) return first
  const [only, ...others] = await context.db.prisma.organization.findMany({
    where: { isDemo: false },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: 10,
  })
  if (!only) throw new AppError('CONFLICT', 'There is no organization yet: npm start makes the first one')
  if (others.length === 0) return only.id
  const ids = [only, ...others].map(({ id, name }) => `${id} ("${name}")`).join(', ')
  throw new AppError('CONFLICT', `Say with --org which organization: ${ids}`)
}

/** Revokes a key, given by its id, its first characters, or the whole key, in every process at once. Throws NOT_FOUND, CONFLICT. */
export async function revokeKey(context: Context, named: string): Promise<ListedKey & { wasRevoked: boolean }> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const hash = isApiKey(named) ? createHash('sha256').update(named).digest() : null
    // Lists show 8 characters of a key; fewer might match other keys.
    const start = hash === null && named.length >= 8 && named.startsWith('rcm_') ? named.slice(0, 8) : null
    const locked = await tx.query(lockNamed, [isUuid(named) ? named : null, start, hash])
    const found = await tx.prisma.apiKey.findMany({
      where: { id: { in: locked.map(({ id }) => id) } },
      ...withOrganizations,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    const matches = found.map(keyForList)
    const [key, ...others] = matches.filter(one => one.revokedAt === null || matches.length === 1)
    if (!key) throw notFound('API key', hash === null ? named : 'with this value')
    if (others.length > 0)
      throw new AppError(
        'CONFLICT',
        `Several keys begin with ${named}; say which by its id: ${[key, ...others].map(({ id }) => id).join(', ')}`,
      )
    const wasRevoked = key.revokedAt !== null
    const revokedAt = key.revokedAt ?? (await recordRevoked(inside, { ...key, organizationIds: key.organizations.map(({ id }) => id) }))
    await tx.afterCommit(context.services.listener.settle)
    return { ...key, revokedAt, wasRevoked }
  })
}

const withOrganizations = {
  omit: { hash: true },
  include: {
    organizations: { select: { organization: true }, orderBy: [{ organization: { createdAt: 'asc' } }, { organizationId: 'asc' }] },
  },
} satisfies Omit<Prisma.ApiKeyFindManyArgs, 'where'>

const keyForList = ({ organizations, ...key }: Prisma.ApiKeyGetPayload<typeof withOrganizations>): ListedKey => ({
  ...key,
  organizations: organizations.map(({ organization: { id, name } }) => ({ id, name })),
})
