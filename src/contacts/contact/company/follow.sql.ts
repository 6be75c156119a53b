// The statements by which contacts follow their companies.

import { statement } from '../../../database/statement.ts'
import { integer, rows, text, uuid } from '../../../database/table.ts'
import { contactTable } from '../row.ts'

/** $1 organization, $2 companies. Locked, so that they keep their values until the contacts have them. */
export const keepCompanies = statement(
  'companies_keep',
  'select id, name, domain from companies where org_id = $1 and id = any($2::uuid[]) order by id for share',
  rows({ id: uuid, name: text, domain: text.orNull() }),
)

// Deleted contacts, too: they have the values when they are restored.
const behind = `from unnest($2::uuid[], $3::text[], $4::text[]) as company (id, name, domain)
   join contacts c on c.org_id = $1 and c.company_id = company.id
     and (c.company_name, c.company_domain) is distinct from (company.name, company.domain)`

/** $1 organization, $2 companies, $3 their names, $4 their domains, $5 the limit. How many contacts have other values, up to the limit. */
export const countBehind = statement(
  'contacts_behind_companies_total',
  `select count(*)::int as total from (select ${behind} limit $5) behind`,
  rows({ total: integer }),
)
const locking = (name: string, locked: string) =>
  statement(name, `select ${contactTable.all.of('c')} ${behind} order by c.id limit $5 for no key update of c${locked}`, contactTable.all)
/** The same: the contacts, locked, at most $5. */
export const lockBehind = locking('contacts_behind_companies_lock', '')
/** The same, without those that somebody else has locked. */
export const lockBehindFree = locking('contacts_behind_companies_lock_free', ' skip locked')
