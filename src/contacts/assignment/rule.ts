// The assignment rule of an organization: who becomes the owner of new contacts that have none. Owners and admins set it.

import { managing } from '../../identity/organizations/membership.ts'
import { organizationEvents } from '../../identity/organizations/organization.sql.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { countries } from '../../kernel/countries.ts'
import { invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { membersAmong } from '../records/check.ts'
import { contactSources } from '../records/source.ts'
import { type AssignmentEntry, type AssignmentKind, readRule } from './rule.sql.ts'

export interface AssignmentRule {
  kind: AssignmentKind
  entries: readonly AssignmentEntry[]
  userIds: readonly string[]
}

export interface NewRule {
  kind: AssignmentKind
  entries?: readonly AssignmentEntry[] | null
  userIds?: readonly string[] | null
}

const none: AssignmentRule = { kind: 'none', entries: [], userIds: [] }
// Each new contact reads them.
export const maxUsers = 200
export const maxEntries = 300

/** The rule of the organization, without users who are no members any more. */
export async function assignmentRule(context: Context): Promise<AssignmentRule> {
  const [rule] = await context.db.query(readRule, [organizationOf(context)])
  if (!rule) return none
  const isMember = (userId: string) => rule.members.includes(userId)
  const entries = rule.entries.filter(({ userId }) => isMember(userId))
  return { kind: rule.kind, entries, userIds: rule.userIds.filter(isMember) }
}

/** Replaces the rule. Throws INVALID and FORBIDDEN. */
export function setAssignmentRule(context: Context, { kind, entries, userIds }: NewRule): Promise<AssignmentRule> {
  const given: AssignmentRule = { kind, entries: (entries ?? []).map(normal), userIds: [...new Set(userIds ?? [])] }
  const rule = kind === 'none' ? none : kind === 'round_robin' ? { ...given, entries: [] } : given
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: orgId }) => {
    const problems = [...problemsOf(rule), ...(await problemsOfUsers(inside, orgId, rule))]
    if (problems.length > 0) throw invalid(problems)
    const before = await assignmentRule(inside)
    const { prisma } = inside.db
    if (kind === 'none') await prisma.assignmentRule.deleteMany({ where: { orgId } })
    else {
      const data = { kind, entries: rule.entries.map(entry => ({ ...entry, values: [...entry.values] })), userIds: [...rule.userIds] }
      const updatedAt = inside.now()
      await prisma.assignmentRule.upsert({
        where: { orgId },
        create: { orgId, ...data, updatedAt },
        update: { ...data, updatedAt, version: { increment: 1 } },
      })
    }
    const changes = { assignment: [before.kind, kind] }
    await recordEvent(inside, { type: organizationEvents.updated, entityId: orgId, orgId, changes })
    return rule
  })
}

const normal = ({ values, userId }: AssignmentEntry): AssignmentEntry => ({ userId, values: [...new Set(values.map(one => one.trim()))] })

function problemsOf({ kind, entries, userIds }: AssignmentRule): Problem[] {
  if (kind === 'none') return []
  if (userIds.length > maxUsers) return [valueError('userIds', `they are more than ${maxUsers}`, userIds.length)]
  if (entries.length > maxEntries) return [valueError('entries', `they are more than ${maxEntries}`, entries.length)]
  if (kind === 'round_robin') return userIds.length === 0 ? [problem('userIds', 'missing', null)] : []
  if (entries.length === 0) return [problem('entries', 'missing', null)]
  const known: ReadonlySet<string> = kind === 'by_country' ? countries : new Set(contactSources.values)
  const expected = kind === 'by_country' ? 'a country code of ISO 3166-1 alpha-2, such as DE' : `one of ${contactSources.values.join(', ')}`
  const seen = new Set<string>()
  return entries.flatMap(({ values }) =>
    values.flatMap(value => {
      if (!known.has(value)) return [valueError('entries', `it is not ${expected}`, value)]
      if (seen.has(value)) return [valueError('entries', 'two members have it; leave it at one of them', value)]
      seen.add(value)
      return []
    }),
  )
}

async function problemsOfUsers(context: Context, orgId: string, { entries, userIds }: AssignmentRule): Promise<Problem[]> {
  const all = [...userIds.map(userId => ['userIds', userId] as const), ...entries.map(({ userId }) => ['entries', userId] as const)]
  if (all.length === 0) return []
  const members = await membersAmong(context, orgId, [...new Set(all.map(([, userId]) => userId))])
  return all.flatMap(([field, userId]) =>
    members.has(userId) ? [] : [valueError(field, 'no member of the organization has this id', userId)],
  )
}
