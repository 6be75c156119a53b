// Transitions of calls: the new state, its event, its charge and the consequences of its end are written in one transaction.

import { lockContact, updateContact } from '../../contacts/contact/contact.ts'
import { contactsReached } from '../../contacts/contact/steps.ts'
import { allDone } from '../../kernel/batching/all-done.ts'
import type { Context, Services } from '../../kernel/context.ts'
import { type EventRow, eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, enterTimelines, eventRow, type NewEvent } from '../../kernel/events/events.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { creditsOf, microOf } from '../../kernel/money.ts'
import { callRecord, changed, lockedCall, updateCalls, updateSaidCalls } from '../calls/call.sql.ts'
import { type CallRecord, callEvents } from '../calls/row.ts'
import { proposeValues } from '../dispatch/queue.ts'
import type { TranscriptLine } from '../providers/telephony.ts'
import { type DispatchState, isOver, legalTransitions } from './state.ts'

/** Locks the call for this transaction. */
export async function lockCall(context: Context, orgId: string, id: string): Promise<CallRecord | null> {
  const [call] = await context.db.query(lockedCall, [orgId, id])
  return call ?? null
}

/** Reads the call without a lock, with all properties that its transitions need. */
export async function readRecord(services: Services, orgId: string, id: string): Promise<CallRecord | null> {
  const [call] = await services.database.query(callRecord, [orgId, id])
  return call ?? null
}

export interface Transition {
  /** The changed properties. */
  change: Partial<CallRecord>
  /** The new transcript, whose length is among the changed properties. */
  transcript?: readonly TranscriptLine[] | null
}

// Changes of these properties are published as events. The others are internal.
const published = [
  ...(['dispatchState', 'status', 'outcome', 'providerCallId', 'recordingUrl', 'summary', 'answeredBy', 'answeredAt', 'endedAt'] as const),
  ...(['durationSeconds', 'endedReason', 'providerReason', 'extracted', 'creditsCharged', 'dispatchAfter'] as const),
] satisfies (keyof CallRecord)[]

/** A transition of a locked call. */
export interface Step {
  context: Context
  before: CallRecord
  transition: Transition
}

/** Writes transitions of locked calls, at most one of each call, in one transaction. Throws for an illegal one, which is a bug. */
export async function applyTransitions({ db, services, now }: Context, steps: readonly Step[]): Promise<CallRecord[]> {
  const [first] = steps
  if (!first) return []
  const written: Written[] = []
  for (const step of steps) written.push(await writeStep(step))

  const events = written.flatMap(({ event }) => event ?? [])
  const said = written.flatMap(({ said }) => said ?? [])
  const rows = written.map(({ after }) => ({ id: after.id, ...changed.record(after) }))
  const values = [storedJson(rows), storedJson(events.map(eventRecord)), now().toISOString()]
  const stored = said.length > 0 ? await db.query(updateSaidCalls, [...values, storedJson(said)]) : await db.query(updateCalls, values)
  await enterTimelines({ db }, events)
  if (events.length > 0) await announce({ db, services })

  const reached = written.flatMap(({ context, after, isReached }) =>
    isReached && after.contactId !== null && after.endedAt !== null ? [{ context, id: after.contactId, at: after.endedAt }] : [],
  )
  if (reached.length > 0) await contactsReached(db, first.before.orgId, reached)
  // A callee who asked not to be called must not be called again, by any agent.
  for (const { context, after, isSuppressed } of written) if (isSuppressed) await suppressContact(context, after)
  const proposing = written.filter(({ hasNewValues }) => hasNewValues)
  await allDone(proposing.map(({ context, after }) => proposeValues(context, after)))

  const storedById = new Map(stored.map(row => [row.id, row]))
  return written.map(({ after }) => ({ ...after, ...storedById.get(after.id) }))
}

/** Writes a transition of one locked call. */
export async function applyTransition(context: Context, before: CallRecord, transition: Transition): Promise<CallRecord> {
  const [after] = await applyTransitions(context, [{ context, before, transition }])
  return after ?? before
}

/** A call after its transition, with the consequences that are written too. */
interface Written {
  context: Context
  after: CallRecord
  event: EventRow | null
  /** Null unless the summary or the transcript has changed. `lines` is null if only the summary has. */
  said: { id: string; org_id: string; summary: string | null; lines: readonly TranscriptLine[] | null } | null
  isReached: boolean
  isSuppressed: boolean
  hasNewValues: boolean
}

