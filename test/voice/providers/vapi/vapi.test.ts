// The Vapi driver against a server that answers as Vapi documents.

import type { Vapi } from '@vapi-ai/server-sdk'
import { describe, expect, test } from 'vitest'
import { dialsSettled, dispatch } from '../../../../src/voice/dispatch/dispatch.ts'
import { reconcileCall } from '../../../../src/voice/dispatch/reaper.ts'
import { agents, number } from '../../call-fixture.ts'
import { eventsOf, vapiSecret } from '../messages.ts'
import { openVapi } from './vapi.ts'

const { provider, app, last, phone, usual, fixture } = await openVapi()

describe('provisioning', () => {
  test("creates an assistant with the agent's instructions, extraction schema and our events URL", async () => {
    const { agent } = await fixture({ first_message: 'Hello.', extraction: { budget: { type: 'integer', description: 'their budget' } } })

    expect(agent).toMatchObject({ status: 'active', provider_assistant_id: `as-${last.number}` })
    const made = provider.to('POST', '/assistant')[0]
    expect(made?.headers.authorization).toBe('Bearer vapi-key')
    // Typed by Vapi's own library, which has no other fields.
    const assistant: Vapi.CreateAssistantDto = {
      name: 'Appointment desk',
      firstMessage: 'Hello.',
      firstMessageMode: 'assistant-speaks-first',
      model: { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: 'Be brief.' }] },
      server: { url: `${app.url}${eventsOf('vapi')}`, headers: { 'X-Vapi-Secret': vapiSecret } },
      serverMessages: ['status-update', 'end-of-call-report'],
      analysisPlan: {
        summaryPlan: { enabled: true },
        successEvaluationPlan: { enabled: true, rubric: 'PassFail' },
        structuredDataPlan: {
          enabled: true,
          schema: { type: 'object', properties: { budget: { type: 'integer', description: 'their budget' } } },
        },
      },
      metadata: { agent_id: agent.id, org_id: agent.org_id, version: 1 },
    }
    expect(made?.json).toEqual(assistant)
    expect(made?.headers['user-agent']).toMatch(/^Rolocom\/\d+\.\d+\.\d+$/)
  })

  test('has the language and the voice of the agent, and its questions without our target fields', async () => {
    const { agent } = await fixture({
      language: 'de-DE',
      voice: 'azure:de-DE-KatjaNeural',
      extraction: { end: { type: 'string', title: 'End', format: 'date', field: 'custom.end' } },
    })

    const made = provider.to('POST', '/assistant')[0]?.json
    const transcriber: Vapi.CreateAssistantDtoTranscriber = { provider: 'deepgram', model: 'nova-2', language: 'de' }
    const voice: Vapi.CreateAssistantDtoVoice = { provider: 'azure', voiceId: 'de-DE-KatjaNeural' }
    expect([agent.status, made.transcriber, made.voice]).toEqual(['active', transcriber, voice])
    expect(made.analysisPlan.structuredDataPlan.schema.properties).toEqual({ end: { type: 'string', title: 'End', format: 'date' } })
  })

  test('422 for a voice without the provider of the voice', async () => {
    const { key } = await app.given.apiKey()

    const { status, body } = await app.rest('POST', agents, {
      key,
      body: { name: 'x', provider: 'vapi', phone_number: '+15550300009', voice: 'Katja' },
    })

    expect([status, body.detail[0]]).toMatchObject([
      422,
      { loc: ['body', 'voice'], msg: expect.stringContaining('azure:de-DE-KatjaNeural') },
    ])
  })

  test('updates the assistant with every change, while calls continue', async () => {
    const { key, agent } = await fixture()

    const { body } = await app.rest('PATCH', `${agents}/${agent.id}`, { key, body: { instructions: 'Be kind.' } })

    expect(body).toMatchObject({ status: 'active', agent_version: 2 })
    expect(provider.to('PATCH', agent.provider_assistant_id)[0]?.json.model.messages[0].content).toBe('Be kind.')
  })

  test('creates no second assistant after a lost answer: the first is found by its metadata', async () => {
    let made = ''
    provider.answers(asked => {
      if (asked.path === '/assistant' && asked.method === 'POST') {
        made = asked.json.metadata.agent_id
        return null
      }
      return usual(asked)
    })
    const { key, agent } = await fixture({}, { isActive: false })
    expect(agent).toMatchObject({ status: 'provisioning', provider_assistant_id: '' })
    // Waits for the next attempt, and says why meanwhile.
    const agentNow = async () => (await app.rest('GET', `${agents}/${agent.id}`, { key })).body
    await expect.poll(agentNow, { timeout: 10_000 }).toMatchObject({ status: 'provisioning', status_reason: expect.any(String) })

    provider.answers(asked =>
      asked.path === '/assistant' && asked.method === 'GET'
        ? { status: 200, body: [{ id: 'as-lost', metadata: { agent_id: made } }] }
        : usual(asked),
    )
    const { provisionAgent } = await import('../../../../src/voice/agents/provisioning.ts')
    await provisionAgent(app.services, { orgId: agent.org_id, agentId: agent.id }, { isLast: false })

    expect(await agentNow()).toMatchObject({ status: 'active', status_reason: null, provider_assistant_id: 'as-lost' })
    expect(provider.to('POST', '/assistant')).toHaveLength(1)
  })

  test('removes a first message that the agent no longer has', async () => {
    const { key, agent } = await fixture({ first_message: 'Hello.' })

    await app.rest('PATCH', `${agents}/${agent.id}`, { key, body: { first_message: null } })

    const [made, changed] = [provider.to('POST', '/assistant')[0]?.json, provider.to('PATCH', agent.provider_assistant_id)[0]?.json]
    expect([made.firstMessage, made.firstMessageMode]).toEqual(['Hello.', 'assistant-speaks-first'])
    expect([changed.firstMessage, changed.firstMessageMode]).toEqual([undefined, 'assistant-waits-for-user'])
  })

  test('fails with the reason when the account has no such number', async () => {
    provider.answers(asked => (asked.path === '/phone-number' ? { status: 200, body: [] } : usual(asked)))

    expect((await fixture()).agent).toMatchObject({ status: 'failed', status_reason: `the Vapi account has no number ${phone}` })
  })
})

