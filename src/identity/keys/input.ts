// Validation of the fields with which API keys are created and rotated.

import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { scopes as allScopes, isAtLeast, type SessionPrincipal } from '../../kernel/principal.ts'

const maxLabel = 100
/** 30 days. With a longer overlap there would be two keys rather than a rotation. */
const maxOverlapSeconds = 2_592_000

const allowedScopes: readonly string[] = ['*', ...allScopes]
const expectedScopes = `${allowedScopes
  .slice(0, -1)
  .map(scope => `'${scope}'`)
  .join(', ')} or '${allowedScopes.at(-1)}'`

export const labelProblems = (label: string) => lengthProblems(['label'], label, maxLabel)

/** The problems of a trimmed text that must have 1 to `max` characters. */
export function lengthProblems(path: Problem['path'], text: string, max: number): Problem[] {
  if (text.length === 0) return [problem(path, 'string_too_short', text, { min_length: 1 })]
  return text.length > max ? [problem(path, 'string_too_long', text, { max_length: max })] : []
}

export function scopeProblems(scopes: readonly string[]): Problem[] {
  return [
    ...emptyProblems(['scopes'], scopes),
    ...scopes.flatMap((scope, index) =>
      allowedScopes.includes(scope) ? [] : [problem(['scopes', index], 'enum', scope, { expected: expectedScopes })],
    ),
  ]
}

/** The problems of a key's organizations: its creator must be at least a member of each. */
export function organizationProblems(orgIds: readonly string[], principal: SessionPrincipal): Problem[] {
  return [
    ...emptyProblems(['organizationIds'], orgIds),
    ...orgIds.flatMap((orgId, index) =>
      mayManageKeys(principal, orgId)
        ? []
        : [valueError(['organizationIds', index], 'you belong to no such organization, or are a viewer there', orgId)],
    ),
  ]
}

export const mayManageKeys = ({ roles }: SessionPrincipal, orgId: string): boolean => isAtLeast(roles[orgId] ?? 'viewer', 'member')

export function expiryProblems(expiresAt: Date | null | undefined, now: Date): Problem[] {
  if (!expiresAt || expiresAt > now) return []
  return [problem('expiresAt', 'datetime_future', expiresAt.toISOString())]
}

export function overlapProblems(seconds: number): Problem[] {
  if (seconds < 0) return [problem('overlapSeconds', 'greater_than_equal', seconds, { ge: 0 })]
  return seconds > maxOverlapSeconds ? [problem('overlapSeconds', 'less_than_equal', seconds, { le: maxOverlapSeconds })] : []
}

function emptyProblems(path: Problem['path'], list: readonly unknown[]): Problem[] {
  return list.length > 0 ? [] : [problem(path, 'too_short', [], { min_length: 1 })]
}
