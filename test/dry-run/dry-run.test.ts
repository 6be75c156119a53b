// Dry runs: every write of GraphQL and REST can be tried without doing it, or is refused. What is compared is the whole database.

import { describe, expect, test } from 'vitest'
import { schema } from '../../src/graphql/schema/root.ts'
import { routes } from '../../src/rest/routes/routes.ts'
import { signatureHeaders } from '../../src/voice/providers/signed-message.ts'
import { hookToken, type Json, openApp, serviceToken } from '../support/app.ts'
import { contentOf } from '../support/database/tables.ts'
import { type FakeProvider, fakeProvider } from '../voice/fake-provider.ts'
import { pathOf } from './paths.ts'
import { mutations, routeRequests, seed } from './writes.ts'

/** Methods of the telephony provider that were called. */
const asked: string[] = []
const app = await openApp({
  env: { ROLES: 'web,api,session,gateway', HOOKS_ENABLED: '1', VOICE_PRICE_PER_MINUTE: '0.5' },
  telephony: { simulator: recording() },
})
const ids = await seed(app)
asked.length = 0

function recording(): FakeProvider {
  return new Proxy(fakeProvider(), {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value === 'function' && property !== 'verify' && property !== 'read') asked.push(String(property))
      return value
    },
  })
}

async function upload(path: string, file: string) {
  const headers = { authorization: `Bearer ${ids.key}`, 'content-type': 'text/csv' }
  const answer = await fetch(app.url + path, { method: 'POST', headers, body: file })
  return { status: answer.status, body: (await answer.json()) as Json }
}

const contentNow = () => contentOf(app.database.url)
const session = () => ({ session: ids.session })
const tried = (text: string, credential: Json = session()) => app.graphql(text, {}, credential)

describe('every mutation', () => {
  test('is in the table, and has the argument if it can be tried', () => {
    const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
    const isTriable = Object.fromEntries(fields.map(({ name, args }) => [name, args.some(argument => argument.name === 'dryRun')]))
    const elsewhere = [
      ...['removeSampleData', 'adjustCredits', 'deductCredits', 'grantCredits', 'recordProviderEvent', 'voidCreditGrant'],
      ...['mergeRecords', 'undoMergeOfRecords', 'dismissDuplicateOfRecord'],
    ]

    expect(isTriable).toEqual(
      Object.fromEntries(Object.entries(mutations(ids)).map(([name, row]) => [name, row !== null || elsewhere.includes(name)])),
    )
  })

  test('answers what would be and changes nothing', async () => {
    const before = await contentNow()
    for (const [name, row] of Object.entries(mutations(ids))) {
      const [input, selection] = row ?? ['{}', '{ __typename }']
      const given = input === '' ? '' : `input: ${input}, `
      const { body, headers } = await tried(`mutation { ${name}(${given}dryRun: true) ${selection} }`)

      if (row) {
        expect([name, body.errors]).toEqual([name, undefined])
        expect([name, Object.keys(body.extensions.dryRun)]).toEqual([
          name,
          ['events', 'eventCount', 'creditsTaken', 'creditsReserved', 'policy', 'file'],
        ])
        expect([name, headers.get('x-operation-id')]).toEqual([name, null])
      } else expect([name, body.data ?? null, body.errors.length > 0]).toEqual([name, null, true])
    }
    expect(await contentNow()).toEqual(before)
    expect(asked).toEqual([])
  })
})

