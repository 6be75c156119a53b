// The Vapi driver against a server that answers as Vapi documents.

import { createHmac } from 'node:crypto'
import type { Vapi } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialsSettled, dispatch } from '../../src/voice/call-dispatch.ts'
import { reconcileCall } from '../../src/voice/call-watch.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, startApp, type TestApp } from '../support/app.ts'
import { type Answer, type CompanyServer, companyServer } from './company-server.ts'
import { agents, givenDesk, number } from './desk.ts'

const secret = 'vapi-webhook-secret-of-the-test'
const events = '/api/voice/v1/providers/vapi/events'

let app: TestApp
let company: CompanyServer
beforeAll(async () => {
  company = await companyServer()
  const started = await startApp({
    env: { VAPI_API_KEY: 'vapi-key', VAPI_WEBHOOK_SECRET: secret, VAPI_API_URL: company.url },
  })
  app = { ...started, rest: conforming(started) }
})
afterAll(async () => {
  await app.close()
  await company.close()
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
  company.asked.length = 0
  company.answers(usual)
  await app.services.database.pool.query(`update voice_agents set status = 'archived' where phone_number = $1`, [phone])
})

const desk = (fields: object = {}) => givenDesk(app, { provider: 'vapi', phone_number: phone, instructions: 'Be brief.', ...fields })
const tell = (message: Json, headers: Record<string, string> = { 'x-vapi-secret': secret }) =>
  app.rest('POST', events, { body: { message }, headers })

