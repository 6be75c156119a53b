// The statements that read and write single companies, and the domains of live ones.

import { batchedRead } from '../../database/batched-read.ts'
import type { Selection } from '../../database/selection.ts'
import { shortRead, statement, variants } from '../../database/statement.ts'
import { rows, text, uuid } from '../../database/table.ts'
import { manyOf } from '../records/many.sql.ts'
import { type Company, companyTable, type ListedCompany, storedFields } from './row.ts'

const { all } = companyTable
const byId = `select ${all.sql} from companies where org_id = $1 and id = $2`

export const companyAt = batchedRead<Company>('companies', all)
export const companiesById = shortRead(
  'companies_by_id',
  `select ${all.sql} from companies where org_id = $1 and id = any($2::uuid[])`,
  all,
)
const live = variants(33)
/** Live companies, with the selected properties. */
export const liveCompaniesById = (company: Selection<ListedCompany>) =>
  live(`companies_live_by_id_${company.key}`, () => ({
    text: `select ${company.sql} from companies where org_id = $1 and id = any($2::uuid[]) and deleted_at is null`,
    rows: company,
  }))
/** Locks a company, deleted or not. */
export const lockCompany = statement('company_lock', `${byId} for no key update`, all)
export const lockLiveCompany = statement('company_lock_live', `${byId} and deleted_at is null for no key update`, all)
/** $2 a domain, first or further. */
export const lockCompanyByDomain = statement(
  'company_lock_by_domain',
  `select ${all.sql} from companies
   where id = (select company_id from company_domains where org_id = $1 and domain = $2) and org_id = $1 and deleted_at is null
   for no key update`,
  all,
)
/** $2 an id in another system. Several companies may have one; the oldest is meant. */
export const lockCompanyByExternalId = statement(
  'company_lock_by_external_id',
  `select ${all.sql} from companies where org_id = $1 and external_id = $2 and deleted_at is null order by id limit 1 for no key update`,
  all,
)
/** $1 organization, $2 an id in another system. Makes transactions that look for a company by it, and add one, follow each other. */
export const lockExternalId = statement(
  'company_lock_external_id',
  `select from pg_advisory_xact_lock(hashtextextended('company ' || $1 || ' ' || $2, 0))`,
)

/** The columns of a new company. */
export const inserted = companyTable.values()
export const insertCompany = statement('company_insert', `insert into companies (${inserted.columns}) values (${inserted.parameters()})`)
/** The columns that a change may set. */
export const updated = companyTable.values([...storedFields, 'updatedAt', 'deletedAt', 'version', 'searchText'])
/** $1 organization, $2 id, then the columns of `updated`. */
export const updateCompany = statement('company_update', `update companies set ${updated.assignments(3)} where org_id = $1 and id = $2`)
/** Locks and writes several companies. */
export const manyCompanies = manyOf(companyTable, updated)
/** Removes a company that was inserted in the same transaction. */
export const removeCompany = statement('company_remove', 'delete from companies where org_id = $1 and id = $2')

/** $1 organization, $2 company, $3 the domains that it keeps. */
export const releaseDomains = statement(
  'company_domains_release',
  'delete from company_domains where org_id = $1 and company_id = $2 and domain <> all ($3::text[])',
)
/** $1 organization, $2 company, $3 domains. Domains of other companies stay theirs. In one order, so that two writers cannot deadlock. */
export const claimDomains = statement(
  'company_domains_claim',
  `insert into company_domains (org_id, domain, company_id) select $1, domain, $2 from unnest($3::text[]) domain order by domain
   on conflict do nothing`,
)
/** $1 organization, $2 companies. */
export const releaseDomainsOfMany = statement(
  'company_domains_release_many',
  'delete from company_domains where org_id = $1 and company_id = any($2::uuid[])',
)
/** $1 organization, $2 domains, $3 their companies. Of several companies with a domain, the oldest gets it. */
export const claimDomainsOfMany = statement(
  'company_domains_claim_many',
  `insert into company_domains (org_id, domain, company_id) select $1, domain, company_id
   from unnest($2::text[], $3::uuid[]) as given (domain, company_id) order by domain, company_id on conflict do nothing`,
)
/** $1 organization, $2 domains. The companies that have them. */
export const holdersOfDomains = statement(
  'company_domains_holders',
  'select domain, company_id from company_domains where org_id = $1 and domain = any($2::text[]) order by domain',
  rows({ domain: text, companyId: uuid }),
)
