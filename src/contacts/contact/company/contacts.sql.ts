// The statements of the lists of companies' contacts.

import { shortRead, statement } from '../../../database/statement.ts'
import { bigint, rows, uuid } from '../../../database/table.ts'
import { behind, forPages, orderBy } from '../../../kernel/lists/pages.sql.ts'
import { contactTable } from '../row.ts'

const { all } = contactTable

/** $1 organization, $2 companies, $3 the number of contacts per company; then the cursor's position. */
export const contactPages = forPages((direction, isAfter) =>
  shortRead(
    `company_contacts_${direction}${isAfter ? '_after' : ''}`,
    `select ${all.of('c')} from unnest($2::uuid[]) as company (id) cross join lateral (
       select * from contacts where org_id = $1 and company_id = company.id and deleted_at is null
       ${isAfter ? behind('created_at', 'timestamptz', direction, 4) : ''} ${orderBy('created_at', direction, '$3')}
     ) c`,
    all,
  ),
)

/** $1 organization, $2 companies. */
export const countContacts = statement(
  'company_contacts_total',
  `select company_id, count(*) as total from contacts
   where org_id = $1 and company_id = any($2::uuid[]) and deleted_at is null group by 1`,
  rows({ companyId: uuid, total: bigint }),
)
