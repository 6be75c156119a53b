// Sessions: opened with the identity provider's JWT, valid until thirty days after their last use, ended or revoked at once.

import { createHash, randomUUID } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import type { Queries } from '../../database/client.ts'
import type { Prisma, Session as SessionRow } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, userOf } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { type EventType, eventsOf } from '../../kernel/nouns/events.ts'
import type { Device } from '../../kernel/principal.ts'
import { sessionExpiry } from '../authentication/credential.ts'
import { acceptInvitation, mayBecomeUser, notInvited } from '../invitations/invitation.ts'
import { revokeGrants } from '../oauth/grant.ts'
import { createOrganizationFor, type Organization, organizationsById, organizationsOfUser } from '../organizations/organization.ts'
import { shareSignIn } from '../provider/provider.sql.ts'

const events = eventsOf('session', {
  created: 'A user signed in.',
  revoked: 'A session was ended.',
  switched: 'A session has chosen another organization.',
})

/** A session as its user sees it: without the token, which only its holder knows. */
export interface Session extends Omit<SessionRow, 'tokenHash'> {
  isCurrent: boolean
}

export interface CreatedSession {
  id: string
  sessionToken: string
  userId: string
  expiresAt: Date
}

/** The caller, as shown to the caller. */
export interface Me {
  /** The id of the user or API key, or the id that a guest chose. */
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
 * Exchanges the identity provider's JWT for a session with a new random token. A first-time user gets a personal organization, or joins
 * the organization of the invitation. Throws FORBIDDEN for a first-time user without an invitation, unless sign-up is open.
 */
export async function createSession(context: Context, invitation?: string): Promise<CreatedSession & { joined: Organization | null }> {
  const { principal } = context
  if (principal.kind !== 'identity') throw new AppError('UNAUTHENTICATED', "The identity provider's token is required")
  const { userId, email, isVerified, name, device, signInId } = principal
  const verifiedAddress = isVerified && email !== null ? email.toLowerCase() : null

  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const now = context.now()
    // A concurrent request that ends the sign-in waits for this lock, and then revokes the session created here as well.
    if (signInId !== null && (await tx.query(shareSignIn, [signInId, userId, now.toISOString()])).length === 0)
      throw new AppError('UNAUTHENTICATED', 'The sign-in that this token comes from has ended; sign in again')
    // The second of two concurrent first sign-ins waits here for the commit of the first, and then finds the user.
    const user = { id: userId, email, name, createdAt: now, updatedAt: now }
    const isNew = (await tx.prisma.user.createMany({ data: [user], skipDuplicates: true })).count > 0
    if (isNew && !(await mayBecomeUser(context.services, invitation ?? null))) throw new AppError('FORBIDDEN', notInvited(context.services))
    const joined = invitation === undefined ? null : await acceptInvitation(inside, invitation, { userId, verifiedAddress })
    if (!isNew) await updateUser(inside, { userId, email, name })
    else if (!joined) await createOrganizationFor(inside, { userId, name: `${name ?? email ?? userId}'s organization` })
    if (isNew) await context.services.money.openAccount(inside, userId)
    if (joined) await tx.afterCommit(context.services.listener.settle)
    return { ...(await insertSession(inside, { userId, signInId, ...device })), joined }
  })
}

/** The session of the request; null when the development header X-User-ID names the user. */
export async function currentSession(context: Context): Promise<Session | null> {
  const { userId, sessionId } = userOf(context)
  if (sessionId === null) return null
  const where = { id: sessionId, userId, ...liveAt(context.now()) }
  const row = await context.db.prisma.session.findFirst({ where, omit: { tokenHash: true } })
  return row && { ...row, isCurrent: true }
}

/** The signed-in user's active sessions, last used first. */
export async function listSessions(context: Context): Promise<Session[]> {
  const { userId, sessionId } = userOf(context)
  const rows = await context.db.prisma.session.findMany({
    where: { userId, ...liveAt(context.now()) },
    omit: { tokenHash: true },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
  })
  return rows.map(row => ({ ...row, isCurrent: row.id === sessionId }))
}

/** Signs out: ends the session of the request. */
export async function endSession(context: Context): Promise<Session | null> {
  const { sessionId } = userOf(context)
  return sessionId === null ? null : revokeSession(context, sessionId)
}

/**
 * Revokes a session of the signed-in user. Every process refuses it from the next request on. The provider's session that it was opened
 * from ends as well, with all sessions opened from that, unless the session of the request was opened from the same one. The OAuth clients
 * that somebody let in from an ended session are disconnected.
 */
