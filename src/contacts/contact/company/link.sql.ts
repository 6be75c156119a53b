// The statements that find companies for contacts, and make those that are missing.

import { statement } from '../../../database/statement.ts'
import { boolean, integer, rows, text, textArray, uuid } from '../../../database/table.ts'
import { inserted } from '../../companies/company.sql.ts'

const found = rows({
  place: integer,
  orgId: uuid,
  id: uuid,
  name: text,
  domain: text.orNull(),
  domains: textArray,
  version: integer,
  isLocked: boolean,
})
export type FoundCompany = ReturnType<typeof found.row>

/**
 * $1 keys as JSON: an id, a domain, or a name each, with its `place`. Finds the live company of each, by its name the oldest. They are locked
 * until the end of the transaction, so that they keep name and domain until the contacts are written; not those without a domain for keys that
 * may give them one (`may_fill`), because two transactions that hold such a lock could not change the company.
 */
export const findCompanies = statement(
  'contact_companies_find',
  `with found as materialized (
     select given.place, coalesce(given.may_fill, false) as may_fill, coalesce(
       (select id from companies c where c.org_id = given.org_id and c.id = given.id and c.deleted_at is null),
       (select company_id from company_domains d where d.org_id = given.org_id and d.domain = given.domain limit 1),
       (select id from companies c where c.org_id = given.org_id and lower(c.name) collate "C" = lower(given.name) and c.deleted_at is null
        order by c.id limit 1)
     ) as id
     from json_to_recordset($1) as given (place integer, org_id uuid, id uuid, domain text, name text, may_fill boolean)
   ), locked as materialized (
     select id, name, domain from companies where id = any(array(select id from found)) and deleted_at is null
       and (domain is not null or id = any(array(select id from found where not may_fill)))
     order by id for share
   )
   select place, c.org_id, c.id, coalesce(l.name, c.name) as name, case when l.id is null then c.domain else l.domain end as domain, c.domains,
     c.version, l.id is not null as is_locked
   from found join companies c on c.id = found.id left join locked l on l.id = c.id`,
  found,
)

/**
 * $1 organizations, $2 names. Makes transactions that make companies of the same name follow each other. Names share 64 locks of an
 * organization: a lock for each name of a large file could exceed what PostgreSQL has room for.
 */
export const lockNames = statement(
  'contact_companies_lock_names',
  `select from (
     select distinct hashtextextended('company of contacts ' || org_id || ' ' || (hashtext(lower(name)) & 63), 0) as key
     from unnest($1::text[], $2::text[]) as given (org_id, name) order by 1
   ) keys, lateral pg_advisory_xact_lock(keys.key)`,
)

const id = rows({ id: uuid })

/** $1 companies as JSON. One whose domain was taken meanwhile is not inserted. Returns the others. */
export const insertCompanies = statement(
  'contact_companies_insert',
  `with given as (
     select * from json_to_recordset($1) as given (${inserted.definitions})
   ), claimed as (
     insert into company_domains (org_id, domain, company_id) select org_id, domain, id from given where domain is not null
     order by org_id, domain on conflict do nothing returning company_id
   )
   insert into companies (${inserted.columns}) select ${inserted.columns} from given
   where domain is null or id in (select company_id from claimed) returning id`,
  id,
)

/** $1 companies as JSON, with the domain that each gets, $2 now. Returns those that nobody has changed meanwhile. */
export const fillDomains = statement(
  'contact_companies_fill',
  `with given as (
     select * from json_to_recordset($1) as given (id uuid, org_id uuid, domain text, version integer, search_text text)
   ), free as materialized (
     select c.id from companies c join given on given.id = c.id and given.org_id = c.org_id and given.version = c.version
     where c.deleted_at is null and c.domain is null order by c.id for no key update of c
   ), claimed as (
     insert into company_domains (org_id, domain, company_id) select org_id, domain, id from given where id in (select id from free)
     order by org_id, domain on conflict do nothing returning company_id
   )
   update companies c set domain = given.domain, search_text = given.search_text, version = c.version + 1,
     updated_at = greatest(c.updated_at, $2)
   from given where c.org_id = given.org_id and c.id = given.id and c.id in (select company_id from claimed) returning c.id`,
  id,
)

/** $1 organization, $2 ids. The ids of live companies. */
export const liveCompanies = statement(
  'contact_companies_live',
  'select id from companies where org_id = $1 and id = any($2::uuid[]) and deleted_at is null',
  id,
)
