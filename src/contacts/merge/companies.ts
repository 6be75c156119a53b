// Merges of companies. Their domains, people and deals follow.

import type { Context } from '../../kernel/context.ts'
import { nextVersion } from '../../kernel/input/version.ts'
import { manyCompanies, updated, updateCompany as updateRow } from '../companies/company.sql.ts'
import { claim, getCompany, release } from '../companies/company.ts'
import { differences, searchTextOf } from '../companies/input.ts'
import { type Company, type CompanyFields, companyEvents } from '../companies/row.ts'
import { followCompanies } from '../contact/company/follow.ts'
import { type CompanyMergeChoices, mergeCompanyFields, unmergeCompanyFields } from './company-fields.ts'
import { mergingOf, type RecordsToMerge } from './merge.ts'

const companies: RecordsToMerge<Company, CompanyFields, CompanyMergeChoices> = {
  noun: 'company',
  events: companyEvents,
  get: getCompany,
  lock: ({ db }, orgId, ids) => db.query(manyCompanies.lock, [orgId, ids]),
  preview: (winner, loser, choices) => mergeCompanyFields(winner, loser, choices).merged,
  merge: async (_context, winner, loser, choices) => mergeCompanyFields(winner, loser, choices).fields,
  unmerge: async (_context, winner, changes) => unmergeCompanyFields(winner, changes),
  differences,
  async writeFields(context, company, fields) {
    const after = { ...company, ...fields, ...nextVersion(context, company) }
    await claim(context, after)
    return save(context, after)
  },
  async setDeleted(context, company, deletedAt) {
    const after = { ...company, ...nextVersion(context, company), deletedAt }
    await (deletedAt === null ? claim(context, after) : release(context, after))
    return save(context, after)
  },
  timeline: ({ id: companyId }) => ({ companyId }),
  moved: (context, records) => {
    const [{ orgId } = { orgId: '' }] = records
    return followCompanies(context, orgId, records)
  },
}

async function save(context: Context, after: Company): Promise<Company> {
  await context.db.query(updateRow, [after.orgId, after.id, ...updated.of({ ...after, searchText: searchTextOf(after) })])
  return after
}

export const companyMerging = mergingOf(companies, {})
