// Bulk changes of companies.

import { nextVersion } from '../../../kernel/input/version.ts'
import { claimDomainsOfMany, holdersOfDomains, manyCompanies, releaseDomainsOfMany } from '../../companies/company.sql.ts'
import { eventOf, takenError } from '../../companies/company.ts'
import { applyTo, type CompanyChanges, differences, domainsOf, readCompany, searchTextOf } from '../../companies/input.ts'
import { type Company, type CompanyFields, companyEvents } from '../../companies/row.ts'
import { mergedInto } from '../../merge/merge.sql.ts'
import { mergedConflict } from '../../merge/merged.ts'
import { writeMany } from '../../records/many.ts'
import { actsOf } from '../act.ts'
import type { Hindrance, RecordsInBulk } from '../records.ts'

const companies: RecordsInBulk<Company, CompanyFields, CompanyChanges> = {
  noun: 'company',
  reversedAs: { ownerUserId: 'owner', industry: 'industry', country: 'country' },
  offers: 'an owner, an industry, or a country',
  read: readCompany,
  lock: (tx, orgId, ids) => tx.db.query(manyCompanies.lock, [orgId, ids]),
  apply: (company, changes) => applyTo(company, changes, null),
  differences,
  write: (tx, orgId, written) =>
    writeMany(
      tx,
      orgId,
      manyCompanies,
      written.map(({ record, fields, changed }) => {
        const after = { ...record, ...fields, ...nextVersion(tx, record) }
        const event = { ...eventOf(after), type: companyEvents.updated, changes: changed }
        return { row: { ...after, searchText: searchTextOf(after) }, event }
      }),
    ),
  async mark(tx, orgId, records, deletedAt) {
    if (deletedAt !== null) await tx.db.query(releaseDomainsOfMany, [orgId, records.map(({ id }) => id)])
    const type = deletedAt === null ? companyEvents.restored : companyEvents.deleted
    const writes = records.map(record => {
      const row = { ...record, ...nextVersion(tx, record), deletedAt, searchText: searchTextOf(record) }
      return { row, event: { ...eventOf(record), type } }
    })
    await writeMany(tx, orgId, manyCompanies, writes)
  },
  /** One that was merged, and one whose domain is taken: by a live company, or by an older one of the batch. The others get their domains here. */
  async hindrances(tx, orgId, deleted) {
    const merged = new Map((await tx.db.query(mergedInto, [orgId, deleted.map(({ id }) => id)])).map(({ id, intoId }) => [id, intoId]))
    const hindered = new Map(
      [...merged].map(([id, intoId]): [string, Hindrance] => [id, { error: mergedConflict(intoId, 'company'), otherId: intoId }]),
    )
    const records = deleted.filter(({ id }) => !merged.has(id))
    const claims = records.flatMap(company => domainsOf(company).map(domain => ({ domain, companyId: company.id })))
    if (claims.length === 0) return hindered
    const domains = claims.map(({ domain }) => domain)
    await tx.db.query(claimDomainsOfMany, [orgId, domains, claims.map(({ companyId }) => companyId)])
    const holders = new Map((await tx.db.query(holdersOfDomains, [orgId, domains])).map(one => [one.domain, one]))
    for (const company of records) {
      const taken = domainsOf(company).flatMap(domain => holders.get(domain) ?? [])
      const other = taken.find(({ companyId }) => companyId !== company.id)
      if (other) hindered.set(company.id, { error: takenError(company, other), otherId: other.companyId })
    }
    if (hindered.size > 0) await tx.db.query(releaseDomainsOfMany, [orgId, [...hindered.keys()]])
    return hindered
  },
}
export const companyActs = actsOf(companies)
