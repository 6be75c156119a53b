// API keys: made by a signed-in user for organizations of theirs, shown once, rotated with overlap, revoked for good.

import { createHash } from 'node:crypto'
import { validate as isUuid, v7 as uuid } from 'uuid'
import { type Context, inTransaction, organizationOf, userOf } from '../context.ts'
import { type Queries, statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { expiryProblems, labelProblems, organizationProblems, overlapProblems, scopeProblems } from './api-key-input.ts'
import { holdCredential } from './held-credential.ts'
import { newApiKey } from './key-format.ts'
import type { Scope } from './principal.ts'

/** A key as its owners see it. The key itself is known to nobody but its holder. */
export interface ApiKey {
  id: string
  label: string
  /** Its first 8 and last 4 characters, to recognize it by. */
  start: string
  last4: string
  scopes: string[]
  /** Those of its organizations that the reader belongs to. */
  organizationIds: string[]
  createdById: string
  rotatedFromId: string | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
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

/** Makes a key. Its organizations default to the one of the context, its scopes to everything. Throws INVALID. */
export async function createApiKey(context: Context, input: CreateApiKey): Promise<CreatedApiKey> {
  const { userId } = userOf(context)
  const label = input.label.trim()
  const scopes = [...new Set(input.scopes ?? ['*'])]
  const orgIds = input.organizationIds ? [...new Set(input.organizationIds)] : [organizationOf(context)]
  const problems = [
    ...labelProblems(label),
    ...scopeProblems(scopes),
    ...organizationProblems(orgIds, context.principal),
    ...expiryProblems(input.expiresAt, context.now()),
  ]
  if (problems.length > 0) throw invalid(problems)

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    await holdCredential(inside)
    return insertApiKey(inside, { userId, label, scopes: scopes as (Scope | '*')[], orgIds, expiresAt: input.expiresAt ?? null })
  })
}

/** The keys of the signed-in user's organizations, newest first, revoked ones included; of one organization when X-Org-Id names it. */
export function listApiKeys(context: Context): Promise<ApiKey[]> {
  return context.db.query(selectApiKeys, [managedOrgIds(context)])
}

/** Revokes a key. It is refused from the next request on, in every process. Revoking twice is the same as once. */
export function revokeApiKey(context: Context, id: string): Promise<ApiKey> {
  const orgIds = managedOrgIds(context)
  return context.db.transaction(async tx => {
    const apiKey = await lockApiKey(tx, id, orgIds)
    const revokedAt = apiKey.revokedAt ?? (await recordRevoked(inTransaction(context, tx), apiKey))
    await tx.afterCommit(context.services.listener.settled)
    return { ...apiKey, revokedAt }
  })
}

/**
 * Replaces a key by a new one with the same label, scopes, organizations and lifetime. The old one works `overlapSeconds` longer, or
 * is revoked at once with 0. Throws CONFLICT for a key that no longer works, and FORBIDDEN for one that opens more than the user may.
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
    if (old.expiresAt !== null && Date.parse(old.expiresAt) <= now.getTime())
      throw new AppError('CONFLICT', 'The key has expired; create a new one')
    if (old.organizationIds.length < old.organizationCount)
      throw new AppError('FORBIDDEN', 'The key also opens organizations that you do not belong to')

    if (overlapSeconds === 0) await recordRevoked(inside, old)
    else await shorten(inside, old, new Date(now.getTime() + overlapSeconds * 1000))
    const created = await insertApiKey(inside, {
      userId,
      label: old.label,
      scopes: old.scopes as (Scope | '*')[],
      orgIds: old.organizationIds,
      expiresAt: old.expiresAt === null ? null : new Date(now.getTime() + Date.parse(old.expiresAt) - Date.parse(old.createdAt)),
      rotatedFromId: old.id,
    })
    await tx.afterCommit(context.services.listener.settled)
    return created
  })
}

/** Revokes every key that the user made, in the context's transaction, whichever organizations it opens. */
export async function revokeKeysMadeBy(context: Context, userId: string): Promise<void> {
  await revokeKeysMadeIn(context, userId, null)
}

/** The same for those that open the organization, among others or alone; for null whichever they open. */
export async function revokeKeysMadeIn(context: Context, userId: string, orgId: string | null): Promise<void> {
  const revoked = await context.db.query(revokeMadeIn, [userId, context.now().toISOString(), orgId])
  for (const apiKey of revoked) await recordForEach(context, 'api_key.revoked', apiKey, { label: apiKey.label })
  await context.db.afterCommit(context.services.listener.settled)
}

export interface NewApiKey {
  userId: string
  label: string
  scopes: readonly (Scope | '*')[]
  orgIds: readonly string[]
  expiresAt?: Date | null
  rotatedFromId?: string | null
}

const insertKey = statement<never>(
  'api_key_insert',
  `with made as (
     insert into api_keys (id, hash, start, last4, label, scopes, created_by_id, rotated_from_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id)
   insert into api_key_organizations (api_key_id, organization_id) select made.id, o from made, unnest($11::uuid[]) as o`,
)

