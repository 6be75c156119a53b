// API keys: created by a signed-in user for their organizations, shown once, rotated with an overlap, revoked permanently.

import { createHash } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import type { Queries } from '../../database/client.ts'
import type { ApiKey as ApiKeyRow, Prisma } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, organizationOf, userOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { lockNoun, type Maximum, requireRoom } from '../../kernel/limits/maxima.ts'
import { type EventType, eventsOf, update } from '../../kernel/nouns/events.ts'
import type { Scope } from '../../kernel/principal.ts'
import { holdCredential } from '../authentication/held-credential.ts'
import { newApiKey } from './format.ts'
import { expiryProblems, labelProblems, mayManageKeys, organizationProblems, overlapProblems, scopeProblems } from './input.ts'
import { lockKey } from './key.sql.ts'
import { maxEnded, newestFirst } from './listed.ts'
import { revokeWidgetKeysOf } from './widget-key.ts'

export const keyEvents = eventsOf('api_key', {
  confirmed: 'The payer of an organization lets an API key from before spend credits.',
  created: 'An API key was created.',
  revoked: 'An API key was revoked.',
  updated: update('An API key has another expiry.'),
})

// 200: a key for each program of a large company. The list of keys has them all.
const maxKeys: Maximum = { noun: 'apiKeys', most: 200, of: 'An organization', nouns: 'API keys that work', remedy: 'revoke one first' }

/** A key as its organizations see it: without the secret text, which only its holder knows. */
export interface ApiKey extends Omit<ApiKeyRow, 'hash'> {
  /** The key's organizations that the reader belongs to. */
  organizationIds: string[]
  /** Whether the payers of these organizations let it work there: false for one from before the payer changed, until it is confirmed. */
  isConfirmed: boolean
}

export interface CreatedApiKey {
  apiKey: ApiKey
  key: string
}

export interface CreateApiKey {
  label: string
  scopes?: readonly string[] | null
  organizationIds?: readonly string[] | null
  expiresAt?: Date | null
}

/** Creates a key. Default: for the context's organization, with all scopes. Throws INVALID, and CONFLICT where an organization has too many. */
export async function createApiKey(context: Context, input: CreateApiKey): Promise<CreatedApiKey> {
  const user = userOf(context)
  const { userId } = user
  const label = input.label.trim()
  const scopes = [...new Set(input.scopes ?? ['*'])]
  const orgIds = input.organizationIds ? [...new Set(input.organizationIds)] : [organizationOf(context)]
  const problems = [
    ...labelProblems(label),
    ...scopeProblems(scopes),
    ...organizationProblems(orgIds, user),
    ...expiryProblems(input.expiresAt, context.now()),
  ]
  if (problems.length > 0) throw invalid(problems)

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await holdCredential(inside)
    await requireRoomForKey(inside, orgIds)
    return insertApiKey(inside, { userId, label, scopes: scopes as (Scope | '*')[], orgIds, expiresAt: input.expiresAt ?? null })
  })
}

// In one order, so that two keys of the same organizations do not wait for each other.
async function requireRoomForKey({ db, now }: Context, organizationIds: readonly string[]): Promise<void> {
  for (const organizationId of organizationIds.toSorted()) {
    await lockNoun(db, maxKeys, organizationId)
    requireRoom(maxKeys, await db.prisma.apiKey.count({ where: { ...worksAt(now()), organizations: { some: { organizationId } } } }))
  }
}

/**
 * The keys of the signed-in user's organizations, or of the one that X-Org-Id names, newest first. Of revoked and expired ones the newest 200.
 */
export async function listApiKeys(context: Context): Promise<ApiKey[]> {
  const orgIds = managedOrgIds(context)
  const find = (where: Prisma.ApiKeyWhereInput, take?: number) =>
    context.db.prisma.apiKey.findMany({
      where: { organizations: { some: { organizationId: { in: [...orgIds] } } }, ...where },
      ...withOrganizations,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...(take !== undefined && { take }),
    })
  const works = worksAt(context.now())
  const rows = [...(await find(works)), ...(await find({ NOT: works }, maxEnded))]
  return newestFirst(rows).map(row => asSeenFrom(row, orgIds))
}

const worksAt = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] })

