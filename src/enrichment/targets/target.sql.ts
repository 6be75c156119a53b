// The statement that finds the contact of a target.

import { type Contact, contactTable } from '../../contacts/contact/row.ts'
import type { Rows } from '../../database/selection.ts'
import { statement } from '../../database/statement.ts'
import { integer, rows } from '../../database/table.ts'

/**
 * SQL for the id of a live contact, given the placeholders of `keysOf`. If several have the external id, the oldest. For a merged contact,
 * the contact into which it was merged.
 */
export const contactIdSql = (orgId: string, contactId: string, externalId: string) =>
  `coalesce(
     (select id from contacts where org_id = ${orgId} and id = ${contactId}::uuid and deleted_at is null),
     (select id from contacts where org_id = ${orgId} and external_id = ${externalId}::text and deleted_at is null order by id limit 1),
     (select id from contacts where org_id = ${orgId} and id = merged_into(${orgId}::uuid, ${contactId}::uuid) and deleted_at is null),
     (select winner.id from contacts loser join contacts winner on winner.id = merged_into(loser.org_id, loser.id)
      where loser.org_id = ${orgId} and loser.external_id = ${externalId}::text and winner.deleted_at is null order by loser.id limit 1))`

const placed = rows({ place: integer })
const { all } = contactTable
const placedContacts: Rows<{ place: number; contact: Contact }> = {
  described: [...placed.described, ...all.described],
  row: ([place, ...contact]) => ({ place: Number(place), contact: all.row(contact) }),
}
/** $1 organizations, $2 and $3 the keys. Returns the contacts with their place among the keys, from 1. */
export const contactsOfKeys = statement(
  'enrichment_targets',
  `select place::integer, ${all.of('c')}
   from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as target (org_id, contact_id, external_id, place)
   join contacts c on c.id = ${contactIdSql('target.org_id', 'target.contact_id', 'target.external_id')}`,
  placedContacts,
)
