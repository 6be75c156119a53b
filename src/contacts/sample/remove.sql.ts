// The statements that delete the contacts, companies and deals of sample data for good.

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
 * Locks the companies $3 that no contact or deal of a person's own has. Older sample data did not keep its companies. They are the companies
 * of the contacts $2 that were made at the time of such a contact, and that nobody has used or changed since.
 */
export const lockSampleCompanies = statement(
  'sample_companies_lock',
  `with sample as materialized (
     select company_id, created_at from contacts where org_id = $1 and id = any($2::uuid[]) and company_id is not null
   )
   select id from companies k where org_id = $1 and id = any($3::uuid[] || array(select company_id from sample))
     and (id = any($3::uuid[]) or (version = 1 and created_at = any(array(select created_at from sample))
       and (select 1 from contact_notes n where n.org_id = $1 and n.company_id = k.id limit 1) is null
       and (select 1 from contact_tasks t where t.org_id = $1 and t.company_id = k.id limit 1) is null))
     and (select 1 from contacts c where c.org_id = $1 and c.company_id = k.id and c.id <> all ($2::uuid[]) limit 1) is null
     and (select 1 from deals d where d.org_id = $1 and d.company_id = k.id and d.deleted_at is null limit 1) is null
   order by id for update`,
  rows({ id: uuid }),
)
/** $1 organization, $2 companies, $3 their events as JSON. */
export const deleteSampleCompanies = statement(
  'sample_companies_delete',
  `with gone as (delete from companies where org_id = $1 and id = any($2::uuid[])) ${insertEventsSql(3)}`,
)

/** $1 organization, $2 deals: the ones that are there. */
export const lockSampleDeals = statement(
  'sample_deals_lock',
  'select id from deals where org_id = $1 and id = any($2::uuid[]) order by id for update',
  rows({ id: uuid }),
)
/** $1 organization, $2 deals, $3 their events as JSON. Notes and tasks go with their deal. */
export const deleteSampleDeals = statement(
  'sample_deals_delete',
  `with gone as (delete from deals where org_id = $1 and id = any($2::uuid[])),
     people as (delete from deal_contacts where org_id = $1 and deal_id = any($2::uuid[])),
     ways as (delete from deal_stage_changes where org_id = $1 and deal_id = any($2::uuid[]))
   ${insertEventsSql(3)}`,
)

/**
 * $1 organization, $2 contacts, $3 their events as JSON. Notes and tasks go with their contact. Merges that were undone are left to their
 * retention: no index finds them by their contacts.
 */
export const deleteSampleContacts = statement(
  'sample_contacts_delete',
  `with gone as (delete from contacts where org_id = $1 and id = any($2::uuid[])),
     people as (delete from deal_contacts where org_id = $1 and contact_id = any($2::uuid[])),
     merges as (delete from contact_merges where org_id = $1 and undone_at is null and loser_id = any($2::uuid[]) and winner_id = any($2::uuid[]))
   ${insertEventsSql(3)}`,
)
