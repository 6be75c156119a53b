// Ends the memberships of everyone a user has invited, of everyone those members have invited, and so on.

import type { Context } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { revokeKeysMadeIn } from '../keys/key.ts'
import { deleteMembersInvitedBy, revokeInvitationsBy } from './organization.sql.ts'

/** A user in an organization. */
interface Membership {
  userId: string
  orgId: string
}

/**
 * Runs in the transaction that has revoked the user's sessions and keys. With each membership end the member's unused invitations, the
 * API keys that the member created for the organization, and the access of the member's sessions to it.
 */
export async function endInvitedBy(context: Context, userId: string): Promise<void> {
  const ended: Membership[] = []
  // Breadth-first. Revoking a level's invitations waits for those that are being used, so that the next level has the members they add.
  for (let level = await membershipsOf(context, userId); level.length > 0; ) {
    const [users, orgs] = [level.map(member => member.userId), level.map(({ orgId }) => orgId)]
    await context.db.query(revokeInvitationsBy, [users, orgs, context.now().toISOString()])
    level = await context.db.query(deleteMembersInvitedBy, [users, orgs])
    ended.push(...level)
  }
  for (const { userId: memberId, orgId } of ended) {
    await recordEvent(context, { type: 'organization.left', entityId: orgId, orgId, changes: { userId: memberId, invitedFrom: userId } })
    await revokeKeysMadeIn(context, memberId, orgId)
  }
}

async function membershipsOf({ db }: Context, userId: string): Promise<Membership[]> {
  const found = await db.prisma.membership.findMany({ where: { userId }, select: { organizationId: true } })
  return found.map(({ organizationId: orgId }) => ({ userId, orgId }))
}