test('an agent says whose account is empty', async () => {
  provider.answers(asked => (asked.path === '/phone-number' ? { status: 402, body: { message: 'Payment required' } } : usual(asked)))
  const { agent } = await fixture({}, { isActive: false })

  expect(agent).toMatchObject({ status: 'failed', status_reason: expect.stringMatching(/^the operator's account with Vapi has no credit/) })
})

describe('a dial', () => {
  test('sends our call id, the variables and the limits', async () => {
    const { call, agent } = await fixture()

    const placed = await call({
      variables: { name: 'Ada' },
      max_duration_seconds: 90,
      record: false,
      voicemail: { action: 'leave_message', message: 'Call back.' },
    })

    expect(placed).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: `vc-${last.number}` })
    const order: Vapi.CreateCallDto = {
      assistantId: agent.provider_assistant_id,
      phoneNumberId: 'pn-1',
      customer: { number },
      name: placed.id,
      assistantOverrides: {
        metadata: { agent_id: agent.id, org_id: agent.org_id, version: 1, call_id: placed.id },
        firstMessageMode: 'assistant-waits-for-user',
        model: { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: 'Be brief.' }] },
        analysisPlan: {
          summaryPlan: { enabled: true },
          successEvaluationPlan: { enabled: true, rubric: 'PassFail' },
          structuredDataPlan: { enabled: false, schema: { type: 'object', properties: {} } },
        },
        variableValues: { name: 'Ada' },
        maxDurationSeconds: 90,
        artifactPlan: { recordingEnabled: false },
        voicemailMessage: 'Call back.',
        voicemailDetection: { provider: 'vapi' },
      },
    }
    expect(provider.to('POST', '/call').map(({ json }) => json)).toEqual([order])
  })

  test.each([
    [
      { status: 400, body: { message: ['customer.number must be E.164'], statusCode: 400 } },
      { dispatch_state: 'failed', provider_reason: 'customer.number must be E.164' },
    ],
    [{ status: 500, body: {} }, { dispatch_state: 'unconfirmed' }],
    [null, { dispatch_state: 'unconfirmed' }],
  ])('answered %j, is sent once', async (answer, expected) => {
    const { call } = await fixture()
    provider.answers(asked => (asked.path === '/call' ? answer : usual(asked)))

    expect(await call()).toMatchObject(expected)
    expect(provider.to('POST', '/call')).toHaveLength(1)
  })

  test.each([
    ['a timeout', { status: 408, body: {} }],
    ['an id that is longer than any', { status: 201, body: { id: 'x'.repeat(100_000) } }],
    ['an empty id', { status: 201, body: { id: '' } }],
    ['no object', { status: 201, body: [] }],
  ])('answered with %s may have been placed, and is looked for', async (_what, answer) => {
    const { call } = await fixture()
    provider.answers(asked => (asked.path === '/call' ? answer : usual(asked)))

    expect(await call()).toMatchObject({ dispatch_state: 'unconfirmed' })
  })

  test('uses the version of the agent with which the call was placed', async () => {
    const { key, call, agent, orgId, read } = await fixture({ first_message: 'First.' })
    const { id } = await call({ schedule: { earliest_at: new Date(Date.now() + 60_000).toISOString() } })
    await app.rest('PATCH', `${agents}/${agent.id}`, { key, body: { first_message: 'Second.', instructions: 'Be kind.' } })

    app.setNow(new Date(Date.now() + 61_000))
    await dispatch(app.services, orgId)
    await dialsSettled(app.services, 20_000)
    app.setNow(null)

    expect(provider.to('POST', '/call').map(({ json }) => json.assistantOverrides)).toMatchObject([
      { firstMessage: 'First.', model: { messages: [{ content: 'Be brief.' }] } },
    ])
    expect(await read(id)).toMatchObject({ agent_version: 1, dispatch_state: 'dispatched' })
  })

  // By the fields that the library's Call has, and by the metadata of calls that were placed before it lost them.
  test.each([
    ['its assistant’s metadata', (id: string) => ({ assistantOverrides: { metadata: { call_id: id } } })],
    ['its name', (id: string) => ({ name: id })],
    ['its own metadata, as before', (id: string) => ({ metadata: { call_id: id } })],
  ])('whose answer was lost is found by our id in %s', async (_where, naming) => {
    const { call, read, orgId, agent } = await fixture()
    provider.answers(asked => (asked.path === '/call' && asked.method === 'POST' ? null : usual(asked)))
    const { id } = await call()
    provider.answers(asked =>
      asked.path === '/call'
        ? {
            status: 200,
            body: [
              { id: 'vc-x', status: 'ringing', ...naming('other') },
              { id: `vc-y-${id}`, status: 'in-progress', ...naming(id) },
            ],
          }
        : usual(asked),
    )

    await reconcileCall(app.services, orgId, id)

    expect(await read(id)).toMatchObject({ dispatch_state: 'dispatched', status: 'in_progress', provider_call_id: `vc-y-${id}` })
    expect(provider.to('GET', '/call')[0]?.query.get('assistantId')).toBe(agent.provider_assistant_id)
    expect(provider.to('POST', '/call')).toHaveLength(1)
  })
})

test("a cancel ends the call at the control URL of Vapi's answer", async () => {
  const { call, key } = await fixture()
  const { id } = await call()
  provider.answers(({ path, method }) =>
    path.startsWith('/call/') && method === 'GET'
      ? { status: 200, body: { id: `vc-${last.number}`, status: 'in-progress', monitor: { controlUrl: `${provider.url}/control/1` } } }
      : { status: 200, body: {} },
  )

  const { body } = await app.rest('POST', `/api/voice/v1/calls/${id}/cancel`, { key })

  expect(body).toMatchObject({ status: 'canceled' })
  expect(provider.to('POST', '/control/1').map(({ json }) => json)).toEqual([{ type: 'end-call' }])
})
