// Companies: at most one live company per domain; every change increments the version and writes an event.

import type { Selection } from '../../database/selection.ts'
import { currencyOf } from '../../identity/organizations/country-and-currency.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { changing, nextVersion } from '../../kernel/input/version.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { actorOf } from '../../kernel/principal.ts'
import { followCompanies } from '../contact/company/follow.ts'
import { mergedConflict, noCompany, winnerOf } from '../merge/merged.ts'
import { checkInOrganization, chosenOrganization, needsOrganization } from '../records/check.ts'
import { sourceOf } from '../records/source.ts'
import { remindOfRestored } from '../tasks/reminder-queue.ts'
import {
  claimDomains,
  companiesById,
  companyAt,
  holdersOfDomains,
  insertCompany,
  inserted,
  liveCompaniesById,
  lockCompany,
  lockCompanyByDomain,
  lockCompanyByExternalId,
  lockExternalId,
  lockLiveCompany,
  releaseDomains,
  removeCompany,
  updated,
  updateCompany as updateRow,
} from './company.sql.ts'
import {
  applyTo,
  type CompanyChanges,
  type CompanyInput,
  type CompanyPatch,
  differences,
  domainsOf,
  needsCurrency,
  readCompany,
  searchTextOf,
  startingFrom,
} from './input.ts'
import { type Company, companyEvents, type ListedCompany } from './row.ts'

interface Expected {
  id: string
  ifVersion?: number | null
}

/** A company by its id. Throws NOT_FOUND, with `mergedInto` for a merged company. `evenDeleted`: finds deleted ones, too. */
export async function getCompany(context: Context, id: string, { evenDeleted = false } = {}): Promise<Company> {
  const orgId = organizationOf(context)
  const company = isId(id) ? await companyAt(context, orgId, id) : undefined
  if (!company || (company.deletedAt !== null && !evenDeleted)) throw await noCompany(context, id)
  return company
}

/** Loads companies by id, deleted ones included. */
export const loadCompanies: Batch<string, Company | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(companiesById, [organizationOf(context), ids]), company => company.id)

/** A company with the selected properties; null without an id, and for one that is deleted. */
export async function liveCompany(context: Context, id: string | null, company: Selection<ListedCompany>): Promise<ListedCompany | null> {
  if (id === null) return null
  const batch: Batch<string, ListedCompany | null> = async (inContext, ids) =>
    inOrder(ids, await inContext.db.query(liveCompaniesById(company), [organizationOf(inContext), ids]), row => row.id)
  return load(context, batch, id, `live companies ${company.key}`)
}

/** Adds a company. Throws ALREADY_EXISTS with `existingId` where a live company has one of its domains. */
export async function createCompany(context: Context, input: CompanyInput): Promise<Company> {
  const orgId = organizationOf(context)
  const changes = await checkCompany(context, orgId, input, nameProblems(input))
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    const { company, taken } = await insert(tx, orgId, changes)
    if (taken) throw takenError(company, taken)
    return company
  })
}

export type OnConflict = 'update' | 'skip'
export interface WrittenCompany {
  company: Company
  outcome: 'created' | 'updated' | 'skipped'
}

// A second attempt finds the company that had the domain. More are needed only if that one loses it again.
const maxAttempts = 10

/** Changes the live company with the domain, or else with the external id; adds one where there is none. A deleted one stays deleted. */
export async function upsertCompany(context: Context, input: CompanyInput, onConflict: OnConflict): Promise<WrittenCompany> {
  const orgId = organizationOf(context)
  const isNamed = (input.domain ?? null) !== null || (input.externalId ?? null) !== null
  const missing = isNamed ? [] : [valueError('domain', 'a company is found by its domain or its external id: send one of them')]
  const changes = await checkCompany(context, orgId, input, missing)
  return context.db.transaction(async db => {
    const tx = inTransaction(context, db)
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const found = await findToUpsert(tx, orgId, changes)
      if (found && onConflict === 'skip') return { company: found, outcome: 'skipped' }
      if (found) return { company: await writeChanges(tx, found, keepingDomain(changes, found)), outcome: 'updated' }
      const problems = nameProblems(input)
      if (problems.length > 0) throw invalid(problems)
      const { company, taken } = await insert(tx, orgId, changes)
      if (!taken) return { company, outcome: 'created' }
      if (taken.domain !== company.domain) throw takenError(company, taken)
      await db.query(removeCompany, [orgId, company.id])
    }
    throw new AppError('CONFLICT', 'The company is being changed by others; try again', { retryAfter: 1 })
  })
}

/** Changes the fields in the input; writes nothing if all are equal. Throws NOT_FOUND, PRECONDITION_FAILED, ALREADY_EXISTS. */
export async function updateCompany(context: Context, { id, ifVersion }: Expected, input: CompanyPatch): Promise<Company> {
  const changes = await checkCompany(context, organizationOf(context), input)
  return changing(context, 'company', lockLiveCompany, { id, ifVersion }, (tx, company) => writeChanges(tx, company, changes), noCompany)
}

/**
 * Marks a company as deleted, and frees its domains; `restoreCompany` brings it back. Its contacts keep the link, and what they say of it: only
 * `company` is null meanwhile.
 */
export function deleteCompany(context: Context, expected: Expected): Promise<Company> {
  const remove = async (tx: Context, company: Company) => {
    await release(tx, company)
    const after = { ...company, ...nextVersion(tx, company), deletedAt: tx.now().toISOString() }
    return write(tx, after, companyEvents.deleted)
  }
  return changing(context, 'company', lockLiveCompany, expected, remove, noCompany)
}

