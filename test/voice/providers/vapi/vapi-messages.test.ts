// Vapi's server messages: what each of them changes, and whose are accepted.

import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../support/app.ts'
import { eventsOf, tellVapi, vapiSecret } from '../messages.ts'
import { openVapi } from './vapi.ts'

const { app, last, fixture } = await openVapi()
const events = eventsOf('vapi')
const tell = (message: Json, headers?: Record<string, string>) => tellVapi(app, message, headers)

describe('server messages', () => {
  const about = (id: string) => ({ call: { id: `vc-${last.number}`, assistantOverrides: { metadata: { call_id: id } } } })

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
      await sent({ 'x-vapi-secret': vapiSecret }),
      await sent({ authorization: `Bearer ${vapiSecret}` }),
      await sent({ 'x-vapi-signature': hmac(vapiSecret) }),
      await sent({ 'x-vapi-signature': `sha256=${hmac(vapiSecret)}` }),
      await sent({ authorization: `bearer ${vapiSecret}` }),
      await sent({ 'x-vapi-signature': hmac(vapiSecret).toUpperCase() }),
      await sent({ 'x-vapi-signature': Buffer.from(hmac(vapiSecret), 'hex').toString('base64') }),
    ]).toEqual([200, 200, 200, 200, 200, 200, 200])
    expect([
      await sent({}),
      await sent({ 'x-vapi-secret': `${vapiSecret}x` }),
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
