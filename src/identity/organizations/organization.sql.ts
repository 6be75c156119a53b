// Statements on organizations and memberships that Prisma lacks: locks, a conditional upsert, and writes of many pairs.

import { statement } from '../../database/statement.ts'
import { bigint, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import { type Role, roles } from '../../kernel/principal.ts'

export const organizationEvents = eventsOf('organization', {
  created: 'An organization was created.',
  joined: 'A user became a member of an organization.',
  left: 'A user is no longer a member of an organization.',
  ownership_declined: 'A member does not want to become an owner.',
  ownership_offered: 'A member was offered to become an owner.',
  ownership_withdrawn: 'An offer to become an owner was taken back.',
  payer_changed: 'Another owner pays for what an organization does, or nobody.',
  role_changed: 'A member of an organization has another role.',
  sample_data_added: 'Sample data was added to an organization.',
  sample_data_removed: 'The sample data of an organization was removed.',
  transferred: 'A member of an organization became its owner, and the owner an admin.',
  updated: update(
    'An organization has another name, country or currency, links contacts differently, or its widgets may be shown elsewhere.',
  ),
})

const memberships = table('memberships', {
  userId: text,
  organizationId: uuid,
  role: text.as<Role>(),
  invitedById: text.orNull(),
  createdAt: timestamptz,
})
export type MemberRow = RowOf<typeof memberships>

/**
 * A page of members of each organization in $1, by the time of joining, ascending or descending. $2 and $3: the position after which it
 * begins.
 */
const selectMembersIn = (direction: 'asc' | 'desc') =>
  statement(
    `organization_members_${direction}`,
    `select ${memberships.all.of('m')} from unnest($1::uuid[]) o (id) cross join lateral (
       select * from memberships where organization_id = o.id
         and ($2::timestamptz is null or (created_at, user_id) ${direction === 'asc' ? '>' : '<'} ($2, $3::text))
       order by created_at ${direction}, user_id ${direction} limit $4) m`,
    memberships.all,
  )
export const selectMembers = { asc: selectMembersIn('asc'), desc: selectMembersIn('desc') }

export const countMembers = statement(
  'organization_members_total',
  'select organization_id, count(*) as total from memberships where organization_id = any($1::uuid[]) group by 1',
  rows({ organizationId: uuid, total: bigint }),
)

/** Serializes transactions that count or add a user's organizations. */
export const lockUser = statement('organization_lock_user', 'select from users where id = $1 for no key update')

/** Serializes transactions that count or add an organization's invitations. */
export const lockOrganization = statement(
  'invitation_lock_organization',
  'select id from organizations where id = $1 for no key update',
  rows({ id: uuid }),
)

/** Makes transactions that count or add the invitations mailed to an address follow each other, of whichever organizations. */
export const lockInvitedAddress = statement(
  'invitation_lock_address',
  `select from pg_advisory_xact_lock(hashtextextended('invitations to ' || $1, 0))`,
)

const ascending = `array[${roles.map(role => `'${role}'`).join(', ')}]`
// An invitation can raise a member's role, never lower it. `invited_by_id` of a member whom another member has invited stays the same for
// later invitations, until the operator's invitation clears it.
export const insertMembership = statement(
  'invitation_join',
  `insert into memberships (user_id, organization_id, role, created_at, invited_by_id) values ($1, $2, $3, $4, $5)
   on conflict (user_id, organization_id) do update
     set role = case when array_position(${ascending}, excluded.role) > array_position(${ascending}, memberships.role)
         then excluded.role else memberships.role end,
       invited_by_id = case when excluded.invited_by_id is null then null else memberships.invited_by_id end
   returning role`,
  rows({ role: text.as<Role>() }),
)

// $1 and $2: pairs of a user and an organization.
const byInviters = '(invited_by_id, organization_id) in (select * from unnest($1::text[], $2::uuid[]))'
export const revokeInvitationsBy = statement(
  'invitations_revoke_by',
  `update invitations set revoked_at = $3 where ${byInviters} and used_at is null and revoked_at is null`,
)
/** $3: a user whose own memberships stay. */
export const deleteMembersInvitedBy = statement(
  'memberships_delete_invited_by',
  `delete from memberships where ${byInviters} and user_id <> $3 returning user_id, organization_id as org_id`,
  rows({ userId: text, orgId: uuid }),
)

/** $1: organizations. The payer is the user who accepted to pay, for as long as that user is an owner. */
export const selectPayers = statement(
  'organization_payers',
  `select o.id, m.user_id from organizations o
     join memberships m on m.organization_id = o.id and m.user_id = o.payer_id and m.role = 'owner'
   where o.id = any($1::uuid[])`,
  rows({ id: uuid, userId: text }),
)

/** Marks the keys of organization $1 that others than its payer $2 made as not confirmed since $3, and the payer's own as confirmed. */
export const flagKeys = statement(
  'organization_flag_keys',
  `update api_key_organizations o set unconfirmed_since = case when k.created_by_id <> $2 then $3::timestamptz end from api_keys k
   where o.organization_id = $1 and (o.unconfirmed_since is null) = (k.created_by_id <> $2) and k.id = o.api_key_id and k.revoked_at is null`,
)

/** Does nothing where another one is the first already. */
export const markFirst = statement(
  'identity_mark_first_organization',
  'update organizations set is_first = true where id = $1 and not exists (select from organizations where is_first)',
)
