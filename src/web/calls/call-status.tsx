// The state of a call as a tone and a word, with the reason when the call ended otherwise than planned.

import type { CallRowFragment } from '../generated/operations.ts'
import type { CallOutcome, CallStatus } from '../generated/schema.ts'
import { callWords, endedReasonWords } from '../language/en/calls.ts'
import { sentence, wordOf } from '../language/values.ts'
import { Status, type Tone } from '../pieces/status.tsx'

const tones = {
  QUEUED: 'waiting',
  RINGING: 'waiting',
  IN_PROGRESS: 'information',
  COMPLETED: 'good',
  BUSY: 'quiet',
  NO_ANSWER: 'quiet',
  CANCELED: 'quiet',
  FAILED: 'failing',
} satisfies Record<CallStatus, Tone>

const over: ReadonlySet<CallStatus> = new Set(['COMPLETED', 'BUSY', 'NO_ANSWER', 'CANCELED', 'FAILED'])

export const isOver = (status: CallStatus): boolean => over.has(status)

type Stated = Pick<CallRowFragment, 'status' | 'dispatchState' | 'endedReason'>

export function CallState({ call }: { call: Stated }) {
  return <Status tone={call.dispatchState === 'BLOCKED' ? 'failing' : tones[call.status]} label={stateOf(call)} />
}

/**
 * The status in a word. A call that waits for calling hours is "Scheduled", not "Queued"; a call that was never dialled is "Blocked", not
 * "Failed".
 */
export function stateOf({ status, dispatchState, endedReason }: Stated): string {
  if (dispatchState === 'BLOCKED') return callWords.blocked(endedReason && wordOf(endedReasonWords, endedReason))
  if (status === 'QUEUED' && dispatchState === 'SCHEDULED') return callWords.scheduled
  return callWords.status[status]
}

const goals: Partial<Record<CallOutcome, Tone>> = {
  GOAL_MET: 'good',
  TRANSFERRED: 'good',
  CALLBACK_REQUESTED: 'waiting',
  DO_NOT_CALL: 'failing',
  FAILED: 'failing',
}

export function Outcome({ outcome }: { outcome: CallOutcome }) {
  return <Status tone={goals[outcome] ?? 'quiet'} label={callWords.outcome[outcome]} />
}

/** Why a call ended, as a sentence without its full stop. */
export const endedText = (reason: string): string => sentence(wordOf(endedReasonWords, reason))

/** 75 as "1:15". */
export function minutes(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const rest = String(whole % 60).padStart(2, '0')
  return `${Math.floor(whole / 60)}:${rest}`
}

/** The person on the other end: the contact's name, or else the number. */
export const calledName = ({ contact, toNumber }: Pick<CallRowFragment, 'contact' | 'toNumber'>): string =>
  contact?.fullName ?? contact?.email ?? toNumber
