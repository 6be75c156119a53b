// Parses Vapi's calls, from its server messages and from its API.

import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { constantTimeMatcher } from '../../kernel/crypto/constant-time.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { jsonOf } from './signed-message.ts'
import {
  type AnsweredBy,
  type CallNews,
  type CallOutcome,
  type CallStatus,
  type Delivery,
  longest,
  type Message,
  type ProviderEvent,
  type TranscriptLine,
  UnreadableDelivery,
  webAddress,
} from './telephony.ts'
import { millisecondsOf, secondsBetween, secondsOf, timeOf } from './times.ts'

// A property of another type than Vapi documents counts as absent, so that one odd value does not cost the rest of a report.
const readable = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().catch(undefined)
const text = readable(z.string())
// Also as text, as some of its SDKs write numbers.
const number = readable(
  z.union([
    z.number(),
    z
      .string()
      .regex(/^\s{0,9}\d{1,15}(?:\.\d{1,15})?\s{0,9}$/)
      .transform(Number),
  ]),
)
const time = readable(z.union([z.string(), z.number()]))
const metadata = readable(z.object({ call_id: text }))
const line = z.object({ role: text, message: text, secondsFromStart: number, duration: number })

const reported = {
  status: text,
  endedReason: text,
  startedAt: time,
  endedAt: time,
  durationSeconds: number,
  durationMs: number,
  artifact: readable(
    z.object({
      messages: readable(z.array(line.or(z.unknown().transform(() => null)))),
      recordingUrl: text,
      recording: readable(z.object({ stereoUrl: text, mono: readable(z.object({ combinedUrl: text })) })),
    }),
  ),
  analysis: readable(
    z.object({
      summary: text,
      structuredData: readable(z.record(z.string(), z.unknown())),
      successEvaluation: readable(z.union([z.string(), z.boolean()])),
    }),
  ),
}
const naming = {
  // Our call id, which is sent as the name of the call.
  name: text,
  assistantOverrides: readable(z.object({ metadata })),
  // Also our call id, in calls that were placed before the name was used.
  metadata,
}

/** A call in Vapi's API: the properties that are used here. */
export const vapiCall = z.object({
  id: z.string().min(1).max(longest.id),
  ...reported,
  ...naming,
  monitor: readable(z.object({ controlUrl: text })),
})
export type VapiCall = z.output<typeof vapiCall>
type Report = Pick<VapiCall, keyof typeof reported>

const vapiMessage = z.object({
  type: text,
  call: readable(z.object({ id: readable(z.string().max(longest.id)), startedAt: time, endedAt: time, ...naming })),
  ...reported,
})

const statuses: ReadonlyMap<string, CallStatus> = new Map(
  Object.entries({
    scheduled: 'queued',
    queued: 'queued',
    ringing: 'ringing',
    'in-progress': 'in_progress',
    forwarding: 'in_progress',
  } as const),
)

/** Our call id; null for a call of another system. */
export const callIdOf = ({ assistantOverrides, metadata, name }: Pick<VapiCall, keyof typeof naming>): string | null =>
  assistantOverrides?.metadata?.call_id ?? metadata?.call_id ?? name ?? null

