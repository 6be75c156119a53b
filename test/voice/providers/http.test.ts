// The provider `http`: an agent's own server gets its calls, signed, and reports back the same way.

import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { reconcileCall } from '../../../src/voice/dispatch/reaper.ts'
import { conforming } from '../../rest/conforming.ts'
import { startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { agents, givenCallFixture, number } from '../call-fixture.ts'
import { report, secretOf } from '../report.ts'
import { type Answer, type Asked, providerServer } from './server.ts'

const provider = await keepOpen(providerServer())
const started = await startApp({ env: { OUTGOING_ALLOW_PRIVATE: '127.0.0.1' } })
const app = await keepOpen({ ...started, rest: conforming(started) })

const usual: Answer = ({ json }) => ({ status: 200, body: { provider_call_id: `pc-${json?.call_id}` } })
beforeEach(() => {
  provider.asked.length = 0
  provider.answers(usual)
})

const fixture = (fields: object = {}) => givenCallFixture(app, { dispatch_url: `${provider.url}/dispatch?tenant=1`, ...fields })
const isSigned = (secret: string, { body, headers }: Asked) =>
  new Webhook(secret).verify(body || '', headers as Record<string, string>) !== undefined

describe('an agent', () => {
  test('with a dispatch URL and without a provider gets the provider http, and is active at once', async () => {
    const { agent } = await fixture()

    expect(agent).toMatchObject({ provider: 'http', status: 'active', dispatch_url: `${provider.url}/dispatch?tenant=1` })
    expect(provider.asked).toEqual([])
  })

  test.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:9/',
    'http://[fd00::1]/',
    'http://127.0.0.2/',
  ])('fails for %s: no address of the internal network is reached', async dispatch_url => {
    const { agent } = await fixture({ dispatch_url })

    expect(agent).toMatchObject({
      status: 'failed',
      status_reason: expect.stringMatching(/^dispatch_url: .* private address that OUTGOING_ALLOW_PRIVATE does not list$/),
    })
  })

  test('422 without a dispatch URL, and with an invalid one', async () => {
    const { key } = await app.given.apiKey()
    const ask = (body: object) => app.rest('POST', agents, { key, body: { name: 'x', provider: 'http', ...body } })

    expect((await ask({})).body.detail).toMatchObject([{ loc: ['body', 'dispatch_url'], type: 'value_error' }])
    expect((await ask({ dispatch_url: 'ftp://example.com' })).body.detail).toMatchObject([
      { loc: ['body', 'dispatch_url'], type: 'url_scheme' },
    ])
  })
})

test('a malformed value in an answer to a look-up costs only itself', async () => {
  const { call, orgId, read } = await fixture()
  provider.answers(() => null)
  const { id } = await call()
  provider.answers(() => ({
    status: 200,
    body: {
      ...{ provider_call_id: `pc-${id}`, status: 'completed', ended_at: '1999-01-01T00:00:00Z', duration_seconds: 5, summary: 7 },
      ...{ transcript: [{ role: 'nobody', text: 'Hi' }], outcome: 'won', recording_url: null, ended_reason: 'hung_up' },
    },
  }))

  await reconcileCall(app.services, orgId, id)

  expect(await read(id)).toMatchObject({ status: 'completed', duration_seconds: 5, ended_reason: 'hung_up', summary: null, transcript: [] })
})