/** Revokes a key. Every process refuses it from the next request on. Revoking a revoked key changes nothing. */
export function revokeApiKey(context: Context, id: string): Promise<ApiKey> {
  const orgIds = managedOrgIds(context)
  return context.db.transaction(async tx => {
    const apiKey = await lockApiKey(tx, id, orgIds)
    const revokedAt = apiKey.revokedAt ?? (await recordRevoked(inTransaction(context, tx), apiKey))
    await tx.afterCommit(context.services.listener.settle)
    return { ...apiKey, revokedAt }
  })
}

/**
 * Replaces a key by a new one with the same label, scopes, organizations and lifetime. The old key stays valid for `overlapSeconds`; with 0
 * it is revoked at once. Throws CONFLICT for a revoked or expired key, and FORBIDDEN for a key of an organization that the user does not
 * belong to.
 */
export function rotateApiKey(context: Context, id: string, overlapSeconds: number): Promise<CreatedApiKey> {
  const { userId } = userOf(context)
  const orgIds = managedOrgIds(context)
  const problems = overlapProblems(overlapSeconds)
  if (problems.length > 0) throw invalid(problems)

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await holdCredential(inside)
    const old = await lockApiKey(tx, id, orgIds)
    const now = context.now()
    if (old.revokedAt !== null) throw new AppError('CONFLICT', 'The key is revoked; create a new one')
    if (old.expiresAt !== null && old.expiresAt <= now) throw new AppError('CONFLICT', 'The key has expired; create a new one')
    if (!old.isConfirmed) throw new AppError('CONFLICT', 'The key waits for the payer to confirm it; confirm it first, or create a new one')
    if (old.organizationIds.length < old.organizations.length)
      throw new AppError('FORBIDDEN', 'The key also opens organizations that you do not belong to')

    if (overlapSeconds === 0) await recordRevoked(inside, old)
    else await shorten(inside, old, new Date(now.getTime() + overlapSeconds * 1000))
    await requireRoomForKey(inside, old.organizationIds)
    const created = await insertApiKey(inside, {
      userId,
      label: old.label,
      scopes: old.scopes as (Scope | '*')[],
      orgIds: old.organizationIds,
      expiresAt: old.expiresAt === null ? null : new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime()),
      rotatedFromId: old.id,
    })
    await tx.afterCommit(context.services.listener.settle)
    return created
  })
}

/** Revokes every key that the user created, of any organization and any widget, in the context's transaction. */
export async function revokeKeysMadeBy(context: Context, userId: string): Promise<void> {
  await revokeKeysMadeIn(context, userId, null)
  await revokeWidgetKeysOf(context, userId)
}

/** Revokes the user's keys for one organization, even when they are for other organizations as well. Null: for any organization. */
export async function revokeKeysMadeIn(context: Context, userId: string, orgId: string | null): Promise<void> {
  const revoked = await context.db.prisma.apiKey.updateManyAndReturn({
    where: { createdById: userId, revokedAt: null, ...(orgId !== null && { organizations: { some: { organizationId: orgId } } }) },
    data: { revokedAt: context.now() },
    select: { id: true, label: true },
  })
  const apiKeyId = { in: revoked.map(({ id }) => id) }
  const opened = Map.groupBy(await context.db.prisma.apiKeyOrganization.findMany({ where: { apiKeyId } }), row => row.apiKeyId)
  for (const { id, label } of revoked) {
    const organizationIds = opened.get(id)?.map(row => row.organizationId) ?? []
    await recordForEach(context, keyEvents.revoked, { id, organizationIds }, { label })
  }
  await context.db.afterCommit(context.services.listener.settle)
}

/** Ends the access of the user's keys to an organization. A key without another organization is revoked. */
export async function endKeysIn(context: Context, userId: string, organizationId: string): Promise<void> {
  const { prisma } = context.db
  const opening = { organizations: { some: { organizationId } } }
  const found = await prisma.apiKey.findMany({ where: { createdById: userId, revokedAt: null, ...opening }, ...withOrganizations })
  for (const { id, label, organizations } of found) {
    if (organizations.length === 1) await recordRevoked(context, { id, label, organizationIds: [organizationId] })
    else {
      await prisma.apiKeyOrganization.delete({ where: { apiKeyId_organizationId: { apiKeyId: id, organizationId } } })
      await recordForEach(context, keyEvents.revoked, { id, organizationIds: [organizationId] }, { label })
    }
  }
}