export async function revokeSession(context: Context, id: string): Promise<Session> {
  const { userId, sessionId } = userOf(context)
  if (!isUuid(id)) throw notFound('session', id)
  // Signing out here leaves the clients that the user let in from here.
  if (id === sessionId) return sessionNamed(await revokeWhere(context, { id }, async () => {}), id)
  return context.db.transaction(async db => {
    const inside = inTransaction(context, db)
    const signInId = await signInOf(db, userId, id)
    const isShared = signInId === null || signInId === (await signInOf(db, userId, sessionId))
    const which = isShared ? { id } : { OR: [{ id }, { identitySessionId: signInId }] }
    const revoked = await revokeWhere(inside, which, async tx => {
      if (!isShared) await tx.prisma.idpSession.deleteMany({ where: { userId, id: signInId } })
    })
    await revokeGrants(inside, { userId, sessionId: { in: revoked.map(session => session.id) } })
    return sessionNamed(revoked, id)
  })
}

function sessionNamed(sessions: readonly Session[], id: string): Session {
  const session = sessions.find(one => one.id === id)
  if (!session) throw notFound('session', id)
  return session
}

/**
 * Revokes the signed-in user's other sessions, and the provider's sessions from which they were opened. Disconnects the OAuth clients that were
 * let in from any other session, ended ones included.
 */
export function revokeOtherSessions(context: Context): Promise<Session[]> {
  const { userId, sessionId } = userOf(context)
  const other = sessionId === null ? {} : { not: sessionId }
  return context.db.transaction(async db => {
    const inside = inTransaction(context, db)
    const revoked = await revokeWhere(inside, { id: other, expiresAt: { gt: context.now() } }, async tx => {
      const signInId = await signInOf(tx, userId, sessionId)
      await tx.prisma.idpSession.deleteMany({ where: { userId, ...(signInId !== null && { id: { not: signInId } }) } })
    })
    await revokeGrants(inside, { userId, sessionId: other })
    return revoked
  })
}

/**
 * Revokes all of the signed-in user's sessions here and at the provider, including sessions that are being opened, and disconnects the OAuth
 * clients.
 */
export function revokeAllSessions(context: Context): Promise<Session[]> {
  const { userId } = userOf(context)
  return context.db.transaction(async db => {
    const inside = inTransaction(context, db)
    const revoked = await revokeWhere(inside, { expiresAt: { gt: context.now() } }, async tx => {
      await tx.prisma.idpUser.updateMany({ where: { id: userId }, data: { signOuts: { increment: 1 } } })
      await tx.prisma.idpSession.deleteMany({ where: { userId } })
    })
    await revokeGrants(inside, { userId })
    return revoked
  })
}

/** Chooses the organization of the session's requests without X-Org-Id, in every process from the next request on. Throws NOT_FOUND. */
export function switchOrganization(context: Context, organizationId: string): Promise<Session> {
  const { userId, sessionId, orgIds } = userOf(context)
  if (sessionId === null) throw new AppError('CONFLICT', 'X-User-ID has no session; name the organization in X-Org-Id')
  const id = organizationId.toLowerCase()
  if (!orgIds.includes(id)) throw notFound('organization', organizationId)
  return context.db.transaction(async tx => {
    const where = { id: sessionId, revokedAt: null }
    const [row] = await tx.prisma.session.updateManyAndReturn({ where, data: { organizationId: id }, omit: { tokenHash: true } })
    if (!row) throw new AppError('UNAUTHENTICATED', 'The session was revoked while this request was under way')
    await recordIn(inTransaction(context, tx), id, events.switched, sessionId, { userId })
    await tx.afterCommit(context.services.listener.settle)
    return { ...row, isCurrent: true }
  })
}

/** Selects sessions of a user by the provider's session from which they were opened. Default: all. */
export interface SessionsOf {
  ids?: readonly string[]
  openedFrom?: readonly string[]
  notOpenedFrom?: string
}

/** Revokes sessions of any user in the context's transaction. After its commit, every process refuses them. */
export async function revokeSessionsOf(context: Context, userId: string, { ids, openedFrom, notOpenedFrom }: SessionsOf): Promise<void> {
  await revokeRows(context, userId, {
    ...(ids && { id: { in: [...ids] } }),
    ...(openedFrom && { identitySessionId: { in: [...openedFrom] } }),
    ...(notOpenedFrom !== undefined && { OR: [{ identitySessionId: null }, { identitySessionId: { not: notOpenedFrom } }] }),
  })
}

