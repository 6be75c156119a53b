// Messages in this project's own format, signed with the agent's secret (Standard Webhooks). Sent by `http` providers and the simulator.

import { createHash } from 'node:crypto'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { z } from 'zod'
import { OversizedJson, parseJson } from '../../kernel/input/json-text.ts'
import { type Problem, problem, problemOfIssue } from '../../kernel/input/problem.ts'
import { storableJson } from '../../kernel/input/storable.ts'
import {
  answerers,
  type CallNews,
  callOutcomes,
  callStatuses,
  type Delivery,
  ForgedDelivery,
  longest,
  type Message,
  type ProviderEvent,
  UnreadableDelivery,
} from './telephony.ts'
import { maxSeconds, timeOf } from './times.ts'

const time = z.iso
  .datetime({ offset: true })
  .refine(text => timeOf(text) !== undefined, 'the time must be between the years 2000 and 2100')
  .transform(text => new Date(text))
const shortText = z.string().max(longest.reason)
const withinCall = z
  .number()
  .int()
  .min(0)
  .max(maxSeconds * 1000)

// Null means unknown, as in our own answers.
const maybe = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().transform(given => given ?? undefined)

/** The JSON of a call's news. */
export const ownNews = z.object({
  provider_call_id: maybe(z.string().min(1).max(longest.id)),
  status: maybe(z.enum(callStatuses)),
  outcome: maybe(z.enum(callOutcomes)),
  answered_by: maybe(z.enum(answerers)),
  answered_at: maybe(time),
  ended_at: maybe(time),
  duration_seconds: maybe(z.number().min(0).max(86_400)),
  ended_reason: maybe(shortText),
  provider_reason: maybe(shortText),
  recording_url: maybe(z.url({ protocol: /^https?$/ }).max(longest.address)),
  summary: maybe(z.string().max(longest.summary)),
  transcript: maybe(
    z
      .array(
        z.object({
          role: z.enum(['agent', 'user', 'tool', 'system']),
          text: z.string().max(longest.line),
          start_ms: withinCall.nullish(),
          end_ms: withinCall.nullish(),
        }),
      )
      .max(longest.lines),
  ),
  extracted: maybe(z.record(z.string(), z.unknown())),
})
/** The same in an answer to a look-up, whose sender is not told its problems: a value of another shape counts as absent. */
// `as`: each property keeps its type, which includes `undefined`.
export const toldNews = z.object(
  Object.fromEntries(Object.entries<z.ZodType>(ownNews.shape).map(([name, shape]) => [name, shape.catch(undefined)])),
) as unknown as typeof ownNews
const ownMessage = ownNews.extend({ type: maybe(z.string().max(100)), call_id: z.uuid() })

export function newsFrom(news: z.output<typeof ownNews>): CallNews {
  return {
    providerCallId: news.provider_call_id,
    status: news.status,
    outcome: news.outcome,
    answeredBy: news.answered_by,
    answeredAt: news.answered_at,
    endedAt: news.ended_at,
    durationSeconds: news.duration_seconds === undefined ? undefined : Math.round(news.duration_seconds),
    endedReason: news.ended_reason,
    providerReason: news.provider_reason,
    recordingUrl: news.recording_url,
    summary: news.summary,
    transcript: news.transcript?.map(({ role, text, start_ms = null, end_ms = null }, index) => ({
      seq: index + 1,
      role,
      text,
      startMs: start_ms,
      endMs: end_ms,
    })),
    extracted: news.extracted,
  }
}

/** A message in our own format. `id` identifies the event, also when it is sent again. */
export function ownMessageOf(callId: string, messageId: string, news: CallNews): Message {
  const content = {
    type: 'call.updated',
    call_id: callId,
    provider_call_id: news.providerCallId,
    status: news.status,
    outcome: news.outcome,
    answered_by: news.answeredBy,
    answered_at: news.answeredAt,
    ended_at: news.endedAt,
    duration_seconds: news.durationSeconds,
    ended_reason: news.endedReason,
    provider_reason: news.providerReason,
    recording_url: news.recordingUrl,
    summary: news.summary,
    transcript: news.transcript?.map(({ role, text, startMs, endMs }) => ({ role, text, start_ms: startMs, end_ms: endMs })),
    extracted: news.extracted,
  }
  return { url: '', contentType: 'application/json', body: JSON.stringify(content), messageId }
}

/** The headers of a signed message, with one signature per secret. The receiver accepts any matching one. */
export function signatureHeaders(secrets: readonly string[], id: string, body: string, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

/** Throws ForgedDelivery unless a secret of the call's agent has signed the message within the last five minutes. */
export async function verifyOwn(delivery: Delivery, secretsOf: (callId: string) => Promise<readonly string[]>): Promise<void> {
  const headers = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => name.startsWith('webhook-')))
  for (const callId of callIdsIn(delivery.body))
    for (const secret of await secretsOf(callId))
      if (isSignedWith(secret, delivery.body, headers as Record<string, string>) && isAbout(callId, delivery.body)) return
  throw new ForgedDelivery('no secret of the call fits the signature')
}

function isSignedWith(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false })
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}

// The id may stand elsewhere in a message that reports on the call of somebody else.
function isAbout(callId: string, body: string): boolean {
  try {
    return (parseJson(body, limits) as { call_id?: unknown } | null)?.call_id === callId
  } catch {
    // `readOwn` names its problems.
    return true
  }
}

// 4: the call's own, and some that its extracted values may contain. Each costs a look-up.
const maxCallIds = 4

/** A text that may be the id of the message's call, from its raw text: nothing is parsed before the signature is verified. */
function callIdsIn(body: string): string[] {
  const found = new Set<string>()
  for (const [, callId = ''] of body.matchAll(/"call_id"\s{0,9}:\s{0,9}"([0-9a-fA-F-]{36})"/g)) {
    found.add(callId)
    if (found.size === maxCallIds) break
  }
  return [...found]
}

export function readOwn({ body, messageId }: Message): ProviderEvent {
  const parsed = ownMessage.safeParse(jsonOf(body), { reportInput: true })
  if (!parsed.success) throw new UnreadableDelivery('the message has another shape', parsed.error.issues.map(problemOf))
  const { call_id: callId } = parsed.data
  const news = newsFrom(parsed.data)
  // The key includes the call, because two senders may use the same id.
  const key = `${callId}:${messageId ?? createHash('sha256').update(body).digest('base64url')}`
  return { key, callId, providerCallId: news.providerCallId ?? null, news, reduce: () => JSON.stringify(parsed.data) }
}

// Reports get the same validation messages as other requests.
function problemOf(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map(step => (typeof step === 'number' ? step : String(step)))
  return issue.input === undefined ? problem(path, 'missing') : problemOfIssue(issue, issue.input, path)
}

// Two hours of talk with a time for each word have a third of these values. `storableJson` leaves out values that are nested too deep.
const limits = { values: 1_000_000, levels: Number.POSITIVE_INFINITY }

/** The JSON of a provider's message, repaired so that it can be stored. Throws UnreadableDelivery. */
export function jsonOf(text: string): unknown {
  try {
    return storableJson(parseJson(text, limits))
  } catch (thrown) {
    const error = thrown instanceof OversizedJson ? `the body ${thrown.message}` : 'the body is not JSON'
    throw new UnreadableDelivery(error, [{ path: [], type: 'json_invalid', message: 'JSON decode error', context: { error } }])
  }
}
