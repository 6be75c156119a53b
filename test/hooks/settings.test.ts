// Settings of the hooks.

import { afterEach, describe, expect, test } from 'vitest'
import { hookToken, startApp } from '../support/app.ts'
import { type GatewayOptions, startGateway, type TestGateway } from '../support/gateway.ts'

const open: TestGateway[] = []
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close()
})
const given = async (options: GatewayOptions) => {
  const gateway = await startGateway({ works: false, ...options })
  open.push(gateway)
  return gateway
}
const wrong = { authorization: 'Bearer wrong' }

test('twenty wrong tokens a minute are answered 401, further ones 429; a valid one always passes and resets the count', async () => {
  const gateway = await given({ env: { RATE_LIMIT: '1' } })
  const fail = () => gateway.hook('wake', { text: 'a' }, wrong)

  for (let count = 0; count < 20; count++) expect((await fail()).status).toBe(401)
  const limited = await fail()
  expect({ status: limited.status, body: limited.body }).toEqual({
    status: 429,
    body: { ok: false, error: 'Too many wrong tokens from this address' },
  })
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)

  expect((await gateway.hook('wake', { text: 'a' })).status).toBe(200)
  expect((await fail()).status).toBe(401)
})

test('the path of the hooks is configurable', async () => {
  const gateway = await given({ config: { hooks: { path: '/in/from-outside' } } })
  const headers = { authorization: `Bearer ${hookToken}` }

  expect((await gateway.rest('POST', '/in/from-outside/wake', { body: { text: 'a' }, headers })).status).toBe(200)
  expect((await gateway.rest('POST', '/hooks/wake', { body: { text: 'a' }, headers })).status).toBe(404)
})

test('tokens in queries can be disabled', async () => {
  const gateway = await given({ config: { hooks: { allowQueryToken: false } } })

  const { status, body } = await gateway.rest('POST', `/hooks/wake?token=${hookToken}`, { body: { text: 'a' } })
  expect({ status, body }).toEqual({
    status: 401,
    body: { ok: false, error: 'Tokens are not taken from the query here; send Authorization: Bearer <token>' },
  })
  expect((await gateway.hook('wake', { text: 'a' })).status).toBe(200)
})

test('tokens of the file and of the environment are both valid, so that a rotation has no downtime', async () => {
  const gateway = await given({ config: { hooks: { token: ['the-old-token-0123456789', 'the-new-token-0123456789'] } } })

  for (const token of ['the-old-token-0123456789', 'the-new-token-0123456789', hookToken])
    expect((await gateway.hook('wake', { text: 'a' }, { authorization: `Bearer ${token}` })).status).toBe(200)
})

test('the body limit is configurable', async () => {
  const gateway = await given({ config: { hooks: { maxBodyBytes: 2048 } } })

  expect((await gateway.hook('wake', { text: 'x'.repeat(2000) })).status).toBe(200)
  expect((await gateway.hook('wake', { text: 'x'.repeat(2048) })).status).toBe(413)
})

test('session keys can be restricted to prefixes', async () => {
  const gateway = await given({ config: { hooks: { allowedSessionKeyPrefixes: ['hook:', 'crm:'] } } })

  expect((await gateway.hook('agent', { message: 'a', sessionKey: 'crm:1' })).status).toBe(202)
  expect((await gateway.hook('agent', { message: 'a' })).status).toBe(202)
  expect((await gateway.hook('agent', { message: 'a', sessionKey: 'main' })).body).toEqual({
    ok: false,
    error: 'sessionKey: must start with one of hook:, crm:',
  })
})

test('models can be restricted to a list', async () => {
  const config = {
    models: { allow: ['offline/summary'], aliases: { fast: 'local/small' }, providers: { local: { baseUrl: 'http://127.0.0.1:9/v1' } } },
  }
  const gateway = await given({ config })

  expect((await gateway.hook('agent', { message: 'a', model: 'offline/summary' })).status).toBe(202)
  for (const model of ['fast', 'local/small', 'local/']) expect((await gateway.hook('agent', { message: 'a', model })).status).toBe(400)
})

describe('without hooks', () => {
  test('nothing is served at their path', async () => {
    const app = await startApp({ env: { HOOKS_ENABLED: '0', ROLES: 'api,session,gateway' } })
    const { status } = await app.rest('POST', '/hooks/wake', { body: { text: 'a' }, headers: { authorization: `Bearer ${hookToken}` } })
    await app.close()

    expect(status).toBe(404)
  })

  test('nor by a process without the role gateway', async () => {
    const app = await startApp({ env: { HOOKS_ENABLED: '1', ROLES: 'api,session' } })
    const { status } = await app.rest('POST', '/hooks/wake', { body: { text: 'a' }, headers: { authorization: `Bearer ${hookToken}` } })
    await app.close()

    expect(status).toBe(404)
  })
})

test('without an organization the hooks respond that the sender may retry later', async () => {
  const app = await startApp({ env: { HOOKS_ENABLED: '1', ROLES: 'api,session,gateway' } })
  const { status, headers, body } = await app.rest('POST', '/hooks/wake', {
    body: { text: 'a' },
    headers: { authorization: `Bearer ${hookToken}` },
  })
  await app.close()

  expect({ status, wait: headers.get('retry-after'), body }).toEqual({
    status: 503,
    wait: '5',
    body: {
      ok: false,
      error: 'There is no organization yet that the gateway could belong to; gateway.organizationId in GATEWAY_CONFIG names one',
    },
  })
})
