// Suggestions: read, accept (compare and set) and reject.

import { isDeepStrictEqual } from 'node:util'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { type Batch, grouped, inOrder } from '../../kernel/dataloaders.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { isId } from '../../kernel/ids.ts'
import { problem } from '../../kernel/input/problem.ts'
import { actorOf } from '../../kernel/principal.ts'
import { customKeyOf, fieldTypes, patchOf, valueIn } from '../targets/field.ts'
import { idsOf, type RecordIds, recordIdsOf, rulesOf, type TargetRecord } from '../targets/record.ts'
import { recordOfTarget, type Target } from '../targets/target.ts'
import {
  lockSuggestion,
  type Suggestion,
  type SuggestionStatus,
  suggestionEvents,
  suggestionsById,
  suggestionsOfJobs,
} from './suggestion.sql.ts'

export async function getSuggestion(context: Context, id: string): Promise<Suggestion> {
  const [suggestion] = isId(id) ? await context.db.query(suggestionsById, [organizationOf(context), [id]]) : []
  if (!suggestion) throw notFound('suggestion', id)
  return suggestion
}

export const loadSuggestions: Batch<string, Suggestion | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(suggestionsById, [organizationOf(context), ids]), suggestion => suggestion.id)

export const loadSuggestionsOfJobs: Batch<string, Suggestion[]> = async (context, ids) =>
  grouped(ids, await context.db.query(suggestionsOfJobs, [organizationOf(context), ids]), suggestion => suggestion.jobId ?? '')

/**
 * Writes the proposed value to the record if the field still has the value for which the suggestion was made. Throws SUGGESTION_STALE with
 * `currentValue` if it has changed, TARGET_NOT_FOUND if the target has no record, and CONFLICT if the suggestion is already decided
 * otherwise. Accepting again changes nothing.
 */
export async function acceptSuggestion(context: Context, id: string): Promise<Suggestion> {
  const known = await getSuggestion(context, id)
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const suggestion = await pending(inside, known.id, 'accepted')
    if (suggestion.status !== 'pending') return suggestion
    const record = await setValue(inside, suggestion)
    return decide(inside, suggestion, 'accepted', null, idsOf(record))
  })
}

/**
 * Rejects the suggestion. The record stays unchanged. Throws CONFLICT if the suggestion is already decided otherwise; rejecting again
 * changes nothing.
 */
export async function rejectSuggestion(context: Context, id: string, reason?: string | null): Promise<Suggestion> {
  const known = await getSuggestion(context, id)
  const why = reason?.trim() || null
  if (why !== null && [...why].length > maxReason) throw invalid(problem('reason', 'string_too_long', reason, { max_length: maxReason }))
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const suggestion = await pending(inside, known.id, 'rejected')
    return suggestion.status === 'pending' ? decide(inside, suggestion, 'rejected', why) : suggestion
  })
}

const maxReason = 1000

/** Locks a suggestion that is pending or already has the wanted status. Throws CONFLICT otherwise. */
async function pending(context: Context, id: string, wanted: SuggestionStatus): Promise<Suggestion> {
  const [suggestion] = await context.db.query(lockSuggestion, [organizationOf(context), id])
  if (!suggestion) throw notFound('suggestion', id)
  const { status, expiresAt } = suggestion
  if (status === wanted) return suggestion
  const now = status === 'pending' && Date.parse(expiresAt) <= context.now().getTime() ? 'expired' : status
  if (now !== 'pending') throw new AppError('CONFLICT', `The suggestion is ${now.replace('_', ' ')} already`, { currentStatus: now })
  return suggestion
}

/** Compares and sets the value, with the record's row locked. */
async function setValue(context: Context, suggestion: Suggestion): Promise<TargetRecord> {
  const { orgId, target, field, currentValue, proposedValue } = suggestion
  const found = await recordOfTarget(context, orgId, target)
  if (!found) throw new AppError('TARGET_NOT_FOUND', noRecord(target))
  const { lock, update } = rulesOf[found.noun]
  // A suggestion that was made before there was a record may be about anything.
  if (customKeyOf(field) === null && !fieldTypes[found.noun].has(field))
    throw new AppError('CONFLICT', `A ${found.noun} has no field ${field}: take the value over elsewhere, or reject the suggestion`)
  const record = (await lock(context, orgId, found.row.id)) ? await recordOfTarget(context, orgId, target) : null
  if (!record) throw new AppError('TARGET_NOT_FOUND', `The ${found.noun} has just been deleted`)
  const current = valueIn(record, field)
  if (!isDeepStrictEqual(current ?? null, currentValue ?? null))
    throw new AppError('SUGGESTION_STALE', 'The value has changed since this was suggested', { field, currentValue: current })
  await update(context, record.row.id, patchOf(field, proposedValue))
  return record
}

function noRecord({ kind, id, hostApp }: Target): string {
  if (Object.hasOwn(rulesOf, kind)) return `There is no record of ${kind} ${id} of ${hostApp} to change`
  return `There are no records of kind ${kind} here to change: take the value over where they are kept, or reject the suggestion`
}

async function decide(
  context: Context,
  suggestion: Suggestion,
  status: 'accepted' | 'rejected',
  reason: string | null,
  ids: RecordIds = { contactId: suggestion.contactId, companyId: suggestion.companyId },
): Promise<Suggestion> {
  const { id, field, proposedValue } = suggestion
  await writeDecision(context, id, { status, reason, ...ids })
  const changes = { field, proposedValue, ...(reason !== null && { reason }) }
  await recordEvent(context, { type: suggestionEvents[status], entityId: id, ...recordIdsOf(ids), changes })
  const now = context.now().toISOString()
  return { ...suggestion, status, reason, ...ids, decidedBy: actorOf(context.principal), decidedAt: now, updatedAt: now }
}

/** Ends a pending suggestion whose row the transaction has locked or inserted. */
export async function writeDecision(
  context: Context,
  id: string,
  decision: Pick<Suggestion, 'status' | 'reason' | keyof RecordIds>,
): Promise<void> {
  const { type, id: actorId, name } = actorOf(context.principal)
  const now = context.now()
  const data = { ...decision, decidedByType: type, decidedById: actorId, decidedByName: name, decidedAt: now, updatedAt: now }
  await context.db.prisma.suggestion.update({ where: { id }, data, select: { id: true } })
}
