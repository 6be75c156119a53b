// Validates a record's input with the database: its owner among the organization's members, `custom` against the custom fields, and its
// telephone number with the organization's country.

import { countryOf } from '../../identity/organizations/country-and-currency.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { at, Invalid, valueError } from '../../kernel/input/problem.ts'
import type { GivenAddress, ListChanges } from '../contact/addresses/address.ts'
import { internationalNumber, isCallable } from '../contact/phone.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { readCustom } from '../custom-fields/value.ts'
import type { RecordChanges } from './input.ts'
import type { RecordNoun } from './nouns.ts'

/** Fields whose values depend on the organization. A noun may have some of them. */
interface Checked extends RecordChanges<{ ownerUserId: string | null; phone?: string | null; country?: string | null }> {
  phones?: ListChanges
}

const hasCustom = ({ custom }: Checked) => custom !== null && Object.keys(custom).length > 0
const isNational = (changes: Checked) => numbersOf(changes).some(number => !isCallable(number))
const numbersOf = ({ fields, phones }: Checked) => [
  ...(fields.phone ? [fields.phone] : []),
  ...[...(phones?.all ?? []), ...(phones?.add ?? [])].map(({ value }) => value),
  ...(phones?.remove ?? []),
]
/** Whether the changes can only be validated with the organization's members, custom fields or country. */
export const needsOrganization = (changes: Checked): boolean =>
  typeof changes.fields.ownerUserId === 'string' || hasCustom(changes) || isNational(changes)

/** Adds the problems of each, and normalizes numbers and custom values. `customFields`: definitions that do not exist yet as they will. */
export async function checkInOrganization(
  context: Context,
  orgId: string,
  noun: RecordNoun,
  all: readonly Checked[],
  customFields?: readonly CustomField[],
): Promise<void> {
  const owners = new Set(all.map(({ fields }) => fields.ownerUserId).filter(owner => typeof owner === 'string'))
  const members = owners.size > 0 ? await membersAmong(context, orgId, [...owners]) : owners
  const definitions = all.some(hasCustom) ? (customFields ?? (await customFieldsOf(context, orgId, noun))) : []
  const country = all.some(isNational) ? await countryOf(context, orgId) : null

  for (const changes of all) {
    const { ownerUserId, phone } = changes.fields
    if (isNational(changes)) {
      const near = changes.fields.country ?? country
      if (phone) changes.fields.phone = internationally(phone, near)
      const of = (one: GivenAddress) => ({ ...one, value: internationally(one.value, near) })
      const { all, add, remove } = changes.phones ?? { add: [], remove: [] }
      if (changes.phones)
        changes.phones = {
          ...(all && { all: all.map(of) }),
          add: add.map(of),
          remove: remove.map(number => internationally(number, near)),
        }
    }
    if (ownerUserId && !members.has(ownerUserId))
      changes.problems.push(valueError('ownerUserId', 'no member of the organization has this id', ownerUserId))
    if (changes.custom === null) continue
    const custom = readCustom(definitions, changes.custom)
    if (custom instanceof Invalid) for (const problem of at('custom', custom)) changes.problems.push(problem)
    else changes.custom = custom
  }
}

function internationally(phone: string, country: string | null): string {
  const international = isCallable(phone) ? null : internationalNumber(phone, country)
  // A number with an extension stays as it is given: the extension would be lost.
  return international?.extension === null ? international.number : phone
}

/** The given users who are members of the organization. */
export async function membersAmong({ db }: Context, orgId: string, userIds: string[]): Promise<ReadonlySet<string>> {
  const members = await db.prisma.membership.findMany({
    where: { organizationId: orgId, userId: { in: userIds } },
    select: { userId: true },
  })
  return new Set(members.map(({ userId }) => userId))
}

/** The organization of the context; null where the caller has several and has chosen none. */
export function chosenOrganization(context: Context): string | null {
  try {
    return organizationOf(context)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return null
    throw error
  }
}
