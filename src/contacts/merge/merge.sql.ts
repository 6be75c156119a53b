// The statements of merging contacts, and of finding where a merged one went.

import { shortRead, statement } from '../../database/statement.ts'
import { integer, rows, timestamptz, uuid } from '../../database/table.ts'
import { updated } from '../contact/contact.sql.ts'
import { contactTable } from '../contact/row.ts'

const { all } = contactTable
const written = rows({ version: integer, updatedAt: timestamptz })

/** $2 contacts. Locked in the order of their ids, so that two merges of the same contacts cannot deadlock. */
export const lockContactsById = statement(
  'contacts_lock_by_id',
  `select ${all.sql} from contacts where org_id = $1 and id = any($2::uuid[]) order by id for update`,
  all,
)

const changed = (name: string, sets: string) =>
  statement(
    name,
    `update contacts set ${sets}, version = version + 1, updated_at = greatest(updated_at, $3) where org_id = $1 and id = $2
     returning version, updated_at`,
    written,
  )
/** A locked contact. $1 organization, $2 id, $3 now, $4 the time of deletion or null. Without an event: that of the merge tells of it. */
export const setDeleted = changed('contact_merge_delete', 'deleted_at = $4')
/** The same, $4 on the columns of `updated`. */
export const setFields = changed('contact_merge_update', updated.assignments(4))

/** $1 organization, $2 and $3 the contacts, $4 the events, or null for all. */
export const moveEvents = statement(
  'events_move',
  `update events set contact_id = $3
   where org_id = $1 and contact_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) returning id`,
  rows({ id: uuid }),
)

/** $1 organization, $2 a contact. */
export const selectMergedInto = shortRead('contact_merged_into', 'select merged_into($1, $2) as id', rows({ id: uuid.orNull() }))