/** The news in a call of the API. */
export function newsOf(call: VapiCall): CallNews & { providerCallId: string; status: CallStatus } {
  const { id, status } = call
  if (status !== 'ended') return { providerCallId: id, status: statuses.get(status ?? '') ?? 'queued' }
  return { ...reportOf(call, storableText(call.endedReason ?? '', { maxLength: longest.reason })), providerCallId: id }
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

function reportOf(call: Report, reason: string): CallNews & { status: CallStatus } {
  const { artifact, analysis, startedAt, endedAt, durationSeconds, durationMs } = call
  const [, status, outcome, answeredBy] = endings.find(([pattern]) => pattern.test(reason)) ?? [null, ended(call, reason)]
  const success = analysis?.successEvaluation
  const goal = success === true || success === 'true' ? 'goal_met' : success === false || success === 'false' ? 'goal_not_met' : undefined
  const [from, to] = [timeOf(startedAt), timeOf(endedAt)]
  return {
    status,
    outcome: outcome ?? (status === 'completed' ? goal : undefined),
    answeredBy,
    // They count if the call was answered, which its status says, or that it was in progress.
    answeredAt: from,
    endedAt: to,
    // Times that are in the wrong order, or the same, tell nothing of the duration.
    durationSeconds: from && to && from < to ? secondsBetween(from, to) : secondsOf(durationSeconds ?? (durationMs ?? Number.NaN) / 1000),
    endedReason: reason.replaceAll('-', '_') || undefined,
    providerReason: reason || undefined,
    recordingUrl: webAddress(artifact?.recording?.stereoUrl ?? artifact?.recording?.mono?.combinedUrl ?? artifact?.recordingUrl),
    summary: storableText(analysis?.summary ?? '', { maxLength: longest.summary }) || undefined,
    transcript: transcriptOf(artifact),
    extracted: analysis?.structuredData ?? undefined,
  }
}

// For other reasons, the call counts as completed if the callee spoke.
const ended = ({ startedAt, artifact }: Report, reason: string): CallStatus =>
  !/error|failed|fault/.test(reason) &&
  timeOf(startedAt) !== undefined &&
  (artifact?.messages?.some(line => line?.role === 'user') ?? false)
    ? 'completed'
    : 'failed'

const roles: ReadonlyMap<string, TranscriptLine['role']> = new Map(
  Object.entries({
    bot: 'agent',
    assistant: 'agent',
    user: 'user',
    tool_calls: 'tool',
    tool_call_result: 'tool',
  } as const),
)

function transcriptOf(artifact: Report['artifact']): TranscriptLine[] | undefined {
  const said = artifact?.messages?.flatMap(line => (line?.role && roles.has(line.role) && line.message ? [line] : []))
  return said?.slice(0, longest.lines).map(({ role, message, secondsFromStart, duration }, index) => {
    const startMs = millisecondsOf(secondsFromStart, 1000)
    // `duration` is in milliseconds.
    const lengthMs = millisecondsOf(duration, 1)
    return {
      seq: index + 1,
      role: roles.get(role ?? '') ?? 'system',
      text: storableText(message ?? '', { maxLength: longest.line }),
      startMs,
      endMs: startMs === null || lengthMs === null ? null : startMs + lengthMs,
    }
  })
}

/** Reads a server message. Throws UnreadableDelivery. */
export function read({ body }: Message): ProviderEvent {
  const parsed = z.object({ message: vapiMessage }).safeParse(jsonOf(body))
  if (!parsed.success) throw new UnreadableDelivery('there is no message')
  const { message: given } = parsed.data
  const { type, call, status } = given
  const message = { ...given, startedAt: given.startedAt ?? call?.startedAt, endedAt: given.endedAt ?? call?.endedAt }
  const endedReason = storableText(message.endedReason ?? '', { maxLength: longest.reason })
  const reduced = () => JSON.stringify({ message })
  const about = { callId: call ? callIdOf(call) : null, providerCallId: call?.id ?? null, reduced }
  const key = `${call?.id}:${type}`
  // A second message of the end may know more than the first.
  const digest = () => createHash('sha256').update(body).digest('base64url')
  if (type === 'status-update') {
    // This message counts if no report arrives.
    if (status === 'ended') return { ...about, key: `${key}:ended:${digest()}`, news: reportOf(message, endedReason) }
    const ours = statuses.get(status ?? '')
    return { ...about, key: `${key}:${status}`, news: ours ? { status: ours } : null }
  }
  if (type !== 'end-of-call-report') return { ...about, key, news: null }
  return { ...about, key: `${key}:${digest()}`, news: reportOf(message, endedReason) }
}

/** Whether headers have the secret in plain text, or as a bearer token. */
export function hasSecret({ authorization, 'x-vapi-secret': plain }: Readonly<Record<string, unknown>>, secret: string): boolean {
  const isSecret = constantTimeMatcher([secret])
  const given = [plain, /^bearer +(\S.*)$/i.exec(String(authorization))?.[1]]
  return given.some(one => typeof one === 'string' && isSecret(one))
}

/** Whether a server message has the secret, in plain text or as a bearer token, or is signed with it in hexadecimal or base64. */
export function isGenuine({ headers, body }: Delivery, secret: string): boolean {
  const { 'x-vapi-signature': signed = '' } = headers
  if (hasSecret(headers, secret)) return true
  if (signed === '') return false
  const signature = createHmac('sha256', secret).update(body).digest()
  const given = signed.replace(/^sha256=/i, '')
  const isHex = /^[0-9a-f]{64}$/i.test(given)
  return constantTimeMatcher([signature.toString(isHex ? 'hex' : 'base64')])(isHex ? given.toLowerCase() : given)
}
