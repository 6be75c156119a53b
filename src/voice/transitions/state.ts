// The states of a call: the legal transitions, and the next state after news from a provider. Pure: no clock, no database.

import type { AnsweredBy, CallNews, CallOutcome, CallStatus, TranscriptLine } from '../providers/telephony.ts'

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
}

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
 * Applies news to a call; null if it changes nothing. A status only moves forward, and a final one never changes. Known properties never
 * change; unknown ones are filled in, even after the end.
 */
export function advance(call: CallState, news: CallNews, now: Date): Advance | null {
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

  const times = timesOf(call, news, status, now)
  const answeredBy = call.answeredBy === null || call.answeredBy === 'unknown' ? (news.answeredBy ?? call.answeredBy) : call.answeredBy
  const transcript = news.transcript && news.transcript.length > call.transcriptLines ? news.transcript : null
  const state: CallState = {
    ...times,
    dispatchState,
    status,
    answeredBy: times.answeredAt === null ? call.answeredBy : answeredBy,
    outcome: over ? outcomeOf(call, news, status, answeredBy) : null,
    providerCallId: call.providerCallId ?? news.providerCallId ?? null,
    endedReason: call.endedReason ?? (over ? (news.endedReason ?? null) : null),
    providerReason: providerReason ?? news.providerReason ?? null,
    recordingUrl: call.recordingUrl ?? news.recordingUrl ?? null,
    summary: call.summary ?? news.summary ?? null,
    transcriptLines: transcript ? transcript.length : call.transcriptLines,
    extracted: { ...news.extracted, ...call.extracted },
  }
  const mustHangUp = wasOver && call.dispatchState !== 'dispatched' && news.status !== undefined && !isOver(news.status)
  return mustHangUp || differs(call, state) ? { state, transcript, mustHangUp } : null
}

/** The state of a call that ends without news from the provider: refused, blocked, canceled or lost. */
export function close(
  call: CallState,
  {
    dispatchState = call.dispatchState,
    ...end
  }: { dispatchState?: DispatchState; status: CallStatus; outcome: CallOutcome; endedReason: string; providerReason?: string },
  now: Date,
): CallState {
  const answered = call.answeredAt !== null
  return {
    ...call,
    dispatchState,
    status: end.status,
    outcome: end.outcome,
    endedAt: now.toISOString(),
    durationSeconds: answered && call.answeredAt ? secondsBetween(call.answeredAt, now) : null,
    endedReason: end.endedReason,
    providerReason: end.providerReason ?? call.providerReason,
  }
}

function nextStatus({ status }: CallState, reported: CallStatus | undefined): CallStatus {
  if (reported === undefined || rank[reported] <= rank[status]) return status
  // An answered call is neither busy nor unanswered, even if the provider reports its end as such.
  return status === 'in_progress' && (reported === 'busy' || reported === 'no_answer' || reported === 'canceled') ? 'completed' : reported
}

function timesOf(
  call: CallState,
  news: CallNews,
  status: CallStatus,
  now: Date,
): Pick<CallState, 'answeredAt' | 'endedAt' | 'durationSeconds'> {
  const over = isOver(status)
  let endedAt = call.endedAt ?? (over ? (news.endedAt ?? now).toISOString() : null)
  let { answeredAt } = call
  if (answeredAt === null && (status === 'in_progress' || status === 'completed')) {
    // If the provider did not report the time of the answer, it follows from the duration.
    const since = endedAt !== null && news.durationSeconds !== undefined ? Date.parse(endedAt) - news.durationSeconds * 1000 : now.getTime()
    answeredAt = (news.answeredAt ?? new Date(since)).toISOString()
  }
  // The clocks may differ: an end before the answer would make a negative duration.
  if (answeredAt !== null && endedAt !== null && answeredAt > endedAt) {
    if (call.answeredAt === null) answeredAt = endedAt
    else endedAt = answeredAt
  }
  const durationSeconds =
    call.durationSeconds ??
    (endedAt === null || answeredAt === null ? null : (news.durationSeconds ?? secondsBetween(answeredAt, new Date(endedAt))))
  return { answeredAt, endedAt, durationSeconds }
}

const secondsBetween = (from: string, to: Date) => Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1000))

// The outcome is set at the end. A later analysis may only replace `unknown`.
function outcomeOf(call: CallState, news: CallNews, status: CallStatus, answeredBy: AnsweredBy | null): CallOutcome {
  if (call.outcome !== null && call.outcome !== 'unknown') return call.outcome
  if (news.outcome !== undefined) return news.outcome
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

function differs(before: CallState, after: CallState): boolean {
  const fields = Object.keys(after) as (keyof CallState)[]
  return fields.some(field =>
    field === 'extracted' ? Object.keys(after.extracted).length !== Object.keys(before.extracted).length : before[field] !== after[field],
  )
}
