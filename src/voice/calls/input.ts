// Validates the input of a call. Pure: checks that need the database are in call.ts.

import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, valueError } from '../../kernel/input/problem.ts'
import { between, data, dialable } from '../fields.ts'
import type { VoicemailAction } from '../providers/telephony.ts'

export interface NewCall {
  voiceAgentId: string
  toNumber: string
  contactId?: string | null
  dealId?: string | null
  fromNumber?: string | null
  variables?: Record<string, unknown> | null
  metadata?: Record<string, unknown> | null
  schedule?: { earliestAt?: Date | null; latestAt?: Date | null } | null
  maxDurationSeconds?: number | null
  ringTimeoutSeconds?: number | null
  record?: boolean | null
  voicemail?: { action?: VoicemailAction | null; message?: string | null } | null
  isTrial?: boolean | null
}

/** The input with its defaults. */
export interface CallOrder {
  toNumber: string
  fromNumber: string | null
  variables: Record<string, unknown>
  metadata: Record<string, unknown>
  earliestAt: Date | null
  latestAt: Date | null
  maxDurationSeconds: number
  ringTimeoutSeconds: number
  record: boolean
  voicemailAction: VoicemailAction
  voicemailMessage: string | null
  isTrial: boolean
}

const duration = between(30, 7200)
// A phone does not ring in less than 5 s; after 120 s carriers give up.
const ringing = between(5, 120)
const message = text(1000)

// A year: a later date is probably a typing error.
const furthestMs = 366 * 86_400_000

/** The input with its defaults, and all its problems. */
export function readCall(input: NewCall, now: Date): { order: CallOrder; problems: Problem[] } {
  const problems: Problem[] = []
  const valueOr = <Value>(field: string, value: Value | Invalid, otherwise: Value): Value => {
    if (!(value instanceof Invalid)) return value
    problems.push(...at(field, value))
    return otherwise
  }
  const { schedule, voicemail } = input
  const order: CallOrder = {
    toNumber: valueOr('toNumber', dialable(input.toNumber), ''),
    fromNumber: input.fromNumber == null ? null : valueOr('fromNumber', dialable(input.fromNumber), ''),
    variables: valueOr('variables', data(input.variables ?? {}), {}),
    metadata: valueOr('metadata', data(input.metadata ?? {}), {}),
    earliestAt: schedule?.earliestAt ?? null,
    latestAt: schedule?.latestAt ?? null,
    maxDurationSeconds: valueOr('maxDurationSeconds', duration(input.maxDurationSeconds ?? 600), 600),
    ringTimeoutSeconds: valueOr('ringTimeoutSeconds', ringing(input.ringTimeoutSeconds ?? 30), 30),
    record: input.record ?? true,
    voicemailAction: voicemail?.action ?? (voicemail?.message ? 'leave_message' : 'hang_up'),
    voicemailMessage: valueOr('voicemail', voicemail?.message == null ? null : message(voicemail.message), null),
    isTrial: input.isTrial ?? false,
  }
  const inside = (field: string, path: string, value: unknown, error: string) => problems.push(valueError([field, path], error, value))
  const { earliestAt, latestAt } = order
  if (earliestAt !== null && earliestAt.getTime() > now.getTime() + furthestMs)
    inside('schedule', 'earliestAt', earliestAt.toISOString(), 'it must be within a year')
  if (latestAt !== null && latestAt <= now) inside('schedule', 'latestAt', latestAt.toISOString(), 'it must be in the future')
  if (latestAt !== null && earliestAt !== null && latestAt <= earliestAt)
    inside('schedule', 'latestAt', latestAt.toISOString(), 'it must be after the earliest time')
  if (order.voicemailAction === 'leave_message' && order.voicemailMessage === null && problems.length === 0)
    inside('voicemail', 'message', voicemail?.message ?? null, 'leaving a message needs one')
  return { order, problems }
}
