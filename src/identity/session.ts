// Sessions: opened by the identity provider's JWT, used by apps until thirty days after the last use, ended or revoked at once.

import { createHash, randomUUID } from 'node:crypto'
import { validate as isUuid, v7 as uuid } from 'uuid'
import { type Context, inTransaction, userOf } from '../context.ts'
import { type Queries, statement } from '../database/client.ts'
import { AppError, notFound } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { sessionExpiry } from './credential.ts'
import { acceptInvitation, mayBecomeUser, notInvited } from './invitation.ts'
import { createOrganizationFor, type Organization, organizationsById, organizationsOfUser } from './organization.ts'
import type { Device } from './principal.ts'

/** A session as its user sees it. The token itself is known to nobody but its holder. */
export interface Session {
  id: string
  userId: string
  userAgent: string | null
  ipAddress: string | null
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  isCurrent: boolean
}

export interface CreatedSession {
  id: string
  sessionToken: string
  userId: string
  expiresAt: string
}

/** Who asks, as the asker may know it. */
export interface Me {
  /** Of the caller: a user's id, an API key's, or what a guest chose. */
  id: string
  userId: string
  email: string | null
  name: string | null
  isGuest: boolean
  organizations: Organization[]
}

export async function me(context: Context): Promise<Me> {
  const { principal } = context
  switch (principal.kind) {
    case 'session': {
      const { userId, email, name } = principal
      return { id: userId, userId, email, name, isGuest: false, organizations: await organizationsOfUser(context, userId) }
    }
    case 'api_key': {
      const { id, userId, label, orgIds } = principal
      return { id, userId, email: null, name: label, isGuest: false, organizations: await organizationsById(context, orgIds, 'member') }
    }
    case 'guest': {
      const { guestId, orgId } = principal
      const organizations = orgId === null ? [] : await organizationsById(context, [orgId], 'guest')
      return { id: guestId, userId: guestId, email: null, name: null, isGuest: true, organizations }
    }
    case 'service':
      if (principal.userId === null) throw new AppError('FORBIDDEN', 'The service token is nobody in particular; name a user in x-user-id')
      return {
        id: principal.userId,
        userId: principal.userId,
        email: null,
        name: null,
        isGuest: false,
        organizations: await organizationsOfUser(context, principal.userId),
      }
    default:
      throw new AppError('UNAUTHENTICATED', 'Authentication is required')
  }
}

/**
 * The handshake: exchanges the identity provider's word for a session. A first-time user gets a personal organization,
 * or joins the one that the invitation is for; without one throws FORBIDDEN where sign-up is not open. Each handshake makes a new token;
 * nothing a client sends becomes one.
 */
export async function createSession(context: Context, invitation?: string): Promise<CreatedSession & { joined: Organization | null }> {
  const { principal } = context
  if (principal.kind !== 'identity') throw new AppError('UNAUTHENTICATED', "The identity provider's token is required")
  const { userId, email, name, device, signInId } = principal

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const now = context.now().toISOString()
    // A request that ends it meanwhile waits here, and then finds the session that was opened from it.
    if (signInId !== null && (await tx.query(shareSignIn, [signInId, userId, now])).length === 0)
      throw new AppError('UNAUTHENTICATED', 'The sign-in that this token comes from has ended; sign in again')
    // Of two first handshakes at once the second waits here for the first, and then finds the user.
    const isNew = (await tx.query(insertUser, [userId, email, name, now])).length > 0
    if (isNew && !(await mayBecomeUser(context.services, invitation ?? null))) throw new AppError('FORBIDDEN', notInvited(context.services))
    const joined = invitation === undefined ? null : await acceptInvitation(inside, invitation, userId)
    if (!isNew) await tx.query(updateUser, [userId, email, name, now])
    else if (!joined) await createOrganizationFor(inside, { userId, name: `${name ?? email ?? userId}'s organization` })
    if (isNew) await context.services.money.openAccount(inside, userId)
    if (joined) await tx.afterCommit(context.services.listener.settled)
    return { ...(await insertSession(inside, { userId, signInId, ...device })), joined }
  })
}

