// Suggestions: looked at, accepted by comparing and setting, rejected.

import { isDeepStrictEqual } from 'node:util'
import { updateContact } from '../contacts/contact.ts'
import type { Contact } from '../contacts/contact-row.ts'
import { isId } from '../contacts/page.ts'
import { type Context, inTransaction, organizationOf } from '../context.ts'
import { statement } from '../database/client.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { recordEvent } from '../events.ts'
import { actorOf } from '../identity/principal.ts'
import { type Batch, grouped, inOrder } from '../load.ts'
import { patchOf, valueIn } from './field.ts'
import {
  decideSuggestion,
  lockSuggestion,
  type Suggestion,
  type SuggestionStatus,
  suggestionById,
  suggestionsById,
  suggestionsOfJobs,
} from './suggestion.sql.ts'
import { contactOfTarget, type Target } from './target.ts'

export async function getSuggestion(context: Context, id: string): Promise<Suggestion> {
  const [suggestion] = isId(id) ? await context.db.query(suggestionById, [organizationOf(context), id]) : []
  if (!suggestion) throw notFound('suggestion', id)
  return suggestion
}

export const loadSuggestions: Batch<string, Suggestion | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(suggestionsById, [organizationOf(context), ids]), suggestion => suggestion.id)

export const loadSuggestionsOfJobs: Batch<string, Suggestion[]> = async (context, ids) =>
  grouped(ids, await context.db.query(suggestionsOfJobs, [organizationOf(context), ids]), suggestion => suggestion.jobId ?? '')

/**
 * Takes the proposed value over, where the record still has the value that the suggestion was made for. Throws SUGGESTION_STALE for
 * another one, with `currentValue`; TARGET_NOT_FOUND where no record is the target; CONFLICT for a suggestion that is decided already.
 * Accepting again what is accepted changes nothing.
 */
export async function acceptSuggestion(context: Context, id: string): Promise<Suggestion> {
  const known = await getSuggestion(context, id)
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const suggestion = await pending(inside, known.id, 'accepted')
    if (suggestion.status !== 'pending') return suggestion
    const contact = await setValue(inside, suggestion)
    return decide(inside, suggestion, 'accepted', null, contact.id)
  })
}

/** Leaves the record as it is. Throws CONFLICT for a suggestion that is decided already; rejecting again changes nothing. */
export async function rejectSuggestion(context: Context, id: string, reason?: string | null): Promise<Suggestion> {
  const known = await getSuggestion(context, id)
  const why = reason?.trim() || null
  if (why !== null && [...why].length > longestReason)
    throw invalid({
      path: ['reason'],
      type: 'string_too_long',
      message: `String should have at most ${longestReason} characters`,
      input: reason,
      context: { max_length: longestReason },
    })
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const suggestion = await pending(inside, known.id, 'rejected')
    return suggestion.status === 'pending' ? decide(inside, suggestion, 'rejected', why, null) : suggestion
  })
}

const longestReason = 1000

/** The suggestion, locked: pending, or decided as wanted already. */
async function pending(context: Context, id: string, wanted: SuggestionStatus): Promise<Suggestion> {
  const [suggestion] = await context.db.query(lockSuggestion, [organizationOf(context), id])
  if (!suggestion) throw notFound('suggestion', id)
  const { status, expiresAt } = suggestion
  if (status === wanted) return suggestion
  const now = status === 'pending' && Date.parse(expiresAt) <= context.now().getTime() ? 'expired' : status
  if (now !== 'pending') throw new AppError('CONFLICT', `The suggestion is ${now.replace('_', ' ')} already`, { status: now })
  return suggestion
}

const lockContact = statement<{ id: string }>('suggestion_contact_lock', 'select id from contacts where org_id = $1 and id = $2 for update')

/** Compares and sets: whoever changes the contact at the same moment waits, or is waited for. */
async function setValue(context: Context, suggestion: Suggestion): Promise<Contact> {
  const { orgId, target, field, currentValue, proposedValue } = suggestion
  const found = await contactOfTarget(context, orgId, target)
  if (!found) throw new AppError('TARGET_NOT_FOUND', noRecord(target))
  await context.db.query(lockContact, [orgId, found.id])
  const contact = await contactOfTarget(context, orgId, target)
  if (!contact) throw new AppError('TARGET_NOT_FOUND', 'The contact has just been deleted')
  const current = valueIn(contact, field)
  if (!isDeepStrictEqual(current ?? null, currentValue ?? null))
    throw new AppError('SUGGESTION_STALE', 'The value has changed since this was suggested', { field, currentValue: current })
  return updateContact(context, contact.id, patchOf(field, proposedValue))
}

function noRecord({ kind, id, hostApp }: Target): string {
  if (kind === 'contact') return `There is no record of ${kind} ${id} of ${hostApp} to change`
  return `There are no records of kind ${kind} here to change: take the value over where they are kept, or reject the suggestion`
}

async function decide(
  context: Context,
  { id, field, proposedValue, contactId }: Suggestion,
  status: 'accepted' | 'rejected',
  reason: string | null,
  contact: string | null,
): Promise<Suggestion> {
  const { type, id: actorId, name } = actorOf(context.principal)
  const [decided] = await context.db.query(decideSuggestion, [
    id,
    status,
    type,
    actorId,
    name,
    context.now().toISOString(),
    reason,
    contact,
  ])
  if (!decided) throw new AppError('CONFLICT', 'The suggestion was decided at this moment by somebody else')
  const changes = { field, proposedValue, ...(reason !== null && { reason }) }
  await recordEvent(context, { type: `suggestion.${status}`, entityId: id, contactId: contact ?? contactId, changes })
  return decided
}
