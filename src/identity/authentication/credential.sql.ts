// What every request reads of a credential, writing down that it was used, and the locks that keep it from being revoked meanwhile.

import { statement } from '../../database/statement.ts'
import { rows, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import type { Scope } from '../../kernel/principal.ts'

export const selectApiKey = statement(
  'credential_api_key',
  `select k.id, k.label, k.scopes, k.created_by_id as user_id, k.expires_at, k.last_used_at,
     array(select o.organization_id::text from api_key_organizations o where o.api_key_id = k.id order by o.organization_id) as org_ids
   from api_keys k where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
  rows({
    id: uuid,
    label: text,
    scopes: textArray.as<(Scope | '*')[]>(),
    userId: text,
    expiresAt: timestamptz.orNull(),
    lastUsedAt: timestamptz.orNull(),
    orgIds: textArray,
  }),
)

const organizationIdsOf = (userId: string) =>
  `array(select m.organization_id::text from memberships m where m.user_id = ${userId} order by m.created_at, m.organization_id) as org_ids`

export const selectSession = statement(
  'credential_session',
  `select s.id as session_id, s.user_id, u.email, u.name, s.expires_at, s.last_used_at, ${organizationIdsOf('s.user_id')}
   from sessions s join users u on u.id = s.user_id where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2`,
  rows({
    sessionId: uuid,
    userId: text,
    email: text.orNull(),
    name: text.orNull(),
    expiresAt: timestamptz,
    lastUsedAt: timestamptz,
    orgIds: textArray,
  }),
)

export const selectUser = statement(
  'credential_user',
  `select u.email, u.name, ${organizationIdsOf('u.id')} from users u where u.id = $1`,
  rows({ email: text.orNull(), name: text.orNull(), orgIds: textArray }),
)

// Several processes may use one credential; the condition lets only one of them write.
export const touchApiKey = statement(
  'credential_touch_api_key',
  'update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
)
export const touchSession = statement(
  'credential_touch_session',
  'update sessions set last_used_at = $2, expires_at = $4 where id = $1 and last_used_at <= $3 and revoked_at is null returning expires_at',
  rows({ expiresAt: timestamptz }),
)

// A share lock and a revocation's update exclude each other: the later one sees what the earlier one has done.
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
  'select organization_id from memberships where user_id = $1 and organization_id = any($2::uuid[]) for share',
  rows({ organizationId: uuid }),
)
