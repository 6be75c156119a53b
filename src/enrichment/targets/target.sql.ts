// The statement that finds the contact of a target.

import { contactTable } from '../../contacts/contact/row.ts'
import { statement } from '../../database/statement.ts'

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

/** $1 organization, $2 and $3 the keys. */
export const contactOfKeys = statement(
  'enrichment_target',
  `select ${contactTable.all.sql} from contacts where id = ${contactIdSql('$1', '$2', '$3')}`,
  contactTable.all,
)
