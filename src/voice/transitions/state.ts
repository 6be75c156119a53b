// The states of a call: the legal transitions, and the next state after news from a provider. Pure: no clock, no database.

import { isDeepStrictEqual } from 'node:util'
import type { AnsweredBy, CallNews, CallOutcome, CallStatus, TranscriptLine } from '../providers/telephony.ts'
import { secondsBetween } from '../providers/times.ts'
import { fuller, fullerTranscript, mergeReport, mergeValues, type Reported } from './reported.ts'

/** The progress of a call on our side, from the request to the provider's confirmation. */
const dispatchStates = ['pending', 'scheduled', 'dispatching', 'dispatched', 'unconfirmed', 'blocked', 'failed', 'canceled'] as const
export type DispatchState = (typeof dispatchStates)[number]

/** The properties that transitions read and change. */
export interface CallState {
  dispatchState: DispatchState
  status: CallStatus
  outcome: CallOutcome | null
  providerCallId: string | null
  answeredBy: AnsweredBy | null
  answeredAt: string | null
  endedAt: string | null
  durationSeconds: number | null
  endedReason: string | null
  providerReason: string | null
  recordingUrl: string | null
  summary: string | null
  transcriptLines: number
  extracted: Readonly<Record<string, unknown>>
  /** Null before the first message, and in calls whose messages an earlier release applied. */
  reported: Reported | null
}

/** A call with the time of its dial by our clock. */
type TimedCall = CallState & { dispatchedAt?: string | null }

/** The next state of a call. The transcript is separate, because it is large, and no transition reads it. */
export interface Advance {
  state: CallState
  transcript: readonly TranscriptLine[] | null
  /** Whether the provider still has a call that has ended here, so that it must be ended there too. */
  mustHangUp: boolean
}

const rank: Record<CallStatus, number> = {
  queued: 0,
  ringing: 1,
  in_progress: 2,
  completed: 3,
  busy: 3,
  no_answer: 3,
  failed: 3,
  canceled: 3,
}

export const isOver = (status: CallStatus): boolean => rank[status] === 3

/** Whether the call has not been sent to a provider yet. */
export const isWaiting = (state: DispatchState): boolean => state === 'pending' || state === 'scheduled'

/** Whether the call was sent to a provider, so that the phone may ring. Such calls occupy a concurrency slot. */
export const isOut = (state: DispatchState): boolean => state === 'dispatching' || state === 'dispatched' || state === 'unconfirmed'

/** The legal transitions on our side. Any other is a bug. */
export const legalTransitions: Record<DispatchState, readonly DispatchState[]> = {
  pending: ['scheduled', 'dispatching', 'dispatched', 'blocked', 'failed', 'canceled'],
  scheduled: ['pending', 'dispatching', 'dispatched', 'blocked', 'failed', 'canceled'],
  // Back to pending only if the provider has certainly not received the request.
  dispatching: ['pending', 'dispatched', 'unconfirmed', 'failed', 'canceled'],
  unconfirmed: ['dispatched', 'failed'],
  dispatched: [],
  blocked: [],
  failed: [],
  canceled: [],
}

/**
 * Applies news to a call; null if it changes nothing. A status only moves forward, and a final one never changes. Facts get better, also after
 * the end, and do not depend on the order of the news (see reported.ts).
 */
export function advance(call: TimedCall, news: CallNews, now: Date): Advance | null {
  // The first provider id is kept: a second call at the provider with this call's id is ignored.
  if (call.providerCallId !== null && news.providerCallId !== undefined && news.providerCallId !== call.providerCallId) return null

  const wasOver = isOver(call.status)
  const status = nextStatus(call, news.status)
  const over = isOver(status)
  const isNews = news.status !== undefined || news.providerCallId !== undefined
  const dispatchState: DispatchState =
    isNews && !wasOver && (isWaiting(call.dispatchState) || isOut(call.dispatchState)) ? 'dispatched' : call.dispatchState

  // The reason of a failed dial must not replace the reason that the provider gives for the end.
  const providerReason = dispatchState === call.dispatchState ? call.providerReason : null

  const known = factsOf(call)
  const merged = withArrivals(mergeReport(known, news, status), over, now)
  const mark = fullerTranscript({ lines: call.transcriptLines, mark: known.transcript }, news.transcript)
  const reported = mark === null ? merged : { ...merged, transcript: mark }
  const times = timesOf(call, reported)
  const answeredBy = times.answeredAt === null ? call.answeredBy : (reported.answeredBy ?? call.answeredBy)
  const state: CallState = {
    ...times,
    dispatchState,
    status,
    answeredBy,
    outcome: !over ? null : isOwn(call) ? call.outcome : outcomeOf(status, reported, answeredBy),
    providerCallId: call.providerCallId ?? news.providerCallId ?? null,
    endedReason: over ? reasonOf(call, known, reported) : null,
    providerReason: reported.providerReason ?? providerReason,
    recordingUrl: fuller(call.recordingUrl, news.recordingUrl),
    summary: fuller(call.summary, news.summary),
    transcriptLines: mark === null ? call.transcriptLines : (news.transcript?.length ?? 0),
    extracted: mergeValues(call.extracted, news.extracted),
    reported,
  }
  const mustHangUp = wasOver && call.dispatchState !== 'dispatched' && news.status !== undefined && !isOver(news.status)
  const transcript = mark === null ? null : (news.transcript ?? null)
  return mustHangUp || differs(call, state) ? { state, transcript, mustHangUp } : null
}

