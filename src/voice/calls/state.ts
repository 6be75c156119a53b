// The life of a call: which moves are legal, and what news of a call make of it. Pure: no clock, no database.

import type { AnsweredBy, CallNews, CallOutcome, CallStatus, TranscriptLine } from './telephony.ts'

/** Our own side of a call: from the request to the provider's word that it has it. */
export const dispatchStates = ['pending', 'scheduled', 'dispatching', 'dispatched', 'unconfirmed', 'blocked', 'failed', 'canceled'] as const
export type DispatchState = (typeof dispatchStates)[number]

/** What a move depends on and changes. */
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

/** What becomes of a call. The transcript travels beside the state: it is large and never read back for a move. */
export interface Advance {
  state: CallState
  transcript: readonly TranscriptLine[] | null
  /** The provider still holds a call that is over for us: it must be ended there too. */
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

/** States of a call that has not been handed to a provider. */
export const isWaiting = (state: DispatchState): boolean => state === 'pending' || state === 'scheduled'

/** States in which a phone rings, may ring, or is about to: what a concurrency slot is for. */
export const isOut = (state: DispatchState): boolean => state === 'dispatching' || state === 'dispatched' || state === 'unconfirmed'

/** How our own side may move. Everything else is a fault of ours. */
export const dispatchMoves: Record<DispatchState, readonly DispatchState[]> = {
  pending: ['scheduled', 'dispatching', 'dispatched', 'blocked', 'failed', 'canceled'],
  scheduled: ['pending', 'dispatching', 'dispatched', 'blocked', 'failed', 'canceled'],
  // Back to pending only when the provider has certainly not been reached.
  dispatching: ['pending', 'dispatched', 'unconfirmed', 'failed', 'canceled'],
  unconfirmed: ['dispatched', 'failed'],
  dispatched: [],
  blocked: [],
  failed: [],
  canceled: [],
}

/**
 * Applies news to a call; null when they change nothing. Status only moves forward and a final one stays; what is known stays known,
 * and what was not is filled in, also after the end.
 */
export function advance(call: CallState, news: CallNews, now: Date): Advance | null {
  // A second call of the provider's that claims to be this one is not: the first stays bound.
  if (call.providerCallId !== null && news.providerCallId !== undefined && news.providerCallId !== call.providerCallId) return null

  const wasOver = isOver(call.status)
  const status = nextStatus(call, news.status)
  const over = isOver(status)
  const isNews = news.status !== undefined || news.providerCallId !== undefined
  const dispatchState: DispatchState =
    isNews && !wasOver && (isWaiting(call.dispatchState) || isOut(call.dispatchState)) ? 'dispatched' : call.dispatchState

  // What stood in the way of the dial counts no more once the provider has the call, and hides nothing that it says of the end.
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

/** A call that ends without, or against, the provider: refused, blocked, canceled, lost. */
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

function nextStatus({ status }: CallState, told: CallStatus | undefined): CallStatus {
  if (told === undefined || rank[told] <= rank[status]) return status
  // Whoever has answered was neither busy nor away: however the provider puts it, the call is over.
  return status === 'in_progress' && (told === 'busy' || told === 'no_answer' || told === 'canceled') ? 'completed' : told
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
    // A provider that never told of the answer tells how long it lasted.
    const since = endedAt !== null && news.durationSeconds !== undefined ? Date.parse(endedAt) - news.durationSeconds * 1000 : now.getTime()
    answeredAt = (news.answeredAt ?? new Date(since)).toISOString()
  }
  // Clocks differ: an end before the answer would make a negative duration.
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

// The outcome comes with the end. An analysis that comes later may say what nobody knew then, and nothing else.
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
