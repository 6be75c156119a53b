// The statements that read timelines. Events name their contact; the timelines of other records have entries of their own.

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
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  dealId: uuid.orNull(),
  createdAt: timestamptz,
}
const entries = table('events', properties)
export interface Entry extends RowOf<typeof entries> {}

// The id is null in the only row of a record without entries.
const ofOne = rows({ ...properties, id: uuid.orNull() })

/** A kind of records that have timelines. */
interface Timelines {
  /** The beginning of the names of its statements. */
  name: string
  table: string
  /** The column of the entries that has the record. */
  column: string
  /** SQL: the events of a record, and the column. $3: how many; $4: the entities; `after`: the condition on the rows behind the cursor. */
  entries: (record: string, direction: Direction, after: string) => string
  /** SQL: the number of entries of each of the records $2, of the entities $3. */
  totals: string
}

const named = (kind: string, direction: Direction, isAfter: boolean) => `${kind}_${direction}${isAfter ? '_after' : ''}`

function statementsOf({ name, table, column, entries, totals }: Timelines) {
  const ofSeveral = rows({ recordId: uuid.named(column), ...properties })
  const behindCursor = (direction: Direction, cursor: number | null) =>
    cursor ? behind('created_at', 'timestamptz', direction, cursor) : ''
  return {
    /** $1 organization, $2 records, $3 the number of entries per record, $4 entities; then the cursor's position. */
    ofSeveral: forPages((direction, isAfter) =>
      shortRead(
        named(name, direction, isAfter),
        `select ${ofSeveral.of('e')} from unnest($2::uuid[]) as record (id) cross join lateral (
       ${entries('record.id', direction, behindCursor(direction, isAfter ? 5 : null))}
     ) e`,
        ofSeveral,
      ),
    ),
    /**
     * One record with its entries: no row for a record that does not exist. $1 organization, $2 record, $3 the number of entries,
     * $4 entities, $5 whether also a deleted record; then the cursor's position. PostgreSQL keeps the plan of this statement. It plans the
     * statement of many records at each execution with one of them, which takes longer than the execution.
     */
    ofOne: forPages((direction, isAfter) =>
      shortRead(
        named(`${name}_of_one`, direction, isAfter),
        `select ${ofOne.of('e')} from ${table} c left join lateral (
       ${entries('c.id', direction, behindCursor(direction, isAfter ? 6 : null))}
     ) e on true where c.org_id = $1 and c.id = $2 and (c.deleted_at is null or $5::boolean)`,
        ofOne,
      ),
    ),
    totals: statement(`${name}_total`, totals, rows({ recordId: uuid.named(column), total: bigint })),
  }
}
export type TimelineStatements = ReturnType<typeof statementsOf>

export const contactTimelines = statementsOf({
  name: 'timeline',
  table: 'contacts',
  column: 'contact_id',
  entries: (contact, direction, after) =>
    `select * from events where contact_id = ${contact} and org_id = $1 and entity = any($4::text[])${after}
       ${orderBy('created_at', direction, '$3')}`,
  totals: `select contact_id, count(*) as total from events
   where org_id = $1 and contact_id = any($2::uuid[]) and entity = any($3::text[]) group by 1`,
})

/** SQL: the ids of other records, and of contacts, whose events a record's timeline shows as well. */
interface Others {
  records: (record: string) => string
  contacts: (record: string) => string
}

/** A kind of records whose events have `recordIds`. */
const enteredIn = (name: string, table: string, others?: Others) =>
  statementsOf({
    name,
    table,
    column: 'record_id',
    entries(record, direction, after) {
      const page = (of: string) => `select id, created_at from ${of} and org_id = $1 and entity = any($4::text[])${after}
         ${orderBy('created_at', direction, '$3')}`
      const ofEach = (ids: string, of: string) =>
        `select found.id, found.created_at from (${ids}) subject cross join lateral (${page(of)}) found`
      const own = page(`timeline_entries where record_id = ${record}`)
      const all = others
        ? `(${own}) union (${ofEach(others.records(record), 'timeline_entries where record_id = subject.id')})
           union (${ofEach(others.contacts(record), 'events where contact_id = subject.id')}) ${orderBy('created_at', direction, '$3')}`
        : own
      return `select ${record} as record_id, events.* from (${all}) entry
       join events on events.id = entry.id and events.created_at = entry.created_at and events.org_id = $1
       order by entry.created_at ${direction}, entry.id ${direction}`
    },
    totals: others
      ? `select record.id as record_id, count(*) as total from unnest($2::uuid[]) as record (id) cross join lateral (
       select id from timeline_entries where (record_id = record.id or record_id in (${others.records('record.id')}))
         and org_id = $1 and entity = any($3::text[])
       union select id from events where contact_id in (${others.contacts('record.id')}) and org_id = $1 and entity = any($3::text[])
     ) entry group by 1`
      : `select record_id, count(*) as total from timeline_entries
     where org_id = $1 and record_id = any($2::uuid[]) and entity = any($3::text[]) group by 1`,
  })

// Those that came last: 1,000 people with events in 23 months take a page 90 ms.
const maxOfCompany = 500
const ofCompany = (table: string) => (company: string) =>
  `select id from ${table} where org_id = $1 and company_id = ${company} and deleted_at is null order by created_at desc, id desc limit ${maxOfCompany}`

/** Also what happened to its people and its deals, as long as they are its. */
export const companyTimelines = enteredIn('company_timeline', 'companies', { records: ofCompany('deals'), contacts: ofCompany('contacts') })
export const dealTimelines = enteredIn('deal_timeline', 'deals')
