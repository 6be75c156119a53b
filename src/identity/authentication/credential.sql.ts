// Statements that authenticate a request: read its credential, record its use, and lock it against revocation.

import { statement } from '../../database/statement.ts'
import { boolean, integer, rows, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import type { Role, Scope } from '../../kernel/principal.ts'

// A key gives access to organizations of its creator, with at most the creator's role. Keys that the operator created have no user. Where the
// payer of an organization has changed since and has not confirmed the key, it gives no access.
export const selectApiKey = statement(
  'credential_api_key',
  `select k.id, k.label, k.scopes, k.created_by_id as user_id, k.expires_at, k.last_used_at,
     org_ids, roles, unconfirmed
   from api_keys k cross join lateral (
     select coalesce(array_agg(o.organization_id::text order by o.organization_id) filter (where o.unconfirmed_since is null), '{}')
         as org_ids,
       coalesce(array_agg(coalesce(m.role, 'owner') order by o.organization_id) filter (where o.unconfirmed_since is null), '{}') as roles,
       coalesce(array_agg(o.organization_id::text) filter (where o.unconfirmed_since is not null), '{}') as unconfirmed
     from api_key_organizations o left join memberships m on m.user_id = k.created_by_id and m.organization_id = o.organization_id
     where o.api_key_id = k.id and (m.role is not null or not exists (select from users u where u.id = k.created_by_id))
   ) opened
   where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
  rows({
    id: uuid,
    label: text,
    scopes: textArray.as<(Scope | '*')[]>(),
    userId: text,
    expiresAt: timestamptz.orNull(),
    lastUsedAt: timestamptz.orNull(),
    orgIds: textArray,
    roles: textArray.as<Role[]>(),
    unconfirmed: textArray,
  }),
)

const membershipsOf = (userId: string) =>
  ['organization_id::text as org_ids', 'role as roles']
    .map(column => column.split(' as '))
    .map(
      ([column, name]) =>
        `array(select m.${column} from memberships m where m.user_id = ${userId} order by m.created_at, m.organization_id) as ${name}`,
    )
    .join(', ')

export const selectSession = statement(
  'credential_session',
  `select s.id as session_id, s.user_id, u.email, u.name, s.expires_at, s.last_used_at, s.organization_id as current_org_id,
     ${membershipsOf('s.user_id')}
   from sessions s join users u on u.id = s.user_id where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2`,
  rows({
    sessionId: uuid,
    userId: text,
    email: text.orNull(),
    name: text.orNull(),
    expiresAt: timestamptz,
    lastUsedAt: timestamptz,
    currentOrgId: uuid.orNull(),
    orgIds: textArray,
    roles: textArray.as<Role[]>(),
  }),
)

/** $3: the resource that the token must be for. */
export const selectAccessToken = statement(
  'credential_access_token',
  `select g.id, g.user_id, g.scopes, g.last_used_at, c.name as client_name, u.email, u.name, m.organization_id as org_id, m.role,
     t.access_expires_at as expires_at
   from oauth_tokens t join oauth_grants g on g.id = t.grant_id join oauth_clients c on c.id = g.client_id
     join users u on u.id = g.user_id join memberships m on m.user_id = g.user_id and m.organization_id = g.organization_id
   where t.access_hash = $1 and t.access_expires_at > $2 and g.revoked_at is null and g.resource = $3`,
  rows({
    id: uuid,
    userId: text,
    scopes: textArray.as<Scope[]>(),
    lastUsedAt: timestamptz.orNull(),
    clientName: text,
    email: text.orNull(),
    name: text.orNull(),
    orgId: uuid,
    role: text.as<Role>(),
    expiresAt: timestamptz,
  }),
)

export const selectUser = statement(
  'credential_user',
  `select u.email, u.name, ${membershipsOf('u.id')} from users u where u.id = $1`,
  rows({ email: text.orNull(), name: text.orNull(), orgIds: textArray, roles: textArray.as<Role[]>() }),
)

/**
 * $1 organizations, $2 users and $3 keys or nulls, by their index from 1. The user of a key is the present one: a placeholder's key becomes an
 * owner's. The key's columns are null for one that is revoked or expired, or that
 * the organization's payer has not confirmed.
 */
export const selectLasting = statement(
  'credential_lasting',
  `select given.index::int as index, k.label as key_label, k.scopes as key_scopes, m.role, u.email, u.name, u.id is not null as has_user,
     coalesce(owned.created_by_id, given.user_id) as user_id
   from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as given (org_id, user_id, key_id, index)
   left join api_keys owned on owned.id = given.key_id
   left join users u on u.id = coalesce(owned.created_by_id, given.user_id)
   left join memberships m on m.user_id = coalesce(owned.created_by_id, given.user_id) and m.organization_id = given.org_id
   left join api_keys k on k.id = given.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4)
     and exists (select from api_key_organizations o where o.api_key_id = k.id and o.organization_id = given.org_id and o.unconfirmed_since is null)`,
  rows({
    index: integer,
    keyLabel: text.orNull(),
    keyScopes: textArray.as<(Scope | '*')[]>().orNull(),
    role: text.as<Role>().orNull(),
    email: text.orNull(),
    name: text.orNull(),
    hasUser: boolean,
    userId: text,
  }),
)

// Several processes may use the same credential; because of the condition only one of them writes.
export const touchApiKey = statement(
  'credential_touch_api_key',
  'update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
)
export const touchGrant = statement(
  'credential_touch_grant',
  'update oauth_grants set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
)
export const touchSession = statement(
  'credential_touch_session',
  `update sessions set last_used_at = $2, expires_at = case when expires_at <= $5 then $4 else expires_at end
   where id = $1 and last_used_at <= $3 and revoked_at is null returning expires_at`,
  rows({ expiresAt: timestamptz }),
)

// The share lock waits for a revocation, and a revocation for it, so each sees the effects of the earlier one.
export const holdSession = statement(
  'credential_hold_session',
  'select id from sessions where id = $1 and revoked_at is null for share',
  rows({ id: uuid }),
)
export const holdApiKey = statement(
  'credential_hold_api_key',
  'select id from api_keys where id = $1 and revoked_at is null for share',
  rows({ id: uuid }),
)
export const holdMemberships = statement(
  'credential_hold_memberships',
  'select organization_id, role from memberships where user_id = $1 and organization_id = any($2::uuid[]) for share',
  rows({ organizationId: uuid, role: text.as<Role>() }),
)

/** $1 user, $2 organization. */
export const selectActingMember = statement(
  'credential_acting_member',
  'select role from memberships where user_id = $1 and organization_id = $2',
  rows({ role: text.as<Role>() }),
)
/** $1 API key, $2 organization, $3 now. A key whose creator has left the organization is not found there. */
export const selectActingKey = statement(
  'credential_acting_key',
  `select k.scopes, coalesce(m.role, 'owner') as role
   from api_keys k join api_key_organizations o on o.api_key_id = k.id and o.organization_id = $2 and o.unconfirmed_since is null
     left join memberships m on m.user_id = k.created_by_id and m.organization_id = $2
   where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
     and (m.role is not null or not exists (select from users u where u.id = k.created_by_id))`,
  rows({ scopes: textArray.as<(Scope | '*')[]>(), role: text.as<Role>() }),
)
