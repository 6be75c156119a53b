// SQL on tags, which are texts of contacts: counting them, and replacing them on many contacts.

import { statement } from '../../database/statement.ts'
import { bigint, rows, text, uuid } from '../../database/table.ts'

const counted = rows({ name: text, count: bigint })

const tags = `select tag as name, count(*) as count from contacts cross join lateral unnest(tags) as tag
   where org_id = $1 and deleted_at is null and tags <> '{}' and ($2::text is null or lower(tag) like $2) group by 1`
const byName = 'name collate "C"'

const tagsByName = (isBackward: boolean) =>
  statement(
    `tags_by_name${isBackward ? '_backward' : ''}`,
    `select name, count from (${tags}) t where $4::text is null or ${byName} ${isBackward ? '<' : '>'} $4
     order by ${byName} ${isBackward ? 'desc' : 'asc'} limit $3`,
    counted,
  )
const tagsByCount = (isBackward: boolean) => {
  const [next, then] = isBackward ? ['>', '<'] : ['<', '>']
  return statement(
    `tags_by_count${isBackward ? '_backward' : ''}`,
    `select name, count from (${tags}) t where $4::bigint is null or count ${next} $4 or (count = $4 and ${byName} ${then} $5)
     order by count ${isBackward ? 'asc' : 'desc'}, ${byName} ${isBackward ? 'desc' : 'asc'} limit $3`,
    counted,
  )
}
/** $1 organization, $2 a pattern or null, $3 the page's size, then the position of the page: a name, or a count and a name. */
export const tagPages = {
  name: { forward: tagsByName(false), backward: tagsByName(true) },
  count: { forward: tagsByCount(false), backward: tagsByCount(true) },
}

export const countTags = statement('tags_total', `select count(*) as total from (${tags}) t`, rows({ total: bigint }))

// The second condition lets PostgreSQL use the partial index on tags.
const tagged = `org_id = $1 and tags && $2::text[] and tags <> '{}'`

/** The number of contacts with each of the tags $2: of all contacts, and of live contacts. */
export const contactsTagged = statement(
  'tags_of_contacts',
  `select tag as name, count(*) as all_contacts, count(*) filter (where deleted_at is null) as count
   from contacts cross join lateral unnest(tags) as tag where ${tagged} and tag = any($2::text[]) group by 1`,
  rows({ name: text, allContacts: bigint, count: bigint }),
)

/** Serializes changes of the organization's tags. */
export const lockTags = statement('tags_lock', `select from pg_advisory_xact_lock(hashtextextended('tags of ' || $1, 0))`)

/** $3 the contact behind which to begin. In the order of their ids, a part of them, so that few ids are in memory at once. */
export const selectTagged = statement(
  'tags_select',
  `select id from contacts where ${tagged} and id > $3 order by id limit 20000`,
  rows({ id: uuid }),
)

/** $3 contacts. Locked in the order of their ids, as batches and merges do; an update alone locks in the order in which it finds them. */
export const lockTagged = statement(
  'tags_lock_contacts',
  `select id from contacts where ${tagged} and id = any($3::uuid[]) order by id for no key update`,
  rows({ id: uuid }),
)

/** $2 the tags to replace, $3 the new tag, $4 locked contacts, $5 now. The other tags keep their order. */
export const replaceTags = statement(
  'tags_replace',
  `update contacts set version = version + 1, updated_at = greatest(updated_at, $5), tags = (
     select array_agg(name order by place) from (
       select case when tag = any($2::text[]) then $3 else tag end as name, min(place) as place
       from unnest(tags) with ordinality as each (tag, place) group by 1
     ) kept
   )
   where ${tagged} and id = any($4::uuid[]) returning id`,
  rows({ id: uuid }),
)
