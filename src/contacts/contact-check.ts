// What a contact's input says must also be true of its organization: its custom fields, its members. Asked only when something needs it.

import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { invalid, type Problem } from '../errors.ts'
import { type Changes, type ContactPatch, readContact } from './contact-input.ts'
import { at, Failed } from './contact-value.ts'
import { customFieldsOf } from './custom-field.ts'
import { readCustom } from './custom-value.ts'

/** Reads one input. Throws INVALID with every problem it has, behind those that were found before. */
export async function checkedContact(
  context: Context,
  orgId: string,
  input: ContactPatch,
  found: readonly Problem[] = [],
): Promise<Changes> {
  const changes = readContact(input)
  changes.problems = [...found, ...changes.problems]
  if (needsOrganization(changes)) await checkInOrganization(context, orgId, [changes])
  if (changes.problems.length > 0) throw invalid(changes.problems)
  return changes
}

/** Reads many. What is wrong with one is in its `problems`. */
export async function checkedContacts(context: Context, orgId: string, inputs: readonly ContactPatch[]): Promise<Changes[]> {
  const all = inputs.map(readContact)
  const some = all.filter(needsOrganization)
  if (some.length > 0) await checkInOrganization(context, orgId, some)
  return all
}

const hasCustom = ({ custom }: Changes) => custom !== null && Object.keys(custom).length > 0
const needsOrganization = (changes: Changes) => typeof changes.fields.ownerUserId === 'string' || hasCustom(changes)

const selectMembers = statement<{ userId: string }>(
  'members_among',
  'select user_id as "userId" from memberships where organization_id = $1 and user_id = any($2::text[])',
)

async function checkInOrganization(context: Context, orgId: string, all: readonly Changes[]): Promise<void> {
  const owners = new Set(all.map(({ fields }) => fields.ownerUserId).filter(owner => typeof owner === 'string'))
  const members =
    owners.size > 0 ? new Set((await context.db.query(selectMembers, [orgId, [...owners]])).map(({ userId }) => userId)) : owners
  const definitions = all.some(hasCustom) ? await customFieldsOf(context, orgId) : []

  for (const changes of all) {
    const { ownerUserId } = changes.fields
    if (ownerUserId && !members.has(ownerUserId)) {
      const error = 'no member of the organization has this id'
      changes.problems.push({
        path: ['ownerUserId'],
        type: 'value_error',
        message: `Value error, ${error}`,
        input: ownerUserId,
        context: { error },
      })
    }
    if (changes.custom === null) continue
    const custom = readCustom(definitions, changes.custom)
    if (custom instanceof Failed) for (const problem of at('custom', custom)) changes.problems.push(problem)
    else changes.custom = custom
  }
}
