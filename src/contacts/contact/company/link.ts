// Finds the companies of contacts that are written, and makes those that are missing: a constant number of statements for any number.

import type { Queries } from '../../../database/queries.ts'
import { type Context, inTransaction } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { storedJson } from '../../../kernel/input/storable.ts'
import type { Changes } from '../input.ts'
import { findCompanies, lockNames } from './link.sql.ts'
import { type Ask, type CompanyOfContact, Plan } from './plan.ts'
import { writePlan } from './write.ts'

/** Values of a contact that is written, with a company that `companyIn` has found in them. */
export interface Linking extends Ask {
  /** Gets the id, name and domain of the company. */
  fields: Changes['fields']
}

// A second attempt finds companies that others have made or changed meanwhile. More are needed only if those change again.
const maxAttempts = 10

/**
 * Sets the company of each, with its name and domain. A company is found by its id, by its domain, or else by its exact name without regard to
 * case. One with the name but another domain is another company; one without a domain gets it. Otherwise a company is made, by the actor who
 * writes the contact. `isWritten` tells which of them are still written, before any company is made or changed. In the context's transaction,
 * in which the companies keep their names: a change of their name waits, and then finds the contacts.
 */
export async function linkCompanies(
  tx: Context,
  linkings: readonly Linking[],
  isWritten: (linkings: readonly Linking[]) => Promise<readonly Linking[]> = async all => all,
): Promise<void> {
  if (linkings.length === 0) return
  const plan = await planFor(tx.db, linkings)
  if (plan.isComplete && plan.isDone) return setAll(linkings, plan.companies)
  // It waits for locks, so it does not run among the writes of others.
  const work = async (db: Queries) => {
    const inside = inTransaction(tx, db)
    const written = await isWritten(linkings)
    if (written.length > 0) setAll(written, await makeCompanies(inside, written))
  }
  await tx.db.transaction(work, { isExclusive: true })
}

async function makeCompanies(tx: Context, linkings: readonly Linking[]): Promise<readonly CompanyOfContact[]> {
  const names = linkings.flatMap(({ orgId, wanted }) => ('id' in wanted ? [] : [[orgId, wanted.name ?? wanted.domain ?? ''] as const]))
  await tx.db.query(lockNames, [names.map(([orgId]) => orgId), names.map(([, name]) => name)])
  let unlocked: Plan['unlocked'] = []
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const plan = await planFor(tx.db, linkings, unlocked)
    if (plan.isComplete && (await writePlan(tx, plan))) return plan.companies
    unlocked = plan.unlocked
  }
  throw new AppError('CONFLICT', 'The company is being changed or deleted by others; try again', { retryAfter: 1 })
}

async function planFor(db: Queries, linkings: readonly Linking[], lockedToo: Plan['unlocked'] = []): Promise<Plan> {
  const plan = new Plan(linkings, lockedToo)
  plan.choose(await db.query(findCompanies, [storedJson(plan.keys)]))
  return plan
}

function setAll(linkings: readonly Linking[], companies: readonly CompanyOfContact[]): void {
  for (const [index, { fields }] of linkings.entries()) {
    const company = companies[index]
    if (company) Object.assign(fields, { companyId: company.id, companyName: company.name, companyDomain: company.domain })
  }
}
