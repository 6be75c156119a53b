// A retry that reaches a later release gets the answer that an earlier one has stored.
//
// stored-answers/ has requests' answers, and the rows of idempotency_keys, as two releases wrote them: `input` compared what the documents take,
// `sent` what callers send. Requests are added here; this file, run in a checkout of such a release with RECORD_ANSWERS=<name>, records them.

import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../src/voice/providers/signed-message.ts'
import { hookToken, type Json } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { openGateway } from '../support/gateway.ts'

const fileOf = (name: string) => new URL(`stored-answers/${name}.jsonl`, import.meta.url)
const recording = process.env.RECORD_ANSWERS
const orgId = '0199e000-0000-7000-8000-000000000001'
const userId = 'user-of-the-release-before'
const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`
const config = {
  gateway: { organizationId: orgId },
  agents: { list: { triage: {} } },
  hooks: {
    mappings: [
      { id: 'alerts', match: { path: 'alerts' }, action: 'wake', textTemplate: '{{title}}' },
      {
        id: 'signed',
        match: { path: 'signed' },
        action: 'wake',
        textTemplate: '{{title}}',
        auth: { hmac: { secret, scheme: 'standard-webhooks' } },
      },
    ],
  },
}

const app = await openGateway({ works: false, config, env: { OUTGOING_ALLOW_PRIVATE: '127.0.0.1' } })
const { prisma } = app.services.database
await prisma.user.create({ data: { id: userId, email: 'before@example.com', name: 'Before' } })
await prisma.organization.create({ data: { id: orgId, name: 'Before' } })
await prisma.membership.create({ data: { organizationId: orgId, userId, role: 'owner' } })
const apiKey = (await app.given.apiKey({ orgId, userId })).key
const session = (await app.given.session({ userId })).session

interface Sent {
  method: string
  path: string
  as: 'key' | 'session' | 'hook' | 'signature'
  body: Json
  headers?: Record<string, string>
}

const tool = (id: number, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'create_contact', arguments: args },
})
const accept = { accept: 'application/json, text/event-stream' }

/** One request, and the same with another input. */
const requests: Record<string, [Sent, Sent]> = {
  'a contact': both('POST', '/api/crm/v1/contacts', 'key', { email: 'ada@example.com', first_name: 'Ada', tags: ['a'], custom: {} }),
  'a contact, with a parameter': both('POST', '/api/crm/v1/contacts?on_conflict=update', 'key', {
    email: 'ada@example.com',
    city: 'Paris',
  }),
  'a batch': both(
    'POST',
    '/api/crm/v1/contacts/batch',
    'key',
    { contacts: [{ email: 'b@example.com', job_title: 'B' }] },
    { contacts: [{ email: 'c@example.com' }] },
  ),
  'a voice agent': both('POST', '/api/voice/v1/agents', 'key', { name: 'Desk' }, { name: 'Other desk' }),
  'an enrichment job': both(
    'POST',
    '/api/enrich/v1/jobs',
    'key',
    { target: { host_app: 'crm', id: '1', kind: 'contact' } },
    { target: { host_app: 'crm', id: '2', kind: 'contact' } },
  ),
  'a file': both('POST', '/api/crm/v1/imports', 'key', 'email\nfile@example.com\n', 'email\nother@example.com\n', {
    'content-type': 'text/csv',
  }),
  'a secret': both(
    'POST',
    '/api/webhooks/v1/endpoints',
    'session',
    { url: 'http://127.0.0.1:9/', event_types: ['contact.created'] },
    { url: 'http://127.0.0.1:8/' },
  ),
  "a secret, by a caller's document": both(
    'POST',
    '/graphql',
    'session',
    { query: 'mutation { createApiKey(input: { label: "CI" }) { key } }' },
    { query: 'mutation { createApiKey(input: { label: "Other" }) { key } }' },
  ),
  "a caller's document": both(
    'POST',
    '/graphql',
    'key',
    {
      query: 'mutation Make($email: String!) { createContact(input: { email: $email }) { email } }',
      variables: { email: 'g@example.com' },
    },
    {
      query: 'mutation Make($email: String!) { createContact(input: { email: $email }) { email } }',
      variables: { email: 'h@example.com' },
    },
  ),
  'a wake': both('POST', '/hooks/wake', 'hook', { text: 'Look' }, { text: 'Look away' }),
  'a run': both('POST', '/hooks/agent', 'hook', { message: 'Hello', deliver: false }, { message: 'Bye', deliver: false }),
  'a mapped hook': both('POST', '/hooks/alerts', 'hook', { title: 'Disk is full' }, { title: 'Disk is empty' }),
  'a call of a tool': both('POST', '/mcp', 'key', tool(1, { firstName: 'Tool' }), tool(2, { firstName: 'Other' }), accept),
}

function both(
  method: string,
  path: string,
  as: Sent['as'],
  body: Json,
  other: Json = { ...body, email: 'x@example.com' },
  headers = {},
): [Sent, Sent] {
  return [
    { method, path, as, body, headers },
    { method, path, as, body: other, headers },
  ]
}

async function send({ method, path, as, body, headers }: Sent, idempotencyKey: string) {
  const credential = as === 'hook' ? hookToken : as === 'session' ? session : apiKey
  const sent = { body, headers: { authorization: `Bearer ${credential}`, 'idempotency-key': idempotencyKey, ...headers } }
  const answer = await app.rest(method, path, sent)
  if (path !== '/mcp') return { status: answer.status, body: answer.body, isStored: answer.headers.get('idempotent-replayed') === 'true' }
  const { result } = JSON.parse(answer.body.split('data: ')[1])
  return { status: answer.status, body: result.structuredContent ?? result, isStored: result._meta?.['rolocom/replayed'] === true }
}

// Its time is in the signature, and the id identifies the message.
const sendSigned = (id: string) => {
  const body = JSON.stringify({ title: 'Signed' })
  return app.rest('POST', '/hooks/signed', { body, headers: signatureHeaders([secret], id, body, new Date()) })
}

interface Recorded {
  answers: Record<string, { status: number; body: Json }>
  rows: Record<string, unknown>[]
}

const keyOf = (release: string, name: string) => `${release}:${name.replaceAll(' ', '-')}`

test.runIf(recording)('records the answers of this release', async () => {
  const release = String(recording)
  const answers: Recorded['answers'] = {}
  for (const [name, [sent]] of Object.entries(requests)) {
    const { status, body } = await send(sent, keyOf(release, name))
    expect([name, status < 300, JSON.stringify(body)]).toEqual([name, true, expect.not.stringContaining('"errors"')])
    answers[name] = { status, body }
  }
  const { status, body } = await sendSigned(release)
  answers.signed = { status, body }
  const rows = await query(
    app.database.url,
    `select encode(id, 'hex') id, encode(fingerprint, 'hex') fingerprint, answer, scopes, open_until, operation_id, key
     from idempotency_keys order by created_at`,
  )
  expect(rows).toHaveLength(Object.keys(answers).length)
  writeFileSync(fileOf(release), `${JSON.stringify({ answers, rows })}\n`)
})

describe.skipIf(recording).each(['input', 'sent'])('a retry of a request that the release `%s` has answered', release => {
  const { answers, rows }: Recorded = recording ? { answers: {}, rows: [] } : JSON.parse(readFileSync(fileOf(release), 'utf8'))
  beforeAll(() =>
    query(
      app.database.url,
      `insert into idempotency_keys (id, fingerprint, answer, scopes, open_until, operation_id, key)
       select decode(id, 'hex'), decode(fingerprint, 'hex'), answer, scopes, open_until, operation_id, key
       from json_to_recordset($1)
         as row (id text, fingerprint text, answer text, scopes text, open_until timestamptz, operation_id uuid, key text)`,
      [JSON.stringify(rows)],
    ),
  )

  test.each(Object.entries(requests))('%s gets that answer, and another input is refused', async (name, [sent, other]) => {
    const again = await send(sent, keyOf(release, name))
    const refused = await send(other, keyOf(release, name))

    expect(again).toEqual({ ...answers[name], isStored: true })
    expect(JSON.stringify(refused.body)).toMatch(/used with another input|idempotency_mismatch/i)
  })

  test('a signed message gets that answer', async () => {
    const { status, body, headers } = await sendSigned(release)

    expect({ status, body, isMarked: headers.get('idempotent-replayed') }).toEqual({ ...answers.signed, isMarked: 'true' })
  })
})
