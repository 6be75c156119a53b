// API keys as the operator sees and changes them on the command line: of every organization, without a session.

import { createHash } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import { type Context, inTransaction } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { type ApiKey, type CreatedApiKey, insertApiKey, recordRevoked } from './api-key.ts'
import { labelProblems, scopeProblems } from './api-key-input.ts'
import { firstOrganization } from './first-organization.ts'
import { isApiKey } from './key-format.ts'
import { isScope } from './principal.ts'

export interface ListedKey extends Omit<ApiKey, 'organizationIds'> {
  organizations: { id: string; name: string }[]
}

// 500: more than a person reads; of more, those of one organization are asked for.
export const maxListed = 500

/** The keys of an installation, newest first, revoked ones included; of one organization when told. At most `maxListed`. */
export function listEveryKey(context: Context, orgId: string | null): Promise<ListedKey[]> {
  return context.db.query(selectKeys, [orgId, maxListed])
}

/** Makes a key for organizations; without any for the first one, or the only one there is. Throws INVALID, NOT_FOUND. */
export async function createKeyFor(
  context: Context,
  { label, scopes, orgIds }: { label: string; scopes: readonly string[]; orgIds: readonly string[] },
): Promise<CreatedApiKey> {
  const trimmed = label.trim()
  const problems = [...labelProblems(trimmed), ...scopeProblems(scopes)]
  if (problems.length > 0) throw invalid(problems)
  const organizations = orgIds.length > 0 ? [...new Set(orgIds)] : [await operatedOrganization(context)]
  const found = await context.db.query(selectOwners, [organizations.filter(id => isUuid(id))])
  const missing = organizations.find(id => !found.some(one => one.id === id))
  if (missing !== undefined) throw notFound('organization', missing)
  const userId = found.find(one => one.ownerId !== null)?.ownerId ?? 'operator'
  return insertApiKey(context, { userId, label: trimmed, scopes: scopes.filter(isScope), orgIds: organizations })
}

/**
 * The organization that a command means when none is named: the first one, or the only one there is. Throws CONFLICT, with the ids,
 * where there are several.
 */
export async function operatedOrganization(context: Context): Promise<string> {
  const first = await firstOrganization(context.services)
  if (first !== null) return first
  const [only, ...others] = await context.db.query(selectOrganizations, [])
  if (!only) throw new AppError('CONFLICT', 'There is no organization yet: npm start makes the first one')
  if (others.length === 0) return only.id
  const ids = [only, ...others].map(({ id, name }) => `${id} ("${name}")`).join(', ')
  throw new AppError('CONFLICT', `Say with --org which organization: ${ids}`)
}

/** Revokes the key with this id, these first characters, or this whole key, in every process at once. Throws NOT_FOUND, CONFLICT. */
export async function revokeKey(context: Context, named: string): Promise<ListedKey & { wasRevoked: boolean }> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const hash = isApiKey(named) ? createHash('sha256').update(named).digest() : null
    // 8 characters are what lists show of a key; fewer would be a guess.
    const start = hash === null && named.length >= 8 && named.startsWith('rcm_') ? named.slice(0, 8) : null
    const matches = await tx.query(selectNamed, [isUuid(named) ? named : null, start, hash])
    const [key, ...others] = matches.filter(one => one.revokedAt === null || matches.length === 1)
    if (!key) throw notFound('API key', hash === null ? named : 'with this value')
    if (others.length > 0)
      throw new AppError(
        'CONFLICT',
        `Several keys begin with ${named}; say which by its id: ${[key, ...others].map(({ id }) => id).join(', ')}`,
      )
    const wasRevoked = key.revokedAt !== null
    const revokedAt = key.revokedAt ?? (await recordRevoked(inside, { ...key, organizationIds: key.organizations.map(({ id }) => id) }))
    await tx.afterCommit(context.services.listener.settled)
    return { ...key, revokedAt, wasRevoked }
  })
}

const columns = `k.id, k.label, k.start, k.last4, k.scopes, k.created_by_id as "createdById", k.rotated_from_id as "rotatedFromId",
  k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.created_at, g.id), '[]')
   from api_key_organizations o join organizations g on g.id = o.organization_id where o.api_key_id = k.id) as organizations`

const selectKeys = statement<ListedKey>(
  'operator_keys',
  `select ${columns} from api_keys k
   where $1::uuid is null or exists (select from api_key_organizations o where o.api_key_id = k.id and o.organization_id = $1)
   order by k.created_at desc, k.id desc limit $2`,
)
const selectNamed = statement<ListedKey>(
  'operator_key_named',
  `select ${columns} from api_keys k where k.id = $1::uuid or k.start = $2::text or k.hash = $3::bytea order by k.created_at, k.id limit 20 for update of k`,
)
const selectOwners = statement<{ id: string; ownerId: string | null }>(
  'operator_owners',
  `select o.id, (select user_id from memberships m where m.organization_id = o.id and m.role = 'owner' order by m.created_at, m.user_id limit 1)
     as "ownerId" from organizations o where o.id = any($1::uuid[]) order by o.created_at, o.id`,
)
const selectOrganizations = statement<{ id: string; name: string }>(
  'operator_organizations',
  'select id, name from organizations where not is_demo order by created_at, id limit 10',
)
