// The statements that read contacts' timelines.

import { shortRead, statement } from '../../database/statement.ts'
import { bigint, jsonb, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import type { Door } from '../../kernel/door.ts'
import { type Asked, directionOf } from '../../kernel/lists/pagination.ts'
import { actorColumns } from '../../kernel/principal.ts'

const entries = table('events', {
  contactId: uuid,
  id: uuid,
  type: text,
  entityId: text,
  actor: object(actorColumns),
  door: text.as<Door>(),
  operation: text,
  changes: jsonb.as<Record<string, unknown>>(),
  createdAt: timestamptz,
})
export interface Entry extends RowOf<typeof entries> {}

const select = (direction: 'asc' | 'desc', isAfter: boolean) => {
  const after = isAfter ? ` and (created_at, id) ${direction === 'asc' ? '>' : '<'} ($5::timestamptz, $6::uuid)` : ''
  return shortRead(
    `timeline_${direction}${isAfter ? '_after' : ''}`,
    `select ${entries.all.of('e')} from unnest($2::uuid[]) as contact (id) cross join lateral (
       select * from events where contact_id = contact.id and org_id = $1 and entity = any($4::text[])${after}
       order by created_at ${direction}, id ${direction} limit $3
     ) e`,
    entries.all,
  )
}
const firsts = { asc: select('asc', false), desc: select('desc', false) }
const afters = { asc: select('asc', true), desc: select('desc', true) }
/** $1 organization, $2 contacts, $3 the number of entries per contact, $4 entities; then the cursor's position. */
export const pageStatement = (page: Asked) => (page.start ? afters : firsts)[directionOf(page)]

export const countEntries = statement(
  'timeline_total',
  `select contact_id, count(*) as total from events
   where org_id = $1 and contact_id = any($2::uuid[]) and entity = any($3::text[]) group by 1`,
  rows({ contactId: uuid, total: bigint }),
)
