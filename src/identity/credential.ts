// What the database knows of a credential, and writing down that it was used.

import type { Services } from '../context.ts'
import { type Database, statement } from '../database/client.ts'
import type { Credential } from './credential-cache.ts'
import type { Scope } from './principal.ts'

/** A session lives this long after its last use. */
export const sessionDays = 30
const dayMs = 86_400_000
/** A key's last use is written at most once a minute: often enough to see what is in use, too seldom to be felt. */
const keyTouchMs = 60_000
/** A session slides at most once an hour: nobody notices an hour in thirty days. */
const sessionTouchMs = 3_600_000

export const sessionExpiry = (lastUse: Date) => new Date(lastUse.getTime() + sessionDays * dayMs)

const selectApiKey = statement<{
  id: string
  label: string
  scopes: (Scope | '*')[]
  userId: string
  orgIds: string[]
  expiresAt: string | null
  lastUsedAt: string | null
}>(
  'credential_api_key',
  `select k.id, k.label, k.scopes, k.created_by_id as "userId", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
     array(select o.organization_id::text from api_key_organizations o where o.api_key_id = k.id order by o.organization_id) as "orgIds"
   from api_keys k where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
)
const selectSession = statement<{
  sessionId: string
  userId: string
  email: string | null
  name: string | null
  orgIds: string[]
  expiresAt: string
  lastUsedAt: string
}>(
  'credential_session',
  `select s.id as "sessionId", s.user_id as "userId", u.email, u.name, s.expires_at as "expiresAt", s.last_used_at as "lastUsedAt",
     array(select m.organization_id::text from memberships m where m.user_id = s.user_id order by m.created_at, m.organization_id) as "orgIds"
   from sessions s join users u on u.id = s.user_id where s.token_hash = $1 and s.revoked_at is null and s.expires_at > $2`,
)
const selectUser = statement<{ email: string | null; name: string | null; orgIds: string[] }>(
  'credential_user',
  `select u.email, u.name,
     array(select m.organization_id::text from memberships m where m.user_id = u.id order by m.created_at, m.organization_id) as "orgIds"
   from users u where u.id = $1`,
)
// Several processes may use one credential; the condition lets only one of them write.
const touchApiKey = statement<never>(
  'credential_touch_api_key',
  `update api_keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`,
)
const touchSession = statement<{ expiresAt: string }>(
  'credential_touch_session',
  `update sessions set last_used_at = $2, expires_at = $4 where id = $1 and last_used_at <= $3 and revoked_at is null
   returning expires_at as "expiresAt"`,
)

const ms = (time: string | null, otherwise: number) => (time === null ? otherwise : Date.parse(time))

export async function readApiKey(database: Database, hash: string, now: Date): Promise<Credential | null> {
  const [row] = await database.query(selectApiKey, [Buffer.from(hash, 'hex'), now.toISOString()])
  if (!row) return null
  const { expiresAt, lastUsedAt, ...key } = row
  return {
    principal: { kind: 'api_key', ...key },
    userId: null,
    expiresAt: ms(expiresAt, Number.POSITIVE_INFINITY),
    touchAt: ms(lastUsedAt, Number.NEGATIVE_INFINITY) + keyTouchMs,
  }
}

export async function readSession(database: Database, hash: string, now: Date): Promise<Credential | null> {
  const [row] = await database.query(selectSession, [Buffer.from(hash, 'hex'), now.toISOString()])
  if (!row) return null
  const { expiresAt, lastUsedAt, ...session } = row
  return {
    principal: { kind: 'session', ...session },
    userId: session.userId,
    expiresAt: Date.parse(expiresAt),
    touchAt: Date.parse(lastUsedAt) + sessionTouchMs,
  }
}

/** A user named by somebody who may name users: the development header, or a backend. */
export async function readUser(database: Database, userId: string): Promise<Credential | null> {
  const [user] = await database.query(selectUser, [userId])
  if (!user) return null
  const never = Number.POSITIVE_INFINITY
  return { principal: { kind: 'session', sessionId: null, userId, ...user }, userId, expiresAt: never, touchAt: never }
}

/** Writes the use down beside the request, which does not wait for it. */
export function touch({ database, log }: Services, credential: Credential, now: number): void {
  const { principal } = credential
  const at = (time: number) => new Date(time).toISOString()
  const failed = (error: unknown) => log.warn({ err: error }, 'the last use of a credential could not be written; the next use will')
  if (principal.kind === 'api_key') {
    credential.touchAt = now + keyTouchMs
    database.query(touchApiKey, [principal.id, at(now), at(now - keyTouchMs)]).catch(failed)
  } else if (principal.kind === 'session' && principal.sessionId !== null) {
    credential.touchAt = now + sessionTouchMs
    database
      .query(touchSession, [principal.sessionId, at(now), at(now - sessionTouchMs), sessionExpiry(new Date(now)).toISOString()])
      .then(([slid]) => {
        if (slid) credential.expiresAt = Date.parse(slid.expiresAt)
      }, failed)
  }
}
