// Checks of deals that need the database: the company and the contacts are of the organization, and the reason why a deal was lost is known.

import { currencyOf } from '../../identity/organizations/country-and-currency.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { oneOf, type Problem, valueError } from '../../kernel/input/problem.ts'
import type { StageKind } from '../pipelines/row.ts'
import { readDealSettings } from '../pipelines/settings.ts'
import { checkInOrganization, chosenOrganization, needsOrganization } from '../records/check.ts'
import { liveContacts } from './contacts.sql.ts'
import { liveCompanies } from './deal.sql.ts'
import { type DealChanges, type DealPatch, needsCurrency, readDeal } from './input.ts'

/** Validates an input. Throws INVALID with the problems of all fields, after `found`. */
export async function checkDeal(context: Context, orgId: string, input: DealPatch, found: readonly Problem[] = []): Promise<DealChanges> {
  const changes = readDeal(input)
  await checkReferences(context, orgId, changes)
  if (found.length + changes.problems.length > 0) throw invalid([...found, ...changes.problems])
  return changes
}

/** The problems of an input. Without a chosen organization, only its own. */
export async function problemsOfDeal(context: Context, input: DealPatch): Promise<Problem[]> {
  const changes = readDeal(input)
  const orgId = chosenOrganization(context)
  if (orgId !== null) await checkReferences(context, orgId, changes)
  return changes.problems
}

async function checkReferences(context: Context, orgId: string, changes: DealChanges): Promise<void> {
  if (needsOrganization(changes)) await checkInOrganization(context, orgId, 'deal', [changes])
  const { companyId } = changes.fields
  if (typeof companyId === 'string') {
    const found = isId(companyId) ? await context.db.query(liveCompanies, [orgId, [companyId]]) : []
    if (found.length === 0) changes.problems.push(valueError('companyId', 'no company has this id', companyId))
  }
  const contactIds = (changes.contacts ?? []).map(({ contactId }) => contactId)
  if (contactIds.length === 0) return
  const found = new Set((await context.db.query(liveContacts, [orgId, contactIds.filter(isId)])).map(({ id }) => id))
  for (const [index, id] of contactIds.entries())
    if (!found.has(id)) changes.problems.push(valueError(['contacts', index, 'contactId'], 'no contact has this id', id))
}

export const usualCurrency = (context: Context, orgId: string, changes: DealChanges) =>
  needsCurrency(changes) ? currencyOf(context, orgId) : null

/** Throws INVALID for a lost deal without a reason, for a reason outside of the organization's list, and for the reason of a deal that is not lost. */
export async function checkReason(context: Context, kind: StageKind, reason: string | null): Promise<void> {
  if (kind !== 'lost') {
    if (reason !== null) throw invalid(valueError('lostReason', 'only a lost deal has a reason', reason))
    return
  }
  const { lostReasons } = await readDealSettings(context)
  if (reason === null) throw invalid(valueError('lostReason', 'a lost deal needs a reason'))
  if (lostReasons.length > 0 && !lostReasons.includes(reason))
    throw invalid(valueError('lostReason', `it is none of the reasons of the organization: send ${oneOf(lostReasons)}`, reason))
}
