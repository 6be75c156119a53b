// The statements that write the preferences of a member. Two writes at once do not fail, and a user who is no member has none.

import { statement } from '../../database/statement.ts'

const isMember = 'exists (select from memberships m where m.user_id = $1 and m.organization_id = $2)'

/** $1 user, $2 organization, $3 the kinds as they are without a row, as JSON, $4 to $7 the ways to set, null for those that stay, $8 now. */
export const keepPreferences = statement(
  'inbox_preferences_keep',
  `insert into inbox_preferences as p (user_id, org_id, kind, inbox, toast, browser, mail, updated_at)
   select $1, $2, kind, coalesce($4, inbox), coalesce($5, toast), coalesce($6, browser), coalesce($7, mail), $8
   from json_to_recordset($3) as given (kind text, inbox boolean, toast boolean, browser boolean, mail text)
   where ${isMember} order by kind
   on conflict (user_id, org_id, kind) do update set inbox = coalesce($4, p.inbox), toast = coalesce($5, p.toast),
     browser = coalesce($6, p.browser), mail = coalesce($7, p.mail), updated_at = excluded.updated_at`,
)

/** $1 user, $2 organization, $3 the hour and $4 the time of the last mail, null for the one that stays. */
export const keepDigest = statement(
  'inbox_digest_keep',
  `insert into inbox_digests as d (user_id, org_id, hour, until_at) select $1, $2, coalesce($3::int, 8), $4::timestamptz where ${isMember}
   on conflict (user_id, org_id) do update set hour = coalesce($3::int, d.hour), until_at = coalesce($4::timestamptz, d.until_at)`,
)
