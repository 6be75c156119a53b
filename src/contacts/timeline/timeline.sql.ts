// The statements that read contacts' timelines.

import { shortRead, statement } from '../../database/statement.ts'
import { bigint, jsonb, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import type { Door } from '../../kernel/door.ts'
import { behind, type Direction, forPages, orderBy } from '../../kernel/lists/pages.sql.ts'
import { actorColumns } from '../../kernel/principal.ts'

const properties = {
  id: uuid,
  type: text,
  entityId: text,
  actor: object(actorColumns),
  door: text.as<Door>(),
  operation: text,
  changes: jsonb.as<Record<string, unknown>>(),
  createdAt: timestamptz,
}
const entries = table('events', properties)
export interface Entry extends RowOf<typeof entries> {}

const ofContacts = rows({ contactId: uuid, ...properties })
// The id is null in the only row of a contact without entries.
const ofContact = rows({ ...properties, id: uuid.orNull() })

// The entries of one contact. `cursor`: the number of the first parameter of the cursor's position; null for the first page.
const entriesOf = (contact: string, direction: Direction, cursor: number | null) => {
  const after = cursor ? behind('created_at', 'timestamptz', direction, cursor) : ''
  return `select * from events where contact_id = ${contact} and org_id = $1 and entity = any($4::text[])${after}
       ${orderBy('created_at', direction, '$3')}`
}
const name = (kind: string, direction: Direction, isAfter: boolean) => `${kind}_${direction}${isAfter ? '_after' : ''}`

const selectMany = (direction: Direction, isAfter: boolean) =>
  shortRead(
    name('timeline', direction, isAfter),
    `select ${ofContacts.of('e')} from unnest($2::uuid[]) as contact (id) cross join lateral (
       ${entriesOf('contact.id', direction, isAfter ? 5 : null)}
     ) e`,
    ofContacts,
  )
const selectOne = (direction: Direction, isAfter: boolean) =>
  shortRead(
    name('timeline_of_one', direction, isAfter),
    `select ${ofContact.of('e')} from contacts c left join lateral (
       ${entriesOf('c.id', direction, isAfter ? 6 : null)}
     ) e on true where c.org_id = $1 and c.id = $2 and (c.deleted_at is null or $5::boolean)`,
    ofContact,
  )

/** $1 organization, $2 contacts, $3 the number of entries per contact, $4 entities; then the cursor's position. */
export const pagesStatement = forPages(selectMany)

/**
 * One contact with its entries: no row for a contact that does not exist. $1 organization, $2 contact, $3 the number of entries,
 * $4 entities, $5 whether also a deleted contact; then the cursor's position. PostgreSQL keeps the plan of this statement. It plans the
 * statement of many contacts at each execution with one of them, which takes longer than the execution.
 */
export const pageStatement = forPages(selectOne)

export const countEntries = statement(
  'timeline_total',
  `select contact_id, count(*) as total from events
   where org_id = $1 and contact_id = any($2::uuid[]) and entity = any($3::text[]) group by 1`,
  rows({ contactId: uuid, total: bigint }),
)
