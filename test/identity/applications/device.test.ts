// Devices without a browser (RFC 8628): a short code that the user types elsewhere.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'

const app = await openApp({ env: { PUBLIC_URL: 'https://rolocom.example/' } })

const begin = async (): Promise<Json> => (await app.rest('POST', '/api/auth/device', { body: { client_name: 'Rolocom CLI' } })).body
const poll = (device_code: string) => app.rest('POST', '/api/auth/session', { body: { device_code } })
const ask = async (text: string, asked: Json): Promise<Json> => {
  const { body } = await app.graphql(text, {}, asked)
  return body.errors ? body.errors[0].extensions : body.data
}
const find = (code: string, session: string) =>
  ask(`{ deviceAuthorization(userCode: "${code}") { userCode clientName status } }`, { session })
const decide = (verb: 'approve' | 'deny', code: string, session: string) =>
  ask(`mutation { ${verb}Device(input: { userCode: "${code}" }) { status } }`, { session })

describe('POST /api/auth/device', () => {
  test('answers what the device shows and asks with', async () => {
    const device = await begin()

    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://rolocom.example/device',
      verification_uri_complete: `https://rolocom.example/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect(app.log.join('\n')).not.toContain(device.device_code)
  })

  test.each([[{}], [{ client_name: ' ' }], [{ client_name: 'x'.repeat(101) }]])('%j is 422', async body => {
    expect((await app.rest('POST', '/api/auth/device', { body })).body.detail[0].loc).toEqual(['body', 'client_name'])
  })
})

describe('a device', () => {
  test('is shown with where it asked from and what it says it is, and so is its session', async () => {
    const { session } = await app.given.session()
    const agent = `${'Evil/1.0 '.repeat(80)}`
    const { body } = await app.rest('POST', '/api/auth/device', { body: { client_name: 'Rolocom CLI' }, headers: { 'user-agent': agent } })
    const text = `{ deviceAuthorization(userCode: "${body.user_code}") { ipAddress userAgent } }`

    expect(await ask(text, { session })).toEqual({
      deviceAuthorization: { ipAddress: expect.stringMatching(/127\.0\.0\.1$/), userAgent: agent.trim().slice(0, 500) },
    })
    await decide('approve', body.user_code, session)
    const opened = await poll(body.device_code)
    expect(await ask('{ session { ipAddress userAgent clientName } }', { session: opened.body.session_token })).toEqual({
      session: { ipAddress: expect.stringMatching(/127\.0\.0\.1$/), userAgent: agent.trim().slice(0, 500), clientName: 'Rolocom CLI' },
    })
  })

  test('asks until the user has approved it, and then has a session once', async () => {
    const { session, userId } = await app.given.session()
    const now = new Date()
    app.setNow(now)
    const { device_code, user_code } = await begin()

    expect(await poll(device_code)).toMatchObject({ status: 400, body: { code: 'authorization_pending', interval: 5 } })
    expect(await find(user_code.toLowerCase().replace('-', ' '), session)).toEqual({
      deviceAuthorization: { userCode: user_code, clientName: 'Rolocom CLI', status: 'PENDING' },
    })
    expect(await decide('approve', user_code, session)).toEqual({ approveDevice: { status: 'APPROVED' } })
    app.setNow(new Date(now.getTime() + 5000))
    const opened = await poll(device_code)

    expect(opened).toMatchObject({ status: 201, body: { user_id: userId } })
    const { me, session: own } = await ask('{ me { userId } session { device } }', { session: opened.body.session_token })
    expect([me.userId, own.device]).toEqual([userId, 'Rolocom CLI'])
    expect((await poll(device_code)).body.code).toBe('invalid_grant')
    expect(await find(user_code, session)).toMatchObject({ code: 'NOT_FOUND' })
    app.setNow(null)
  })

  test('that asks too often is told to slow down, each time by 5 seconds', async () => {
    const now = new Date()
    app.setNow(now)
    const { device_code } = await begin()
    const at = async (seconds: number) => {
      app.setNow(new Date(now.getTime() + seconds * 1000))
      const { headers, body } = await poll(device_code)
      return [body.code, body.interval, headers.get('retry-after')]
    }

    expect(await at(0)).toEqual(['authorization_pending', 5, '5'])
    expect(await at(4)).toEqual(['slow_down', 10, '10'])
    expect(await at(13)).toEqual(['slow_down', 15, '15'])
    expect(await at(28)).toEqual(['authorization_pending', 15, '15'])
    app.setNow(null)
  })

  test('is refused by the user', async () => {
    const { session } = await app.given.session()
    const { device_code, user_code } = await begin()

    expect(await decide('deny', user_code, session)).toEqual({ denyDevice: { status: 'DENIED' } })

    expect((await poll(device_code)).body.code).toBe('access_denied')
    expect(await decide('approve', user_code, session)).toMatchObject({ code: 'CONFLICT' })
  })

  test('waits for 10 minutes', async () => {
    const { session } = await app.given.session()
    const now = new Date()
    app.setNow(now)
    const { device_code, user_code } = await begin()

    app.setNow(new Date(now.getTime() + 600_000))

    expect((await poll(device_code)).body.code).toBe('expired_token')
    expect(await decide('approve', user_code, session)).toMatchObject({ code: 'NOT_FOUND' })
    app.setNow(null)
  })

  test('approved in a session that has ended since gets none', async () => {
    const { session } = await app.given.session()
    const { device_code, user_code } = await begin()
    await decide('approve', user_code, session)

    await app.rest('DELETE', '/api/auth/session', { session })

    expect((await poll(device_code)).body.code).toBe('invalid_grant')
    expect((await poll('x')).body.code).toBe('invalid_grant')
  })

  test('opens one session when it asks twice at the same time', async () => {
    const { session } = await app.given.session()
    const { device_code, user_code } = await begin()
    await decide('approve', user_code, session)

    const both = await Promise.all([poll(device_code), poll(device_code)])

    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })

  test('is not approved by a guest, an API key, or nobody', async () => {
    const { key } = await app.given.apiKey()
    const { user_code } = await begin()
    const approve = (asked: Json) => ask(`mutation { approveDevice(input: { userCode: "${user_code}" }) { status } }`, asked)

    expect((await approve({ key })).code).toBe('FORBIDDEN')
    expect((await approve({ headers: { 'x-guest-id': 'guest' } })).code).toBe('GUEST_READ_ONLY')
    expect((await approve({})).code).toBe('UNAUTHENTICATED')
  })

  test('is not found by guessing: 20 codes in 15 minutes for a user, in all places together', async () => {
    const { session } = await app.given.session()
    const { session: other } = await app.given.session()
    const { user_code } = await begin()
    for (let guess = 0; guess < 10; guess++) {
      expect(await find('BBBB-BBBB', session)).toMatchObject({ code: 'NOT_FOUND' })
      expect(await decide('approve', 'BBBB-BBBB', session)).toMatchObject({ code: 'NOT_FOUND' })
    }

    expect(await find(user_code, session)).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) })
    expect(await decide('approve', user_code, session)).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await find(user_code, other)).toMatchObject({ deviceAuthorization: { status: 'PENDING' } })
  })
})
