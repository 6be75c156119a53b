// Organizations and memberships where Prisma does not reach: locks, a conditional upsert, and writes of many pairs at once.

import { statement } from '../../database/statement.ts'
import { rows, text, uuid } from '../../database/table.ts'

/** Makes transactions that count or add a user's organizations follow each other. */
export const lockUser = statement('organization_lock_user', 'select from users where id = $1 for no key update')

/** Makes transactions that count or add an organization's invitations follow each other. */
export const lockOrganization = statement(
  'invitation_lock_organization',
  'select id from organizations where id = $1 for no key update',
  rows({ id: uuid }),
)

// An owner who is invited as a member stays an owner. A member who came by a member's invitation keeps `invited_by_id`, whichever
// invitations follow, until one of the operator's clears it.
export const insertMembership = statement(
  'invitation_join',
  `insert into memberships (user_id, organization_id, role, created_at, invited_by_id) values ($1, $2, $3, $4, $5)
   on conflict (user_id, organization_id) do update
     set role = case when excluded.role = 'owner' then 'owner' else memberships.role end,
       invited_by_id = case when excluded.invited_by_id is null then null else memberships.invited_by_id end
   returning role`,
  rows({ role: text.as<'owner' | 'member'>() }),
)

// $1 and $2: pairs of a user and an organization.
const byInviters = '(invited_by_id, organization_id) in (select * from unnest($1::text[], $2::uuid[]))'
export const revokeInvitationsBy = statement(
  'invitations_revoke_by',
  `update invitations set revoked_at = $3 where ${byInviters} and used_at is null and revoked_at is null`,
)
export const deleteMembersInvitedBy = statement(
  'memberships_delete_invited_by',
  `delete from memberships where ${byInviters} returning user_id, organization_id as org_id`,
  rows({ userId: text, orgId: uuid }),
)
