// The statements that merge contacts, and that find the contact into which one was merged.

import { shortRead, statement } from '../../database/statement.ts'
import { integer, rows, timestamptz, uuid } from '../../database/table.ts'
import { moveTimelineEntries } from '../../kernel/events/event.sql.ts'
import { dayMs, type Prune, prune, pruneSlice } from '../../kernel/retention.sql.ts'
import { updated } from '../contact/contact.sql.ts'
import { contactTable } from '../contact/row.ts'
import { followMerges } from './move.sql.ts'

/** How long a merge can be undone. */
export const undoableMs = 30 * dayMs

const { all } = contactTable
const written = rows({ version: integer, updatedAt: timestamptz })

/** $2: contacts. Locked in the order of ids, so that two merges of the same contacts cannot deadlock. */
export const lockContactsById = statement(
  'contacts_lock_by_id',
  `select ${all.sql} from contacts where org_id = $1 and id = any($2::uuid[]) order by id for update`,
  all,
)

const updateStatement = (name: string, sets: string) =>
  statement(
    name,
    `update contacts set ${sets}, version = version + 1, updated_at = greatest(updated_at, $3) where org_id = $1 and id = $2
     returning version, updated_at`,
    written,
  )
/**
 * Deletes or restores a locked contact. $1 organization, $2 id, $3 now, $4 the time of deletion or null. Writes no event, because the merge
 * has one.
 */
export const setDeleted = updateStatement('contact_merge_delete', 'deleted_at = $4')
/** Updates a locked contact. $1 organization, $2 id, $3 now, then the columns of `updated`. */
export const setFields = updateStatement('contact_merge_update', updated.assignments(4))

const entries = { name: 'events', description: 'Entries of the timeline', isVersioned: false }
followMerges('events', entries)
followMerges('timeline_entries', { ...entries, move: moveTimelineEntries }, 'company')
followMerges('contacts', { name: 'contacts', description: 'Contacts', isLockedFirst: true }, 'company')

/** $1 organization, $2 a record. */
export const selectMergedInto = shortRead('contact_merged_into', 'select merged_into($1, $2) as id', rows({ id: uuid.orNull() }))

/** $1 organization, $2 records. Those that were merged. */
export const mergedInto = statement(
  'records_merged_into',
  'select id, into_id from (select id, merged_into($1, id) as into_id from unnest($2::uuid[]) as id) merged where into_id is not null',
  rows({ id: uuid, intoId: uuid }),
)

// Data for undoing is of no use once the merge cannot be undone. The row stays: it tells where the contact went.
const hasData = `created_at < $1::timestamptz and (changes <> '{}' or moved <> '{}')`
export const mergeRetention = {
  contactMerges: {
    statement: statement(
      'prune_contact_merges',
      `update contact_merges set changes = '{}', moved = '{}'
       where id in (select id from contact_merges where ${hasData} limit ${pruneSlice} for update skip locked) returning 1 as pruned`,
      rows({ pruned: integer }),
    ),
    keptMs: () => undoableMs,
  } satisfies Prune,
  undoneMerges: prune('undone_merges', 'contact_merges', 'undone_at < $1::timestamptz', () => undoableMs),
}
