// verifyWebhook: signatures of the standardwebhooks package, and what is refused.

import { verifyWebhook, type WebhookEvent } from 'rolocom/client'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'

const secret = `whsec_${btoa('a secret of the endpoint')}`
const other = `whsec_${btoa('another secret, the newer one')}`
const now = new Date('2026-03-01T12:00:00Z')
const body = JSON.stringify({
  type: 'contact.updated',
  timestamp: now.toISOString(),
  data: { id: '0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01', first_name: 'Zoë' },
})
const signedBy = (secrets: readonly string[], at = now, text = body) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': secrets.map(each => new Webhook(each).sign('msg_1', at, text)).join(' '),
})
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('accepts', () => {
  test('signed bodies, as text and as bytes, with the headers of fetch and of Node', async () => {
    const headers = signedBy([secret])

    const { id, event } = await verifyWebhook(body, headers, secret, { now })
    expect([id, event]).toEqual(['msg_1', JSON.parse(body)])
    await expect(verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now })).resolves.toEqual({ id, event })
  })

  test('either of two secrets, on either side', async () => {
    await expect(verifyWebhook(body, signedBy([other, secret]), secret, { now })).resolves.toHaveProperty('id')
    await expect(verifyWebhook(body, signedBy([other]), [secret, other], { now })).resolves.toHaveProperty('id')
  })

  test.each([-300, 300])('a body that was signed %i s from now', async seconds => {
    await expect(verifyWebhook(body, signedBy([secret]), secret, { now: later(seconds) })).resolves.toHaveProperty('id')
  })

  test('events as a union by their type', async () => {
    const { event } = await verifyWebhook(body, signedBy([secret]), secret, { now })
    const told = (given: WebhookEvent) => (given.type === 'contact.updated' ? given.data.id : null)
    expect(told(event)).toBe('0199f0e0-7a3c-7b1e-9c55-2f6b1f0c9a01')
  })
})

describe('refuses', () => {
  const good = signedBy([secret])

  test.each<[string, string, Record<string, string | undefined>, number, string]>([
    ['another body', `${body} `, good, 0, 'not_signed'],
    ['another id', body, { ...good, 'webhook-id': 'msg_2' }, 0, 'not_signed'],
    ['another time', body, { ...good, 'webhook-timestamp': String(now.getTime() / 1000 + 1) }, 0, 'not_signed'],
    ['another secret', body, signedBy([other]), 0, 'not_signed'],
    ['another version', body, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') }, 0, 'not_signed'],
    ['a signature that is no base64', body, { ...good, 'webhook-signature': 'v1,*' }, 0, 'not_signed'],
    ['an old one', body, good, 301, 'out_of_time'],
    ['one of the future', body, good, -301, 'out_of_time'],
    ['no id', body, { ...good, 'webhook-id': undefined }, 0, 'malformed'],
    ['no signature', body, { ...good, 'webhook-signature': undefined }, 0, 'malformed'],
    ['a time that is none', body, { ...good, 'webhook-timestamp': 'NaN' }, 0, 'malformed'],
    ['a body that is no event', '[]', signedBy([secret], now, '[]'), 0, 'no_event'],
    ['a body that is no JSON', 'event', signedBy([secret], now, 'event'), 0, 'no_event'],
  ])('%s', async (_, text, headers, seconds, code) => {
    await expect(verifyWebhook(text, headers, secret, { now: later(seconds) })).rejects.toMatchObject({ name: 'WebhookError', code })
  })

  test('a secret that is none, with a sentence about it', async () => {
    await expect(verifyWebhook(body, good, 'whsec_', { now })).rejects.toThrow(TypeError)
  })
})
