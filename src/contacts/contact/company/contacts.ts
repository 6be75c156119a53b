// Lists of companies' contacts. Pages of several companies are read by one statement.

import { type Context, organizationOf, requireScope } from '../../../kernel/context.ts'
import { grouped, inOrder, load } from '../../../kernel/dataloaders.ts'
import { isTime, type Keyed, type ListArgs, Page, type PageArgs, pageName, pageOf } from '../../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../../kernel/lists/total.ts'
import type { Contact } from '../row.ts'
import { contactPages, countContacts } from './contacts.sql.ts'

const list = 'contacts of companies'

/** A page of the live contacts of a company, newest first. */
export function companyContacts(context: Context, companyId: string, { counted, ...args }: ListArgs): Promise<Page<Contact>> {
  requireScope(context, 'contacts:read')
  totalOf(counted, () => load(context, countOfCompanies, companyId))
  return load(
    context,
    (inContext, companyIds: readonly string[]) => readPages(inContext, companyIds, args),
    companyId,
    pageName(list, args),
  )
}

async function readPages(context: Context, companyIds: readonly string[], args: PageArgs): Promise<Page<Contact>[]> {
  const page = pageOf(args, list, isTime)
  const position = page.start ? [page.start.key, page.start.id] : []
  const contacts = await context.db.query(contactPages(page), [organizationOf(context), companyIds, page.size + 1, ...position])
  return grouped(companyIds, contacts, contact => contact.companyId ?? '').map((rows, index) => {
    const companyId = companyIds[index] ?? ''
    return new Page(rows.map(withKey), page, list, () => load(context, countOfCompanies, companyId))
  })
}

async function countOfCompanies(context: Context, companyIds: readonly string[]): Promise<number[]> {
  const totals = await bounded(context, db => db.query(countContacts, [organizationOf(context), companyIds]))
  return inOrder(companyIds, totals, ({ companyId }) => companyId).map(found => found?.total ?? 0)
}

const withKey = (row: Contact): Keyed<Contact> => ({ row, key: row.createdAt })
