// Parses Vapi's calls, from its server messages and from its API.

import { createHash, createHmac } from 'node:crypto'
import { constantTimeMatcher } from '../../kernel/crypto/constant-time.ts'
import { jsonOf } from './signed-message.ts'
import {
  type AnsweredBy,
  type CallNews,
  type CallOutcome,
  type CallStatus,
  type Delivery,
  type Message,
  type ProviderEvent,
  type TranscriptLine,
  UnreadableDelivery,
} from './telephony.ts'

/** The properties of a call in Vapi's API that are used here. */
export interface VapiCall {
  id: string
  status?: string
  endedReason?: string
  startedAt?: string
  endedAt?: string
  /** Our call id, which is sent as the name of the call. */
  name?: string | null
  assistantOverrides?: { metadata?: Metadata | null } | null
  /** Also our call id, in calls that were placed before the name was used. */
  metadata?: Metadata | null
  monitor?: { controlUrl?: string } | null
  artifact?: VapiArtifact | null
  analysis?: VapiAnalysis | null
}
type Metadata = { call_id?: string }
interface VapiArtifact {
  messages?: { role?: string; message?: string; secondsFromStart?: number; duration?: number }[] | null
  recordingUrl?: string | null
  recording?: { stereoUrl?: string | null; mono?: { combinedUrl?: string | null } | null } | null
}
interface VapiAnalysis {
  summary?: string | null
  structuredData?: Record<string, unknown> | null
  successEvaluation?: string | boolean | null
}

const statuses: Record<string, CallStatus> = {
  scheduled: 'queued',
  queued: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  forwarding: 'in_progress',
}

/** Our call id; null for a call of another system. */
export const callIdOf = ({ assistantOverrides, metadata, name }: Partial<VapiCall>): string | null =>
  assistantOverrides?.metadata?.call_id ?? metadata?.call_id ?? name ?? null

/** The news in a call of the API. */
export function newsOf(call: VapiCall): CallNews & { providerCallId: string; status: CallStatus } {
  const { id, status = 'queued' } = call
  if (status !== 'ended') return { providerCallId: id, status: statuses[status] ?? 'queued' }
  return { ...reportOf(call, call.endedReason ?? ''), providerCallId: id }
}

// Of about 570 reasons, those that mean something other than completed or failed.
const endings: [RegExp, CallStatus, CallOutcome?, AnsweredBy?][] = [
  [/^customer-busy$/, 'busy'],
  [/^customer-did-not-answer$/, 'no_answer'],
  [/^voicemail$/, 'completed', 'voicemail', 'machine'],
  [/^(manually-canceled|call-deleted|.*\.hang-?up-before)/, 'canceled'],
  [/^assistant-forwarded-call$/, 'completed', 'transferred'],
  [/^(customer-ended-call|assistant-ended-call|assistant-said|silence-timed-out|exceeded-max-duration)/, 'completed'],
]

function reportOf(call: Omit<VapiCall, 'id'>, reason: string): CallNews & { status: CallStatus } {
  const { artifact, analysis, startedAt, endedAt } = call
  const [, status, outcome, answeredBy] = endings.find(([pattern]) => pattern.test(reason)) ?? [null, ended(call, reason)]
  const success = analysis?.successEvaluation
  const goal = success === true || success === 'true' ? 'goal_met' : success === false || success === 'false' ? 'goal_not_met' : undefined
  const from = dateOf(startedAt)
  const to = dateOf(endedAt)
  return {
    status,
    outcome: outcome ?? (status === 'completed' ? goal : undefined),
    answeredBy,
    ...(status === 'completed' && { answeredAt: from }),
    endedAt: to,
    durationSeconds: status === 'completed' && from && to ? Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000)) : undefined,
    endedReason: reason.replaceAll('-', '_') || undefined,
    providerReason: reason || undefined,
    recordingUrl: artifact?.recording?.stereoUrl ?? artifact?.recording?.mono?.combinedUrl ?? artifact?.recordingUrl ?? undefined,
    summary: analysis?.summary ?? undefined,
    transcript: transcriptOf(artifact),
    extracted: analysis?.structuredData ?? undefined,
  }
}

// For other reasons, the call counts as completed if the callee spoke.
const ended = ({ startedAt, artifact }: Omit<VapiCall, 'id'>, reason: string): CallStatus =>
  !/error|failed|fault/.test(reason) && startedAt !== undefined && (artifact?.messages?.some(({ role }) => role === 'user') ?? false)
    ? 'completed'
    : 'failed'

function dateOf(text: string | undefined): Date | undefined {
  const date = text === undefined ? undefined : new Date(text)
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

const roles: Record<string, TranscriptLine['role']> = {
  bot: 'agent',
  assistant: 'agent',
  user: 'user',
  tool_calls: 'tool',
  tool_call_result: 'tool',
}

function transcriptOf(artifact: VapiArtifact | null | undefined): TranscriptLine[] | undefined {
  const lines = artifact?.messages?.filter(({ role = '', message }) => roles[role] !== undefined && message)
  return lines?.map(({ role = '', message = '', secondsFromStart, duration }, index) => {
    const startMs = secondsFromStart === undefined ? null : Math.round(secondsFromStart * 1000)
    // `duration` is in milliseconds.
    return {
      seq: index + 1,
      role: roles[role] ?? 'system',
      text: message,
      startMs,
      endMs: startMs === null || duration === undefined ? null : startMs + Math.round(duration),
    }
  })
}

interface VapiMessage extends Omit<VapiCall, 'id'> {
  type?: string
  call?: Partial<VapiCall> | null
}

/** Reads a server message. Throws UnreadableDelivery. */
export function read({ body }: Message): ProviderEvent {
  const { message } = jsonOf(body) as { message?: VapiMessage | null }
  if (!message || typeof message !== 'object') throw new UnreadableDelivery('there is no message')
  const { type, call, status, endedReason } = message
  const about = { callId: call ? callIdOf(call) : null, providerCallId: call?.id ?? null }
  const key = `${call?.id}:${type}`
  if (type === 'status-update') {
    // The report that usually follows has the same key. This message counts if no report arrives.
    if (status === 'ended') return { ...about, key: `${key}:ended`, news: reportOf(message, endedReason ?? '') }
    const ours = statuses[status ?? '']
    return { ...about, key: `${key}:${status}`, news: ours ? { status: ours } : null }
  }
  if (type !== 'end-of-call-report') return { ...about, key, news: null }
  const digest = createHash('sha256').update(body).digest('base64url')
  return { ...about, key: `${key}:${digest}`, news: reportOf(message, endedReason ?? '') }
}

/** Whether a server message has the secret, in plain text or as a bearer token, or is signed with it. */
export function isGenuine({ headers, body }: Delivery, secret: string): boolean {
  const isSecret = constantTimeMatcher([secret])
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const { authorization = '', 'x-vapi-secret': plain = '', 'x-vapi-signature': signed = '' } = headers
  const bearer = authorization.startsWith('Bearer ') ? authorization.slice(7) : ''
  return isSecret(plain) || isSecret(bearer) || constantTimeMatcher([signature])(signed.replace(/^sha256=/, ''))
}