/** Writes a new key for anybody, unchecked: the rules above, seeds and tests. */
export function insertApiKey(context: Context, input: NewApiKey): Promise<CreatedApiKey> {
  const { userId, label, scopes, orgIds, expiresAt = null, rotatedFromId = null } = input
  const key = newApiKey()
  const apiKey: ApiKey = {
    id: uuid(),
    label,
    start: key.slice(0, 8),
    last4: key.slice(-4),
    scopes: [...scopes],
    organizationIds: [...orgIds],
    createdById: userId,
    rotatedFromId,
    createdAt: context.now().toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: null,
    revokedAt: null,
  }
  return context.db.transaction(async tx => {
    const { id, start, last4, createdAt } = apiKey
    // SHA-256, not bcrypt: keys are 190 random bits, and every request pays this.
    const hash = createHash('sha256').update(key).digest()
    await tx.query(insertKey, [id, hash, start, last4, label, scopes, userId, rotatedFromId, createdAt, apiKey.expiresAt, orgIds])
    const changes = { label, scopes, expiresAt: apiKey.expiresAt, ...(rotatedFromId !== null && { rotatedFromId }) }
    await recordForEach(inTransaction(context, tx), 'api_key.created', apiKey, changes)
    return { apiKey, key }
  })
}

const columns = `k.id, k.label, k.start, k.last4, k.scopes, k.created_by_id as "createdById", k.rotated_from_id as "rotatedFromId",
  k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt",
  array(select o.organization_id::text from api_key_organizations o
    where o.api_key_id = k.id and o.organization_id = any($1::uuid[]) order by o.organization_id) as "organizationIds"`
const isMine = 'exists (select 1 from api_key_organizations o where o.api_key_id = k.id and o.organization_id = any($1::uuid[]))'

const selectApiKeys = statement<ApiKey>(
  'api_keys_list',
  `select ${columns} from api_keys k where ${isMine} order by k.created_at desc, k.id desc`,
)
const selectForUpdate = statement<ApiKey & { organizationCount: number }>(
  'api_key_lock',
  `select ${columns}, (select count(*)::int from api_key_organizations o where o.api_key_id = k.id) as "organizationCount"
   from api_keys k where k.id = $2 and ${isMine} for update of k`,
)
const setRevoked = statement<never>('api_key_revoke', 'update api_keys set revoked_at = $2 where id = $1')
const revokeMadeIn = statement<Pick<ApiKey, 'id' | 'label' | 'organizationIds'>>(
  'api_keys_revoke_made_in',
  `update api_keys k set revoked_at = $2 where k.created_by_id = $1 and k.revoked_at is null
     and ($3::uuid is null or exists (select from api_key_organizations o where o.api_key_id = k.id and o.organization_id = $3))
   returning k.id, k.label,
     array(select o.organization_id::text from api_key_organizations o where o.api_key_id = k.id) as "organizationIds"`,
)
const setExpiry = statement<{ expiresAt: string }>(
  'api_key_shorten',
  `update api_keys set expires_at = least(expires_at, $2) where id = $1 returning expires_at as "expiresAt"`,
)

// Any member may manage the keys of an organization, so that one who leaves does not take the switch along.
function managedOrgIds(context: Context): readonly string[] {
  userOf(context)
  if (context.requestedOrgId !== null || context.principal.kind !== 'session') return [organizationOf(context)]
  return context.principal.orgIds
}

async function lockApiKey(tx: Queries, id: string, orgIds: readonly string[]) {
  const [row] = isUuid(id) ? await tx.query(selectForUpdate, [orgIds, id]) : []
  if (!row) throw notFound('API key', id)
  return row
}

/** Revokes a key that the transaction has locked, for anybody, and resolves with when. */
export async function recordRevoked(context: Context, apiKey: Pick<ApiKey, 'id' | 'label' | 'organizationIds'>): Promise<string> {
  const revokedAt = context.now().toISOString()
  await context.db.query(setRevoked, [apiKey.id, revokedAt])
  await recordForEach(context, 'api_key.revoked', apiKey, { label: apiKey.label })
  return revokedAt
}

async function shorten(context: Context, apiKey: ApiKey, expiresAt: Date): Promise<void> {
  const [row] = await context.db.query(setExpiry, [apiKey.id, expiresAt.toISOString()])
  await recordForEach(context, 'api_key.updated', apiKey, { expiresAt: [apiKey.expiresAt, row?.expiresAt ?? null] })
}

type InOrganizations = Pick<ApiKey, 'id' | 'organizationIds'>

async function recordForEach(context: Context, type: string, apiKey: InOrganizations, changes: Record<string, unknown>): Promise<void> {
  for (const orgId of apiKey.organizationIds) await recordEvent(context, { type, entityId: apiKey.id, orgId, changes })
}