/** Restores a deleted company; a live one stays unchanged. Throws ALREADY_EXISTS if another live company has one of its domains. */
export function restoreCompany(context: Context, id: string): Promise<Company> {
  return changing(context, 'company', lockCompany, { id }, async (tx, company) => {
    if (company.deletedAt === null) return company
    const into = await winnerOf(tx, id)
    if (into !== null) throw mergedConflict(into, 'company')
    await claim(tx, company)
    await remindOfRestored(tx, 'company', company.orgId, [company.id])
    return write(tx, { ...company, ...nextVersion(tx, company), deletedAt: null }, companyEvents.restored)
  })
}

/** The problems of an input. Without a chosen organization, members and custom fields are not checked. */
export async function problemsOfCompany(context: Context, input: CompanyPatch): Promise<Problem[]> {
  const changes = readCompany(input)
  const orgId = chosenOrganization(context)
  if (orgId !== null && needsOrganization(changes)) await checkInOrganization(context, orgId, 'company', [changes])
  return changes.problems
}

async function checkCompany(context: Context, orgId: string, input: CompanyPatch, found: readonly Problem[] = []): Promise<CompanyChanges> {
  const changes = readCompany(input)
  if (needsOrganization(changes)) await checkInOrganization(context, orgId, 'company', [changes])
  if (found.length + changes.problems.length > 0) throw invalid([...found, ...changes.problems])
  return changes
}

const nameProblems = (input: CompanyInput): Problem[] => ((input.name ?? null) === null ? [problem('name', 'missing', input)] : [])

async function findToUpsert({ db }: Context, orgId: string, { fields: { domain, externalId } }: CompanyChanges) {
  const [byDomain] = domain ? await db.query(lockCompanyByDomain, [orgId, domain]) : []
  if (byDomain || !externalId) return byDomain
  await db.query(lockExternalId, [orgId, externalId])
  const [byExternalId] = await db.query(lockCompanyByExternalId, [orgId, externalId])
  return byExternalId
}

// A company that was found by a further domain keeps its first one.
const keepingDomain = (changes: CompanyChanges, { domain, domains }: Company): CompanyChanges =>
  domain !== null && domains.includes(changes.fields.domain ?? '') ? { ...changes, fields: { ...changes.fields, domain } } : changes

const usualCurrency = (context: Context, orgId: string, changes: CompanyChanges) =>
  needsCurrency(changes) ? currencyOf(context, orgId) : null

interface Taken {
  domain: string
  companyId: string
}

/** Inserts a company with its event, unless a domain of it is taken: then it is there without its event, and the caller takes it back. */
async function insert(tx: Context, orgId: string, changes: CompanyChanges): Promise<{ company: Company; taken: Taken | undefined }> {
  const now = tx.now().toISOString()
  const { name = '', source = sourceOf(tx) } = changes.fields
  const company: Company = {
    ...startingFrom(name, source, changes, await usualCurrency(tx, orgId, changes)),
    ...{ id: newId(), orgId, createdBy: actorOf(tx.principal), createdAt: now, updatedAt: now, deletedAt: null, version: 1 },
  }
  await tx.db.query(insertCompany, inserted.of({ ...company, searchText: searchTextOf(company) }))
  const taken = await claimed(tx, company)
  const { ownerUserId } = company
  if (!taken) await recordEvent(tx, { ...eventOf(company), type: companyEvents.created, changes: ownerUserId ? { ownerUserId } : {} })
  return { company, taken }
}

async function writeChanges(tx: Context, company: Company, changes: CompanyChanges): Promise<Company> {
  const fields = applyTo(company, changes, await usualCurrency(tx, company.orgId, changes))
  const changed = differences(company, fields)
  if (Object.keys(changed).length === 0) return company
  const after: Company = { ...company, ...fields, ...nextVersion(tx, company) }
  if (changed.domain || changed.domains) await claim(tx, after)
  await write(tx, after, companyEvents.updated, changed)
  if (changed.name || changed.domain) await followCompanies(tx, after.orgId, [after])
  return after
}

async function write(tx: Context, after: Company, type: EventType, changes: Record<string, unknown> = {}): Promise<Company> {
  await tx.db.query(updateRow, [after.orgId, after.id, ...updated.of({ ...after, searchText: searchTextOf(after) })])
  await recordEvent(tx, { ...eventOf(after), type, changes })
  return after
}

export const eventOf = ({ id, orgId }: Pick<Company, 'id' | 'orgId'>) => ({ entityId: id, companyId: id, orgId })

/** Makes the domains of the live company its own, and no others. Throws ALREADY_EXISTS. */
export async function claim(tx: Context, company: Company): Promise<void> {
  const taken = await claimed(tx, company)
  if (taken) throw takenError(company, taken)
}

/** Frees the domains of the company. */
export const release = ({ db }: Context, { orgId, id }: Company) => db.query(releaseDomains, [orgId, id, []])

/** Claims the domains; one of another company is the result. */
async function claimed({ db }: Context, company: Company): Promise<Taken | undefined> {
  const domains = domainsOf(company)
  const values = [company.orgId, company.id, domains]
  await db.query(releaseDomains, values)
  for (let attempts = 0; domains.length > 0 && attempts < maxAttempts; attempts++) {
    // It waits for another transaction that claims one of them.
    await db.query(claimDomains, values)
    const holders = await db.query(holdersOfDomains, [company.orgId, domains])
    const taken = holders.find(({ companyId }) => companyId !== company.id)
    // Another company may have released a domain between the two statements.
    if (taken || holders.length === domains.length) return taken
  }
  return undefined
}

export const takenError = ({ domain }: Pick<Company, 'domain'>, { domain: taken, companyId }: Taken): AppError =>
  new AppError('ALREADY_EXISTS', `A company with the domain ${taken} exists already`, {
    field: taken === domain ? 'domain' : 'domains',
    existingId: companyId,
  })
