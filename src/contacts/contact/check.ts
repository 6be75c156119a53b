// Validates a contact's input: each field, its owner and custom fields, and its telephone number with the organization's country.

import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'
import { checkInOrganization, chosenOrganization, needsOrganization } from '../records/check.ts'
import { checkCompanies } from './company/check.ts'
import { type Changes, type ContactPatch, readContact } from './input.ts'

/** Validates an input. Throws INVALID with the problems in `found` and all of the input's own. */
export async function checkContact(context: Context, orgId: string, input: ContactPatch, found: readonly Problem[] = []): Promise<Changes> {
  const changes = readContact(input)
  changes.problems = [...found, ...changes.problems]
  if (needsOrganization(changes)) await checkInOrganization(context, orgId, 'contact', [changes])
  await checkCompanies(context, orgId, [changes])
  if (changes.problems.length > 0) throw invalid(changes.problems)
  return changes
}

/** The problems of each input. Without a chosen organization, members and custom fields are not checked. */
export async function problemsOfContacts(context: Context, inputs: readonly ContactPatch[]): Promise<Problem[][]> {
  const orgId = chosenOrganization(context)
  const all = orgId === null ? inputs.map(readContact) : await checkContacts(context, orgId, inputs)
  return all.map(({ problems }) => problems)
}

/** Validates several inputs; each result has its `problems`. `customFields`: definitions that do not exist yet as they will. */
export async function checkContacts(
  context: Context,
  orgId: string,
  inputs: readonly ContactPatch[],
  customFields?: readonly CustomField[],
): Promise<Changes[]> {
  const all = inputs.map(readContact)
  const some = all.filter(needsOrganization)
  if (some.length > 0) await checkInOrganization(context, orgId, 'contact', some, customFields)
  await checkCompanies(context, orgId, all)
  return all
}
