// Many suggestions decided by one rule: each on its own, so that one which cannot be accepted leaves the others alone.

import { isId } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid } from '../errors.ts'
import { lockedFields } from './provenance.ts'
import { type Suggestion, suggestionById, suggestionColumns, suggestionRow } from './suggestion.sql.ts'
import { acceptSuggestion, rejectSuggestion } from './suggestion.ts'
import { conditionsOf, type SuggestionFilter } from './suggestion-page.ts'
import { contactOfTarget } from './target.ts'

export interface BulkRule extends Omit<SuggestionFilter, 'status' | `${string}In`> {
  /** These only, as far as the rest of the rule holds for them. */
  ids?: readonly string[] | null
  /** Only where the record has no value yet. */
  onlyEmpty?: boolean | null
}

export interface BulkInput {
  decision: 'accept' | 'reject'
  rule: BulkRule
  reason?: string | null
  /** The last suggestion of an earlier answer: goes on behind it, past what could not be decided. */
  after?: string | null
}

export interface BulkRow {
  index: number
  id: string
  outcome: 'accepted' | 'rejected' | 'failed'
  error: { code: string; message: string; problems: null } | null
}

export interface BulkResult {
  results: BulkRow[]
  succeeded: number
  failed: number
  /** More fit the rule than one call decides. */
  hasMore: boolean
}

// 200: what is decided in a second or two.
const mostDecided = 200

/** Decides the pending suggestions that fit the rule, oldest first. A rule that says nothing is INVALID, as is an unknown `after`. */
export async function decideSuggestions(context: Context, { decision, rule, reason, after }: BulkInput): Promise<BulkResult> {
  const orgId = organizationOf(context)
  const { ids, onlyEmpty, ...filter } = rule
  if (Object.values(rule).every(value => value === null || value === undefined || value === false)) throw saysNothing()
  if (ids && ids.length > mostDecided) throw tooManyIds(ids.length)
  const conditions = [
    ...conditionsOf(filter),
    ...(ids ? [{ name: 'ids', value: ids, sql: (parameter: string) => `id::text = any(${parameter}::text[])` }] : []),
  ]
  const place = after ? await placeOf(context, after) : []
  const first = place.length + 3
  const where = conditions.map(({ sql, value }, index) => ` and ${sql(`$${index + first}`, value)}`).join('')
  const behind = after ? ' and (created_at, id) > ($3::timestamptz, $4::uuid)' : ''
  const empty = onlyEmpty ? ` and (current_value is null or current_value in ('null', '""', '[]'))` : ''
  const found = await context.db.query(
    statement<Suggestion>(
      '',
      `select ${suggestionColumns} from suggestions where org_id = $1 and status = 'pending' and expires_at > $2::timestamptz${behind}${where}${empty}
       order by created_at, id limit ${mostDecided + 1}`,
      suggestionRow,
    ),
    [orgId, context.now().toISOString(), ...place, ...conditions.map(({ value }) => value)],
  )
  await context.countWrites?.(Math.min(found.length, mostDecided) - 1)
  const results: BulkRow[] = []
  for (const [index, suggestion] of found.slice(0, mostDecided).entries())
    results.push(await decideOne(context, index, suggestion, decision, reason ?? null))
  const failed = results.filter(({ outcome }) => outcome === 'failed').length
  return { results, succeeded: results.length - failed, failed, hasMore: found.length > mostDecided }
}

async function placeOf(context: Context, id: string): Promise<[createdAt: string, id: string]> {
  const [suggestion] = isId(id) ? await context.db.query(suggestionById, [organizationOf(context), id]) : []
  if (suggestion) return [suggestion.createdAt, suggestion.id]
  const error = 'there is no such suggestion'
  throw invalid({ path: ['after'], type: 'value_error', message: `Value error, ${error}`, input: id, context: { error } })
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
    // What the database itself refused has ended an open transaction, and with it all rows.
    if (!(error instanceof AppError) || error.cause !== undefined || error.code === 'UNAVAILABLE') throw error
    return { index, id, outcome: 'failed', error: { code: error.code, message: error.message, problems: null } }
  }
}

/** A rule is not a look: without a person who decides, what a person said stays. */
async function checkUnlocked(context: Context, { orgId, target, field }: Suggestion): Promise<void> {
  if (context.principal.kind === 'session') return
  const contact = await contactOfTarget(context, orgId, target)
  if (contact && (await lockedFields(context, contact)).has(field))
    throw new AppError('CONFLICT', 'A person has set this field; accept the suggestion by itself to replace the value')
}

function saysNothing(): AppError {
  const error = 'say which suggestions are meant'
  return invalid({ path: ['rule'], type: 'value_error', message: `Value error, ${error}`, input: {}, context: { error } })
}

function tooManyIds(size: number): AppError {
  const message = `List should have at most ${mostDecided} items after validation, not ${size}`
  return invalid({ path: ['ids'], type: 'too_long', message, input: null, context: { max_length: mostDecided, actual_length: size } })
}
