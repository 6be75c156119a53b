// What can be wrong with what a user wants of a key, in the words of the 422 body.

import type { Problem } from '../errors.ts'
import { scopes as allScopes, type Principal } from './principal.ts'

const longestLabel = 100
/** 30 days. A longer overlap is not a rotation but a second key. */
const longestOverlapSeconds = 2_592_000

const allowedScopes: readonly string[] = ['*', ...allScopes]
const expectedScopes = `${allowedScopes
  .slice(0, -1)
  .map(scope => `'${scope}'`)
  .join(', ')} or '${allowedScopes.at(-1)}'`

export const labelProblems = (label: string) => lengthProblems(['label'], label, longestLabel)

/** A trimmed text must have 1 to `most` characters. */
export function lengthProblems(path: Problem['path'], text: string, most: number): Problem[] {
  if (text.length === 0)
    return [{ path, type: 'string_too_short', message: 'String should have at least 1 character', input: text, context: { min_length: 1 } }]
  if (text.length <= most) return []
  return [
    { path, type: 'string_too_long', message: `String should have at most ${most} characters`, input: text, context: { max_length: most } },
  ]
}

export function scopeProblems(scopes: readonly string[]): Problem[] {
  return [
    ...emptyProblems(['scopes'], scopes),
    ...scopes.flatMap((scope, index) =>
      allowedScopes.includes(scope)
        ? []
        : [
            {
              path: ['scopes', index],
              type: 'enum',
              message: `Input should be ${expectedScopes}`,
              input: scope,
              context: { expected: expectedScopes },
            },
          ],
    ),
  ]
}

/** A key opens organizations of its maker's, and no others. */
export function organizationProblems(orgIds: readonly string[], principal: Principal): Problem[] {
  const mine: readonly string[] = principal.kind === 'session' ? principal.orgIds : []
  const error = 'you belong to no such organization'
  return [
    ...emptyProblems(['organizationIds'], orgIds),
    ...orgIds.flatMap((orgId, index) =>
      mine.includes(orgId)
        ? []
        : [{ path: ['organizationIds', index], type: 'value_error', message: `Value error, ${error}`, input: orgId, context: { error } }],
    ),
  ]
}

export function expiryProblems(expiresAt: Date | null | undefined, now: Date): Problem[] {
  if (!expiresAt || expiresAt > now) return []
  return [{ path: ['expiresAt'], type: 'datetime_future', message: 'Input should be in the future', input: expiresAt.toISOString() }]
}

export function overlapProblems(seconds: number): Problem[] {
  const at = { path: ['overlapSeconds'], input: seconds }
  if (seconds < 0) return [{ ...at, type: 'greater_than_equal', message: 'Input should be greater than or equal to 0', context: { ge: 0 } }]
  if (seconds <= longestOverlapSeconds) return []
  const message = `Input should be less than or equal to ${longestOverlapSeconds}`
  return [{ ...at, type: 'less_than_equal', message, context: { le: longestOverlapSeconds } }]
}

function emptyProblems(path: Problem['path'], list: readonly unknown[]): Problem[] {
  if (list.length > 0) return []
  return [
    { path, type: 'too_short', message: 'List should have at least 1 item after validation, not 0', input: [], context: { min_length: 1 } },
  ]
}
