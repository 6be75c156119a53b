// Answers to outgoing requests, and why there is none.

import type { Headers } from 'undici'
import { OversizedJson, parseJson } from '../input/json-text.ts'
import { storableJson, storableText } from '../input/storable.ts'

// A page of a thousand long rows. The most that fit into 1 MiB are twice as many, and take 50 MB.
// `storableJson` leaves out values that are nested too deep.
const limits = { values: 250_000, levels: Number.POSITIVE_INFINITY }

export interface OutgoingAnswer {
  status: number
  headers: Headers
  /** The URL that answered: the last one after redirects. */
  url: string
  body: Buffer
  /** The body as text that can be stored. Like `json`, it has U+FFFD where the answer has what cannot. */
  text(): string
  /** Throws OutgoingError `unreadable` when the body is not JSON, or holds more than 250,000 values. */
  json(): unknown
}

/** Why there is no answer. */
export type Failure = 'refused' | 'unreachable' | 'timeout' | 'interrupted' | 'too_large' | 'unreadable'

export class OutgoingError extends Error {
  readonly failure: Failure
  /** False only when the other side has certainly not received the request. */
  readonly mayHaveArrived: boolean
  constructor(failure: Failure, message: string, { mayHaveArrived, cause }: { mayHaveArrived: boolean; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.failure = failure
    this.mayHaveArrived = mayHaveArrived
  }
}

/** No connection was made, so that the request was not sent. */
export class Unconnected extends Error {
  constructor(cause: unknown) {
    super('No connection', { cause })
  }
}

/** The whole body. Throws OutgoingError `too_large` beyond `maxBytes`. */
export async function bytesOf(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new OutgoingError('too_large', `The answer is larger than ${maxBytes} bytes`, { mayHaveArrived: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The body's first `maxBytes` bytes; the rest is not read. */
export async function beginningOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let left = maxBytes
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.byteLength
    // Ends the connection too.
    if (left < 0) break
  }
  return Buffer.concat(chunks)
}

export function answerOf(url: URL, { status, headers }: Pick<OutgoingAnswer, 'status' | 'headers'>, body: Buffer): OutgoingAnswer {
  const text = () => storableText(body.toString('utf8'))
  return {
    status,
    headers,
    url: url.href,
    body,
    text,
    json() {
      try {
        return storableJson(parseJson(text(), limits))
      } catch (cause) {
        const what = cause instanceof OversizedJson ? 'more JSON than can be read' : 'something that is not JSON'
        throw new OutgoingError('unreadable', `${url.host} answered with ${what}`, { mayHaveArrived: true, cause })
      }
    },
  }
}

/** The OutgoingError of an error: its own cause, or what `connected` and `signal` tell. */
export function explainError(error: unknown, { host }: URL, connected: boolean, signal: AbortSignal): OutgoingError {
  // undici wraps errors of its connector, some of them twice.
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof OutgoingError) return at
  if (signal.aborted) return new OutgoingError('timeout', `${host} did not answer in time`, { mayHaveArrived: connected, cause: error })
  if (connected) return new OutgoingError('interrupted', `The connection to ${host} broke`, { mayHaveArrived: true, cause: error })
  return new OutgoingError('unreachable', `${host} could not be reached`, { mayHaveArrived: false, cause: error })
}
