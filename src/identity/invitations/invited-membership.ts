// Ends the memberships of all users whom a user has invited, of the users whom they have invited, and so on.

import type { Context } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { revokeKeysMadeIn } from '../keys/key.ts'
import { deleteMembersInvitedBy, organizationEvents, revokeInvitationsBy } from '../organizations/organization.sql.ts'
import { stopPaying } from '../organizations/payer.ts'

/** A user in an organization. */
interface Membership {
  userId: string
  orgId: string
}

/**
 * Runs in the transaction that has revoked the user's sessions and keys. Each membership ends together with the member's unused
 * invitations, the API keys that the member created for the organization, and the access of the member's sessions to it.
 */
export async function endInvitedBy(context: Context, userId: string): Promise<void> {
  const ended: Membership[] = []
  // Breadth-first. Revoking the invitations of a level waits for those in use, so that the next level includes the members they add.
  for (let level = await membershipsOf(context, userId); level.length > 0; ) {
    const [users, orgs] = [level.map(member => member.userId), level.map(({ orgId }) => orgId)]
    await context.db.query(revokeInvitationsBy, [users, orgs, context.now().toISOString()])
    // An invited user may have invited the inviter again after the inviter had left.
    level = await context.db.query(deleteMembersInvitedBy, [users, orgs, userId])
    ended.push(...level)
  }
  for (const { userId: memberId, orgId } of ended) {
    await recordEvent(context, {
      type: organizationEvents.left,
      entityId: orgId,
      orgId,
      changes: { userId: memberId, invitedFrom: userId },
    })
    await stopPaying(context, orgId, memberId)
    await revokeKeysMadeIn(context, memberId, orgId)
  }
}

async function membershipsOf({ db }: Context, userId: string): Promise<Membership[]> {
  const found = await db.prisma.membership.findMany({ where: { userId }, select: { organizationId: true } })
  return found.map(({ organizationId: orgId }) => ({ userId, orgId }))
}
