// What ends with a session of the embedded identity provider, and what ends when somebody else than who signed up verifies an address.

import { v7 as uuid } from 'uuid'
import { type Context, createContext, inTransaction, type Services } from '../context.ts'
import { type Queries, statement } from '../database/client.ts'
import { revokeKeysMadeBy } from './api-key.ts'
import { endInvitedBy } from './invited-membership.ts'
import { organizationsOnlyOf } from './organization.ts'
import { providerRequest } from './provider-request.ts'
import { revokeSessionsOf } from './session.ts'
import { signedIn } from './sign-in-throttle.ts'

/** What else a user's organizations do that grants access or sends data out: stopped by those who know of it, in the same transaction. */
export type StopOrganizations = (context: Context, orgIds: readonly string[]) => Promise<void>

const deleteByIds = statement<{ id: string; userId: string; isLive: boolean }>(
  'idp_end_sessions',
  'delete from idp_sessions where id = any($1) returning id, user_id as "userId", expires_at > $2 as "isLive"',
)
const deleteOthers = statement<{ id: string }>(
  'idp_end_other_sessions',
  'delete from idp_sessions where user_id = $1 and id <> $2 returning id',
)
const deleteAll = statement<never>('idp_end_all_sessions', 'delete from idp_sessions where user_id = $1')

/** Ends sessions of the provider, and the application sessions that were opened from them. One that has lapsed ends by itself. */
export async function endSignIns(services: Services, tx: Queries, ids: readonly string[]): Promise<number> {
  const context = systemContext(services, tx, 'endSignIns')
  const ended = await tx.query(deleteByIds, [ids, services.now().toISOString()])
  const revoked = Map.groupBy(
    ended.filter(({ isLive }) => isLive),
    ({ userId }) => userId,
  )
  for (const [userId, signIns] of revoked) await revokeSessionsOf(context, userId, { openedFrom: signIns.map(({ id }) => id) })
  return ended.length
}

/** Ends every session of the user's but the named one of the provider and the application sessions that were opened from it. */
export function endOtherSignIns(services: Services, userId: string, signInId: string): Promise<void> {
  return services.database.transaction(async tx => {
    await tx.query(deleteOthers, [userId, signInId])
    await revokeSessionsOf(systemContext(services, tx, 'endOtherSignIns'), userId, { notOpenedFrom: signInId })
  })
}

const countSignOut = statement<never>('idp_count_sign_out', 'update idp_users set sign_outs = sign_outs + 1 where id = $1')

/** Lets no sign-in of the user's open a session that another request has begun and not finished. */
export async function stopSignIns(tx: Queries, userId: string): Promise<void> {
  await tx.query(countSignOut, [userId])
  providerRequest()?.signOuts.delete(userId)
}

/** Ends every session of the user's, of the provider and of applications. */
export async function endAllSignIns(services: Services, tx: Queries, userId: string): Promise<void> {
  await stopSignIns(tx, userId)
  await tx.query(deleteAll, [userId])
  await revokeSessionsOf(systemContext(services, tx, 'endAllSignIns'), userId, {})
}

const shareUser = statement<{ signOuts: number }>('idp_share_user', 'select sign_outs as "signOuts" from idp_users where id = $1 for share')

/** Whether the user was signed out everywhere since this request has first looked at them. The user is held until the transaction ends. */
export async function wasSignedOut(tx: Queries, userId: string): Promise<boolean> {
  const before = providerRequest()?.signOuts.get(userId)
  const [user] = await tx.query(shareUser, [userId])
  return before !== undefined && user?.signOuts !== before
}

const lockUser = statement<{ emailVerified: boolean }>(
  'idp_lock_user',
  'select email_verified as "emailVerified" from idp_users where id = $1 for update',
)
const deleteAccounts = statement<never>('idp_delete_accounts', 'delete from idp_accounts where user_id = $1 and id <> all($2)')
// Links that choose a new password are kept under the user they are for.
const deleteLinks = statement<never>('idp_delete_links', 'delete from idp_verifications where value = $1')

/** Whether the user's address is unverified until now. The user is locked until the transaction ends. */
export async function isUnverified(tx: Queries, userId: string): Promise<boolean> {
  const [user] = await tx.query(lockUser, [userId])
  return user?.emailVerified === false
}

/**
 * For the moment in which an address is verified by somebody who may not be who signed up with it: ends whatever was made before that
 * grants access or sends data out. Sessions, passwords and linked accounts but for `keptAccountIds`, API keys, the memberships of who
 * came by the user's invitations, and what the organizations do that are then the user's alone. Contacts and other data stay.
 */
export async function endUnverifiedAccess(
  services: Services,
  tx: Queries,
  { userId, keptAccountIds, stop }: { userId: string; keptAccountIds: readonly string[]; stop: StopOrganizations },
): Promise<void> {
  const context = systemContext(services, tx, 'verifyAddress')
  await tx.query(deleteAccounts, [userId, keptAccountIds])
  await tx.query(deleteLinks, [userId])
  await endAllSignIns(services, tx, userId)
  await revokeKeysMadeBy(context, userId)
  await endInvitedBy(context, userId)
  await stop(context, await organizationsOnlyOf(context, userId))
}

const verifyUser = statement<never>('idp_verify_user', 'update idp_users set email_verified = true, updated_at = $2 where id = $1')
const selectPassword = statement<{ id: string }>(
  'idp_password_account',
  `select id from idp_accounts where user_id = $1 and provider_id = 'credential'`,
)

/**
 * After a password was chosen by a link that was mailed to the user: every session ends, and the other links do. Where the address was
 * unverified it is not any more, and only the new password stays.
 */
export function passwordReset(
  services: Services,
  { id: userId, email }: { id: string; email: string },
  stop: StopOrganizations,
): Promise<void> {
  return services.database.transaction(async tx => {
    if (await isUnverified(tx, userId)) {
      const kept = await tx.query(selectPassword, [userId])
      await endUnverifiedAccess(services, tx, { userId, keptAccountIds: kept.map(({ id }) => id), stop })
      await tx.query(verifyUser, [userId, services.now().toISOString()])
    } else {
      await tx.query(deleteLinks, [userId])
      await endAllSignIns(services, tx, userId)
    }
    await tx.afterCommit(() => signedIn(services, email))
  })
}

const deleteNewcomer = statement<never>(
  'idp_delete_newcomer',
  'delete from idp_users where id = $1 and not email_verified and not exists (select from users where id = $1)',
)

/** Forgets who signed up and may not come in, unless they came in another way, or somebody verified the address, meanwhile. */
export async function forgetNewcomer({ database }: Services, userId: string): Promise<void> {
  await database.query(deleteNewcomer, [userId])
}

const systemContext = (services: Services, tx: Queries, operation: string): Context =>
  inTransaction(
    createContext(services, {
      principal: { kind: 'system', name: 'identity provider', orgId: null },
      requestId: uuid(),
      door: 'system',
      operation,
    }),
    tx,
  )
