// Signatures of senders: HMAC-SHA256 of the raw body, in six common schemes.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type HmacScheme, signingKey } from '../../config/gateway/mappings.ts'

export interface Signing {
  scheme: HmacScheme
  /** The header that carries the signature, in lower case. */
  header: string
  secret: string
}

/** The result for a signature: its problem, or, if it is valid, the id of the message among those signed with the secret. */
export type Verdict = { wrong: string; messageId?: undefined } | { wrong: null; messageId: string }

// 5 minutes, as in Stripe, Slack and Standard Webhooks: an older request may be a replay, and one from the future comes from a wrong clock.
const toleranceSeconds = 300

/** The headers that the scheme signs beside the body. Anyone who repeats a request can change the others. */
export const signedHeaders: Readonly<Record<HmacScheme, readonly string[]>> = {
  github: [],
  stripe: [],
  slack: ['x-slack-request-timestamp'],
  'standard-webhooks': ['webhook-id', 'webhook-timestamp'],
  hex: [],
  base64: [],
}

/** The headers of signatures. Svix's names are synonyms of the names of Standard Webhooks. */
export const signatureHeaders = ({ header }: Pick<Signing, 'header'>): readonly string[] =>
  header === 'webhook-signature' ? [header, 'svix-signature'] : [header]

/** Whether the request has a signature, valid or not. */
export const hasSignature = (signing: Pick<Signing, 'header'>, headers: IncomingHttpHeaders): boolean =>
  signatureHeaders(signing).some(name => textOf(headers[name]) !== '')

/** Checks the signature of a request. */
export function verify(signing: Signing, body: Buffer, headers: IncomingHttpHeaders, now: Date): Verdict {
  const { scheme, secret } = signing
  const given = first(headers, signatureHeaders(signing))
  if (given === '') return { wrong: `the header ${signatureHeaders(signing).join(' or ')} is missing` }
  const verdict = (problem: string | null, ...signed: (string | Buffer)[]): Verdict =>
    problem === null ? { wrong: null, messageId: digest(secret, signed) } : { wrong: problem }

  switch (scheme) {
    case 'github':
    case 'hex':
    case 'base64': {
      const expected = signatureOf(signing, body, '', '')
      return verdict(anyEqual([scheme === 'hex' ? given.toLowerCase() : given], expected), body)
    }
    case 'stripe': {
      const fields = given.split(',').map(field => field.split('=', 2) as [string, string?])
      const time = fields.find(([name]) => name.trim() === 't')?.[1] ?? ''
      const signatures = fields.flatMap(([name, value]) => (name.trim() === 'v1' && value ? [value] : []))
      return verdict(stale(time, now) ?? anyEqual(signatures, mac(secret, [`${time}.`, body]).toString('hex')), `${time}.`, body)
    }
    case 'slack': {
      const time = textOf(headers['x-slack-request-timestamp'])
      if (time === '') return { wrong: 'the header x-slack-request-timestamp is missing' }
      return verdict(stale(time, now) ?? anyEqual([given], signatureOf(signing, body, '', time)), `${time}:`, body)
    }
    case 'standard-webhooks': {
      const id = first(headers, ['webhook-id', 'svix-id'])
      const time = first(headers, ['webhook-timestamp', 'svix-timestamp'])
      if (id === '') return { wrong: 'the header webhook-id or svix-id is missing' }
      if (time === '') return { wrong: 'the header webhook-timestamp or svix-timestamp is missing' }
      // A message that is sent again has a new signature and the same id.
      return verdict(stale(time, now) ?? anyEqual(given.split(' '), signatureOf(signing, body, id, time)), 'id:', id)
    }
  }
}

/** The signature headers of a request that is signed with the secret. */
export function sign(signing: Signing, body: Buffer, id: string, now: Date): Record<string, string> {
  const { scheme, header } = signing
  const time = String(Math.floor(now.getTime() / 1000))
  const signature = signatureOf(signing, body, id, time)
  if (scheme === 'slack') return { [header]: signature, 'x-slack-request-timestamp': time }
  if (scheme === 'standard-webhooks') return { [header]: signature, 'webhook-id': id, 'webhook-timestamp': time }
  return { [header]: signature }
}

function signatureOf({ scheme, secret }: Signing, body: Buffer, id: string, time: string): string {
  switch (scheme) {
    case 'github':
      return `sha256=${mac(secret, [body]).toString('hex')}`
    case 'hex':
    case 'base64':
      return mac(secret, [body]).toString(scheme)
    case 'stripe':
      return `t=${time},v1=${mac(secret, [`${time}.`, body]).toString('hex')}`
    case 'slack':
      return `v0=${mac(secret, [`v0:${time}:`, body]).toString('hex')}`
    case 'standard-webhooks':
      return `v1,${mac(signingKey(scheme, secret), [`${id}.${time}.`, body]).toString('base64')}`
  }
}

function mac(key: string | Buffer, parts: (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

function digest(secret: string, parts: (string | Buffer)[]): string {
  const hash = createHash('sha256').update(`${secret}\n`)
  for (const part of parts) hash.update(part)
  return hash.digest('base64url')
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')
const first = (headers: IncomingHttpHeaders, names: readonly string[]): string =>
  names.map(name => textOf(headers[name])).find(value => value !== '') ?? ''

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

// During a rotation of the secret a sender signs with both; one valid signature is enough.
const anyEqual = (given: readonly string[], expected: string): string | null =>
  given.some(one => equal(one, expected)) ? null : 'the signature is wrong'

function stale(time: string, now: Date): string | null {
  if (!/^\d{1,12}$/.test(time)) return 'the timestamp of the signature is missing'
  return Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds ? 'the signature is too old, or from the future' : null
}