export interface NewApiKey {
  userId: string
  label: string
  scopes: readonly (Scope | '*')[]
  orgIds: readonly string[]
  expiresAt?: Date | null
  rotatedFromId?: string | null
}

/** Writes a new key without validating its fields. Used by the rules of this folder, seeds and tests. */
export function insertApiKey(context: Context, input: NewApiKey): Promise<CreatedApiKey> {
  const { userId, label, scopes, orgIds, expiresAt = null, rotatedFromId = null } = input
  const key = newApiKey()
  // SHA-256, not bcrypt: keys are 190 random bits, and every request computes it.
  const hash = createHash('sha256').update(key).digest()
  return context.db.transaction(async tx => {
    const row = await tx.prisma.apiKey.create({
      data: {
        ...{ id: newId(), hash, start: key.slice(0, 8), last4: key.slice(-4), label, scopes: [...scopes], createdById: userId },
        ...{ rotatedFromId, createdAt: context.now(), expiresAt },
        organizations: { create: orgIds.map(organizationId => ({ organizationId })) },
      },
      omit: { hash: true },
    })
    const apiKey = { ...row, organizationIds: [...orgIds], isConfirmed: true }
    const changes = { label, scopes, expiresAt, ...(rotatedFromId !== null && { rotatedFromId }) }
    await recordForEach(inTransaction(context, tx), keyEvents.created, apiKey, changes)
    return { apiKey, key }
  })
}

const withOrganizations = {
  omit: { hash: true },
  include: { organizations: { select: { organizationId: true, unconfirmedSince: true }, orderBy: { organizationId: 'asc' } } },
} satisfies Omit<Prisma.ApiKeyFindManyArgs, 'where'>
type WithOrganizations = Prisma.ApiKeyGetPayload<typeof withOrganizations>

function asSeenFrom(row: WithOrganizations, orgIds: readonly string[]): WithOrganizations & ApiKey {
  const seen = row.organizations.filter(({ organizationId }) => orgIds.includes(organizationId))
  const isConfirmed = seen.every(({ unconfirmedSince }) => unconfirmedSince === null)
  return { ...row, organizationIds: seen.map(({ organizationId }) => organizationId), isConfirmed }
}

// Every member of an organization manages its keys, except viewers.
function managedOrgIds(context: Context): readonly string[] {
  const user = userOf(context)
  const named = context.requestedOrgId ?? user.currentOrgId
  return (named === null ? user.orgIds : [organizationOf(context)]).filter(orgId => mayManageKeys(user, orgId))
}

/** Locks a key of one of the organizations until the transaction ends. Throws NOT_FOUND. */
export async function lockApiKey(tx: Queries, id: string, orgIds: readonly string[]): Promise<WithOrganizations & ApiKey> {
  const [locked] = isUuid(id) ? await tx.query(lockKey, [id, orgIds]) : []
  const row = locked && (await tx.prisma.apiKey.findUnique({ where: { id }, ...withOrganizations }))
  if (!row) throw notFound('API key', id)
  return asSeenFrom(row, orgIds)
}

/** Revokes a key that the transaction has locked, and resolves with the time of revocation. */
export async function recordRevoked(context: Context, apiKey: Pick<ApiKey, 'id' | 'label' | 'organizationIds'>): Promise<Date> {
  const revokedAt = context.now()
  await context.db.prisma.apiKey.update({ where: { id: apiKey.id }, data: { revokedAt } })
  await recordForEach(context, keyEvents.revoked, apiKey, { label: apiKey.label })
  return revokedAt
}

async function shorten(context: Context, { id, ...old }: ApiKey, latest: Date): Promise<void> {
  const expiresAt = old.expiresAt !== null && old.expiresAt < latest ? old.expiresAt : latest
  await context.db.prisma.apiKey.update({ where: { id }, data: { expiresAt } })
  await recordForEach(context, keyEvents.updated, { id, ...old }, { expiresAt: [old.expiresAt, expiresAt] })
}

type InOrganizations = Pick<ApiKey, 'id' | 'organizationIds'>

export async function recordForEach(
  context: Context,
  type: EventType,
  apiKey: InOrganizations,
  changes: Record<string, unknown>,
): Promise<void> {
  for (const orgId of apiKey.organizationIds) await recordEvent(context, { type, entityId: apiKey.id, orgId, changes })
}
