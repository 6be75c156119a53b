// Forms: what a page of another site has a browser send is refused, at every address that takes a form or sets a cookie.

import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { newEmail, password } from '../provider.ts'

const app = await openApp()

const openapi: Json = JSON.parse(readFileSync('schema/openapi.json', 'utf8'))
/** Every write of the identity provider that the reference has, those that it does not have, and one that does not exist. */
const addresses = [
  ...Object.keys(openapi.paths).filter(path => path.startsWith('/idp/') && openapi.paths[path].post),
  ...['/idp/choose-password', '/idp/magic-link/verify', '/idp/sign-in/social', '/idp/delete-user', '/idp/anything'],
  '/claim/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
]

const foreign: [string, Record<string, string>][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another origin that says it is the same site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ['a host whose name begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
]
const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/json']

const send = async (path: string, type: string, headers: Record<string, string>) => {
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': type, cookie: 'rcm.session_token=x', ...headers },
    body: '{}',
    redirect: 'manual',
  })
  return { status: response.status, cookies: response.headers.getSetCookie(), text: await response.text() }
}

describe.for(foreign)('%s', ([, headers]) => {
  test('is refused everywhere, whatever is sent', async () => {
    const found: unknown[] = []
    for (const path of addresses)
      for (const type of types) {
        const { status, cookies, text } = await send(path, type, headers)
        if (status !== 403 || cookies.length > 0 || !text.includes('page of another site')) found.push([path, type, status])
      }
    expect(found).toEqual([])
    expect(addresses.length).toBeGreaterThan(12)
  })
})

describe('the server itself', () => {
  test.for([
    ['a page of its own', () => ({ origin: app.url })],
    ['a page that the browser says is its own', () => ({ origin: 'null', 'sec-fetch-site': 'same-origin' })],
    ['a program', () => ({})],
  ] as const)('takes what %s sends', async ([, headers]) => {
    const { session } = await app.given.session()
    const { body } = await app.graphql('mutation { inviteToOrganization(input: {}) { token } }', {}, { session })
    const form = new URLSearchParams({ action: 'sign_up', email: newEmail(), password, name: 'Ada' })
    const response = await fetch(`${app.url}/claim/${body.data.inviteToOrganization.token}`, {
      method: 'POST',
      headers: { accept: 'text/html', ...headers() },
      body: form,
    })

    expect([response.status, response.headers.get('referrer-policy')]).toEqual([201, 'same-origin'])
  })

  test('has forms only on pages whose addresses are refused above', () => {
    const withForms = globSync('src/**/*.{ts,tsx}').filter(file => /<form method="?post/i.test(readFileSync(file, 'utf8')))
    expect(withForms.toSorted()).toEqual([
      'src/identity/pages/claim.ts',
      'src/identity/pages/other-browser.ts',
      'src/identity/pages/password.ts',
    ])
  })
})