export interface NewSession extends Device {
  userId: string
  /** The embedded provider's session from which it is opened. */
  signInId?: string | null
  /** The name of the application that it is for. */
  clientName?: string | null
}

/** Writes a new session without checks. Used by the handshake, seeds and tests. */
export function insertSession(
  context: Context,
  { userId, userAgent, ipAddress, signInId = null, clientName = null }: NewSession,
): Promise<CreatedSession> {
  const id = newId()
  const sessionToken = randomUUID()
  const now = context.now()
  const expiresAt = sessionExpiry(now)
  return context.db.transaction(async tx => {
    const tokenHash = createHash('sha256').update(sessionToken).digest()
    const used = { createdAt: now, lastUsedAt: now, expiresAt }
    await tx.prisma.session.create({
      data: { id, tokenHash, userId, userAgent, ipAddress, ...used, identitySessionId: signInId, clientName },
    })
    const inside = inTransaction(context, tx)
    await endSurplus(inside, userId)
    await recordIn(inside, await firstOrganizationOf(inside, userId), events.created, id, { userId })
    return { id, sessionToken, userId, expiresAt }
  })
}

const liveAt = (now: Date) => ({ revokedAt: null, expiresAt: { gt: now } })

// 500: more than a person has devices and programs. A program that signs in endlessly would make a list that nobody can read.
const maxSessions = 500

/** Ends the sessions of the user that were not used for longest, where there are too many. */
async function endSurplus(tx: Context, userId: string): Promise<void> {
  const surplus = await tx.db.prisma.session.findMany({
    where: { userId, ...liveAt(tx.now()) },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
    skip: maxSessions,
    select: { id: true },
  })
  if (surplus.length > 0) await revokeSessionsOf(tx, userId, { ids: surplus.map(({ id }) => id) })
}

// Writes only real changes, because the trigger notifies every process of each update.
async function updateUser({ db, now }: Context, { userId, email, name }: Pick<Me, 'userId' | 'email' | 'name'>): Promise<void> {
  const told = { ...(email !== null && { email }), ...(name !== null && { name }) }
  const known = await db.prisma.user.findUniqueOrThrow({ where: { id: userId } })
  const isNews = known.email !== (told.email ?? known.email) || known.name !== (told.name ?? known.name)
  if (isNews) await db.prisma.user.update({ where: { id: userId }, data: { ...told, updatedAt: now() } })
}

/** The provider's session from which a session of the user was opened. */
async function signInOf(tx: Queries, userId: string, id: string | null): Promise<string | null> {
  if (id === null) return null
  const session = await tx.prisma.session.findFirst({ where: { id, userId }, select: { identitySessionId: true } })
  return session?.identitySessionId ?? null
}

// Locks the provider's sessions before application sessions, like every other transaction, so that concurrent revocations cannot deadlock.
function revokeWhere(context: Context, which: Prisma.SessionWhereInput, endSignIns: (tx: Queries) => Promise<void>): Promise<Session[]> {
  const { userId, sessionId } = userOf(context)
  return context.db.transaction(async tx => {
    await endSignIns(tx)
    const revoked = await revokeRows(inTransaction(context, tx), userId, which)
    return revoked.map(row => ({ ...row, isCurrent: row.id === sessionId }))
  })
}

async function revokeRows(context: Context, userId: string, which: Prisma.SessionWhereInput): Promise<Omit<Session, 'isCurrent'>[]> {
  const revoked = await context.db.prisma.session.updateManyAndReturn({
    where: { ...which, userId, revokedAt: null },
    data: { revokedAt: context.now() },
    omit: { tokenHash: true },
  })
  const orgId = revoked.length > 0 ? await firstOrganizationOf(context, userId) : null
  for (const { id } of revoked) await recordIn(context, orgId, events.revoked, id, {})
  await context.db.afterCommit(context.services.listener.settle)
  return revoked
}

// Sessions belong to users, but events belong to organizations, so the event is written to the user's first organization.
async function firstOrganizationOf({ db }: Context, userId: string): Promise<string | null> {
  const first = await db.prisma.membership.findFirst({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { organizationId: 'asc' }] })
  return first?.organizationId ?? null
}

async function recordIn(
  context: Context,
  orgId: string | null,
  type: EventType,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  if (orgId !== null) await recordEvent(context, { type, entityId, orgId, changes })
}
