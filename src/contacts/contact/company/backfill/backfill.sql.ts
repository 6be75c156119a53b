// The statements that make companies of the contacts that were there before contacts had companies.

import { statement } from '../../../../database/statement.ts'
import { boolean, integer, rows, text, timestamptz, uuid } from '../../../../database/table.ts'

const due = rows({ orgId: uuid, pass: integer, createdAt: timestamptz.orNull(), contactId: uuid.orNull() })
export type Due = ReturnType<typeof due.row>

/** Locks the organization that has waited longest. Organizations take turns, and several workers have several of them. */
export const lockDue = statement(
  'company_backfill_lock',
  `select org_id, pass, created_at, contact_id from company_backfills where finished_at is null
   order by worked_at nulls first, org_id limit 1 for update skip locked`,
  due,
)

/** $1 organization, $2 pass, $3 and $4 the last contact that is done, $5 now, $6 the time of the end or null. */
export const setPosition = statement(
  'company_backfill_position',
  'update company_backfills set pass = $2, created_at = $3, contact_id = $4, worked_at = $5, finished_at = $6 where org_id = $1',
)

/** $1 organization, $2 and $3 the contact that they are behind, $4 the number. `isOpen`: whether it has a name or domain and no company. */
export const nextContacts = statement(
  'company_backfill_contacts',
  `select id, created_at, company_name, company_domain,
     company_id is null and (company_name is not null or company_domain is not null) as is_open
   from contacts where org_id = $1 and deleted_at is null and (created_at, id) > ($2::timestamptz, $3::uuid)
   order by created_at, id limit $4`,
  rows({ id: uuid, createdAt: timestamptz, companyName: text.orNull(), companyDomain: text.orNull(), isOpen: boolean }),
)

/**
 * $1 organization, $2 contacts with their companies, as JSON. Only the link is set, and only of contacts that are as they were read: for a client
 * nothing has changed, so the version stays as well.
 */
export const setLinks = statement(
  'company_backfill_links',
  `update contacts c set company_id = given.company_id
   from json_to_recordset($2) as given (id uuid, company_id uuid, company_name text, company_domain text)
   where c.org_id = $1 and c.id = given.id and c.company_id is null and c.deleted_at is null
     and (c.company_name, c.company_domain) is not distinct from (given.company_name, given.company_domain)`,
)