describe('every write of REST', () => {
  test('is in the table', () => {
    const writes = routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

    expect(Object.keys(routeRequests(ids)).toSorted()).toEqual(writes.toSorted())
  })

  test('answers what would be and changes nothing, or is refused', async () => {
    const before = await contentNow()
    for (const [route, request] of Object.entries(routeRequests(ids))) {
      const [method = '', path = ''] = route.split(' ')
      const credential = request?.service
        ? { headers: { 'x-svc-services-token': serviceToken } }
        : request?.session || path.startsWith('/api/auth')
          ? session()
          : { key: ids.key }
      const body = request?.body ?? (method === 'POST' ? {} : undefined)
      const answer = request?.file
        ? await upload(pathOf(method, path, ids), request.file)
        : await app.rest(method, pathOf(method, path, ids), { ...credential, ...(body !== undefined && { body }) })

      if (request) expect([route, answer.status, answer.body.dry_run, answer.body]).toEqual([route, 200, true, answer.body])
      else expect([route, answer.status]).toEqual([route, path === '/api/auth/session' || path.includes('{provider}') ? 401 : 422])
    }
    expect(await contentNow()).toEqual(before)
    expect(asked).toEqual([])
  })
})

describe('a dry run', () => {
  test('shows the fields that would change, before and after', async () => {
    const { body } = await tried(`mutation { updateContact(input: { id: "${ids.contact}", city: "Rome" }, dryRun: true) { city version } }`)

    expect(body).toEqual({
      data: { updateContact: { city: 'Rome', version: expect.any(Number) } },
      extensions: {
        dryRun: {
          events: [
            {
              type: 'contact.updated',
              entityId: ids.contact,
              ...{ contactId: ids.contact, companyId: null, dealId: null },
              changes: [{ field: 'city', before: null, after: 'Rome' }],
            },
          ],
          eventCount: 1,
          creditsTaken: 0,
          creditsReserved: 0,
          policy: null,
          file: null,
        },
      },
    })
  })

  test('over REST spells the fields that would change as REST does', async () => {
    const path = `/api/crm/v1/contacts/${ids.contact}?dry_run=true`
    const { body } = await app.rest('PATCH', path, { key: ids.key, body: { job_title: 'Analyst' } })

    expect(body.events).toEqual([
      {
        type: 'contact.updated',
        entity_id: ids.contact,
        ...{ contact_id: ids.contact, company_id: null, deal_id: null },
        changes: [{ field: 'job_title', before: null, after: 'Analyst' }],
      },
    ])
  })

  test('of a call shows its price, and whether the policy would let it dial', async () => {
    const call = async (number: string) =>
      (await app.rest('POST', '/api/voice/v1/calls?dry_run=true', { key: ids.key, body: { agent_id: ids.agent, to_number: number } })).body

    const [allowed, denied] = [await call('+442079460777'), await call('+442079460999')]

    expect([allowed.status, allowed.answer.dispatch_state, allowed.policy]).toEqual([
      201,
      'pending',
      { is_allowed: true, at: expect.any(String), reason: null },
    ])
    expect(allowed.credits_reserved).toBeGreaterThan(0)
    expect([denied.answer.dispatch_state, denied.policy, denied.credits_reserved]).toEqual([
      'blocked',
      { is_allowed: false, at: null, reason: 'denied_number' },
      0,
    ])
  })

  test('shows only what the credential may read', async () => {
    const { key } = await app.given.apiKey({ orgId: ids.orgId, scopes: ['contacts:write'] })

    const { body } = await tried('mutation { createContact(input: { email: "w@example.com" }, dryRun: true) { email } }', { key })

    expect(body).toEqual({
      data: { createContact: { email: 'w@example.com' } },
      extensions: { dryRun: { events: [], eventCount: 0, creditsTaken: null, creditsReserved: null, policy: null, file: null } },
    })
  })

  test('fails as the write would, and by the same rights', async () => {
    const reader = await app.given.apiKey({ orgId: ids.orgId, scopes: ['contacts:read'] })
    const create = (credential: Json) =>
      app.rest('POST', '/api/crm/v1/contacts?dry_run=true', { ...credential, body: { email: 'ada@example.com' } })

    expect([(await create({ key: ids.key })).body.code, (await create({ key: reader.key })).status, (await create({})).status]).toEqual([
      'already_exists',
      403,
      401,
    ])
  })

  test('is for all fields of a mutation, by a literal or a variable', async () => {
    const both = (one: string, other: string) =>
      app.graphql(
        `mutation ($dry: Boolean = true) { a: createContact(input: { email: "m1@example.com" }${one}) { id }
           b: createContact(input: { email: "m2@example.com" }${other}) { id } }`,
        {},
        { key: ids.key },
      )

    const mixed = await both(', dryRun: true', '')
    const whole = await both(', dryRun: $dry', ', dryRun: true')
    const { body: found } = await app.rest('GET', '/api/crm/v1/contacts?q=m1', { key: ids.key })

    expect(mixed.body.errors[0].extensions.code).toBe('INVALID')
    expect(whole.body.extensions.dryRun.eventCount).toBe(2)
    expect(found.data).toEqual([])
  })

  test('is what a variable of any name says', async () => {
    for (const name of ['constructor', 'toString']) {
      const { body } = await app.graphql(
        `mutation ($${name}: Boolean = true) { createContact(input: { email: "${name}@example.com" }, dryRun: $${name}) { id } }`,
        {},
        { key: ids.key },
      )

      expect([name, body.extensions?.dryRun.eventCount]).toEqual([name, 1])
    }
  })

  test('uses no Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'tried-1' }
    const create = (query: string) =>
      app.rest('POST', `/api/crm/v1/contacts${query}`, { key: ids.key, headers, body: { email: 'key@example.com' } })

    const [first, second] = [await create('?dry_run=true'), await create('')]
    const again = await create('?dry_run=true')

    expect([first.status, second.status, second.headers.get('idempotent-replayed'), again.body.code]).toEqual([
      200,
      201,
      null,
      'already_exists',
    ])
  })

  test('shows no secret: it is null, or empty where it is never null', async () => {
    const asked = await tried(`mutation {
      createApiKey(input: { label: "CI" }, dryRun: true) { key apiKey { label } }
      inviteToOrganization(input: { role: MEMBER }, dryRun: true) { role token address }
      rotateSigningSecret(input: { id: "${ids.agent}" }, dryRun: true) { secrets voiceAgent { name } }
      revealSigningSecret(input: { id: "${ids.agent}" }, dryRun: true) { secrets }
    }`)
    const rotated = await app.rest('POST', `/api/voice/v1/agents/${ids.agent}/signing-secret/rotate?dry_run=true`, { key: ids.key })

    expect(asked.body.data).toEqual({
      createApiKey: { key: '', apiKey: { label: 'CI' } },
      inviteToOrganization: { role: 'MEMBER', token: null, address: null },
      rotateSigningSecret: { secrets: [], voiceAgent: { name: 'Active' } },
      revealSigningSecret: { secrets: [] },
    })
    expect(rotated.body).toMatchObject({ dry_run: true, status: 200, answer: { secrets: [] } })
  })

  test('of an export and a report tells their rows and columns, and makes no link', async () => {
    const { body: exported } = await app.rest('POST', '/api/crm/v1/exports?email=ada@example.com&dry_run=true', {
      key: ids.key,
      body: { columns: ['email', 'firstName', 'custom.plan'] },
    })
    const { body: report } = await app.rest('POST', `/api/crm/v1/imports/${ids.import}/report?dry_run=true`, { key: ids.key })

    expect([exported.answer.url, exported.file]).toEqual(['', { row_count: 1, columns: ['email', 'first_name', 'custom.plan'] }])
    expect([report.answer.url, report.file]).toEqual(['', { row_count: 0, columns: ['row', 'problem', 'email'] }])
  })

  test('of an upload tells what the file is, and keeps nothing of it', async () => {
    const before = await contentNow()

    const { body } = await upload('/api/crm/v1/imports?dry%5Frun=true', 'E-Mail;First name\nzoe@example.com;Zoë\nnobody;Nemo\n')

    expect(body.answer).toMatchObject({ encoding: 'utf_8', delimiter: 'semicolon', has_header: true, status: 'waiting' })
    expect(body.file).toEqual({ row_count: 2, columns: ['E-Mail', 'First name'] })
    expect(await contentNow()).toEqual(before)
  })

  test('joins no batch of other writes, which all happen', async () => {
    const create = (n: number) => {
      const query = n % 2 ? '?dry_run=true' : ''
      const headers = { 'Idempotency-Key': `mixed-${n}` }
      return app.rest('POST', `/api/crm/v1/contacts${query}`, { key: ids.key, headers, body: { email: `mixed${n}@example.com` } })
    }

    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => create(n)))
    const { body } = await app.rest('GET', '/api/crm/v1/contacts?q=mixed&limit=200', { key: ids.key })

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, (_, n) => (n % 2 ? 200 : 201)))
    expect(body.data.map(({ email }: Json) => email).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, n) => `mixed${2 * n}@example.com`).toSorted(),
    )
  })

  test('of a hook queues nothing', async () => {
    const headers = { authorization: `Bearer ${hookToken}` }
    const before = await contentNow()

    const woken = await app.rest('POST', '/hooks/wake?dry_run=true', { headers, body: { text: 'Hello' } })
    const run = await app.rest('POST', '/hooks/agent?dry_run=true', { headers, body: { message: 'Hello', deliver: false } })

    expect([woken.status, woken.body]).toEqual([
      200,
      { ok: true, dryRun: true, mode: 'now', eventId: expect.any(String), outcome: 'queued' },
    ])
    expect([run.status, run.body.dryRun, run.body.status]).toEqual([200, true, 'accepted'])
    expect(await contentNow()).toEqual(before)
    await app.rest('POST', '/hooks/wake', { headers, body: { text: 'Hello' } })
    expect(await contentNow()).not.toEqual(before)
  })

  test('of a wake tells that a heartbeat is requested already', async () => {
    const headers = { authorization: `Bearer ${hookToken}` }
    const wake = async (query: string) => (await app.rest('POST', `/hooks/wake${query}`, { headers, body: { text: 'Hello' } })).body.outcome
    const triedAfterward = async () => {
      await wake('')
      return wake('?dry_run=true')
    }

    // The heartbeat begins 250 ms after it is requested, before a slow machine has tried.
    await expect.poll(triedAfterward, { timeout: 10_000 }).toBe('coalesced')
  })

  test('of a report on a call tells what it would change, by its signature, however the parameter is encoded', async () => {
    const { body } = await app.rest('POST', `/api/voice/v1/agents/${ids.agent}/signing-secret`, { key: ids.key })
    const [call] = (await app.rest('GET', '/api/voice/v1/calls', { key: ids.key })).body.data
    const before = await contentNow()
    const content = JSON.stringify({ call_id: call.id, status: 'failed', ended_reason: 'no_line' })
    const send = (query: string, secret: string) =>
      app.rest('POST', `/api/voice/v1/providers/simulator/events?${query}`, {
        body: content,
        headers: signatureHeaders([secret], 'tried', content, new Date()),
      })

    const applied = await send('dry%5Frun=true', body.secrets[0])
    const forged = await send('dry_run=true', 'whsec_AAAA')
    const misspelled = await send('dry_run=yes', body.secrets[0])

    expect([forged.status, misspelled.status]).toEqual([401, 422])
    expect([applied.status, applied.body.answer, applied.body.events]).toEqual([
      200,
      { received: 'applied' },
      [
        {
          type: 'call.ended',
          entity_id: call.id,
          ...{ contact_id: call.contact_id, company_id: null, deal_id: null },
          changes: expect.arrayContaining([{ field: 'ended_reason', before: null, after: 'no_line' }]),
        },
      ],
    ])
    expect(await contentNow()).toEqual(before)
  })

  test('is refused where it is misspelled', async () => {
    const create = (query: string) =>
      app.rest('POST', `/api/crm/v1/contacts?${query}`, { key: ids.key, body: { email: 'typo@example.com' } })
    const answers = await Promise.all(['dryrun=true', 'dry_run=yes', 'dry_run=', 'dry_run=false&dry_run=true', 'dry%5Frun=1'].map(create))

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    expect((await create('dry_run=false')).status).toBe(201)
  })
})
