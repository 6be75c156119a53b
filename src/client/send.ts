// Sends a request until it is answered: again after failures that a repetition may mend, always with the same Idempotency-Key.

import { noAnswerError, secondsOf } from './errors.ts'

/** How long a call waits and how often it is repeated. */
export interface Patience {
  /** How long one attempt may take, its body included, in milliseconds. Default: 30000. */
  timeoutMs?: number | undefined
  /** Attempts after the first one. Default: 3; 0 repeats nothing. */
  maxRetries?: number | undefined
  /** A longer `Retry-After` is not waited for: the error comes at once, with `retryAfterSeconds`. In milliseconds. Default: 60000. */
  maxRetryAfterMs?: number | undefined
  /** Ends the call, its waiting included; it then rejects with the signal's reason. */
  signal?: AbortSignal | null | undefined
}

/** Bodies that are sent as they are; everything else is sent as JSON. */
export type Bytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

/** A request that can be sent again. */
export interface Sendable {
  url: string
  method: string
  headers: Headers
  body: Bytes | null
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

// Read at each call, so that tests and polyfills may replace it.
export const globalFetch: Fetch = (url, init) => fetch(url, init)

const firstWaitMs = 500
const maxWaitMs = 8000

/**
 * Resolves with the answer, whatever its status, read to its end unless `isStreamed`. Repeats what failed by the network, a timeout, 429,
 * 502, 503, 504, or by 409 with `Retry-After`, which says that a request with the same key or on the same record is still running. A write
 * without an Idempotency-Key is repeated after 429 alone, because it may have happened. Throws `unreachable` or `timed_out`.
 */
export async function send(fetch: Fetch, request: Sendable, patience: Patience, isStreamed = false): Promise<Response> {
  const { timeoutMs = 30_000, maxRetries = 3, maxRetryAfterMs = 60_000, signal } = patience
  const isRepeatable = /^(GET|HEAD)$/.test(request.method) || request.headers.has('Idempotency-Key')
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= maxRetries
    let waitMs = waitOf(attempt, firstWaitMs, maxWaitMs)
    const outcome = await tryOnce(fetch, request, timeoutMs, signal, isStreamed)
    if (outcome instanceof Response) {
      const seconds = secondsOf(outcome.headers.get('Retry-After'))
      if (isLast || !isPassing(outcome.status, seconds !== null, isRepeatable)) return outcome
      if (seconds !== null && seconds * 1000 > maxRetryAfterMs) return outcome
      waitMs = Math.max(waitMs, (seconds ?? 0) * 1000)
      await outcome.body?.cancel()
    } else if (isLast || !isRepeatable) throw outcome
    await wait(waitMs, signal)
  }
}

/** Whether the same request may have another answer later. */
function isPassing(status: number, hasRetryAfter: boolean, isRepeatable: boolean): boolean {
  if (status === 429) return true
  return isRepeatable && (status === 502 || status === 503 || status === 504 || (status === 409 && hasRetryAfter))
}

/** One attempt: its answer, or the error to throw if it is the last one. Throws the reason of `signal`. */
async function tryOnce(
  fetch: Fetch,
  { url, ...init }: Sendable,
  timeoutMs: number,
  signal: AbortSignal | null | undefined,
  isStreamed: boolean,
): Promise<Response | Error> {
  signal?.throwIfAborted()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any([timeout.signal, ...(signal ? [signal] : [])]) })
    // Read here, so that a connection that breaks within the body is an attempt that failed.
    if (isStreamed || response.body === null) return response
    return copyOf(response, await response.arrayBuffer())
  } catch (cause) {
    signal?.throwIfAborted()
    if (timeout.signal.aborted) return noAnswerError('timed_out', `${url} did not answer within ${timeoutMs} ms`, cause)
    return noAnswerError('unreachable', `${url} cannot be reached: ${reasonOf(cause)}`, cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Twice as long after each failure, between half of that and all of it, so that clients do not come back together. */
export const waitOf = (failures: number, firstMs: number, maxMs: number) =>
  Math.min(maxMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2)

const copyOf = ({ status, statusText, headers }: Response, body: ArrayBuffer) =>
  // These have no body, and a Response with one of them takes none.
  new Response([204, 205, 304].includes(status) ? null : body, { status, statusText, headers })

/** The reason of a failed request. Node has it in the cause of a "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/** Waits. Throws the reason of `signal` as soon as it is aborted. */
export function wait(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
