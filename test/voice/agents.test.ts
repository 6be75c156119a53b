// /api/voice/v1/agents

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import { openApp } from '../support/app.ts'
import { agents } from './call-fixture.ts'

const app = await openApp()
const rest = conforming(app)

async function givenAgent(fields: object = {}) {
  const { key, orgId } = await app.given.apiKey()
  const { body, status, headers } = await rest('POST', agents, { key, body: { name: 'CallFixture', ...fields } })
  return { key, orgId, agent: body, status, headers }
}
const post = (key: string, id: string, act: string) => rest('POST', `${agents}/${id}/${act}`, { key })

describe('POST', () => {
  test('201: has every documented property, absent texts as empty ones', async () => {
    const { agent, orgId, status, headers } = await givenAgent()

    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${agents}/${agent.id}`)
    expect(agent).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'CallFixture',
      org_id: orgId,
      host_app_id: '',
      instructions: '',
      phone_number: '',
      provider: 'simulator',
      provider_assistant_id: `sim_${agent.id}`,
      dispatch_url: '',
      status: 'active',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      status_reason: null,
      first_message: null,
      extraction: {},
      agent_version: 1,
      language: null,
      voice: null,
      model: null,
      transfer_to: [],
      warnings: [],
    })
  })

  test('201: a draft is sent to no provider until it is provisioned', async () => {
    const { key, agent } = await givenAgent({ draft: true })
    expect(agent).toMatchObject({ status: 'draft', provider_assistant_id: '' })

    const { status, body } = await post(key, agent.id, 'provision')

    expect([status, body.status, body.provider_assistant_id]).toEqual([200, 'active', `sim_${agent.id}`])
    expect((await post(key, agent.id, 'provision')).body).toMatchObject({ code: 'conflict' })
  })

  test('201: a retry with the same Idempotency-Key has the same answer and creates no second agent', async () => {
    const { key } = await app.given.apiKey()
    const asked = { key, body: { name: 'CallFixture' }, headers: { 'Idempotency-Key': randomUUID() } }

    const [first, second] = [await rest('POST', agents, asked), await rest('POST', agents, asked)]

    expect(first.body.status).toBe('active')
    expect(second.body).toEqual(first.body)
    expect((await rest('GET', agents, { key })).body.data).toHaveLength(1)
  })

  test('409 for the number of another agent of the same provider; archiving that agent frees it', async () => {
    const phone_number = '+15550990001'
    const { key, agent } = await givenAgent({ phone_number })

    const taken = await rest('POST', agents, { key, body: { name: 'x', phone_number } })
    const elsewhere = await rest('POST', agents, {
      key,
      body: { name: 'x', phone_number, provider: 'http', dispatch_url: 'https://example.com' },
    })
    await post(key, agent.id, 'archive')
    const free = await rest('POST', agents, { key, body: { name: 'x', phone_number } })

    expect([taken.status, taken.body]).toMatchObject([409, { code: 'already_exists', field: 'phone_number', existing_id: null }])
    expect([elsewhere.status, free.status]).toEqual([201, 201])
  })

  test("several organizations may have a number of simulator or http, but only one a number of the operator's accounts", async () => {
    const phone_number = '+15550990002'
    const own = { http: { provider: 'http', dispatch_url: 'https://example.com' }, simulator: { provider: 'simulator' } }
    const [first, second] = [await app.given.apiKey(), await app.given.apiKey()]
    const create = (key: string, fields: object) => rest('POST', agents, { key, body: { name: 'x', phone_number, ...fields } })
    const insert = (orgId: string) =>
      app.services.database.prisma.voiceAgent.create({
        data: {
          id: randomUUID(),
          orgId,
          name: 'x',
          provider: 'twilio',
          phoneNumber: phone_number,
          status: 'active',
          createdByType: 'system',
        },
      })

    for (const { key } of [first, second])
      for (const fields of [own.http, own.simulator]) expect((await create(key, fields)).status).toBe(201)
    await insert(first.orgId)
    await expect(insert(second.orgId)).rejects.toThrow('Unique constraint')
  })

  test.each([
    [{}, ['name'], 'missing'],
    [{ name: ' ' }, ['name'], 'string_too_short'],
    [{ name: 'x', phone_number: '555' }, ['phone_number'], 'string_pattern_mismatch'],
    [{ name: 'x', provider: 'carrier-pigeon' }, ['provider'], 'enum'],
    [{ name: 'x', provider: 'twilio' }, ['provider'], 'value_error'],
    [{ name: 'x', dispatch_url: 'nowhere' }, ['dispatch_url'], 'url_parsing'],
    [{ name: 'x', status: 'active' }, ['status'], 'extra_forbidden'],
    [{ name: 'x', extraction: { 'No Name': { type: 'string' } } }, ['extraction', 'No Name'], 'value_error'],
    [{ name: 'x', extraction: { size: { type: 'list' } } }, ['extraction', 'size'], 'value_error'],
    [{ name: 'x', extraction: { size: { type: 'string', enum: [1] } } }, ['extraction', 'size'], 'value_error'],
  ])('422: %j', async (body, path, type) => {
    const { key } = await app.given.apiKey()

    const answer = await rest('POST', agents, { key, body })

    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc: ['body', ...path], type }]])
  })
})

describe('GET one', () => {
  test('200, read by one statement', async () => {
    const { key, agent } = await givenAgent({ instructions: 'Be brief.' })
    expect((await rest('GET', `${agents}/${agent.id}`, { key })).body).toEqual(agent)

    const read = async () => {
      app.statements()
      await rest('GET', `${agents}/${agent.id}`, { key })
      return app.statements()
    }
    await expect.poll(read).toBe(1)
  })

  test("404 for an unknown, another organization's or an invalid id; 401 and 403", async () => {
    const { agent, orgId } = await givenAgent()
    const { key } = await app.given.apiKey()
    const { key: reader } = await app.given.apiKey({ orgId, scopes: ['calls:read'] })

    for (const id of [agent.id, randomUUID(), 'no-id']) expect((await rest('GET', `${agents}/${id}`, { key })).body.code).toBe('not_found')
    expect((await rest('GET', `${agents}/${agent.id}`)).status).toBe(401)
    expect((await rest('GET', `${agents}/${agent.id}`, { key: reader })).status).toBe(403)
  })
})

test('GET lists agents newest first, by status and provider, in pages', async () => {
  const { key } = await app.given.apiKey()
  for (const [name, draft] of [
    ['A', false],
    ['B', true],
    ['C', false],
  ] as const)
    await rest('POST', agents, { key, body: { name, draft } })
  const names = async (query: string) =>
    (await rest('GET', `${agents}${query}`, { key })).body.data.map(({ name }: { name: string }) => name)

  expect(await names('')).toEqual(['C', 'B', 'A'])
  expect(await names('?status=draft')).toEqual(['B'])
  expect(await names('?provider=http')).toEqual([])
  const { body: page } = await rest('GET', `${agents}?limit=2`, { key })
  expect(page).toMatchObject({ has_more: true, total: null })
  expect(await names(`?limit=2&cursor=${page.next_cursor}`)).toEqual(['A'])
  expect((await rest('GET', `${agents}?limit=2&status=draft&cursor=${page.next_cursor}`, { key })).status).toBe(422)
  expect((await rest('GET', `${agents}?stat=draft`, { key })).body.detail[0]).toMatchObject({
    type: 'extra_forbidden',
    ctx: { closest: 'status' },
  })
})

describe('PATCH', () => {
  test('200: a change is a new version; absent fields stay, null clears; equal values change nothing', async () => {
    const { key, agent } = await givenAgent({ instructions: 'Be brief.', first_message: 'Hello.', host_app_id: 'app-1' })
    const patch = (body: object) => rest('PATCH', `${agents}/${agent.id}`, { key, body })

    const changed = await patch({ instructions: 'Be kind.', first_message: null })
    const same = await patch({ instructions: 'Be kind.' })
    const update = `mutation { updateVoiceAgent(input: { id: "${agent.id}", ifVersion: 1, name: "x" }) { version } }`
    const stale = await app.graphql(update, {}, { key })

    expect(changed.body).toMatchObject({
      instructions: 'Be kind.',
      first_message: null,
      host_app_id: 'app-1',
      status: 'active',
      agent_version: 2,
    })
    expect(same.body).toEqual(changed.body)
    expect(stale.body.errors[0].extensions).toMatchObject({ code: 'PRECONDITION_FAILED', version: 2 })
    expect((await rest('PATCH', `${agents}/${agent.id}`, { key: (await app.given.apiKey()).key, body: { name: 'x' } })).status).toBe(404)
  })
})

test('pause, resume and archive change the status by the legal transitions only', async () => {
  const { key, agent } = await givenAgent()
  const act = async (what: string) => {
    const { status, body } = await post(key, agent.id, what)
    return status === 200 ? body.status : body.code
  }

  expect([
    await act('resume'),
    await act('pause'),
    await act('pause'),
    await act('provision'),
    await act('resume'),
    await act('archive'),
    await act('archive'),
    await act('resume'),
    await act('pause'),
  ]).toEqual(['active', 'paused', 'paused', 'conflict', 'active', 'archived', 'archived', 'conflict', 'conflict'])
  expect((await rest('PATCH', `${agents}/${agent.id}`, { key, body: { name: 'x' } })).body.code).toBe('conflict')
})

test('an agent that was changed while paused is provisioned before it places calls again', async () => {
  const { key, agent } = await givenAgent()
  await post(key, agent.id, 'pause')
  await rest('PATCH', `${agents}/${agent.id}`, { key, body: { phone_number: '+15550990055' } })

  expect((await post(key, agent.id, 'resume')).body).toMatchObject({ status: 'active', agent_version: 2 })
  const { rows } = await app.services.database.pool.query('select version, provisioned_version from voice_agents where id = $1', [agent.id])
  expect(rows).toEqual([{ version: 2, provisioned_version: 2 }])
})
