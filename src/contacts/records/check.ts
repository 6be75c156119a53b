// Validates a record's input with the database: its owner among the organization's members, and `custom` against the custom fields.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { at, Invalid, valueError } from '../../kernel/input/problem.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { readCustom } from '../custom-fields/value.ts'
import type { RecordChanges } from './input.ts'

type OwnedChanges = RecordChanges<{ ownerUserId: string | null }>

const hasCustom = ({ custom }: OwnedChanges) => custom !== null && Object.keys(custom).length > 0
/** Whether the changes can only be validated with the organization's members or custom fields. */
export const needsOrganization = (changes: OwnedChanges): boolean => typeof changes.fields.ownerUserId === 'string' || hasCustom(changes)

/** Adds the problems of each, and normalizes the custom values. `customFields`: definitions that do not exist yet as they will. */
export async function checkOwnersAndCustom(
  context: Context,
  orgId: string,
  all: readonly OwnedChanges[],
  customFields?: readonly CustomField[],
): Promise<void> {
  const owners = new Set(all.map(({ fields }) => fields.ownerUserId).filter(owner => typeof owner === 'string'))
  const members = owners.size > 0 ? await membersAmong(context, orgId, [...owners]) : owners
  const definitions = all.some(hasCustom) ? (customFields ?? (await customFieldsOf(context, orgId))) : []

  for (const changes of all) {
    const { ownerUserId } = changes.fields
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

/** The organization of the context; null where the caller has several and has chosen none. */
export function chosenOrganization(context: Context): string | null {
  try {
    return organizationOf(context)
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return null
    throw error
  }
}
