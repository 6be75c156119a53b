// The statements that find the records of targets.

import { companyTable } from '../../contacts/companies/row.ts'
import { contactTable } from '../../contacts/contact/row.ts'
import type { Rows, Selection } from '../../database/selection.ts'
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

/**
 * SQL for the id of a live company, given the placeholders of its keys. In order of precedence: the id, the external id (the oldest of several),
 * the domain, first or further. For a merged company, the company into which it was merged.
 */
export const companyIdSql = (orgId: string, companyId: string, externalId: string, domain: string) =>
  `coalesce(
     (select id from companies where org_id = ${orgId} and id = ${companyId}::uuid and deleted_at is null),
     (select id from companies where org_id = ${orgId} and external_id = ${externalId}::text and deleted_at is null order by id limit 1),
     (select company_id from company_domains where org_id = ${orgId} and domain = ${domain}::text),
     (select id from companies where org_id = ${orgId} and id = merged_into(${orgId}::uuid, ${companyId}::uuid) and deleted_at is null))`

const placed = rows({ place: integer })
function placedRows<Row>(all: Selection<Row>): Rows<{ place: number; row: Row }> {
  return {
    described: [...placed.described, ...all.described],
    row: ([place, ...row]) => ({ place: Number(place), row: all.row(row) }),
  }
}
/** $1 organizations, $2 and $3 the keys. Returns the contacts with their place among the keys, from 1. */
export const contactsOfKeys = statement(
  'enrichment_targets',
  `select place::integer, ${contactTable.all.of('c')}
   from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as target (org_id, contact_id, external_id, place)
   join contacts c on c.id = ${contactIdSql('target.org_id', 'target.contact_id', 'target.external_id')}`,
  placedRows(contactTable.all),
)
/** $1 organizations, $2 to $4 the keys. The same for companies. */
export const companiesOfKeys = statement(
  'enrichment_target_companies',
  `select place::integer, ${companyTable.all.of('c')}
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) with ordinality as target (org_id, company_id, external_id, domain, place)
   join companies c on c.id = ${companyIdSql('target.org_id', 'target.company_id', 'target.external_id', 'target.domain')}`,
  placedRows(companyTable.all),
)
