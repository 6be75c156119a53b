// Ends what came by a user's invitations: the memberships, those that came by invitations of these members, and so on.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { recordEvent } from '../events.ts'
import { revokeKeysMadeIn } from './api-key.ts'

/** Who belongs to which organization. */
export interface Membership {
  userId: string
  orgId: string
}

const selectOf = statement<Membership>(
  'memberships_of_user',
  'select user_id as "userId", organization_id as "orgId" from memberships where user_id = $1',
)
const byThem = '(invited_by_id, organization_id) in (select * from unnest($1::text[], $2::uuid[]))'
const voidMade = statement<never>(
  'invitations_void_made',
  `update invitations set revoked_at = $3 where ${byThem} and used_at is null and revoked_at is null`,
)
const deleteInvited = statement<Membership>(
  'memberships_delete_invited',
  `delete from memberships where ${byThem} returning user_id as "userId", organization_id as "orgId"`,
)

/**
 * In the context's transaction, for a user whose sessions and keys it has ended. What the members can do in the organization ends with
 * the memberships: invitations that nobody has used, API keys that they made for it, and their sessions' sight of it.
 */
export async function endInvitedBy(context: Context, userId: string): Promise<void> {
  const ended: Membership[] = []
  // One ring after another. Nobody in a ring invites any more when its invitations are voided, and voiding waits for who just uses one.
  for (let ring = await context.db.query(selectOf, [userId]); ring.length > 0; ) {
    const [users, orgs] = [ring.map(member => member.userId), ring.map(({ orgId }) => orgId)]
    await context.db.query(voidMade, [users, orgs, context.now().toISOString()])
    ring = await context.db.query(deleteInvited, [users, orgs])
    ended.push(...ring)
  }
  for (const { userId: memberId, orgId } of ended) {
    await recordEvent(context, { type: 'organization.left', entityId: orgId, orgId, changes: { userId: memberId, invitedFrom: userId } })
    await revokeKeysMadeIn(context, memberId, orgId)
  }
}
