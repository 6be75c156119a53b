// The former company of a contact, where a change is taken back.

import type { Context } from '../../../kernel/context.ts'
import type { ContactFields } from '../row.ts'
import { keepCompanies } from './follow.sql.ts'
import type { CompanyOfContact } from './plan.ts'

/** `{ field: [before, after] }`, as in events. */
type FieldChanges = Readonly<Record<string, readonly [unknown, unknown]>>
type Words = Pick<ContactFields, 'companyId' | 'companyName' | 'companyDomain'>

const companyFields: readonly string[] = ['companyId', 'companyName', 'companyDomain'] satisfies (keyof Words)[]
export const isOfCompany = (field: string): field is keyof Words => companyFields.includes(field)

/** The companies with these ids, as they are now, deleted ones too. They keep their names until the transaction ends. */
export async function companiesNow(tx: Context, orgId: string, ids: readonly (string | null)[]): Promise<Map<string, CompanyOfContact>> {
  const wanted = [...new Set(ids.filter(id => id !== null))]
  const found = wanted.length > 0 ? await tx.db.query(keepCompanies, [orgId, wanted]) : []
  return new Map(found.map(company => [company.id, company]))
}

/** The company before the changes: its id, or null for none. Undefined where they have not changed it. */
export const formerId = ({ companyId }: FieldChanges): string | null | undefined =>
  // `as`: the changes have stored values of fields.
  companyId && (companyId[0] as string | null)

/** Company, name and domain of a contact before the changes, as the company is now. Undefined where they have not changed it, or others since. `companies` has the former ones. */
export function formerCompany(now: Words, changes: FieldChanges, companies: ReadonlyMap<string, CompanyOfContact>): Words | undefined {
  const former = formerId(changes)
  // Somebody has linked the contact since.
  if (former === undefined || changes.companyId?.[1] !== now.companyId) return undefined
  const company = former === null ? undefined : companies.get(former)
  if (company) return { companyId: company.id, companyName: company.name, companyDomain: company.domain }
  // `as`: the changes have stored values of fields.
  const textOf = (field: 'companyName' | 'companyDomain') => (changes[field] ? (changes[field][0] as string | null) : now[field])
  return { companyId: null, companyName: textOf('companyName'), companyDomain: textOf('companyDomain') }
}
