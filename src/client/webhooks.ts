// Verifies the webhooks that the server sends: Standard Webhooks, HMAC SHA-256 by Web Crypto.

import type { webhooks } from './generated/api.ts'

/** Events of webhooks, as a union by `type`: `contact.updated`, `call.ended`, ... A newer server may send further types. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json']
}[keyof webhooks]

/** The headers of a request: of the Fetch API, or as Node has them. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>

/** The reason why a request is refused; answer it with 400, and ignore its body. */
export type WebhookRefusal =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or cannot be read. */
  | 'malformed'
  /** It was signed too long ago, or in the future by this machine's clock: it may be a repetition by somebody else. */
  | 'out_of_time'
  /** No signature is of one of the secrets. */
  | 'not_signed'
  /** It is signed, but its body is no event. */
  | 'no_event'

export class WebhookError extends Error {
  readonly code: WebhookRefusal

  constructor(code: WebhookRefusal, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.code = code
  }
}

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now, in seconds, either way. Default: 300. */
  toleranceSeconds?: number
  /** The time of now. Default: this machine's. */
  now?: Date
}

/**
 * Resolves with the event of a request to your endpoint, and with `webhook-id`, which is the same for each repetition of it. `body` is the
 * body as it arrived, not parsed; `secrets` is the endpoint's `whsec_...`, or while it is rotated the old one and the new one. Throws
 * WebhookError for a request that cannot be trusted, and TypeError for an invalid secret.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<{ id: string; event: WebhookEvent }> {
  const keys = await Promise.all([secrets].flat().map(keyOf))
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => headerOf(headers, name))
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('malformed', 'The headers webhook-id, webhook-timestamp (in seconds) and webhook-signature are needed')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('out_of_time', `The webhook was signed more than ${toleranceSeconds} s before or after now`)

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  if (!(await isSigned(signed, signatures, keys))) throw new WebhookError('not_signed', 'No signature of the webhook is of a known secret')
  return { id, event: eventOf(text) }
}

// Its name differs between the types of Node and of browsers.
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

// A sender has one or two secrets; a longer list would only cost time.
const maxSignatures = 10

async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, keys: readonly Key[]): Promise<boolean> {
  const given = signatures.split(' ').filter(signature => signature.startsWith('v1,'))
  for (const signature of given.slice(0, maxSignatures)) {
    const bytes = bytesOf(signature.slice(3))
    // `verify` compares in constant time.
    for (const key of keys) if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true
  }
  return false
}

function keyOf(secret: string): Promise<Key> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (!bytes?.length) throw new TypeError('The secret of a webhook endpoint is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return null
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? undefined
}

const isFetchHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> => typeof headers.get === 'function'

function eventOf(text: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(text)
    if (isEvent(event)) return event
  } catch {
    // Reported below.
  }
  throw new WebhookError('no_event', 'The body of the webhook is not {"type", "timestamp", "data"}')
}

// Which data belong to a type is the sender's promise, and its signature is checked before.
const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'type' in value && 'timestamp' in value && 'data' in value