/** The session that asks; null when no session does, but the development header. */
export async function currentSession(context: Context): Promise<Session | null> {
  const { userId, sessionId } = userOf(context)
  if (sessionId === null) return null
  const sessions = await context.db.query(selectSessions, [userId, sessionId, context.now().toISOString()])
  return sessions.find(session => session.isCurrent) ?? null
}

/** The signed-in user's sessions that still work, last used first. */
export function listSessions(context: Context): Promise<Session[]> {
  const { userId, sessionId } = userOf(context)
  return context.db.query(selectSessions, [userId, sessionId, context.now().toISOString()])
}

/** Ends the session that asks: signing out. */
export async function endSession(context: Context): Promise<Session | null> {
  const { sessionId } = userOf(context)
  return sessionId === null ? null : revokeSession(context, sessionId)
}

/**
 * Revokes a session of the signed-in user's. It is refused from the next request on, in every process, and the sign-in that it was opened
 * from ends with it, unless the session that asks was opened from the same.
 */
export async function revokeSession(context: Context, id: string): Promise<Session> {
  const { userId, sessionId } = userOf(context)
  if (!isUuid(id)) throw notFound('session', id)
  const [session] = await revokeWhere(context, revokeOne, [userId, id], tx =>
    id === sessionId ? Promise.resolve([]) : tx.query(endSignInOf, [userId, id, sessionId]),
  )
  if (!session) throw notFound('session', id)
  return session
}

/** Revokes every session of the signed-in user's but the one that asks, with their sign-ins, and tells how many there were. */
export async function revokeOtherSessions(context: Context): Promise<number> {
  const { userId, sessionId } = userOf(context)
  const revoked = await revokeWhere(context, revokeOthers, [userId, sessionId], tx => tx.query(endOtherSignIns, [userId, sessionId]))
  return revoked.length
}

/** Which of a user's sessions: those that were opened from some sign-ins, those that were not from one, or all. */
export interface SessionsOf {
  openedFrom?: readonly string[]
  notOpenedFrom?: string
}

/** Revokes sessions of anybody's, in the context's transaction. They are refused everywhere once it has been committed and is answered. */
export async function revokeSessionsOf(context: Context, userId: string, { openedFrom, notOpenedFrom }: SessionsOf): Promise<void> {
  const values = [userId, context.now().toISOString(), openedFrom ?? null, notOpenedFrom ?? null]
  const revoked = await context.db.query(revokeOpenedFrom, values)
  for (const { id, orgId } of revoked) await recordIn(context, orgId, 'session.revoked', id, {})
  await context.db.afterCommit(context.services.listener.settled)
}

const insertRow = statement<{ orgId: string | null }>(
  'session_insert',
  `insert into sessions (id, token_hash, user_id, user_agent, ip_address, created_at, last_used_at, expires_at, identity_session_id)
   values ($1, $2, $3, $4, $5, $6, $6, $7, $8) returning ${firstOrganizationOf('sessions.user_id')} as "orgId"`,
)

export interface NewSession extends Device {
  userId: string
  /** The embedded identity provider's session that it is opened from. */
  signInId?: string | null
}

/** Writes a new session for anybody: the handshake, seeds and tests. */
export function insertSession(context: Context, { userId, userAgent, ipAddress, signInId = null }: NewSession): Promise<CreatedSession> {
  const id = uuid()
  const sessionToken = randomUUID()
  const now = context.now()
  const expiresAt = sessionExpiry(now).toISOString()
  return context.db.transaction(async tx => {
    const tokenHash = createHash('sha256').update(sessionToken).digest()
    const [row] = await tx.query(insertRow, [id, tokenHash, userId, userAgent, ipAddress, now.toISOString(), expiresAt, signInId])
    await recordIn(inTransaction(context, tx), row?.orgId ?? null, 'session.created', id, { userId })
    return { id, sessionToken, userId, expiresAt }
  })
}

