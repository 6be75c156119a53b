// The statements of sections: pairs of records with the same key, such as a telephone number. Dismissed pairs are left out of each.

import { type Statement, statement } from '../../database/statement.ts'
import { bigint, rows, text, uuid } from '../../database/table.ts'
import { followAllMerges } from '../merge/move.sql.ts'

/** A key that more records share probably belongs to a switchboard or to test data, and is skipped. */
export const maxShared = 20

/** SQL: whether nobody said that the two records are not the same. */
export const isOpen = (one: string, other: string) =>
  `not exists (select from contact_duplicate_dismissals
     where org_id = $1 and first_id = least(${one}, ${other}) and second_id = greatest(${one}, ${other}))`

// Two international numbers are the same only if they are equal; one without its country is the same as any with its digits.
export const sameNumber = (one: string, other: string) =>
  `phone_key(${other}) = phone_key(${one}) and (${other} = ${one} or not (${other} like '+%' and ${one} like '+%'))`

/** SQL of a section. */
interface SectionSql {
  /** Each row is a record with its oldest possible duplicate. $1 organization, $2 and $3 the key and the id after which the page begins. */
  sql: string
  /** Before all keys. Default: the empty text. */
  noKey?: string
  /** The form of its keys. Default: any text. */
  form?: RegExp
}

const pair = rows({ key: text, id: uuid, otherId: uuid })
const total = rows({ total: bigint })

export interface Section {
  name: string
  noKey: string
  form: RegExp
  /** A page. $4 its size. */
  select: Statement<ReturnType<typeof pair.row>>
  count: Statement<{ total: number }>
}

/** The sections of a noun, the most certain first. `prefix`: of the names of their statements. */
export const sectionsOf = (prefix: string, sections: Readonly<Record<string, SectionSql>>): readonly Section[] =>
  Object.entries(sections).map(([name, { sql, noKey = '', form = /^/ }]) => ({
    ...{ name, noKey, form },
    select: statement(`${prefix}_${name}`, `${sql} limit $4`, pair),
    count: statement(`${prefix}_${name}_total`, `select count(*) as total from (${sql}) pairs`, total),
  }))

// The other record of a dismissal, by a record that is in it.
const otherThan = (id: string) => `case when first_id = ${id} then second_id else first_id end`
const dismissalsOf = (id: string) =>
  `(select * from contact_duplicate_dismissals where org_id = $1 and first_id = ${id}
    union all select * from contact_duplicate_dismissals where org_id = $1 and second_id = ${id})`
const by = 'created_by_type, created_by_id, created_by_name, created_at'

// The loser keeps its own, for the undo. Those that the winner has already are not added, and so not removed by the undo.
followAllMerges('contact_duplicate_dismissals', {
  ...{ name: 'dismissals', description: 'Records that are known not to be the same', isVersioned: false },
  move: `with added as (
     insert into contact_duplicate_dismissals (org_id, first_id, second_id, ${by})
     select $1, least(other, $3::uuid), greatest(other, $3::uuid), ${by}
     from (select ${otherThan('$2')} as other, ${by} from ${dismissalsOf('$2')} held) dismissed where $4::uuid[] is null and other <> $3
     on conflict do nothing returning ${otherThan('$3')} as id
   ), removed as (
     delete from contact_duplicate_dismissals where org_id = $1 and (first_id, second_id) in
       (select least(other, $2::uuid), greatest(other, $2::uuid) from unnest($4::uuid[]) other) returning ${otherThan('$2')} as id
   )
   select id from added union all select id from removed`,
})
