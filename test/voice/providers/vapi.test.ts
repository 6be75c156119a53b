// The Vapi driver against a server that answers as Vapi documents.

import { createHmac } from 'node:crypto'
import type { Vapi } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialsSettled, dispatch } from '../../../src/voice/dispatch/dispatch.ts'
import { reconcileCall } from '../../../src/voice/dispatch/reaper.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, startApp, type TestApp } from '../../support/app.ts'
import { agents, givenCallFixture, number } from '../call-fixture.ts'
import { type Answer, type ProviderServer, providerServer } from './server.ts'

const secret = 'vapi-webhook-secret-of-the-test'
const events = '/api/voice/v1/providers/vapi/events'

let app: TestApp
let provider: ProviderServer
beforeAll(async () => {
  provider = await providerServer()
  const started = await startApp({
    env: { VAPI_API_KEY: 'vapi-key', VAPI_WEBHOOK_SECRET: secret, VAPI_API_URL: provider.url },
  })
  app = { ...started, rest: conforming(started) }
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

let next = 0
const phone = '+15550300001'
const usual: Answer = ({ method, path, json }) => {
  if (path === '/phone-number')
    return {
      status: 200,
      body: [
        { id: 'pn-0', number: '+15550000000' },
        { id: 'pn-1', number: phone },
      ],
    }
  if (path === '/assistant') return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { id: `as-${++next}`, ...json } }
  if (path.startsWith('/assistant/')) return { status: 200, body: { id: path.slice(11) } }
  if (path === '/call' && method === 'POST') return { status: 201, body: { id: `vc-${++next}`, status: 'queued', ...json } }
  return { status: 404, body: { message: 'Not found', statusCode: 404 } }
}
beforeEach(async () => {
  provider.asked.length = 0
  provider.answers(usual)
  await app.services.database.pool.query(`update voice_agents set status = 'archived' where phone_number = $1`, [phone])
})

const fixture = (fields: object = {}, options = {}) =>
  givenCallFixture(app, { provider: 'vapi', phone_number: phone, instructions: 'Be brief.', ...fields }, options)
const tell = (message: Json, headers: Record<string, string> = { 'x-vapi-secret': secret }) =>
  app.rest('POST', events, { body: { message }, headers })

describe('provisioning', () => {
  test("creates an assistant with the agent's instructions, extraction schema and our events URL", async () => {
    const { agent } = await fixture({ first_message: 'Hello.', extraction: { budget: { type: 'integer', description: 'their budget' } } })

    expect(agent).toMatchObject({ status: 'active', provider_assistant_id: `as-${next}` })
    const made = provider.to('POST', '/assistant')[0]
    expect(made?.headers.authorization).toBe('Bearer vapi-key')
    // Typed by Vapi's own library, which has no other fields.
    const assistant: Vapi.CreateAssistantDto = {
      name: 'Appointment desk',
      firstMessage: 'Hello.',
      firstMessageMode: 'assistant-speaks-first',
      model: { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content: 'Be brief.' }] },
      server: { url: `${app.url}${events}`, headers: { 'X-Vapi-Secret': secret } },
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
    const { provisionAgent } = await import('../../../src/voice/agents/provisioning.ts')
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

    expect(placed).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: `vc-${next}` })
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

describe('server messages', () => {
  const about = (id: string) => ({ call: { id: `vc-${next}`, assistantOverrides: { metadata: { call_id: id } } } })

  test('change the status; the report adds transcript, extracted values and outcome', async () => {
    const { call, read } = await fixture({ extraction: { budget: { type: 'integer' } } })
    const { id } = await call()

    await tell({ type: 'status-update', status: 'ringing', ...about(id) })
    await tell({ type: 'status-update', status: 'in-progress', ...about(id) })
    const ended = new Date(Date.now() + 45_500).toISOString()
    const report = {
      type: 'end-of-call-report',
      endedReason: 'customer-ended-call',
      startedAt: new Date().toISOString(),
      endedAt: ended,
      artifact: {
        recording: { stereoUrl: 'https://storage.vapi.ai/1.wav' },
        messages: [
          { role: 'system', message: 'You are ...' },
          { role: 'bot', message: 'Hello.', secondsFromStart: 0.5, duration: 900 },
          { role: 'user', message: 'My budget is 5.', secondsFromStart: 2, duration: 1500 },
        ],
      },
      analysis: { summary: 'They have a budget.', structuredData: { budget: 5, other: 'x' }, successEvaluation: 'true' },
      ...about(id),
    }
    const first = await tell(report)
    const again = await tell(report)
    const late = await tell({ type: 'status-update', status: 'in-progress', ...about(id) })

    expect([first, again, late].map(({ body }) => body.received)).toEqual(['applied', 'duplicate', 'duplicate'])
    expect(await read(id)).toMatchObject({
      status: 'completed',
      outcome: 'goal_met',
      answered_by: null,
      duration_seconds: expect.any(Number),
      ended_at: ended,
      ended_reason: 'customer_ended_call',
      recording_url: 'https://storage.vapi.ai/1.wav',
      summary: 'They have a budget.',
      extracted: { budget: 5 },
      transcript: [
        { seq: 1, role: 'agent', text: 'Hello.', start_ms: 500, end_ms: 1400 },
        { seq: 2, role: 'user', text: 'My budget is 5.', start_ms: 2000, end_ms: 3500 },
      ],
    })
  })

  test.each<[string, object, object[]]>([
    [
      'calls of tools and their results',
      {
        artifact: {
          messages: [
            { role: 'system', message: 'You are ...' },
            { role: 'tool_calls', message: '', toolCalls: [{ type: 'function', function: { name: 'free', arguments: '{"day":1}' } }] },
            { role: 'tool_call_result', name: 'free', result: '{"slots":[9]}', secondsFromStart: 3 },
            { role: 'tool_call_result', name: 'free', result: { slots: [10] } },
            { role: 'user', message: 'Nine.' },
          ],
        },
      },
      [
        { role: 'tool', text: 'free({"day":1})' },
        { role: 'tool', text: '{"slots":[9]}', start_ms: 3000 },
        { role: 'tool', text: '{"slots":[10]}' },
        { role: 'user', text: 'Nine.' },
      ],
    ],
    [
      'the messages beside the artifact',
      { messages: [{ role: 'bot', message: 'Hello.' }], artifact: { messages: [] }, transcript: 'AI: Other.' },
      [{ role: 'agent', text: 'Hello.' }],
    ],
    [
      'messages in the form of OpenAI alone',
      {
        artifact: {
          messagesOpenAIFormatted: [
            { role: 'system', content: 'You are ...' },
            { role: 'assistant', content: null, tool_calls: [] },
            {
              role: 'assistant',
              content: [
                { type: 'text', text: 'Hello,' },
                { type: 'text', text: 'Ada.' },
              ],
            },
            { role: 'user', content: 'Hi.' },
            null,
          ],
        },
      },
      [
        { role: 'agent', text: 'Hello, Ada.' },
        { role: 'user', text: 'Hi.' },
      ],
    ],
    [
      'a transcript that is one text',
      { artifact: { transcript: 'AI: Hello: Ada?\nUser:  Yes.\nAnd no.\n\nCustomer: Bye.\n' } },
      [
        { role: 'agent', text: 'Hello: Ada?' },
        { role: 'user', text: 'Yes.\nAnd no.' },
        { role: 'user', text: 'Bye.' },
      ],
    ],
    [
      'lines in lists, in parts and with roles in capitals',
      {
        artifact: {
          messages: [
            [{ role: 'Bot', message: ['Hello,', { type: 'image' }, { type: 'text', text: 'Ada.' }] }],
            { role: 'user', message: 9 },
            { role: 'user', message: { content: [{ text: 'Bye.' }] } },
          ],
        },
      },
      [
        { role: 'agent', text: 'Hello, Ada.' },
        { role: 'user', text: '9' },
        { role: 'user', text: 'Bye.' },
      ],
    ],
    [
      'a transcript that is a list',
      {
        transcript: [
          { role: 'agent', content: 'Hello.', words: [{ word: 'Hello.' }] },
          { role: 'user', content: 'Hi.' },
        ],
      },
      [
        { role: 'agent', text: 'Hello.' },
        { role: 'user', text: 'Hi.' },
      ],
    ],
    ['a transcript beside the artifact', { transcript: 'Hello.' }, [{ role: 'system', text: 'Hello.' }]],
  ])('may have %s', async (_what, report, lines) => {
    const { call, read } = await fixture()
    const { id } = await call()

    await tell({ type: 'end-of-call-report', endedReason: 'customer-ended-call', ...report, ...about(id) })

    expect((await read(id)).transcript).toMatchObject(lines)
    expect((await read(id)).transcript).toHaveLength(lines.length)
  })

  test('may have summary and recording beside the artifact, and the reason in its call', async () => {
    const { call, read } = await fixture()
    const { id } = await call()
    const { call: named } = about(id)
    const recordings = { recordingUrl: 'https://storage.vapi.ai/mono.wav', stereoRecordingUrl: 'https://storage.vapi.ai/stereo.wav' }

    await tell({
      ...{ type: 'end-of-call-report', summary: 'Booked.', ...recordings, analysis: { successEvaluation: 'True ' } },
      call: { ...named, endedReason: 'assistant-ended-call' },
    })

    expect(await read(id)).toMatchObject({
      ...{ status: 'completed', outcome: 'goal_met', ended_reason: 'assistant_ended_call', summary: 'Booked.' },
      recording_url: 'https://storage.vapi.ai/stereo.wav',
    })
  })

  test('of the end without a reason wait for the report, which has one', async () => {
    const { call, read } = await fixture()
    const { id } = await call()
    await tell({ type: 'status-update', status: 'in-progress', ...about(id) })
    await tell({ type: 'status-update', status: 'ended', ...about(id) })
    const before = await read(id)
    await tell({ type: 'end-of-call-report', endedReason: 'customer-ended-call', durationSeconds: 30, ...about(id) })

    expect([before.status, await read(id)]).toMatchObject(['in_progress', { status: 'completed', duration_seconds: 30 }])
  })

  test('with our id alone belong to their own calls', async () => {
    const { call, read } = await fixture()
    const [one, other] = [await call(), await call({ to_number: '+15550300099' })]
    for (const { id } of [one, other]) await tell({ type: 'status-update', status: 'in-progress', call: { name: id } })

    expect([await read(one.id), await read(other.id)]).toMatchObject([{ status: 'in_progress' }, { status: 'in_progress' }])
  })

  test.each([
    ['customer-busy', { status: 'busy', outcome: 'busy' }],
    ['customer-did-not-answer', { status: 'no_answer', outcome: 'no_answer' }],
    ['voicemail', { status: 'completed', outcome: 'voicemail', answered_by: 'machine' }],
    ['assistant-forwarded-call', { status: 'completed', outcome: 'transferred' }],
    ['exceeded-max-duration', { status: 'completed', outcome: 'unknown' }],
    ['call.start.error-get-org', { status: 'failed', outcome: 'failed' }],
    ['twilio-failed-to-connect-call', { status: 'failed', outcome: 'failed', provider_reason: 'twilio-failed-to-connect-call' }],
    ['something-new-in-2027', { status: 'failed' }],
    ['scheduled-call-deleted', { status: 'canceled' }],
    ['call.ringing.sip-inbound-caller-hungup-before-call-connect', { status: 'canceled' }],
    ['twilio-reported-customer-misdialed', { status: 'failed', outcome: 'wrong_number' }],
    ['vonage-rejected', { status: 'busy', outcome: 'declined' }],
    ['call.in-progress.sip-completed-call', { status: 'completed' }],
  ])('ended: %s', async (endedReason, expected) => {
    const { call, read } = await fixture()
    const { id } = await call()

    await tell({ type: 'status-update', status: 'ended', endedReason, ...about(id) })

    expect(await read(id)).toMatchObject(expected)
  })

  test('of other kinds are acknowledged and not stored', async () => {
    const { call } = await fixture()
    const { id } = await call()

    const { status, body } = await tell({ type: 'speech-update', status: 'started', ...about(id) })

    expect([status, body.received]).toEqual([200, 'ignored'])
    const { rows } = await app.services.database.pool.query('select 1 from provider_events where call_id = $1', [id])
    expect(rows).toEqual([])
  })

  test('are accepted with the secret as header, as bearer token or as HMAC, and refused otherwise', async () => {
    const { call } = await fixture()
    const { id } = await call()
    const message = { type: 'status-update', status: 'ringing', ...about(id) }
    const body = JSON.stringify({ message })
    const hmac = (key: string) => createHmac('sha256', key).update(body).digest('hex')
    const sent = (headers: Record<string, string>) => app.rest('POST', events, { body, headers }).then(({ status }) => status)

    expect([
      await sent({ 'x-vapi-secret': secret }),
      await sent({ authorization: `Bearer ${secret}` }),
      await sent({ 'x-vapi-signature': hmac(secret) }),
      await sent({ 'x-vapi-signature': `sha256=${hmac(secret)}` }),
      await sent({ authorization: `bearer ${secret}` }),
      await sent({ 'x-vapi-signature': hmac(secret).toUpperCase() }),
      await sent({ 'x-vapi-signature': Buffer.from(hmac(secret), 'hex').toString('base64') }),
    ]).toEqual([200, 200, 200, 200, 200, 200, 200])
    expect([
      await sent({}),
      await sent({ 'x-vapi-secret': `${secret}x` }),
      await sent({ 'x-vapi-secret': '' }),
      await sent({ authorization: 'Bearer vapi-key' }),
      await sent({ 'x-vapi-signature': hmac('other') }),
    ]).toEqual([401, 401, 401, 401, 401])
  })

  test('422 for a body that is not a server message', async () => {
    const { status, body } = await tell(undefined)

    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body'], msg: 'Value error, there is no message' })]])
  })
})

test("a cancel ends the call at the control URL of Vapi's answer", async () => {
  const { call, key } = await fixture()
  const { id } = await call()
  provider.answers(({ path, method }) =>
    path.startsWith('/call/') && method === 'GET'
      ? { status: 200, body: { id: `vc-${next}`, status: 'in-progress', monitor: { controlUrl: `${provider.url}/control/1` } } }
      : { status: 200, body: {} },
  )

  const { body } = await app.rest('POST', `/api/voice/v1/calls/${id}/cancel`, { key })

  expect(body).toMatchObject({ status: 'canceled' })
  expect(provider.to('POST', '/control/1').map(({ json }) => json)).toEqual([{ type: 'end-call' }])
})
