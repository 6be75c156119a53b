// Validates a contact's input: each field, its owner among the organization's members, and `custom` against the custom fields.

import { countryOf } from '../../identity/organizations/country-and-currency.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { at, Invalid, type Problem, valueError } from '../../kernel/input/problem.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { readCustom } from '../custom-fields/value.ts'
import { type Changes, type ContactPatch, readContact } from './input.ts'
import { internationalNumber, isCallable } from './phone.ts'

/** Validates an input. Throws INVALID with the problems in `found` and all of the input's own. */
export async function checkContact(context: Context, orgId: string, input: ContactPatch, found: readonly Problem[] = []): Promise<Changes> {
  const changes = readContact(input)
  changes.problems = [...found, ...changes.problems]
  if (needsOrganization(changes)) await checkInOrganization(context, orgId, [changes])
  if (changes.problems.length > 0) throw invalid(changes.problems)
  return changes
}

/** The problems of each input. Without a chosen organization, members and custom fields are not checked. */
export async function problemsOfContacts(context: Context, inputs: readonly ContactPatch[]): Promise<Problem[][]> {
  const orgId = chosenOrganization(context)
  const all = orgId === null ? inputs.map(readContact) : await checkContacts(context, orgId, inputs)
  return all.map(({ problems }) => problems)
}

function chosenOrganization(context: Context): string | null {
  try {
    return organizationOf(context)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return null
    throw error
  }
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
  if (some.length > 0) await checkInOrganization(context, orgId, some, customFields)
  return all
}

const hasCustom = ({ custom }: Changes) => custom !== null && Object.keys(custom).length > 0
const isNational = ({ fields }: Changes) => typeof fields.phone === 'string' && !isCallable(fields.phone)
const needsOrganization = (changes: Changes) => typeof changes.fields.ownerUserId === 'string' || hasCustom(changes) || isNational(changes)

async function checkInOrganization(
  context: Context,
  orgId: string,
  all: readonly Changes[],
  customFields?: readonly CustomField[],
): Promise<void> {
  const owners = new Set(all.map(({ fields }) => fields.ownerUserId).filter(owner => typeof owner === 'string'))
  const members = owners.size > 0 ? await membersAmong(context, orgId, [...owners]) : owners
  const definitions = all.some(hasCustom) ? (customFields ?? (await customFieldsOf(context, orgId))) : []

  const country = all.some(isNational) ? await countryOf(context, orgId) : null

  for (const changes of all) {
    const { ownerUserId, phone } = changes.fields
    // A number with an extension stays as it is given: the extension would be lost.
    const international = phone && isNational(changes) ? internationalNumber(phone, changes.fields.country ?? country) : null
    if (international?.extension === null) changes.fields.phone = international.number
    if (ownerUserId && !members.has(ownerUserId))
      changes.problems.push(valueError('ownerUserId', 'no member of the organization has this id', ownerUserId))
    if (changes.custom === null) continue
    const custom = readCustom(definitions, changes.custom)
    if (custom instanceof Invalid) for (const problem of at('custom', custom)) changes.problems.push(problem)
    else changes.custom = custom
  }
}

/** The given users who are members of the organization. */
export async function membersAmong({ db }: Context, orgId: string, userIds: string[]): Promise<ReadonlySet<string>> {
  const members = await db.prisma.membership.findMany({
    where: { organizationId: orgId, userId: { in: userIds } },
    select: { userId: true },
  })
  return new Set(members.map(({ userId }) => userId))
}
