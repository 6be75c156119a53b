// Registering a client: which clients are refused, and what is kept of them.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { agree, ask, authorization, callback, register } from './given.ts'

const app = await openApp()
const errorOf = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error]
const paths = ({ code, problems }: { code: string; problems?: { path: string[] }[] }) => [
  code,
  ...(problems ?? []).map(({ path }) => path.join('.')),
]

describe('a registration', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    'http://example.com/callback',
    'http://localhost.example.com/callback',
    'JavaScript:alert(1)',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'view-source:https://example.com/',
    'mailto:someone@example.com',
    'sms:+14155550123',
    'ftp://example.com/callback',
    'ws://example.com/callback',
    'intent://example.com/#Intent;end',
    'ms-settings:privacy',
    'search-ms:query=x',
    'https://user:secret@example.com/',
    'https://example.com/#fragment',
    '/callback',
    `https://example.com/${'x'.repeat(2000)}`,
  ])('with %s is refused', async address => {
    expect(errorOf(await register(app, { redirect_uris: [address] }))).toEqual([400, 'invalid_redirect_uri'])
  })

  test.each([
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'vscode-insiders://ms.mcp/callback',
    'com.example.app:/cb',
    'claude://oauth',
  ])('with the scheme of an application, %s, is taken, beside a page and a loopback address', async address => {
    const { session } = await app.given.session()
    const addresses = [address, 'http://localhost:8787/callback', 'https://www.example.com/callback']
    const { status, body } = await register(app, { redirect_uris: addresses, application_type: 'web' })
    const url = authorization(app, body.client_id, { redirect_uri: address })

    expect([status, body.redirect_uris]).toEqual([201, addresses])
    expect((await ask(app, url)).redirectsTo).toBe(new URL(address).protocol)
    expect((await agree(app, url, session)).href.startsWith(`${address}?code=`)).toBe(true)
    expect(paths(await ask(app, authorization(app, body.client_id, { redirect_uri: `${address}/other` })))).toEqual([
      'INVALID',
      'redirectUri',
    ])
  })

  test.each([
    [{ client_name: null, grant_types: null, response_types: null, logo_uri: null, contacts: [] }, 'An application'],
    [{ redirect_uris: ['http://LOCALHOST:3000/callback', 'http://[::1]/callback'] }, 'Test Agent'],
    [{ token_endpoint_auth_method: 'client_secret_basic', grant_types: ['authorization_code', 'implicit'] }, 'Test Agent'],
  ])('with %j is taken', async (metadata, name) => {
    const { status, body } = await register(app, metadata)

    expect([status, body.client_name, body.token_endpoint_auth_method]).toEqual([201, name, 'none'])
  })

  test.each([
    [{ redirect_uris: [] }],
    [{ redirect_uris: Array(11).fill(callback) }],
    [{ redirect_uris: callback }],
    [{ client_name: 'x'.repeat(101) }],
    [{ client_name: ' ' }],
    [{ grant_types: ['client_credentials'] }],
    [{ response_types: ['token'] }],
  ])('with %j is refused', async metadata => {
    expect(errorOf(await register(app, metadata))).toEqual([400, 'invalid_client_metadata'])
  })

  test('has no secret, and stores no unchecked values', async () => {
    const metadata = {
      logo_uri: 'https://evil.example/logo.png',
      client_uri: 'https://example.com',
      token_endpoint_auth_method: 'client_secret_post',
    }
    const { status, body } = await register(app, { ...metadata, client_name: 'Safe\u202e Agent' })

    expect(status).toBe(201)
    expect(body).toEqual({
      ...{ client_id: expect.any(String), client_id_issued_at: expect.any(Number), client_name: 'Safe Agent', redirect_uris: [callback] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' },
    })
  })

  test('larger than 16 KiB is 413, and one that is no JSON is refused', async () => {
    expect((await register(app, { padding: 'x'.repeat(20_000) })).status).toBe(413)
    expect(errorOf(await app.rest('POST', '/oauth/register', { body: '{' }))).toEqual([400, 'invalid_client_metadata'])
  })
})
