// The statements that read contacts' timelines.

import { shortRead, statement } from '../../database/statement.ts'
import { bigint, jsonb, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'

const entries = table('events', {
  contactId: uuid,
  id: uuid,
  type: text,
  actor: object(actorColumns),
  door: text,
  operation: text,
  changes: jsonb.as<Record<string, unknown>>(),
  createdAt: timestamptz,
})
export interface Entry extends RowOf<typeof entries> {}

const select = (name: string, after: string) =>
  shortRead(
    name,
    `select ${entries.all.of('e')} from unnest($2::uuid[]) as contact (id) cross join lateral (
       select * from events where contact_id = contact.id and org_id = $1 and entity = any($4::text[])${after} order by created_at desc, id desc limit $3
     ) e`,
    entries.all,
  )
/** $1 organization, $2 contacts, $3 the number of entries per contact, $4 entities; then the cursor's position. */
export const selectFirst = select('timeline', '')
export const selectAfter = select('timeline_after', ' and (created_at, id) < ($5::timestamptz, $6::uuid)')

export const countEntries = statement(
  'timeline_total',
  `select contact_id, count(*) as total from events
   where org_id = $1 and contact_id = any($2::uuid[]) and entity = any($3::text[]) group by 1`,
  rows({ contactId: uuid, total: bigint }),
)
