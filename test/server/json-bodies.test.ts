// JSON as clients really send it, at every door that reads JSON: a byte order mark, `utf8`, a quoted charset, a semicolon with nothing behind.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../src/voice/providers/signed-message.ts'
import { hookToken } from '../support/app.ts'
import { openGateway } from '../support/gateway.ts'
import { givenCallFixture } from '../voice/call-fixture.ts'
import { secretOf } from '../voice/report.ts'

const app = await openGateway({ works: false })
const fixture = await givenCallFixture(app)
const secret = await secretOf(app, fixture)

interface Door {
  path: string
  body: object
  status: number
  headers?: () => Record<string, string>
}

const bearer = () => ({ authorization: `Bearer ${fixture.key}` })
const doors: Record<string, () => Door> = {
  GraphQL: () => ({ path: '/graphql', body: { query: '{ __typename }' }, status: 200 }),
  REST: () => ({ path: '/api/crm/v1/contacts', body: { email: `${randomUUID()}@example.com` }, status: 201, headers: bearer }),
  'a hook': () => ({ path: '/hooks/wake', body: { text: 'Look' }, status: 200, headers: () => ({ authorization: `Bearer ${hookToken}` }) }),
  MCP: () => ({
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    status: 200,
    headers: () => ({ ...bearer(), accept: 'application/json, text/event-stream' }),
  }),
  'registration of OAuth clients': () => ({ path: '/oauth/register', body: { redirect_uris: ['http://127.0.0.1/cb'] }, status: 201 }),
  'the identity provider': () => ({
    path: '/idp/sign-up/email',
    body: { email: `${randomUUID()}@example.com`, password: 'correct horse battery', name: 'Ada' },
    status: 200,
    headers: () => ({ origin: app.url }),
  }),
}

const mark = '\ufeff'
const post = (path: string, text: string, headers: Record<string, string>) => fetch(app.url + path, { method: 'POST', headers, body: text })

describe.each(Object.entries(doors))('%s takes JSON', (_name, door) => {
  test.each([
    ['behind a byte order mark', 'application/json', mark],
    ['as utf8', 'application/json; charset=utf8', ''],
    ['as "UTF-8"', 'application/json; charset="UTF-8"', ''],
    ['with a semicolon at the end', 'application/json;', ''],
    ['with another parameter', 'Application/JSON ; version=1; charset=UTF-8', mark],
  ])('%s', async (_what, type, before) => {
    const { path, body, status, headers } = door()

    const answer = await post(path, before + JSON.stringify(body), { ...headers?.(), 'content-type': type })

    expect([answer.status, await answer.text()]).toEqual([status, expect.not.stringContaining('"errors"')])
  })
})

test('a report of a call is read behind a byte order mark, which its signature covers', async () => {
  const call = await fixture.call()
  const body = mark + JSON.stringify({ call_id: call.id, status: 'in_progress' })

  const answer = await post('/api/voice/v1/providers/simulator/events', body, {
    ...signatureHeaders([secret], randomUUID(), body, new Date()),
    'content-type': 'application/json; charset=utf8',
  })

  expect([answer.status, (await fixture.read(call.id)).status]).toEqual([200, 'in_progress'])
})

test.each([
  'text/plain',
  'application/json; charset=utf-16',
  'application/jsonp',
  'text/plain; application/json',
])('415 for %s, which a page of another site could send, or which is no JSON in UTF-8', async type => {
  const sent = await Promise.all(
    ['/graphql', '/api/crm/v1/contacts', '/mcp'].map(path => post(path, '{}', { ...bearer(), 'content-type': type })),
  )

  expect(sent.map(({ status }) => status)).toEqual([415, 415, 415])
})