const shareSignIn = statement<{ id: string }>(
  'session_share_sign_in',
  'select id from idp_sessions where id = $1 and user_id = $2 and expires_at > $3 for key share',
)
const insertUser = statement<{ id: string }>(
  'user_insert',
  'insert into users (id, email, name, created_at, updated_at) values ($1, $2, $3, $4, $4) on conflict (id) do nothing returning id',
)
// Only what the provider tells differently from last time: an update that changes nothing would still be announced to every process.
const updateUser = statement<never>(
  'user_update',
  `update users set email = coalesce($2, email), name = coalesce($3, name), updated_at = $4
   where id = $1 and (email, name) is distinct from (coalesce($2, email), coalesce($3, name))`,
)

const columns = `s.id, s.user_id as "userId", s.user_agent as "userAgent", s.ip_address as "ipAddress",
  s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"`
const selectSessions = statement<Session>(
  'sessions_list',
  `select ${columns}, s.id is not distinct from $2::uuid as "isCurrent" from sessions s
   where s.user_id = $1 and s.revoked_at is null and s.expires_at > $3 order by s.last_used_at desc, s.id desc`,
)

type Revoked = Session & { orgId: string | null }
const revoking = (condition: string) =>
  `update sessions s set revoked_at = $3 where s.user_id = $1 and s.revoked_at is null and ${condition}
   returning ${columns}, s.id is not distinct from $4::uuid as "isCurrent", ${firstOrganizationOf('s.user_id')} as "orgId"`
const revokeOne = statement<Revoked>('session_revoke', revoking('s.id = $2'))
const revokeOthers = statement<Revoked>('sessions_revoke_others', revoking('s.id is distinct from $2::uuid and s.expires_at > $3'))
const revokeOpenedFrom = statement<{ id: string; orgId: string | null }>(
  'sessions_revoke_opened_from',
  `update sessions s set revoked_at = $2 where s.user_id = $1 and s.revoked_at is null
     and ($3::text[] is null or s.identity_session_id = any($3)) and ($4::text is null or s.identity_session_id is distinct from $4)
   returning s.id, ${firstOrganizationOf('s.user_id')} as "orgId"`,
)

const signInOf = (session: string) => `(select identity_session_id from sessions where user_id = $1 and id = ${session})`
const endSignInOf = statement<never>(
  'session_end_sign_in',
  `delete from idp_sessions where user_id = $1 and id = ${signInOf('$2')} and id is distinct from ${signInOf('$3')}`,
)
const endOtherSignIns = statement<never>(
  'session_end_other_sign_ins',
  `delete from idp_sessions where user_id = $1 and id is distinct from ${signInOf('$2')}`,
)

// Sign-ins end before sessions, as everywhere: two who end the same would otherwise wait for each other.
function revokeWhere(
  context: Context,
  which: typeof revokeOne,
  values: [userId: string, id: string | null],
  endSignIns: (tx: Queries) => Promise<unknown>,
): Promise<Session[]> {
  const { sessionId } = userOf(context)
  return context.db.transaction(async tx => {
    await endSignIns(tx)
    const revoked = await tx.query(which, [...values, context.now().toISOString(), sessionId])
    for (const { id, orgId } of revoked) await recordIn(inTransaction(context, tx), orgId, 'session.revoked', id, {})
    await tx.afterCommit(context.services.listener.settled)
    return revoked
  })
}

// A session belongs to a user, an event to an organization: the user's first one.
function firstOrganizationOf(userId: string): string {
  return `(select m.organization_id from memberships m where m.user_id = ${userId} order by m.created_at, m.organization_id limit 1)`
}

async function recordIn(
  context: Context,
  orgId: string | null,
  type: string,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  if (orgId !== null) await recordEvent(context, { type, entityId, orgId, changes })
}
