// Limits without a credential count networks behind a proxy: one sender has all 2^64 addresses of an IPv6 network.

import { describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/identity/keys/format.ts'
import { networkOf } from '../../src/kernel/limits/network.ts'
import { register } from '../identity/oauth/given.ts'
import { idp, newEmail, password } from '../identity/provider.ts'
import { type Answer, hookToken } from '../support/app.ts'
import { openGateway } from '../support/gateway.ts'

const app = await openGateway({
  works: false,
  env: { RATE_LIMIT: '1', TRUST_PROXY: '1', RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '40', SIGN_UPS_PER_HOUR: '2' },
})

type Headers = Record<string, string>
const form = (body: string, headers: Headers) => ({ body, headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } })
const device = (headers: Headers) => app.rest('POST', '/api/auth/device', { body: { client_name: 'CLI' }, headers })

// Each with the number of requests that a network may send, and one request of it.
const doors: [string, number, (headers: Headers) => Promise<Pick<Answer, 'status'>>][] = [
  ['wrong hook tokens', 20, headers => app.hook('wake', { text: 'a' }, { authorization: 'Bearer wrong', ...headers })],
  ['passwords', 20, headers => idp(app, 'POST', '/sign-in/email', { body: { email: newEmail('nobody'), password }, headers })],
  ['links to sign in', 20, headers => idp(app, 'POST', '/sign-in/magic-link', { body: { email: newEmail('nobody') }, headers })],
  ['new passwords', 20, headers => idp(app, 'POST', '/reset-password', { body: { newPassword: password, token: 'x' }, headers })],
  ['new users', 2, headers => idp(app, 'POST', '/sign-up/email', { body: { email: newEmail(), password, name: 'Ada' }, headers })],
  ['invitations', 30, headers => app.rest('GET', `/claim/${'y'.repeat(43)}`, { headers })],
  ['registrations of OAuth clients', 20, headers => register(app, {}, headers)],
  ['OAuth tokens', 120, headers => app.rest('POST', '/oauth/token', form('grant_type=refresh_token', headers))],
  ['codes of devices', 30, headers => device(headers)],
  ['writes of strangers', 40, headers => app.rest('POST', '/api/auth/session', { body: { device_code: 'x' }, headers })],
  ['guests', 5, headers => app.rest('GET', '/api/dashboard', { headers: { 'x-guest-id': newEmail(), ...headers } })],
  ['strangers by GraphQL', 5, headers => app.graphql('{ nothing }', undefined, { headers })],
  [
    'forged messages of a telephone provider',
    20,
    headers => app.rest('POST', '/api/voice/v1/providers/http/events', { body: {}, headers }),
  ],
  ['wrong API keys', 600, headers => app.rest('GET', '/api/crm/v1/contacts', { key: newApiKey(), headers })],
]

test.each(doors.map(([name], index) => [name, index] as const))('%s are counted per network', async (_name, index) => {
  const [, max, send] = doors[index] as (typeof doors)[number]
  const from = (address: string) => send({ 'x-forwarded-for': address })
  const inNetwork = (network: string) => (n: number) => `2001:db8:${index.toString(16)}:${network}::${n.toString(16)}`
  const address = inNetwork('1')

  const allowed: number[] = []
  for (let n = 1; n <= max; n++) allowed.push((await from(address(n))).status)
  const next = [address(max + 1), `${address(1)}%eth0`, address(2).toUpperCase(), `2001:db8:${index.toString(16)}:1:ffff:ffff:ffff:ffff`]

  expect(allowed.filter(status => status === 429)).toEqual([])
  for (const one of next) expect([one, (await from(one)).status]).toEqual([one, 429])
  expect((await from(inNetwork('2')(1))).status).not.toBe(429)
  expect((await from(`192.0.2.${index}`)).status).not.toBe(429)
})

test('codes of devices are counted together at all doors, and the answer says how long to wait', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.200' }
  for (let n = 0; n < 30; n++) expect((await device(headers)).status).toBe(200)
  const text = 'mutation { startDeviceAuthorization(input: { clientName: "CLI" }) { userCode } }'

  const { body } = await app.graphql(text, undefined, { headers })
  const refused = await device(headers)

  expect(body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) })
  expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ code: 'rate_limited' })])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
})

describe('the network of an address', () => {
  test.each([
    ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1', '64:ff9b::192.0.2.1', '192.0.2.1:4711']],
    ['2001:db8:0:1::/64', ['2001:db8:0:1::1', '2001:0DB8:0000:0001:ffff::', '2001:db8:0:1:2:3:4:5%eth0', '[2001:db8:0:1::7]:443']],
    ['fe80:0:0:0::/64', ['fe80::1', 'fe80::2%eth0', 'fe80::3%25wlan0']],
    ['0:0:0:0::/64', ['::1', '::', '::2']],
    ['unknown', [undefined, '', 'unix:', 'localhost', '300.1.1.1', '1.2.3', ':::', '2001:db8::1::2', 'x'.repeat(100_000)]],
  ])('%s', (network, addresses) => {
    expect(addresses.map(networkOf)).toEqual(addresses.map(() => network))
  })
})

test('a valid hook token resets the count of its network', async () => {
  const send = (authorization: string, n: number) =>
    app.hook('wake', { text: 'a' }, { authorization, 'x-forwarded-for': `2001:db8:ff:1::${n}` })
  for (let n = 0; n < 21; n++) await send('Bearer wrong', n)

  expect((await send('Bearer wrong', 30)).status).toBe(429)
  expect((await send(`Bearer ${hookToken}`, 31)).status).toBe(200)
  expect((await send('Bearer wrong', 32)).status).toBe(401)
})
