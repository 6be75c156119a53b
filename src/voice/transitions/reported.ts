// The facts that messages have reported of a call, merged so that their order does not matter: they come late, twice, and in any order.
//
// A fact only grows while a call lasts, so one of two different facts is known to be the later one: the longest duration and transcript, the
// latest end, the earliest answer. Each rule here is a maximum of some order, which gives the same result for every order of messages.

import { createHash } from 'node:crypto'
import type { AnsweredBy, CallNews, CallOutcome, CallStatus, TranscriptLine } from '../providers/telephony.ts'

/** The facts that were reported, or none of them. Others of a call are derived from these and from when its messages arrived. */
// A type, because an interface is not assignable to JSON.
export type Reported = {
  /** Whether a message said that the call was answered: it was in progress, or completed, or the callee was heard. */
  answered?: true
  answeredAt?: string
  endedAt?: string
  durationSeconds?: number
  answeredBy?: AnsweredBy
  outcome?: CallOutcome
  endedReason?: string
  providerReason?: string
  /** Tells transcripts of as many lines apart. */
  transcript?: string
  /** When we first heard of the answer and of the end, by our clock. Shown times are moved by later reports, these are not. */
  answerHeardAt?: string
  endHeardAt?: string
}

// A carrier only knows that a call was completed; the conversation knows why.
const isBetterReason = (one: string, other: string) => one !== 'completed' && (other === 'completed' || isFuller(one, other))

export function mergeReport(known: Reported, news: CallNews, status: CallStatus): Reported {
  const answers = news.isAnswered || news.status === 'in_progress' || news.status === 'completed'
  return withoutUnknown({
    // A call that ended as busy or without an answer has no answer.
    answered: known.answered || (answers && status !== 'busy' && status !== 'no_answer') || undefined,
    answeredAt: most(known.answeredAt, news.answeredAt?.toISOString(), (one, other) => one < other),
    endedAt: most(known.endedAt, news.endedAt?.toISOString(), (one, other) => one > other),
    durationSeconds: most(known.durationSeconds, news.durationSeconds, (one, other) => one > other),
    answeredBy: most(known.answeredBy, news.answeredBy, earlierIn(answererOrder)),
    outcome: most(known.outcome, news.outcome, earlierIn(outcomeOrder)),
    endedReason: most(known.endedReason, news.endedReason, isBetterReason),
    providerReason: most(known.providerReason, news.providerReason, isFuller),
    transcript: known.transcript,
    answerHeardAt: known.answerHeardAt,
    endHeardAt: known.endHeardAt,
  })
}

/** The longer text; of texts of one length, the first in order. */
export const fuller = (known: string | null, told: string | null | undefined): string | null =>
  most(known ?? undefined, told ?? undefined, isFuller) ?? null

/** All extracted values. Of two values of a field the one with the fuller JSON. */
export function mergeValues(
  known: Readonly<Record<string, unknown>>,
  told: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const isNews = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(known, name) || isFuller(JSON.stringify(value), JSON.stringify(known[name]))
  return { ...known, ...Object.fromEntries(Object.entries(told).filter(isNews)) }
}

/** The mark of a transcript that has more to say than the known one: more lines, or as many with more characters. Null if it has not. */
export function fullerTranscript(
  { lines, mark = '' }: { lines: number; mark?: string | undefined },
  told: readonly TranscriptLine[] | undefined,
): string | null {
  if (!told || told.length === 0 || told.length < lines) return null
  const characters = told.reduce((total, { text }) => total + text.length, 0)
  const own = `${String(characters).padStart(9, '0')} ${createHash('sha256').update(JSON.stringify(told)).digest('base64url')}`
  return told.length > lines || own > mark ? own : null
}

function most<Value>(known: Value | undefined, told: Value | undefined, wins: (one: Value, other: Value) => boolean): Value | undefined {
  if (known === undefined || told === undefined) return known ?? told
  return wins(told, known) ? told : known
}

const isFuller = (one: string, other: string) => (one.length === other.length ? one < other : one.length > other.length)

const earlierIn =
  <Value>(order: readonly Value[]) =>
  (one: Value, other: Value) =>
    order.indexOf(one) < order.indexOf(other)

// A machine is noticed late, after it was taken for a human.
const answererOrder: readonly AnsweredBy[] = ['machine', 'fax', 'ivr', 'human', 'unknown']
// Binding outcomes before achieved ones; an outcome that the status says anyway is last.
const outcomeOrder: readonly CallOutcome[] = [
  ...(['do_not_call', 'wrong_number', 'callback_requested', 'transferred', 'voicemail', 'declined'] as const),
  ...(['goal_not_met', 'goal_met', 'busy', 'no_answer', 'failed', 'unknown'] as const),
]

// `undefined` is not JSON, and a fact that is absent equals one that was never stored.
const withoutUnknown = (facts: { [Name in keyof Reported]: Reported[Name] | undefined }): Reported =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
