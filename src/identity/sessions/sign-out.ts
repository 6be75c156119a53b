// Signing out: ends sessions of the provider, the application sessions opened from them, and sign-ins in progress.

import type { Queries } from '../../database/client.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { revokeGrants } from '../oauth/grant.ts'
import { deleteSignIns, shareUser } from '../provider/provider.sql.ts'
import { providerRequest } from '../provider/request.ts'
import { revokeSessionsOf } from './session.ts'

/** Ends sessions of the provider, and the application sessions opened from those that have not expired. */
export async function endSignIns(services: Services, tx: Queries, ids: readonly string[]): Promise<number> {
  const context = systemContext(services, tx, 'endSignIns')
  const ended = await tx.query(deleteSignIns, [ids, services.now().toISOString()])
  const revoked = Map.groupBy(
    ended.filter(({ isLive }) => isLive),
    ({ userId }) => userId,
  )
  for (const [userId, signIns] of revoked) await revokeSessionsOf(context, userId, { openedFrom: signIns.map(({ id }) => id) })
  return ended.length
}

/**
 * Ends every session of the user, except one session of the provider and the application sessions opened from it, and disconnects the OAuth
 * clients that were let in from others.
 */
export function endOtherSignIns(services: Services, userId: string, signInId: string): Promise<void> {
  return services.database.transaction(async tx => {
    const context = systemContext(services, tx, 'endOtherSignIns')
    await tx.prisma.idpSession.deleteMany({ where: { userId, id: { not: signInId } } })
    await revokeSessionsOf(context, userId, { notOpenedFrom: signInId })
    const kept = await tx.prisma.session.findMany({ where: { userId, identitySessionId: signInId }, select: { id: true } })
    await revokeGrants(context, { userId, sessionId: { notIn: kept.map(({ id }) => id) } })
  })
}

/** Makes the user's sign-ins that are in progress in other requests fail: see `wasSignedOut`. */
export async function stopSignIns(tx: Queries, userId: string): Promise<void> {
  await tx.prisma.idpUser.updateMany({ where: { id: userId }, data: { signOuts: { increment: 1 } } })
  providerRequest()?.signOuts.delete(userId)
}

/** Ends all sessions of the user, at the provider and here, and disconnects the OAuth clients. */
export async function endAllSignIns(services: Services, tx: Queries, userId: string): Promise<void> {
  await stopSignIns(tx, userId)
  await tx.prisma.idpSession.deleteMany({ where: { userId } })
  const context = systemContext(services, tx, 'endAllSignIns')
  await revokeSessionsOf(context, userId, {})
  await revokeGrants(context, { userId })
}

/** Whether the user was signed out everywhere after this request first read the user. Locks the user until the transaction ends. */
export async function wasSignedOut(tx: Queries, userId: string): Promise<boolean> {
  const before = providerRequest()?.signOuts.get(userId)
  const [user] = await tx.query(shareUser, [userId])
  return before !== undefined && user?.signOuts !== before
}

/** The context of the identity provider's own writes. */
export const systemContext = (services: Services, tx: Queries, operation: string): Context =>
  inTransaction(
    createContext(services, {
      principal: { kind: 'system', name: 'identity provider', orgId: null },
      requestId: newId(),
      door: 'system',
      operation,
    }),
    tx,
  )
