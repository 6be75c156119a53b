// The statements that delete the contacts of sample data for good.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'
import { insertEventsSql } from '../../kernel/events/event.sql.ts'

/** Locks the contacts $2, except contacts that were merged with a person's own contact, in either direction. */
export const lockSampleContacts = statement(
  'sample_contacts_lock',
  `select id from contacts c where org_id = $1 and id = any($2::uuid[]) and not exists (
     select from contact_merges m where m.org_id = $1 and m.undone_at is null
       and ((m.loser_id = c.id and m.winner_id <> all($2)) or (m.winner_id = c.id and m.loser_id <> all($2))))
   order by id for update`,
  rows({ id: uuid }),
)

/**
 * $1 organization, $2 contacts, $3 their events as JSON. Notes and tasks go with their contact. Merges that were undone are left to their
 * retention: no index finds them by their contacts.
 */
export const deleteSampleContacts = statement(
  'sample_contacts_delete',
  `with gone as (delete from contacts where org_id = $1 and id = any($2::uuid[])),
     merges as (delete from contact_merges where org_id = $1 and undone_at is null and loser_id = any($2::uuid[]) and winner_id = any($2::uuid[]))
   ${insertEventsSql(3)}`,
)
