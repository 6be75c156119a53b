// Moves a call: the new state, its event, its money and what follows from its end, in one transaction.

import { updateContact } from '../contacts/contact.ts'
import { contactReached } from '../contacts/contact-reached.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import { eventValues } from '../events.ts'
import { creditsOf, microOf } from '../money.ts'
import { lockedCall, moveCallRow, movedValues, noteCallRow } from './call.sql.ts'
import type { CallRecord } from './call-row.ts'
import { type DispatchState, dispatchMoves, isOver } from './call-state.ts'
import { proposeValues } from './call-tasks.ts'
import type { TranscriptLine } from './telephony.ts'

/** The call, for this transaction alone. */
export async function lockCall(context: Context, orgId: string, id: string): Promise<CallRecord | null> {
  const [call] = await context.db.query(lockedCall, [orgId, id])
  return call ?? null
}

export interface Move {
  /** What changes; the rest stays. */
  change: Partial<CallRecord>
  transcript?: readonly TranscriptLine[] | null
}

// What listeners are told of. Everything else of a call is our own bookkeeping.
const told = [
  ...(['dispatchState', 'status', 'outcome', 'providerCallId', 'recordingUrl', 'summary', 'answeredBy', 'answeredAt', 'endedAt'] as const),
  ...(['durationSeconds', 'endedReason', 'providerReason', 'extracted', 'creditsCharged'] as const),
] satisfies (keyof CallRecord)[]

const lockContact = statement<{ id: string }>(
  'contact_to_leave_alone',
  'select id from contacts where org_id = $1 and id = $2 and deleted_at is null for update',
)

/** Moves a locked call. A move that is not legal is a fault of ours, and throws. */
export async function moveCall(context: Context, before: CallRecord, { change, transcript = null }: Move): Promise<CallRecord> {
  const after: CallRecord = { ...before, ...change }
  if (after.dispatchState === 'dispatched') after.dispatchedAt ??= context.now().toISOString()
  checkLegal(before, after)
  const hasEnded = isOver(after.status) && !isOver(before.status)
  if (hasEnded) after.creditsCharged = await settled(context, after)

  const changes = Object.fromEntries(
    told
      .filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map(field => [field, [before[field], after[field]]]),
  )
  const values = [after.id, context.now().toISOString(), transcript && JSON.stringify(transcript), ...movedValues(after)]
  const isTold = Object.keys(changes).length > 0 || transcript !== null
  const event = {
    type: hasEnded ? 'call.ended' : 'call.updated',
    entityId: after.id,
    // The contact's timeline tells that a call was placed and how it ended, not how it rang.
    contactId: hasEnded ? after.contactId : null,
    changes,
    orgId: after.orgId,
  }
  const [row] = isTold
    ? await context.db.query(moveCallRow, [...values, ...eventValues(context, event)])
    : await context.db.query(noteCallRow, values)
  if (isTold) context.services.outbox.announce()

  if (hasEnded && after.contactId !== null && after.answeredAt !== null && after.endedAt !== null && after.answeredBy !== 'machine')
    await contactReached(context, after.contactId, after.endedAt)
  // Whoever said so is not called again: by nobody, for nothing.
  if (after.outcome === 'do_not_call' && 'outcome' in changes && after.answeredAt !== null) await leaveAlone(context, after)
  const hasLearned = 'extracted' in changes || (hasEnded && Object.keys(after.extracted).length > 0)
  if (isOver(after.status) && hasLearned && after.contactId !== null) await proposeValues(context, after)
  return { ...after, ...row, transcriptLines: transcript?.length ?? after.transcriptLines }
}

async function leaveAlone(context: Context, { orgId, contactId }: CallRecord): Promise<void> {
  const [contact] = contactId === null ? [] : await context.db.query(lockContact, [orgId, contactId])
  if (contact) await updateContact(context, contact.id, { doNotCall: true })
}

function checkLegal(before: CallRecord, after: CallRecord): void {
  const illegal =
    (after.dispatchState !== before.dispatchState && !dispatchMoves[before.dispatchState].includes(after.dispatchState)) ||
    (isOver(before.status) && after.status !== before.status) ||
    (before.providerCallId !== null && after.providerCallId !== before.providerCallId) ||
    (isOver(after.status) && endless.includes(after.dispatchState))
  if (illegal)
    throw new Error(`Call ${before.id} cannot move from ${before.dispatchState}/${before.status} to ${after.dispatchState}/${after.status}`)
}

// A call that is over waits for nothing: neither for its turn nor for an answer.
const endless: readonly DispatchState[] = ['pending', 'scheduled']

/** Charges what the call has cost and gives back the rest of what was held. */
async function settled(context: Context, { holdId, answeredAt, durationSeconds, creditsReserved }: CallRecord): Promise<number> {
  if (holdId === null) return 0
  const { money } = context.services
  if (answeredAt === null || durationSeconds === null) {
    await money.release(context, holdId)
    return 0
  }
  const most = microOf(creditsReserved)
  const cost = costOf(context, durationSeconds)
  const { chargedMicro } = await money.settle(context, holdId, cost < most ? cost : most)
  return creditsOf(chargedMicro)
}

/** What so many seconds of talking cost, in micro-credits, rounded up. */
export function costOf({ services: { config } }: Context, seconds: number): bigint {
  return (microOf(config.VOICE_PRICE_PER_MINUTE) * BigInt(seconds) + 59n) / 60n
}
