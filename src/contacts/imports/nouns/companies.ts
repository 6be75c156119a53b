// Companies of a file: found by their id there, by their domain, or without both by their name.

import type { Context } from '../../../kernel/context.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { companiesById, holdersOfDomains } from '../../companies/company.sql.ts'
import { createCompany, updateCompany } from '../../companies/company.ts'
import { applyTo, type CompanyInput, differences, readCompany } from '../../companies/input.ts'
import type { Company } from '../../companies/row.ts'
import type { OnConflict } from '../../contact/write.ts'
import { companiesNamed } from './found.sql.ts'
import type { LinkedRow } from './links.ts'
import { changedFrom, created, type RowsOf, type Written } from './write-row.ts'

/** The company of a row. Some systems write a currency where there is no amount. */
export function companyInput({ input }: Pick<LinkedRow, 'input'>): CompanyInput {
  // `as`: each reader returns the type of its field.
  const { annualRevenueCurrency, ...rest } = input as CompanyInput
  return rest.annualRevenue === undefined ? rest : { ...rest, ...(annualRevenueCurrency !== undefined && { annualRevenueCurrency }) }
}

export const companyRows: RowsOf = async (_tx, orgId) => {
  return async (tx, row, onConflict) => {
    const input = companyInput(row)
    if (row.linked.known !== null) return change(tx, orgId, row.linked.known, input, onConflict ?? 'update')
    const found = await existing(tx, orgId, row)
    if (found === undefined) return created(await createCompany(tx, input))
    if (onConflict === null)
      throw new AppError('ALREADY_EXISTS', `A company with this ${input.domain ? 'domain' : 'name'} exists already`, {
        field: input.domain ? 'domain' : 'name',
        existingId: found,
      })
    return change(tx, orgId, found, input, onConflict)
  }
}

async function existing({ db }: Context, orgId: string, row: LinkedRow): Promise<string | undefined> {
  const { domain, name } = companyInput(row)
  if (domain) return (await db.query(holdersOfDomains, [orgId, [domain]]))[0]?.companyId
  // Two companies of one name with ids are two.
  if (!name || row.linked.externalId !== null) return undefined
  return (await db.query(companiesNamed, [orgId, [name]]))[0]?.id
}

async function change(tx: Context, orgId: string, id: string, input: CompanyInput, onConflict: OnConflict): Promise<Written> {
  if (onConflict === 'skip') return { id, outcome: 'skipped' }
  const [before] = await tx.db.query(companiesById, [orgId, [id]])
  if (!before) throw notFound('company', id)
  const after = await updateCompany(tx, { id }, keepingDomain(input, before))
  return changedFrom(before, after, () => differences(before, after))
}

// A company that is found by a further domain keeps its first one.
function keepingDomain(input: CompanyInput, { domains }: Company): CompanyInput {
  const { domain, ...rest } = input
  return domain && domains.includes(domain) ? rest : input
}

/** Returns a function that tells whether a row would change the company with this id. `usual`: the currency of the organization. Throws INVALID. */
export async function changesCompanies({ db }: Context, orgId: string, ids: readonly string[], usual: string | null) {
  const found = new Map((ids.length > 0 ? await db.query(companiesById, [orgId, ids]) : []).map(company => [company.id, company]))
  return (row: LinkedRow, id: string): boolean => {
    const before = found.get(id)
    if (!before) return true
    const changes = readCompany(keepingDomain(companyInput(row), before))
    return Object.keys(differences(before, applyTo(before, changes, usual))).length > 0
  }
}