describe('provisioning', () => {
  test('makes an assistant with our instructions, questions and address', async () => {
    const { agent } = await desk({ first_message: 'Hello.', extraction: { budget: { type: 'integer', description: 'their budget' } } })

    expect(agent).toMatchObject({ status: 'active', provider_assistant_id: `as-${next}` })
    const made = company.to('POST', '/assistant')[0]
    expect(made?.headers.authorization).toBe('Bearer vapi-key')
    // Typed by the company's own library, which knows no other fields.
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

  test('tells it every change; calls keep going out meanwhile', async () => {
    const { key, agent } = await desk()

    const { body } = await app.rest('PATCH', `${agents}/${agent.id}`, { key, body: { instructions: 'Be kind.' } })

    expect(body).toMatchObject({ status: 'active', agent_version: 2 })
    expect(company.to('PATCH', agent.provider_assistant_id)[0]?.json.model.messages[0].content).toBe('Be kind.')
  })

  test('makes no second assistant after a lost answer: it is found by its metadata', async () => {
    let made = ''
    company.answers(asked => {
      if (asked.path === '/assistant' && asked.method === 'POST') {
        made = asked.json.metadata.agent_id
        return null
      }
      return usual(asked)
    })
    const { key, agent } = await desk()
    expect(agent).toMatchObject({ status: 'provisioning', provider_assistant_id: '' })

    company.answers(asked =>
      asked.path === '/assistant' && asked.method === 'GET'
        ? { status: 200, body: [{ id: 'as-lost', metadata: { agent_id: made } }] }
        : usual(asked),
    )
    const { provisionAgent } = await import('../../src/voice/provisioning.ts')
    await provisionAgent(app.services, { orgId: agent.org_id, agentId: agent.id }, { isLast: false })

    expect((await app.rest('GET', `${agents}/${agent.id}`, { key })).body).toMatchObject({
      status: 'active',
      provider_assistant_id: 'as-lost',
    })
    expect(company.to('POST', '/assistant')).toHaveLength(1)
  })

  test('takes back a first message that the agent has no more', async () => {
    const { key, agent } = await desk({ first_message: 'Hello.' })

    await app.rest('PATCH', `${agents}/${agent.id}`, { key, body: { first_message: null } })

    const [made, changed] = [company.to('POST', '/assistant')[0]?.json, company.to('PATCH', agent.provider_assistant_id)[0]?.json]
    expect([made.firstMessage, made.firstMessageMode]).toEqual(['Hello.', 'assistant-speaks-first'])
    expect([changed.firstMessage, changed.firstMessageMode]).toEqual([undefined, 'assistant-waits-for-user'])
  })

  test('fails with the reason when the account has no such number', async () => {
    company.answers(asked => (asked.path === '/phone-number' ? { status: 200, body: [] } : usual(asked)))

    expect((await desk()).agent).toMatchObject({ status: 'failed', status_reason: `the Vapi account has no number ${phone}` })
  })
})

describe('a dial', () => {
  test('carries our id, the variables and the limits', async () => {
    const { call, agent } = await desk()

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
    expect(company.to('POST', '/call').map(({ json }) => json)).toEqual([order])
  })

  test.each([
    [
      { status: 400, body: { message: ['customer.number must be E.164'], statusCode: 400 } },
      { dispatch_state: 'failed', provider_reason: 'customer.number must be E.164' },
    ],
    [{ status: 500, body: {} }, { dispatch_state: 'unconfirmed' }],
    [null, { dispatch_state: 'unconfirmed' }],
  ])('answered %j, asks once', async (answer, expected) => {
    const { call } = await desk()
    company.answers(asked => (asked.path === '/call' ? answer : usual(asked)))

    expect(await call()).toMatchObject(expected)
    expect(company.to('POST', '/call')).toHaveLength(1)
  })

  test('keeps to the version of the agent it was placed with', async () => {
    const { key, call, agent, orgId, read } = await desk({ first_message: 'First.' })
    const { id } = await call({ schedule: { earliest_at: new Date(Date.now() + 60_000).toISOString() } })
    await app.rest('PATCH', `${agents}/${agent.id}`, { key, body: { first_message: 'Second.', instructions: 'Be kind.' } })

    app.setNow(new Date(Date.now() + 61_000))
    await dispatch(app.services, orgId)
    await dialsSettled(app.services, 20_000)
    app.setNow(null)

    expect(company.to('POST', '/call').map(({ json }) => json.assistantOverrides)).toMatchObject([
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
    const { call, read, orgId, agent } = await desk()
    company.answers(asked => (asked.path === '/call' && asked.method === 'POST' ? null : usual(asked)))
    const { id } = await call()
    company.answers(asked =>
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
    expect(company.to('GET', '/call')[0]?.query.get('assistantId')).toBe(agent.provider_assistant_id)
    expect(company.to('POST', '/call')).toHaveLength(1)
  })
})

describe('server messages', () => {
  const about = (id: string) => ({ call: { id: `vc-${next}`, assistantOverrides: { metadata: { call_id: id } } } })

  test('move the call, and the report brings transcript, data and verdict', async () => {
    const { call, read } = await desk({ extraction: { budget: { type: 'integer' } } })
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

  test.each([
    ['customer-busy', { status: 'busy', outcome: 'busy' }],
    ['customer-did-not-answer', { status: 'no_answer', outcome: 'no_answer' }],
    ['voicemail', { status: 'completed', outcome: 'voicemail', answered_by: 'machine' }],
    ['assistant-forwarded-call', { status: 'completed', outcome: 'transferred' }],
    ['exceeded-max-duration', { status: 'completed', outcome: 'unknown' }],
    ['call.start.error-get-org', { status: 'failed', outcome: 'failed' }],
    ['twilio-failed-to-connect-call', { status: 'failed', outcome: 'failed', provider_reason: 'twilio-failed-to-connect-call' }],
    ['something-new-in-2027', { status: 'failed' }],
  ])('ended: %s', async (endedReason, expected) => {
    const { call, read } = await desk()
    const { id } = await call()

    await tell({ type: 'status-update', status: 'ended', endedReason, ...about(id) })

    expect(await read(id)).toMatchObject(expected)
  })

  test('of other kinds are acknowledged and not kept', async () => {
    const { call } = await desk()
    const { id } = await call()

    const { status, body } = await tell({ type: 'speech-update', status: 'started', ...about(id) })

    expect([status, body.received]).toEqual([200, 'ignored'])
    const { rows } = await app.services.database.pool.query('select 1 from provider_events where call_id = $1', [id])
    expect(rows).toEqual([])
  })

  test('prove themselves by secret, bearer token or HMAC, and by nothing else', async () => {
    const { call } = await desk()
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
    ]).toEqual([200, 200, 200, 200])
    expect([
      await sent({}),
      await sent({ 'x-vapi-secret': `${secret}x` }),
      await sent({ 'x-vapi-secret': '' }),
      await sent({ authorization: 'Bearer vapi-key' }),
      await sent({ 'x-vapi-signature': hmac('other') }),
    ]).toEqual([401, 401, 401, 401, 401])
  })

  test('422 for what is no message', async () => {
    const { status, body } = await tell(undefined)

    expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['body'], msg: 'Value error, there is no message' })]])
  })
})

test('a cancel ends the call where Vapi says it is controlled', async () => {
  const { call, key } = await desk()
  const { id } = await call()
  company.answers(({ path, method }) =>
    path.startsWith('/call/') && method === 'GET'
      ? { status: 200, body: { id: `vc-${next}`, status: 'in-progress', monitor: { controlUrl: `${company.url}/control/1` } } }
      : { status: 200, body: {} },
  )

  const { body } = await app.rest('POST', `/api/voice/v1/calls/${id}/cancel`, { key })

  expect(body).toMatchObject({ status: 'canceled' })
  expect(company.to('POST', '/control/1').map(({ json }) => json)).toEqual([{ type: 'end-call' }])
})