/** The state of a call that ends without news from the provider: refused, blocked, canceled or lost. */
export function close(
  call: TimedCall,
  {
    dispatchState = call.dispatchState,
    ...end
  }: { dispatchState?: DispatchState; status: CallStatus; outcome: CallOutcome; endedReason: string; providerReason?: string },
  now: Date,
): CallState {
  return {
    ...call,
    reported: factsOf(call),
    dispatchState,
    status: end.status,
    outcome: end.outcome,
    endedAt: now.toISOString(),
    durationSeconds: call.answeredAt === null ? null : secondsUntil(now, call.answeredAt, call),
    endedReason: end.endedReason,
    providerReason: end.providerReason ?? call.providerReason,
  }
}

function nextStatus({ status }: CallState, reported: CallStatus | undefined): CallStatus {
  if (reported === undefined || rank[reported] <= rank[status]) return status
  // An answered call is neither busy nor unanswered, even if the provider reports its end as such.
  return status === 'in_progress' && (reported === 'busy' || reported === 'no_answer' || reported === 'canceled') ? 'completed' : reported
}

/** The known facts. Calls of an earlier release, and calls that were closed here, lack stored facts: the shown values replace them. */
function factsOf({ reported, ...shown }: CallState): Reported {
  const { answeredAt, endedAt } = shown
  return {
    ...(reported ?? seedOf(shown)),
    ...(answeredAt !== null && { answerHeardAt: reported?.answerHeardAt ?? answeredAt }),
    ...(endedAt !== null && { endHeardAt: reported?.endHeardAt ?? endedAt }),
  }
}

// An earlier release did not store which facts were reported. In its calls all known facts count as reported.
const seedOf = ({ answeredAt, endedAt, durationSeconds, answeredBy }: Omit<CallState, 'reported'>): Reported => ({
  ...(answeredAt !== null && { answered: true, answeredAt }),
  ...(endedAt !== null && { endedAt }),
  ...(durationSeconds !== null && { durationSeconds }),
  ...(answeredBy !== null && { answeredBy }),
})

/** Adds when the answer and the end were first heard of, which is now if they were unknown. */
const withArrivals = (reported: Reported, over: boolean, now: Date): Reported => ({
  ...reported,
  ...(reported.answered && { answerHeardAt: reported.answerHeardAt ?? now.toISOString() }),
  ...(over && { endHeardAt: reported.endHeardAt ?? now.toISOString() }),
})

/** The reported time, otherwise the time that follows from it, otherwise the arrival of the first message that said so. */
function timesOf(call: TimedCall, reported: Reported): Pick<CallState, 'answeredAt' | 'endedAt' | 'durationSeconds'> {
  const { answerHeardAt, endHeardAt, durationSeconds: seconds } = reported
  const shiftTime = (time: string, by: number) => new Date(Date.parse(time) + by * 1000).toISOString()

  let endedAt: string | null = null
  let isEndOurs = false
  if (endHeardAt !== undefined) {
    const implied =
      answerHeardAt !== undefined && reported.answeredAt !== undefined && seconds !== undefined
        ? shiftTime(reported.answeredAt, seconds)
        : null
    endedAt = reported.endedAt ?? implied ?? endHeardAt
    isEndOurs = reported.endedAt === undefined && implied === null
  }
  if (answerHeardAt === undefined) return { answeredAt: null, endedAt, durationSeconds: null }

  const implied = endedAt !== null && seconds !== undefined ? shiftTime(endedAt, -seconds) : null
  // A call is not answered after it was heard of: a late or rounded end would move the time that people have seen.
  let answeredAt = reported.answeredAt ?? (implied !== null && implied < answerHeardAt ? implied : answerHeardAt)
  // The clocks may differ: an end before the answer would make a negative duration.
  if (endedAt !== null && answeredAt > endedAt) {
    if (reported.answeredAt === undefined) answeredAt = endedAt
    else endedAt = answeredAt
  }
  const secondsUntilEnd = (end: string) =>
    isEndOurs ? secondsUntil(new Date(end), answeredAt, call) : secondsBetween(new Date(answeredAt), new Date(end))
  return { answeredAt, endedAt, durationSeconds: endedAt === null ? null : (seconds ?? secondsUntilEnd(endedAt)) }
}

/** The seconds to an end by our clock. An answer before the dial comes from a slow clock, and would cost too much. */
const secondsUntil = (end: Date, answeredAt: string, { dispatchedAt }: TimedCall): number =>
  secondsBetween(new Date(dispatchedAt != null && dispatchedAt > answeredAt ? dispatchedAt : answeredAt), end)

function outcomeOf(status: CallStatus, reported: Reported, answeredBy: AnsweredBy | null): CallOutcome {
  if (reported.outcome !== undefined && reported.outcome !== 'unknown') return reported.outcome
  switch (status) {
    case 'busy':
    case 'no_answer':
    case 'failed':
      return status
    case 'completed':
      return answeredBy === 'machine' ? 'voicemail' : 'unknown'
    default:
      return 'unknown'
  }
}

/** Whether the outcome was decided here, or by an earlier release, and does not follow from the reports. */
const isOwn = ({ outcome, status, reported, answeredBy }: CallState) =>
  outcome !== null && outcome !== outcomeOf(status, reported ?? {}, answeredBy)

// Reasons of a call that was closed because nobody could tell how it ended.
const unknownEnds = ['provider_lost', 'dispatch_lost']

/** A reason that was given here, such as `canceled`, stays. */
function reasonOf({ endedReason }: CallState, known: Reported, reported: Reported): string | null {
  const isGivenHere = endedReason !== null && endedReason !== known.endedReason && !unknownEnds.includes(endedReason)
  return isGivenHere ? endedReason : (reported.endedReason ?? endedReason)
}

function differs(before: CallState, after: CallState): boolean {
  const known = { ...before, reported: factsOf(before) }
  return (Object.keys(after) as (keyof CallState)[]).some(field => !isDeepStrictEqual(known[field], after[field]))
}
