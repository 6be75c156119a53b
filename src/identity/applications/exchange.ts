// Exchanges a code of a desktop application, or the code of an approved device, for a session that ends with the sign-in it comes from.

import type { Queries } from '../../database/queries.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import { AppError, type Code, invalid } from '../../kernel/errors.ts'
import { problem, valueError } from '../../kernel/input/problem.ts'
import { whatToSend } from '../authentication/challenge.ts'
import { holdSession } from '../authentication/credential.sql.ts'
import { shareSignIn } from '../provider/provider.sql.ts'
import { type CreatedSession, insertSession, revokeSessionsOf } from '../sessions/session.ts'
import { lockCode, lockDevice } from './application.sql.ts'
import { intervalSeconds } from './device.ts'
import { hashOf, isVerified } from './request.ts'

export interface Grant {
  code?: string | null
  codeVerifier?: string | null
  redirectUri?: string | null
  deviceCode?: string | null
}

interface Given {
  userId: string
  sessionId: string
  signInId: string | null
  clientName: string
  ipAddress?: string | null
  userAgent?: string | null
}

/** Throws UNAUTHENTICATED without a code, INVALID, INVALID_GRANT, and for a device AUTHORIZATION_PENDING, SLOW_DOWN, ACCESS_DENIED and EXPIRED_TOKEN. */
export async function openSession(context: Context, { code, codeVerifier, redirectUri, deviceCode }: Grant): Promise<CreatedSession> {
  if (code == null && deviceCode == null)
    throw new AppError('UNAUTHENTICATED', `Authentication is required. ${whatToSend(['identity'])}, or a body with a code or device_code`)
  if (code != null && deviceCode != null) throw invalid(valueError('code', 'send either code or device_code'))
  const opened = await context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    if (deviceCode != null) return byDevice(tx, deviceCode)
    const missing = Object.entries({ codeVerifier, redirectUri }).filter(([, value]) => value == null)
    if (missing.length > 0) throw invalid(missing.map(([name]) => problem(name, 'missing', undefined)))
    return byCode(tx, code ?? '', { codeVerifier: codeVerifier ?? '', redirectUri: redirectUri ?? '' })
  })
  // Thrown after the commit: a refusal has written too, such as when a device has asked.
  if (opened instanceof AppError) throw opened
  return opened
}

async function byCode(
  tx: Context,
  code: string,
  { codeVerifier, redirectUri }: { codeVerifier: string; redirectUri: string },
): Promise<CreatedSession | AppError> {
  const { prisma } = tx.db
  const [locked] = await tx.db.query(lockCode, [hashOf(code)])
  const row = locked && (await prisma.authorizationCode.findUnique({ where: { id: locked.id } }))
  if (!row) return refusal('The code is unknown')
  if (row.usedAt !== null) {
    // The second exchange may be the owner's, so the session that the first one got ends too (RFC 6749, 10.5).
    if (row.openedSessionId !== null) await revokeSessionsOf(tx, row.userId, { ids: [row.openedSessionId] })
    return refusal('The code was used before, and the session that it opened is revoked; sign in again')
  }
  if (row.expiresAt <= tx.now()) return refusal('The code has expired after 60 seconds; sign in again')
  if (!isVerified(codeVerifier, row.codeChallenge)) return refusal('code_verifier is not the one that the code_challenge was made of')
  if (redirectUri !== row.redirectUri) return refusal('redirect_uri is another one than the code was sent to')
  const session = await openSessionBeside(tx, row)
  if (session instanceof AppError) return session
  await prisma.authorizationCode.update({ where: { id: row.id }, data: { usedAt: tx.now(), openedSessionId: session.id } })
  return session
}

async function byDevice(tx: Context, deviceCode: string): Promise<CreatedSession | AppError> {
  const { prisma } = tx.db
  const [locked] = await tx.db.query(lockDevice, [hashOf(deviceCode)])
  const row = locked && (await prisma.deviceAuthorization.findUnique({ where: { id: locked.id } }))
  if (!row) return refusal('The device code is unknown')
  const now = tx.now()
  const where = { id: row.id }
  if (row.status === 'used') return refusal('The device code was used before')
  if (row.expiresAt <= now) return new AppError('EXPIRED_TOKEN', 'Nobody has entered the code in time; begin again')
  if (row.status === 'denied') return new AppError('ACCESS_DENIED', 'The user has refused')
  const { userId, sessionId } = row
  if (row.status !== 'approved' || userId === null || sessionId === null) {
    const waited = row.lastPolledAt === null ? Number.POSITIVE_INFINITY : now.getTime() - row.lastPolledAt.getTime()
    const isTooSoon = waited < row.intervalSeconds * 1000
    const interval = row.intervalSeconds + (isTooSoon ? intervalSeconds : 0)
    await prisma.deviceAuthorization.update({ where, data: { lastPolledAt: now, intervalSeconds: interval } })
    const [code, sentence]: [Code, string] = isTooSoon
      ? ['SLOW_DOWN', `Ask every ${interval} seconds`]
      : ['AUTHORIZATION_PENDING', 'The user has not entered the code yet; ask again']
    return new AppError(code, sentence, { interval, retryAfter: interval })
  }
  const session = await openSessionBeside(tx, { ...row, userId, sessionId })
  if (!(session instanceof AppError)) await prisma.deviceAuthorization.update({ where, data: { status: 'used' } })
  return session
}

/** A session beside the one in which the user agreed, unless that or its sign-in has ended since. Locked in this order, as everywhere. */
async function openSessionBeside(
  tx: Context,
  { userId, sessionId, signInId, clientName, ipAddress = null, userAgent = null }: Given,
): Promise<CreatedSession | AppError> {
  const { db } = tx
  const isLive = await lives(db, { userId, sessionId, signInId, now: tx.now().toISOString() })
  if (!isLive) return refusal('The sign-in that this comes from has ended; sign in again')
  return insertSession(tx, { userId, userAgent, ipAddress, signInId, clientName })
}

async function lives(
  db: Queries,
  { userId, sessionId, signInId, now }: Pick<Given, 'userId' | 'sessionId' | 'signInId'> & { now: string },
): Promise<boolean> {
  if (signInId !== null && (await db.query(shareSignIn, [signInId, userId, now])).length === 0) return false
  return (await db.query(holdSession, [sessionId])).length > 0
}

const refusal = (sentence: string) => new AppError('INVALID_GRANT', sentence)
