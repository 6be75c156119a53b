// Signatures of senders: HMAC-SHA256 over the bytes as they came, in the five spellings that senders use.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { HmacScheme } from '../gateway/mapping-settings.ts'

export interface Signing {
  scheme: HmacScheme
  /** The header that carries the signature, in lower case. */
  header: string
  secret: string
}

// What Stripe and Standard Webhooks agree on: older is a replay, newer a clock that is wrong.
const toleranceSeconds = 300

/** Why the request is not signed as it should be; null when it is. */
export function unsigned({ scheme, header, secret }: Signing, body: Buffer, headers: IncomingHttpHeaders, now: Date): string | null {
  const given = headers[header]
  if (typeof given !== 'string' || given === '') return `the header ${header} is missing`
  const hex = (...parts: (string | Buffer)[]) => mac(secret, parts).toString('hex')
  const base64 = (key: string | Buffer, ...parts: (string | Buffer)[]) => mac(key, parts).toString('base64')

  switch (scheme) {
    case 'github':
      return equal(given, `sha256=${hex(body)}`) ? null : 'the signature is wrong'
    case 'hex':
      return equal(given.toLowerCase(), hex(body)) ? null : 'the signature is wrong'
    case 'base64':
      return equal(given, base64(secret, body)) ? null : 'the signature is wrong'
    case 'stripe': {
      const fields = given.split(',').map(field => field.split('=', 2) as [string, string?])
      const time = fields.find(([name]) => name.trim() === 't')?.[1] ?? ''
      const signatures = fields.flatMap(([name, value]) => (name.trim() === 'v1' && value ? [value] : []))
      return stale(time, now) ?? anyEqual(signatures, hex(`${time}.`, body))
    }
    case 'standard-webhooks': {
      const id = headers['webhook-id']
      const time = headers['webhook-timestamp']
      if (typeof id !== 'string' || typeof time !== 'string') return 'the headers webhook-id and webhook-timestamp are required'
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      const signatures = given.split(' ').flatMap(one => (one.startsWith('v1,') ? [one.slice(3)] : []))
      return stale(time, now) ?? anyEqual(signatures, base64(key, `${id}.${time}.`, body))
    }
  }
}

function mac(key: string | Buffer, parts: (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

// While a sender changes its secret it signs with both, and one of them is ours.
const anyEqual = (given: readonly string[], expected: string): string | null =>
  given.some(one => equal(one, expected)) ? null : 'the signature is wrong'

function stale(time: string, now: Date): string | null {
  if (!/^\d{1,12}$/.test(time)) return 'the timestamp of the signature is missing'
  return Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds ? 'the signature is too old, or from the future' : null
}