describe('a dial', () => {
  test("posts the order, signed with the agent's secret, with the call's id as idempotency key", async () => {
    const one = await fixture({ instructions: 'Be brief.', extraction: { budget: { type: 'integer' } }, phone_number: '+15550400001' })
    const secret = await secretOf(app, one)

    const call = await one.call({ variables: { name: 'Ada' }, metadata: { m: 1 } })

    expect(call).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: `pc-${call.id}`, provider: 'http' })
    expect(provider.asked).toHaveLength(1)
    const [asked] = provider.asked as [Asked]
    expect([asked.method, asked.path, asked.query.get('tenant')]).toEqual(['POST', '/dispatch', '1'])
    expect(isSigned(secret, asked)).toBe(true)
    expect(() => isSigned(secret, { ...asked, body: `${asked.body} ` })).toThrow()
    expect([asked.headers['idempotency-key'], asked.headers['webhook-id']]).toEqual([call.id, call.id])
    expect(asked.json).toEqual({
      type: 'call.dispatch',
      call_id: call.id,
      to_number: number,
      from_number: '+15550400001',
      contact_id: call.contact_id,
      variables: { name: 'Ada' },
      metadata: { m: 1 },
      max_duration_seconds: 600,
      ring_timeout_seconds: 30,
      record: true,
      voicemail: { action: 'hang_up', message: null },
      agent: {
        id: one.agent.id,
        version: 1,
        name: 'Appointment desk',
        instructions: 'Be brief.',
        first_message: null,
        extraction: { budget: { type: 'integer' } },
        language: null,
        voice: null,
      },
      events_url: `${app.url}/api/voice/v1/providers/http/events`,
    })
  })

  test('uses the version of the agent with which the call was placed', async () => {
    const one = await fixture({ instructions: 'First.' })
    const { id } = await one.call({ schedule: { earliest_at: new Date(Date.now() + 60_000).toISOString() } })
    await app.rest('PATCH', `${agents}/${one.agent.id}`, { key: one.key, body: { instructions: 'Second.' } })

    app.setNow(new Date(Date.now() + 61_000))
    const { dialsSettled, dispatch } = await import('../../../src/voice/dispatch/dispatch.ts')
    await dispatch(app.services, one.orgId)
    await dialsSettled(app.services, 20_000)
    app.setNow(null)

    expect(provider.asked.find(({ json }) => json?.call_id === id)?.json.agent).toMatchObject({ version: 1, instructions: 'First.' })
    expect(await one.read(id)).toMatchObject({ agent_version: 1, dispatch_state: 'dispatched' })
  })

  test.each([
    [
      { status: 201, body: { provider_call_id: 'x1' } },
      { dispatch_state: 'dispatched', provider_call_id: 'x1' },
    ],
    [{ status: 200, body: { ok: true } }, { dispatch_state: 'unconfirmed' }],
    [
      { status: 422, body: { error: 'no' } },
      { dispatch_state: 'failed', status: 'failed', provider_reason: 'it answered 422: {"error":"no"}' },
    ],
    [{ status: 307, headers: { location: 'http://127.0.0.1:1/' } }, { dispatch_state: 'failed' }],
    [{ status: 429, headers: { 'retry-after': '5' } }, { dispatch_state: 'pending' }],
    [{ status: 500 }, { dispatch_state: 'unconfirmed' }],
    [null, { dispatch_state: 'unconfirmed' }],
  ])('answered %j', async (answer, expected) => {
    const { call } = await fixture()
    provider.answers(() => answer)

    expect(await call()).toMatchObject(expected)
    expect(provider.to('POST', '/dispatch')).toHaveLength(1)
  })

  test('to an unreachable server is repeated; two organizations may use the same provider ids', async () => {
    const away = await fixture({ dispatch_url: 'http://127.0.0.1:1/' })
    expect(await away.call()).toMatchObject({ dispatch_state: 'pending', provider_reason: expect.stringContaining('could not be reached') })

    provider.answers(() => ({ status: 200, body: { provider_call_id: 'same' } }))
    const [a, b] = [await fixture(), await fixture()]
    expect([await a.call(), await b.call()]).toMatchObject([{ provider_call_id: 'same' }, { provider_call_id: 'same' }])
    const secrets = [await secretOf(app, a), await secretOf(app, b)]
    const { body } = await app.rest('GET', '/api/voice/v1/calls', { key: b.key })
    await report(
      app,
      secrets[1] ?? '',
      { call_id: body.data[0].id, provider_call_id: 'same', status: 'ringing' },
      { id: 'evt', provider: 'http' },
    )
    const { body: other } = await app.rest('GET', '/api/voice/v1/calls', { key: a.key })
    expect([other.data[0].status, (await b.read(body.data[0].id)).status]).toEqual(['queued', 'ringing'])
  })
})

test('an unconfirmed call is looked up by a signed request, and gets the provider id of the answer', async () => {
  const one = await fixture()
  const secret = await secretOf(app, one)
  provider.answers(() => null)
  const { id } = await one.call()
  provider.answers(({ query }) => ({
    status: 200,
    body: { provider_call_id: `pc-${query.get('call_id')}`, status: 'in_progress', answered_by: 'human' },
  }))

  await reconcileCall(app.services, one.orgId, id)

  const lookup = provider.asked.at(-1) as Asked
  expect([lookup.method, lookup.path, lookup.query.get('tenant'), lookup.query.get('call_id')]).toEqual(['GET', '/dispatch', '1', id])
  const { 'webhook-id': webhookId, 'webhook-timestamp': at, 'webhook-signature': signature } = lookup.headers
  expect(new Webhook(secret).sign(String(webhookId), new Date(Number(at) * 1000), '')).toBe(signature)
  expect(await one.read(id)).toMatchObject({ dispatch_state: 'dispatched', status: 'in_progress', provider_call_id: `pc-${id}` })
})

test('a cancel is posted with both ids of the call', async () => {
  const one = await fixture()
  const { id } = await one.call()

  const { body } = await app.rest('POST', `/api/voice/v1/calls/${id}/cancel`, { key: one.key })

  expect(body).toMatchObject({ status: 'canceled' })
  expect(provider.asked.at(-1)?.json).toEqual({ type: 'call.hang_up', call_id: id, provider_call_id: `pc-${id}` })
})

test('a report may have Svix’s headers, and unsigned headers beside them change nothing', async () => {
  const one = await fixture()
  const secret = await secretOf(app, one)
  const { id } = await one.call()
  const body = JSON.stringify({ call_id: id, provider_call_id: `pc-${id}`, status: 'ringing' })
  const at = new Date()
  const headers = {
    'svix-id': 'msg_1',
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign('msg_1', at, body),
  }
  const tell = (more: Record<string, string>) =>
    app.rest('POST', '/api/voice/v1/providers/http/events', { body, headers: { 'content-type': 'application/json', ...headers, ...more } })

  expect((await tell({})).body).toEqual({ received: 'applied' })
  expect((await tell({ 'webhook-id': 'msg_2', 'idempotency-key': 'mine' })).body).toEqual({ received: 'duplicate' })
  expect((await tell({ 'svix-id': 'msg_2' })).status).toBe(401)
})
