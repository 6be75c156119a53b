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
const words = z
  .unknown()
  .transform(given => wordsIn(given))
  .optional()
// `message`: the spoken text; `result`: a tool's answer, as JSON or not; `toolCalls`: the requests to tools; `content`: OpenAI's form.
const line = z.object({
  ...{ role: text, message: words, content: words, result: z.unknown().optional(), secondsFromStart: number, duration: number },
  toolCalls: readable(z.array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown().optional() }) }))),
})
type Line = z.output<typeof line>
const lines = readable(z.array(z.unknown()).transform(given => given.flat(2).flatMap(one => line.safeParse(one).data ?? [])))
const recordings = { recordingUrl: text, stereoRecordingUrl: text }
const said = { messages: lines, transcript: readable(z.union([z.string(), lines])) }

const reported = {
  status: text,
  endedReason: text,
  startedAt: time,
  endedAt: time,
  durationSeconds: number,
  durationMs: number,
  durationMinutes: number,
  // Until 2024 these stood beside the artifact, where many copies of its messages still have them.
  ...{ summary: text, ...recordings, ...said },
  artifact: readable(
    z.object({
      ...{ messagesOpenAIFormatted: lines, ...recordings, ...said },
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
  call: readable(z.object({ id: readable(z.string().max(longest.id)), endedReason: text, startedAt: time, endedAt: time, ...naming })),
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
  assistantOverrides?.metadata?.call_id || metadata?.call_id || name || null

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
  [/^(?:manually-canceled|(?:scheduled-)?call-deleted)|\bh[au]ng-?up-before/, 'canceled'],
  [/^twilio-reported-customer-misdialed$/, 'failed', 'wrong_number'],
  [/^vonage-rejected$/, 'busy', 'declined'],
  [/^assistant-forwarded-call$/, 'completed', 'transferred'],
  [/^(?:customer-ended-call|assistant-ended-call|assistant-said|silence-timed-out|exceeded-max-duration)/, 'completed'],
  [/^(?:call\.in-progress\.[a-z]+-completed-call|vonage-completed)$/, 'completed'],
]

function reportOf(call: Report, reason: string): CallNews & { status: CallStatus } {
  const { artifact, analysis, startedAt, endedAt, durationSeconds, durationMs, durationMinutes } = call
  const transcript = transcriptOf(call)
  const isHeard = transcript?.some(({ role }) => role === 'user') ?? false
  const [, status, outcome, answeredBy] = endings.find(([pattern]) => pattern.test(reason)) ?? [null, endStatus(isHeard, reason)]
  const success = String(analysis?.successEvaluation ?? '')
    .trim()
    .toLowerCase()
  const goal = success === 'true' ? 'goal_met' : success === 'false' ? 'goal_not_met' : undefined
  const [from, to] = [timeOf(startedAt), timeOf(endedAt)]
  // Some are 0 or negative beside others that are right.
  const durations = [durationSeconds, (durationMs ?? Number.NaN) / 1000, (durationMinutes ?? Number.NaN) * 60].flatMap(
    one => secondsOf(one) ?? [],
  )
  const recordings = [
    ...[artifact?.recording?.stereoUrl, artifact?.recording?.mono?.combinedUrl],
    ...[artifact?.stereoRecordingUrl, artifact?.recordingUrl, call.stereoRecordingUrl, call.recordingUrl],
  ]
  return {
    status,
    outcome: outcome ?? (status === 'completed' ? goal : undefined),
    answeredBy,
    // Also of a call that failed later, and whose message of the answer was lost.
    isAnswered: isHeard || undefined,
    // They count if the call was answered, which its status says, or that it was in progress.
    answeredAt: from,
    endedAt: to,
    // Times that are in the wrong order, or the same, tell nothing of the duration.
    durationSeconds: from && to && from < to ? secondsBetween(from, to) : durations.length > 0 ? Math.max(...durations) : undefined,
    endedReason: reason.replaceAll('-', '_') || undefined,
    providerReason: reason || undefined,
    recordingUrl: recordings.map(webAddress).find(url => url !== undefined),
    summary: storableText(analysis?.summary || call.summary || '', { maxLength: longest.summary }) || undefined,
    transcript,
    extracted: analysis?.structuredData ?? undefined,
  }
}

// For other reasons, the call counts as completed if the callee was heard.
const endStatus = (isHeard: boolean, reason: string): CallStatus => (isHeard && !/error|failed|fault/.test(reason) ? 'completed' : 'failed')

// Without `system`: the agent's instructions.
const roles: ReadonlyMap<string, TranscriptLine['role']> = new Map(
  Object.entries({
    ...{ bot: 'agent', assistant: 'agent', agent: 'agent', ai: 'agent', user: 'user', customer: 'user' },
    ...{ tool_calls: 'tool', tool_call_result: 'tool', tool: 'tool', function_call: 'tool', function_result: 'tool' },
  } as const),
)
const roleOf = (role: string) => roles.get(role.toLowerCase())

type Spoken = Line & { role: string }
const asText = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value))
const wordsOf = ({ message, content, result, toolCalls }: Line): string =>
  message ||
  content ||
  asText(result) ||
  (toolCalls ?? []).map(({ function: { name, arguments: given } }) => `${name}(${asText(given)})`).join('; ')

/** The text of a message that may be in parts; some parts are no text. */
function wordsIn(value: unknown, level = 0): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value === null || typeof value !== 'object' || level > 3) return ''
  if (!Array.isArray(value)) return wordsIn(Reflect.get(value, 'text') ?? Reflect.get(value, 'content'), level + 1)
  return value
    .map(part => wordsIn(part, level + 1))
    .filter(part => part !== '')
    .join(' ')
}