// Charges the call where it has ended.
async function writeStep({ context, before, transition: { change, transcript = null } }: Step): Promise<Written> {
  const after: CallRecord = { ...before, ...change }
  if (after.dispatchState === 'dispatched') after.dispatchedAt ??= context.now().toISOString()
  checkLegal(before, after)
  const hasEnded = isOver(after.status) && !isOver(before.status)
  const isAnswerNews = answerFacts.some(field => before[field] !== after[field])
  if (hasEnded) after.creditsCharged = await settleHold(context, after)
  else if (isOver(after.status) && isAnswerNews) after.creditsCharged = await correctCharge(context, after)

  const { id, orgId, contactId, dealId, summary } = after
  const changes = Object.fromEntries(
    published
      .filter(field => before[field] !== after[field] && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map(field => [field, [before[field], after[field]]]),
  )
  const event: NewEvent = {
    type: hasEnded ? callEvents.ended : callEvents.updated,
    entityId: id,
    // Timelines show when a call was placed and how it ended, but not its ringing.
    ...(hasEnded && { contactId, dealId }),
    changes,
    orgId,
  }
  const hasNewValues = 'extracted' in changes || (hasEnded && Object.keys(after.extracted).length > 0)
  return {
    context,
    after,
    event: Object.keys(changes).length > 0 || transcript !== null ? eventRow(context, event) : null,
    said: transcript !== null || summary !== before.summary ? { id, org_id: orgId, summary, lines: transcript } : null,
    isReached: after.answeredAt !== null && after.answeredBy !== 'machine' && (hasEnded || isAnswerNews),
    isSuppressed: after.outcome === 'do_not_call' && after.answeredAt !== null && ('outcome' in changes || 'answeredAt' in changes),
    hasNewValues: isOver(after.status) && hasNewValues && contactId !== null,
  }
}

async function suppressContact(context: Context, { orgId, contactId }: CallRecord): Promise<void> {
  if (contactId !== null && (await lockContact(context, orgId, contactId))) await updateContact(context, contactId, { doNotCall: true })
}

function checkLegal(before: CallRecord, after: CallRecord): void {
  const illegal =
    (after.dispatchState !== before.dispatchState && !legalTransitions[before.dispatchState].includes(after.dispatchState)) ||
    (isOver(before.status) && after.status !== before.status) ||
    (before.providerCallId !== null && after.providerCallId !== before.providerCallId) ||
    (isOver(after.status) && waitingStates.includes(after.dispatchState))
  if (illegal)
    throw new Error(`Call ${before.id} cannot go from ${before.dispatchState}/${before.status} to ${after.dispatchState}/${after.status}`)
}

// A call with a final status cannot be in these states.
const waitingStates: readonly DispatchState[] = ['pending', 'scheduled']

// The charge and the contact's last conversation follow from these.
const answerFacts = ['answeredAt', 'endedAt', 'durationSeconds', 'answeredBy'] as const

/** Charges the cost of the call and releases the rest of its hold. */
async function settleHold(context: Context, call: CallRecord): Promise<number> {
  const { holdId } = call
  if (holdId === null) return 0
  const { money } = context.services
  const cost = costOfCall(context, call)
  if (cost === 0n) {
    await money.release(context, holdId)
    return 0
  }
  const { chargedMicro } = await money.settle(context, holdId, cost)
  return creditsOf(chargedMicro)
}

/** Charges or returns the difference that later messages make. */
async function correctCharge(context: Context, call: CallRecord): Promise<number> {
  const charged = call.creditsCharged ?? 0
  const cost = costOfCall(context, call)
  if (call.holdId === null || cost === microOf(charged)) return charged
  const { chargedMicro } = await context.services.money.adjust(context, call.holdId, cost)
  return creditsOf(chargedMicro)
}

/** At most the reserved credits; nothing for a call that was not answered. */
function costOfCall(context: Context, { answeredAt, durationSeconds, creditsReserved }: CallRecord): bigint {
  if (answeredAt === null || durationSeconds === null) return 0n
  const max = microOf(creditsReserved)
  const cost = costOf(context, durationSeconds)
  return cost < max ? cost : max
}

/** The price of an answered call with this duration, in micro-credits, rounded up. */
export function costOf({ services: { config } }: Context, seconds: number): bigint {
  return (microOf(config.VOICE_PRICE_PER_MINUTE) * BigInt(seconds) + 59n) / 60n
}
