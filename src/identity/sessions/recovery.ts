// Account recovery: ends other credentials when a person verifies an address that someone else may have signed up with, or chooses a new
// password by email.

import type { Queries } from '../../database/client.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { endInvitedBy } from '../invitations/invited-membership.ts'
import { revokeKeysMadeBy } from '../keys/key.ts'
import { organizationsOnlyOf } from '../organizations/organization.ts'
import { forgetCount } from '../provider/counted.ts'
import { lockUser } from '../provider/provider.sql.ts'
import { endAllSignIns, systemContext } from './sign-out.ts'

/** Stops activities of organizations in other domains that grant access or send data out, in the context's transaction. */
export type StopOrganizations = (context: Context, orgIds: readonly string[]) => Promise<void>

/** Whether the user's address is unverified. Locks the user until the transaction ends. */
export async function isUnverified(tx: Queries, userId: string): Promise<boolean> {
  const [user] = await tx.query(lockUser, [userId])
  return user?.emailVerified === false
}

/**
 * Called when the person who verifies an address may not be the one who signed up with it. Ends everything created before that grants
 * access or sends data out: sessions, passwords and linked accounts except `keptAccountIds`, API keys, the memberships of all users whom
 * the user has invited, and through `stop` the activities of organizations without other members. Contacts and other data stay.
 */
export async function endUnverifiedAccess(
  services: Services,
  tx: Queries,
  { userId, keptAccountIds, stop }: { userId: string; keptAccountIds: readonly string[]; stop: StopOrganizations },
): Promise<void> {
  const context = systemContext(services, tx, 'verifyAddress')
  await tx.prisma.idpAccount.deleteMany({ where: { userId, id: { notIn: [...keptAccountIds] } } })
  await deleteLinks(tx, userId)
  await endAllSignIns(services, tx, userId)
  await revokeKeysMadeBy(context, userId)
  await endInvitedBy(context, userId)
  await stop(context, await organizationsOnlyOf(context, userId))
}

// The library stores the links for choosing a new password with the user's id as their value.
const deleteLinks = (tx: Queries, userId: string) => tx.prisma.idpVerification.deleteMany({ where: { value: userId } })

/**
 * Called after the user has chosen a password by an email link. Ends every session and all other links. An unverified address becomes
 * verified by the link, so the user's other accounts and API keys end as well.
 */
export function passwordReset(
  services: Services,
  { id: userId, email }: { id: string; email: string },
  stop: StopOrganizations,
): Promise<void> {
  return services.database.transaction(async tx => {
    if (await isUnverified(tx, userId)) {
      const kept = await tx.prisma.idpAccount.findMany({ where: { userId, providerId: 'credential' }, select: { id: true } })
      await endUnverifiedAccess(services, tx, { userId, keptAccountIds: kept.map(({ id }) => id), stop })
      await tx.prisma.idpUser.updateMany({ where: { id: userId }, data: { emailVerified: true, updatedAt: services.now() } })
    } else {
      await deleteLinks(tx, userId)
      await endAllSignIns(services, tx, userId)
    }
    await tx.afterCommit(() => forgetCount(services, { what: 'password', who: email }))
  })
}
