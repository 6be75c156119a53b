// One HTTP exchange with a channel in JSON, and the DeliveryError of each kind of failure.

import { cutText } from '../../kernel/input/cut.ts'
import { parseJson } from '../../kernel/input/json-text.ts'
import { storableJson } from '../../kernel/input/storable.ts'
import { boundedFetch } from '../../kernel/outgoing/fetch.ts'
import { isPassing, retryAfterSeconds } from '../../kernel/outgoing/refusal.ts'
import { isSegment, segment } from '../../kernel/outgoing/segment.ts'
import { DeliveryError } from './channel.ts'

export interface Exchange {
  url: string
  headers?: Record<string, string>
  /** Sent as JSON; a URLSearchParams as a form. */
  body: unknown
  signal: AbortSignal
}

export interface Answer {
  status: number
  ok: boolean
  headers: Headers
  /** The parsed JSON; null if the response was not JSON. */
  body: unknown
}

// Errors before the connection was made, so that nothing was sent.
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Throws DeliveryError if there is no response: `retry` if nothing was sent, `unknown` if the message may have been sent. */
export async function exchange({ url, headers, body, signal }: Exchange): Promise<Answer> {
  try {
    const isForm = body instanceof URLSearchParams
    const response = await boundedFetch(url, {
      method: 'POST',
      headers: { ...(!isForm && { 'content-type': 'application/json' }), ...headers },
      body: isForm ? body : JSON.stringify(body),
      // Credentials must not be sent to where a redirect leads.
      redirect: 'manual',
      signal,
    })
    const text = await response.text()
    return { status: response.status, ok: response.ok, headers: response.headers, body: parseAnswer(text) }
  } catch (cause) {
    const code = codeOf(cause)
    if (code !== undefined && unsent.has(code)) throw new DeliveryError('retry', `the channel cannot be reached (${code})`, { cause })
    throw new DeliveryError('unknown', 'the channel did not answer; it may have the message', { cause })
  }
}

/**
 * The error of a response: 408, 425, 429 and 5xx may be repeated, other statuses may not. `reason` is the channel's; it is stored with the
 * delivery, so it must contain no credentials.
 */
export function failure(
  { status, headers }: Answer,
  reason: string,
  options: { retryAfterSeconds?: number | undefined; isChannelWide?: boolean } = {},
) {
  const message = `${status}: ${cutText(reason, 500)}`
  if (status === 429) return new DeliveryError('retry', message, { retryAfterSeconds: retryAfter(headers) ?? 1, ...options })
  return new DeliveryError(status >= 500 || isPassing(status) ? 'retry' : 'refused', message, {
    retryAfterSeconds: retryAfter(headers),
    ...options,
  })
}

/** Seconds of a Retry-After header. */
export const retryAfter = (headers: Headers): number | undefined => retryAfterSeconds(headers.get('retry-after'))

/** The recipient as one segment of a path. Throws DeliveryError for one that would lead to another path. */
export function inPath(recipient: string): string {
  if (!isSegment(recipient)) throw new DeliveryError('refused', `"${recipient}" is no recipient`)
  return segment(recipient)
}

/** The member at the path of a response body; undefined if there is none. */
export function member(body: unknown, ...path: (string | number)[]): unknown {
  let value = body
  for (const name of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string | number, unknown>)[name]
  }
  return value
}

/** The member as text, for ids and reasons; empty if there is none. */
export function textAt(body: unknown, ...path: (string | number)[]): string {
  const value = member(body, ...path)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The id of the message. A response without one is no acknowledgment. */
export function requireId(id: string): string {
  if (id === '') throw new DeliveryError('unknown', 'the channel answered without the id of the message')
  return id
}

function parseAnswer(text: string): unknown {
  try {
    return storableJson(parseJson(text))
  } catch {
    return null
  }
}

function codeOf(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException
    if (typeof code === 'string') return code
    // All addresses of the name failed; the first error is reported.
    if (current instanceof AggregateError) return codeOf(current.errors[0])
  }
  return undefined
}
