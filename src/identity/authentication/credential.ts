// Reads credentials from the database, and records their last use.

import type { Database } from '../../database/client.ts'
import type { Services } from '../../kernel/context.ts'
import { selectApiKey, selectSession, selectUser, touchApiKey, touchSession } from './credential.sql.ts'
import type { Credential } from './credential-cache.ts'

/** A session lives this long after its last use. */
const sessionDays = 30
const dayMs = 86_400_000
/** A key's last use is written at most once a minute: exact enough to find unused keys, and a negligible number of writes. */
const keyTouchMs = 60_000
/** A session's expiry is extended at most once an hour; an hour in thirty days does not matter. */
const sessionTouchMs = 3_600_000

export const sessionExpiry = (lastUse: Date) => new Date(lastUse.getTime() + sessionDays * dayMs)

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

/** The user named by the development header X-User-ID, or by a backend. */
export async function readUser(database: Database, userId: string): Promise<Credential | null> {
  const [user] = await database.query(selectUser, [userId])
  if (!user) return null
  const never = Number.POSITIVE_INFINITY
  return { principal: { kind: 'session', sessionId: null, userId, ...user }, userId, expiresAt: never, touchAt: never }
}

/** Records the use of a credential without delaying the request. */
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
