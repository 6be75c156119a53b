// Decides all pending suggestions that match a rule. Each is decided separately, so failures do not affect the others.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { AppError, invalid, type RowError, rowErrorOf } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { problem, valueError } from '../../kernel/input/problem.ts'
import { recordOfTarget } from '../targets/target.ts'
import { conditionsOf, type SuggestionFilter } from './list.ts'
import { lockedFields } from './provenance.ts'
import { pendingSuggestions, type Suggestion, suggestionsById } from './suggestion.sql.ts'
import { acceptSuggestion, rejectSuggestion } from './suggestion.ts'

interface BulkRule extends Omit<SuggestionFilter, 'status' | `${string}In`> {
  /** Only these suggestions; the other conditions apply as well. */
  ids?: readonly string[] | null
  /** Only suggestions for fields that had no value. */
  onlyEmpty?: boolean | null
}

export interface BulkInput {
  decision: 'accept' | 'reject'
  rule: BulkRule
  reason?: string | null
  /** The last suggestion of the previous call. Continues after it, skipping suggestions that could not be decided. */
  after?: string | null
}

export interface BulkRow {
  index: number
  id: string
  outcome: 'accepted' | 'rejected' | 'failed'
  error: RowError | null
}

export interface BulkResult {
  results: BulkRow[]
  succeeded: number
  failed: number
  /** Whether more suggestions match than one call decides. */
  hasMore: boolean
}

// 200 decisions take one or two seconds.
const maxDecided = 200

/** Decides the pending suggestions that match the rule, oldest first. Throws INVALID for an empty rule and for an unknown `after`. */
export async function decideSuggestions(context: Context, { decision, rule, reason, after }: BulkInput): Promise<BulkResult> {
  const orgId = organizationOf(context)
  const { ids, onlyEmpty, ...filter } = rule
  if (Object.values(rule).every(value => value === null || value === undefined || value === false)) throw emptyRule()
  if (ids && ids.length > maxDecided) throw tooManyIds(ids.length)
  const conditions = [
    ...conditionsOf(filter),
    ...(ids ? [{ name: 'ids', value: ids, sql: (parameter: string) => `id::text = any(${parameter}::text[])` }] : []),
  ]
  const place = after ? await placeOf(context, after) : []
  const found = await context.db.query(
    pendingSuggestions(conditions, { isAfter: place.length > 0, onlyEmpty: onlyEmpty === true, limit: maxDecided + 1 }),
    [orgId, context.now().toISOString(), ...place, ...conditions.map(({ value }) => value)],
  )
  await context.countWrites?.(Math.min(found.length, maxDecided) - 1)
  const results: BulkRow[] = []
  for (const [index, suggestion] of found.slice(0, maxDecided).entries())
    results.push(await decideOne(context, index, suggestion, decision, reason ?? null))
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  return { results, succeeded: results.length - failed, failed, hasMore: found.length > maxDecided }
}

async function placeOf(context: Context, id: string): Promise<[createdAt: string, id: string]> {
  const [suggestion] = isId(id) ? await context.db.query(suggestionsById, [organizationOf(context), [id]]) : []
  if (suggestion) return [suggestion.createdAt, suggestion.id]
  const error = 'there is no such suggestion'
  throw invalid(valueError('after', error, id))
}

async function decideOne(
  context: Context,
  index: number,
  suggestion: Suggestion,
  decision: BulkInput['decision'],
  reason: string | null,
): Promise<BulkRow> {
  const { id } = suggestion
  try {
    if (decision === 'reject') await rejectSuggestion(context, id, reason)
    else {
      await checkUnlocked(context, suggestion)
      await acceptSuggestion(context, id)
    }
    return { index, id, outcome: decision === 'accept' ? 'accepted' : 'rejected', error: null }
  } catch (error) {
    // A database error has aborted the open transaction, if there is one, and with it all rows.
    if (!(error instanceof AppError) || error.cause !== undefined || error.code === 'UNAVAILABLE') throw error
    return { index, id, outcome: 'failed', error: { ...rowErrorOf(error), problems: null } }
  }
}

/** Throws CONFLICT if a machine would overwrite a value that a person has set. */
async function checkUnlocked(context: Context, { orgId, target, field }: Suggestion): Promise<void> {
  if (context.principal.kind === 'session') return
  const record = await recordOfTarget(context, orgId, target)
  if (record && (await lockedFields(context, record)).has(field))
    throw new AppError('CONFLICT', 'A person has set this field; accept the suggestion by itself to replace the value')
}

function emptyRule(): AppError {
  return invalid(valueError('rule', 'say which suggestions are meant', {}))
}

function tooManyIds(size: number): AppError {
  return invalid(problem('ids', 'too_long', null, { max_length: maxDecided, actual_length: size }))
}
