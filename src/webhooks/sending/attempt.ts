// One attempt to send a delivery: the request, and what its answer means.

import type { Services } from '../../kernel/context.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { OutgoingError } from '../../kernel/outgoing/answer.ts'
import { retryAfterSeconds } from '../../kernel/outgoing/refusal.ts'
import type { Attempt } from '../deliveries/delivery.sql.ts'
import type { Endpoint } from '../endpoints/endpoint.sql.ts'

export interface Outcome {
  attempt: Attempt
  /** `gone`: the endpoint wants nothing any more. */
  meaning: 'taken' | 'gone' | 'retry'
  reason: string | null
  retryAfterSeconds: number
}

const timeoutMs = 10_000
// Bounds of a logged answer: bytes of its body, characters of each header. More of the body is not read.
const keptBody = 4096
const keptHeader = 500
const keptHeaders = 30

export async function send(
  { outgoing, now }: Services,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  requestHeaders: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = now()
  const started = performance.now()
  const base = () => ({ at: at.toISOString(), durationMs: Math.round(performance.now() - started), url, requestHeaders })
  try {
    const { status, headers, ...answer } = await outgoing.send(url, {
      ...{ method: 'POST', headers: requestHeaders, body, timeoutMs, keepAlive: id, maxBytes: keptBody, signal },
    })
    const kept = [...headers].slice(0, keptHeaders).map(([name, value]) => [name, storableText(value, { maxLength: keptHeader })])
    const attempt = {
      ...base(),
      status,
      responseHeaders: Object.fromEntries(kept),
      responseBody: storableText(answer.body.toString('utf8')),
      error: null,
    }
    if (status >= 200 && status < 300) return { attempt, meaning: 'taken', reason: null, retryAfterSeconds: 0 }
    const reason = `the endpoint answered ${status}`
    if (status === 410) return { attempt, meaning: 'gone', reason, retryAfterSeconds: 0 }
    return { attempt, meaning: 'retry', reason, retryAfterSeconds: retryAfterOf(headers.get('retry-after'), at) }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const attempt = { ...base(), status: null, responseHeaders: null, responseBody: null, error: error.message }
    return { attempt, meaning: 'retry', reason: error.message, retryAfterSeconds: 0 }
  }
}

// A day: a wrong Retry-After must not stop deliveries for longer.
const maxRetryAfterSeconds = 86_400

function retryAfterOf(header: string | null, now: Date): number {
  return Math.min(maxRetryAfterSeconds, retryAfterSeconds(header, now) ?? 0)
}