/** The transcript, from the first list that has any of it. */
function linesIn({ artifact, messages, transcript }: Pick<Report, 'artifact' | 'messages' | 'transcript'>): Spoken[] | undefined {
  const lists = [artifact?.messages, messages, artifact?.messagesOpenAIFormatted, artifact?.transcript, transcript].map(list =>
    Array.isArray(list)
      ? list.flatMap(one => (one.role && roleOf(one.role) && wordsOf(one) !== '' ? [{ ...one, role: one.role }] : []))
      : [],
  )
  return lists.find(list => list.length > 0)
}

function transcriptOf(report: Report): TranscriptLine[] | undefined {
  const { artifact, transcript } = report
  return linesIn(report)?.slice(0, longest.lines).map(lineOf) ?? linesOf(textIn(artifact?.transcript, transcript))
}

const textIn = (...transcripts: Report['transcript'][]): string =>
  transcripts.find((one): one is string => typeof one === 'string' && one !== '') ?? ''

function lineOf(spoken: Spoken, index: number): TranscriptLine {
  const startMs = millisecondsOf(spoken.secondsFromStart, 1000)
  // `duration` is in milliseconds.
  const lengthMs = millisecondsOf(spoken.duration, 1)
  return {
    seq: index + 1,
    role: roleOf(spoken.role) ?? 'system',
    text: storableText(wordsOf(spoken), { maxLength: longest.line }),
    startMs,
    endMs: startMs === null || lengthMs === null ? null : startMs + lengthMs,
  }
}

/** The lines of a transcript that is one text: `AI: Hello.`, `User: Hi.` */
function linesOf(transcript: string): TranscriptLine[] | undefined {
  const found: TranscriptLine[] = []
  for (const text of transcript.split('\n', longest.lines)) {
    const [start, speaker = ''] = /^\s{0,9}([a-z_]{1,20})\s{0,9}:\s{0,9}/i.exec(text) ?? []
    const role = roleOf(speaker)
    const before = found.at(-1)
    const words = (role && start ? text.slice(start.length) : text).trim()
    if (words === '') continue
    if (role || !before) found.push({ seq: found.length + 1, role: role ?? 'system', text: words, startMs: null, endMs: null })
    else before.text += `\n${words}`
  }
  return found.length > 0 ? found.map(line => ({ ...line, text: storableText(line.text, { maxLength: longest.line }) })) : undefined
}

/** Reads a server message. Throws UnreadableDelivery. */
export function read({ body }: Message): ProviderEvent {
  const parsed = z.object({ message: vapiMessage }).safeParse(jsonOf(body))
  if (!parsed.success) throw new UnreadableDelivery('there is no message')
  const { message: given } = parsed.data
  const { type, call, status } = given
  const message = {
    ...given,
    endedReason: given.endedReason ?? call?.endedReason,
    startedAt: given.startedAt ?? call?.startedAt,
    endedAt: given.endedAt ?? call?.endedAt,
  }
  const endedReason = storableText(message.endedReason ?? '', { maxLength: longest.reason })
  // With one transcript, where the message has several.
  const reduceMessage = () => {
    const { messages, transcript, artifact, ...rest } = message
    const spoken = linesIn(message)
    const words = {
      messages: spoken,
      messagesOpenAIFormatted: undefined,
      transcript: spoken ? undefined : artifact?.transcript || transcript,
    }
    return JSON.stringify({ message: { ...rest, artifact: { ...artifact, ...words } } })
  }
  const about = { callId: call ? callIdOf(call) : null, providerCallId: call?.id ?? null, reduce: reduceMessage }
  const key = `${call?.id ?? about.callId}:${type}`
  // A second message of the end may know more than the first.
  const digest = () => createHash('sha256').update(body).digest('base64url')
  if (type === 'status-update') {
    if (status === 'ended') {
      // This message counts if no report arrives. Without a reason it tells nothing of how the call ended, and a final status never changes.
      const { status: ending, ...news } = reportOf(message, endedReason)
      return {
        ...about,
        key: `${key}:ended:${digest()}`,
        news: { ...news, ...((endedReason !== '' || news.isAnswered) && { status: ending }) },
      }
    }
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
