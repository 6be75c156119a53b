// SQL on tags, which are texts of records: counting them, and replacing them on many records.

import { statement } from '../../database/statement.ts'
import { bigint, rows, text, uuid } from '../../database/table.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'

const counted = rows({ name: text, count: bigint })

/** Serializes changes of the organization's tags. */
export const lockTags = statement('tags_lock', `select from pg_advisory_xact_lock(hashtextextended('tags of ' || $1, 0))`)

// `suffix`: the end of the names of the statements.
function statementsOf(table: string, suffix: string) {
  const tags = `select tag as name, count(*) as count from ${table} cross join lateral unnest(tags) as tag
     where org_id = $1 and deleted_at is null and tags <> '{}' and ($2::text is null or lower(tag) like $2) group by 1`
  const byName = 'name collate "C"'

  const tagsByName = (isBackward: boolean) =>
    statement(
      `tags_by_name${suffix}${isBackward ? '_backward' : ''}`,
      `select name, count from (${tags}) t where $4::text is null or ${byName} ${isBackward ? '<' : '>'} $4
       order by ${byName} ${isBackward ? 'desc' : 'asc'} limit $3`,
      counted,
    )
  const tagsByCount = (isBackward: boolean) => {
    const [next, then] = isBackward ? ['>', '<'] : ['<', '>']
    return statement(
      `tags_by_count${suffix}${isBackward ? '_backward' : ''}`,
      `select name, count from (${tags}) t where $4::bigint is null or count ${next} $4 or (count = $4 and ${byName} ${then} $5)
       order by count ${isBackward ? 'asc' : 'desc'}, ${byName} ${isBackward ? 'desc' : 'asc'} limit $3`,
      counted,
    )
  }
  /** $1 organization, $2 a pattern or null, $3 the page's size, then the position of the page: a name, or a count and a name. */
  const tagPages = {
    name: { forward: tagsByName(false), backward: tagsByName(true) },
    count: { forward: tagsByCount(false), backward: tagsByCount(true) },
  }

  const countTags = statement(`tags_total${suffix}`, `select count(*) as total from (${tags}) t`, rows({ total: bigint }))

  // The second condition lets PostgreSQL use the partial index on tags.
  const tagged = `org_id = $1 and tags && $2::text[] and tags <> '{}'`

  /** The number of records with each of the tags $2: of all records, and of live ones. */
  const recordsTagged = statement(
    `tags_of_records${suffix}`,
    `select tag as name, count(*) as all_records, count(*) filter (where deleted_at is null) as count
     from ${table} cross join lateral unnest(tags) as tag where ${tagged} and tag = any($2::text[]) group by 1`,
    rows({ name: text, allRecords: bigint, count: bigint }),
  )

  /** $3 the record behind which to begin. In the order of their ids, a part of them, so that few ids are in memory at once. */
  const selectTagged = statement(
    `tags_select${suffix}`,
    `select id from ${table} where ${tagged} and id > $3 order by id limit 20000`,
    rows({ id: uuid }),
  )

  /** $3 records. Locked in the order of their ids, as batches and merges do; an update alone locks in the order in which it finds them. */
  const lockTagged = statement(
    `tags_lock_records${suffix}`,
    `select id from ${table} where ${tagged} and id = any($3::uuid[]) order by id for no key update`,
    rows({ id: uuid }),
  )

  /** $2 the tags to replace, $3 the new tag, $4 locked records, $5 now. The other tags keep their order. */
  const replaceTags = statement(
    `tags_replace${suffix}`,
    `update ${table} set version = version + 1, updated_at = greatest(updated_at, $5), tags = (
       select array_agg(name order by place) from (
         select case when tag = any($2::text[]) then $3 else tag end as name, min(place) as place
         from unnest(tags) with ordinality as each (tag, place) group by 1
       ) kept
     )
     where ${tagged} and id = any($4::uuid[]) returning id`,
    rows({ id: uuid }),
  )

  return { tagPages, countTags, recordsTagged, selectTagged, lockTagged, replaceTags }
}

/** The statements on the tags of each noun. */
export const tagStatements = {
  contact: statementsOf(tableOfNoun.contact, ''),
  company: statementsOf(tableOfNoun.company, '_of_companies'),
  deal: statementsOf(tableOfNoun.deal, '_of_deals'),
} satisfies Record<RecordNoun, unknown>
