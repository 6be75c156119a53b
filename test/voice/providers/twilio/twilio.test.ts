// The Twilio driver against a server that answers as Twilio documents; signatures against Twilio's own SDK.

import { describe, expect, test } from 'vitest'
import { reconcileCall, runReaper } from '../../../../src/voice/dispatch/reaper.ts'
import { agents, number } from '../../call-fixture.ts'
import { openSocket, socketIn } from '../../conversations/carrier.ts'
import { accountSid, authToken, publicUrl } from '../messages.ts'
import { openTwilio } from './twilio.ts'

const { provider, app, usual, last, sidOf, fixture, queryOf, callback, status } = await openTwilio()

describe('provisioning', () => {
  test('an agent becomes active if the account has its number', async () => {
    const { agent } = await fixture({ phone_number: '+15550200099' })

    expect(agent).toMatchObject({ status: 'active', provider_assistant_id: 'PN0123' })
    expect(provider.asked[0]?.query.get('PhoneNumber')).toBe('+15550200099')
    expect(provider.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`)
  })

  test('an agent whose number the account does not have fails with the reason, and can be provisioned again', async () => {
    const { key, agent } = await fixture({ phone_number: '+15550109999' })
    expect(agent).toMatchObject({ status: 'failed', status_reason: 'the Twilio account has no number +15550109999' })

    provider.answers(() => ({ status: 200, body: { incoming_phone_numbers: [{ sid: 'PN7' }] } }))
    const { body } = await app.rest('POST', `${agents}/${agent.id}/provision`, { key })

    expect(body).toMatchObject({ status: 'active', status_reason: null, provider_assistant_id: 'PN7' })
  })

  test('is retried by its task while Twilio is unreachable', async () => {
    provider.answers(() => ({ status: 503, body: {} }))

    expect((await fixture({}, { isActive: false })).agent).toMatchObject({ status: 'provisioning' })
  })
})

describe('a dial', () => {
  test('sends every option of the order', async () => {
    const { call, agent } = await fixture({ first_message: 'Hello <you> & "all"' })

    const placed = await call({ ring_timeout_seconds: 20, max_duration_seconds: 90, voicemail: { action: 'leave_message', message: 'x' } })

    expect(placed).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: sidOf(last.number), from_number: agent.phone_number })
    const [{ form } = { form: new URLSearchParams() }] = provider.to('POST', '/Calls.json')
    const events = `${publicUrl}/api/voice/v1/providers/twilio/events${queryOf(placed.id)}`
    const next = events.replace('/events?', '/next?').replaceAll('&', '&#38;')
    expect(form.get('Twiml')?.replace(/(?<=relay\/)[\w-]{32}/, '{token}')).toBe(
      `<Response><Connect action="${next}"><ConversationRelay url="wss://crm.example/voice/relay/{token}" interruptible="any" ` +
        'ignoreBackchannel="true" dtmfDetection="true" events="speaker-events"/></Connect></Response>',
    )
    expect(events).toMatch(/\?call_id=[0-9a-f-]{36}&token=[\w-]{43}$/)
    expect([...form]).toEqual([
      ['To', number],
      ['From', agent.phone_number],
      ['Twiml', form.get('Twiml')],
      ['StatusCallback', events],
      ['StatusCallbackMethod', 'POST'],
      ...['initiated', 'ringing', 'answered', 'completed'].map(event => ['StatusCallbackEvent', event]),
      ['Timeout', '20'],
      ['TimeLimit', '90'],
      ['Record', 'true'],
      ['RecordingStatusCallback', events],
      ['MachineDetection', 'DetectMessageEnd'],
      ['AsyncAmd', 'true'],
      ['AsyncAmdStatusCallback', events],
    ])
  })

  test('speaks in the language and with the voice of the agent, and names the person', async () => {
    const { call } = await fixture({ first_message: 'Hallo {{first_name|zusammen}}!', language: 'de', voice: 'Polly.Vicki-Neural' })
    await call({ variables: { first_name: 'Ada & Eve' } })

    const twiml = provider.to('POST', '/Calls.json')[0]?.form.get('Twiml') ?? ''
    expect(twiml).toContain(' language="de-DE" ttsProvider="Amazon" voice="Vicki-Neural" ')
    const socket = await openSocket(app.url, socketIn(twiml))
    expect(await socket.nextText()).toBe('Hallo Ada & Eve!')
  })

  test("uses the agent's dispatch URL if it has one", async () => {
    const { call } = await fixture({ dispatch_url: 'https://agent.example/twiml' })
    await call({ record: false, voicemail: { action: 'continue' } })

    const form = provider.to('POST', '/Calls.json')[0]?.form
    expect([form?.get('Url'), form?.get('Twiml'), form?.has('Record'), form?.has('MachineDetection')]).toEqual([
      ...['https://agent.example/twiml', null, false, false],
    ])
  })

  test.each([
    [
      { status: 400, body: { code: 21211, message: "Invalid 'To' Phone Number", status: 400 } },
      { dispatch_state: 'failed', provider_reason: "21211 Invalid 'To' Phone Number" },
    ],
    [
      { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } },
      { dispatch_state: 'failed', status: 'failed' },
    ],
    [
      { status: 429, body: { code: 20429, message: 'Too Many Requests', status: 429 }, headers: { 'retry-after': '7' } },
      { dispatch_state: 'pending', status: 'queued' },
    ],
    [
      { status: 500, body: {} },
      { dispatch_state: 'unconfirmed', status: 'queued' },
    ],
    [null, { dispatch_state: 'unconfirmed', status: 'queued' }],
  ])('answered %j', async (answer, expected) => {
    const { call } = await fixture()
    provider.answers(asked => (asked.path.endsWith('/Calls.json') ? answer : usual(asked)))

    expect(await call()).toMatchObject(expected)
    expect(provider.to('POST', '/Calls.json')).toHaveLength(1)
  })

  test('with a from_number of another organization is refused', async () => {
    const own = await fixture()
    const foreign = await fixture()
    const ask = (from_number: string) =>
      app.rest('POST', '/api/voice/v1/calls', { key: own.key, body: { agent_id: own.agent.id, to_number: number, from_number } })

    expect((await ask(foreign.agent.phone_number)).body.detail).toMatchObject([{ loc: ['body', 'from_number'], type: 'value_error' }])
    expect((await ask(own.agent.phone_number)).status).toBe(201)
  })
})

describe('an unconfirmed dial', () => {
  const lost = async () => {
    provider.answers(usual)
    const one = await fixture()
    provider.answers(asked => (asked.path.endsWith('/Calls.json') && asked.method === 'POST' ? null : usual(asked)))
    const call = await one.call()
    expect(call.dispatch_state).toBe('unconfirmed')
    return { ...one, id: call.id as string }
  }
  const listed = (calls: object[]) =>
    provider.answers(asked => (asked.path.endsWith('/Calls.json') ? { status: 200, body: { calls } } : usual(asked)))

  test('is looked up by both numbers and its time, and never placed again', async () => {
    const dialledAt = new Date()
    app.setNow(dialledAt)
    const { id, orgId, read, agent } = await lost()
    const at = new Date().toUTCString()
    listed([
      { sid: sidOf(901), status: 'completed', date_created: new Date(Date.now() - 3_600_000).toUTCString() },
      { sid: sidOf(902), status: 'in-progress', date_created: at, answered_by: 'human' },
    ])

    await reconcileCall(app.services, orgId, id)

    expect(await read(id)).toMatchObject({
      dispatch_state: 'dispatched',
      status: 'in_progress',
      provider_call_id: sidOf(902),
      answered_by: 'human',
    })
    const search = provider.to('GET', '/Calls.json')[0]?.query
    expect([search?.get('To'), search?.get('From'), search?.get('StartTime>')]).toEqual([
      number,
      agent.phone_number,
      // A minute before: clocks differ, also at midnight.
      new Date(dialledAt.getTime() - 60_000).toISOString().slice(0, 10),
    ])
    expect(provider.to('POST', '/Calls.json')).toHaveLength(1)
  })

  test.each([null, '', ' ', '-1'])('whose duration is %j there lasted from its start to its end', async duration => {
    const { id, orgId, read } = await lost()
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()
    listed([{ sid: sidOf(++last.number + 1000), status: 'completed', date_created: at(0), start_time: at(2), end_time: at(42), duration }])

    await reconcileCall(app.services, orgId, id)

    expect(await read(id)).toMatchObject({ status: 'completed', duration_seconds: 40 })
  })

  test('stays unconfirmed while two calls of Twilio match or it is unreachable; one that another call has does not match', async () => {
    const { id, orgId, read } = await lost()
    const at = new Date().toUTCString()
    listed([
      { sid: sidOf(911), status: 'ringing', date_created: at },
      { sid: sidOf(912), status: 'ringing', date_created: at },
    ])
    await reconcileCall(app.services, orgId, id)
    provider.answers(() => ({ status: 500, body: {} }))
    await reconcileCall(app.services, orgId, id)
    expect(await read(id)).toMatchObject({ dispatch_state: 'unconfirmed', status: 'queued' })

    const other = await lost()
    listed([{ sid: sidOf(912), status: 'ringing', date_created: at }])
    await reconcileCall(app.services, other.orgId, other.id)
    listed([
      { sid: sidOf(911), status: 'ringing', date_created: at },
      { sid: sidOf(912), status: 'ringing', date_created: at },
    ])
    await reconcileCall(app.services, orgId, id)

    expect(await read(id)).toMatchObject({ dispatch_state: 'dispatched', provider_call_id: sidOf(911) })
  })

  test('that Twilio did not receive is closed as lost', async () => {
    const { id, read } = await lost()
    listed([])

    for (const seconds of [0, 60, 125]) {
      app.setNow(new Date(Date.now() + seconds * 1000))
      await runReaper(app.services)
    }

    expect(await read(id)).toMatchObject({ dispatch_state: 'failed', ended_reason: 'dispatch_lost' })
    expect(provider.to('POST', '/Calls.json').filter(({ body }) => body.includes(id))).toHaveLength(1)
  })
})

test('a cancel ends the call at Twilio with the status canceled while it rings, and completed after the answer', async () => {
  const { call, key } = await fixture()
  const ringing = await call()
  const first = sidOf(last.number)
  const talking = await call()
  const second = sidOf(last.number)
  await callback(talking.id, status('in-progress', '2'))

  const cancel = (id: string) => app.rest('POST', `/api/voice/v1/calls/${id}/cancel`, { key })
  const answers = [await cancel(ringing.id), await cancel(talking.id)]

  expect(answers.map(({ body }) => body.status)).toEqual(['canceled', 'completed'])
  expect(provider.to('POST', `${first}.json`).map(({ form }) => form.get('Status'))).toEqual(['canceled'])
  expect(provider.to('POST', `${second}.json`).map(({ form }) => form.get('Status'))).toEqual(['completed'])
})

test('the voicemail message is spoken when a machine has answered', async () => {
  const { call, orgId } = await fixture()
  const { id } = await call({ voicemail: { action: 'leave_message', message: 'Please call <back>.' } })
  await callback(id, { CallSid: sidOf(last.number), AnsweredBy: 'machine_end_other', MachineDetectionDuration: '1' })

  const { leaveMessage } = await import('../../../../src/voice/transitions/control.ts')
  expect(await leaveMessage(app.services, orgId, id)).toBe(true)

  expect(provider.to('POST', `${sidOf(last.number)}.json`).map(({ form }) => form.get('Twiml'))).toEqual([
    '<Response><Say>Please call &#60;back&#62;.</Say><Hangup/></Response>',
  ])
})
