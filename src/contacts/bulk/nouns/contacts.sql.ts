// The statements of bulk changes of contacts. Batches are hot, so a statement writes its events, too.

import { statement } from '../../../database/statement.ts'
import { rows, uuid } from '../../../database/table.ts'
import { eventColumns, eventDefinitions } from '../../../kernel/events/event.sql.ts'
import { addressesOfRow } from '../../contact/addresses/address.sql.ts'
import { contactTable } from '../../contact/row.ts'

/** Locked in the order of ids, as in merges and batches. */
export const lockContacts = statement(
  'bulk_change_lock_contacts',
  `select ${contactTable.all.sql} from contacts where org_id = $1 and id = any($2::uuid[]) order by id for update`,
  contactTable.all,
)
/** $1 organization, $2 now, $3 the locked contacts, $4 the events as JSON, $5 the time of deletion, or null to restore them. */
export const markContacts = statement(
  'bulk_change_mark',
  `with row as (
     update contacts set deleted_at = $5, version = version + 1, updated_at = greatest(updated_at, $2)
     where org_id = $1 and id = any($3::uuid[]) and (deleted_at is null) = ($5::timestamptz is not null) returning id
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($4) as given (${eventDefinitions})
     where contact_id in (select id from row)
   )
   select id from row`,
  rows({ id: uuid }),
)

/**
 * The obstacles to restoring deleted contacts: the contact into which one was merged, and the contact that has one of its addresses: a live
 * one, or the oldest that is restored with it.
 */
export const hindrances = statement(
  'bulk_change_hindrances',
  `with deleted as (
     select id, ${addressesOfRow()} as addresses, merged_into($1, id) as into_id
     from contacts where org_id = $1 and id = any($2::uuid[]) and deleted_at is not null
   ), address as (
     select id, coalesce(
       (select contact_id from contact_emails held where held.org_id = $1 and held.address = one),
       nullif(first_value(id) over (partition by into_id is null, one order by id), id)
     ) as taken_by
     from deleted cross join unnest(addresses) one
   )
   select id, into_id, (select taken_by from address where address.id = deleted.id and taken_by is not null limit 1) as taken_by from deleted`,
  rows({ id: uuid, intoId: uuid.orNull(), takenBy: uuid.orNull() }),
)
