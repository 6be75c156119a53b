// Conversations of calls by ConversationRelay, with a carrier on loopback. Signatures are made by Twilio's SDK.

import twilioSdk from 'twilio'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../support/app.ts'
import { authToken, publicUrl } from '../providers/messages.ts'
import { openTwilio } from '../providers/twilio/twilio.ts'
import { actionIn, openSocket, socketIn } from './carrier.ts'

const { provider, app, fixture, callback, status } = await openTwilio()
const extraction = { job_title: { type: 'string', title: 'Job title', order: 1 }, seats: { type: 'integer', title: 'Seats', order: 2 } }

/** A call that was answered, and the TwiML that Twilio was given for it. */
async function answeredCall(fields: object = {}) {
  const given = await fixture({ first_message: 'Hello!', extraction, ...fields })
  const placed = await given.call()
  const twiml = provider.to('POST', '/Calls.json').at(-1)?.form.get('Twiml') ?? ''
  await callback(placed.id, status('in-progress', '2'))
  return {
    ...given,
    id: placed.id,
    twiml,
    socket: () => openSocket(app.url, socketIn(twiml)),
    now: () => given.read(placed.id),
    async next(fields: Record<string, string>) {
      const address = actionIn(twiml)
      const path = address.slice(publicUrl.length)
      const body = { CallSid: placed.provider_call_id, CallStatus: 'in-progress', ...fields }
      return app.rest('POST', path, {
        body: new URLSearchParams(body).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': twilioSdk.getExpectedTwilioSignature(authToken, address, body),
        },
      })
    },
  }
}
const linesOf = (call: Json) => call.transcript.map(({ role, text }: Json) => `${role}: ${text}`)

test('a call on Twilio is a conversation, and the call gets its transcript and its result', async () => {
  const call = await answeredCall()
  const socket = await call.socket()

  expect(await socket.nextText()).toBe('Hello!')
  expect(await socket.say('Yes, go ahead')).toBe('May I ask about this: Job title?')
  await socket.say('I am head of sales.')
  expect(linesOf(await call.now())).toContain('user: I am head of sales.')
  await socket.say('12')
  expect(await socket.say('Yes')).toBe('Thank you, that is all I wanted to know. Goodbye!')
  await socket.closed
  expect(socket.frames.at(-1)).toEqual({ type: 'end', handoffData: '{"reason":"agent_hung_up"}' })
  expect((await call.next({ SessionStatus: 'ended', HandoffData: '{"reason":"agent_hung_up"}' })).body).toBe(
    '<Response><Hangup/></Response>',
  )
  await callback(call.id, status('completed', '3', { CallDuration: '30' }))

  expect(await call.now()).toMatchObject({
    ...{ status: 'completed', outcome: 'goal_met', ended_reason: 'agent_hung_up', duration_seconds: 30 },
    extracted: { job_title: 'head of sales', seats: 12 },
    summary: 'Job title: head of sales. Seats: 12.',
  })
  expect(linesOf(await call.now())).toHaveLength(9)
})

describe('an interruption', () => {
  test('cuts the history at the words that were heard', async () => {
    const call = await answeredCall({ first_message: 'Hello, I am calling about your contract. Do you have a minute?' })
    const socket = await call.socket()
    await socket.nextText()

    socket.send({ type: 'interrupt', utteranceUntilInterrupt: 'Hello, I am calling', durationUntilInterruptMs: 900 })
    await socket.say('Who is there?')

    expect(linesOf(await call.now()).slice(0, 2)).toEqual(['agent: Hello, I am calling', 'user: Who is there?'])
  })

  test('partial prompts become one turn', async () => {
    const call = await answeredCall()
    const socket = await call.socket()
    await socket.nextText()

    socket.send({ type: 'prompt', voicePrompt: 'Yes, ', last: false })
    await socket.say('go ahead')

    expect(linesOf(await call.now())[1]).toBe('user: Yes, go ahead')
  })

  test('keys that are pressed are words, ended by # or a pause', async () => {
    const call = await answeredCall()
    const socket = await call.socket()
    await socket.nextText()

    for (const digit of ['1', '2', '#']) socket.send({ type: 'dtmf', digit })
    await socket.nextText()

    expect(linesOf(await call.now())[1]).toBe('user: (pressed 12#)')
  })
})

describe('a lost socket', () => {
  test('is opened again through the action address, with the history it had', async () => {
    const call = await answeredCall()
    const first = await call.socket()
    await first.nextText()
    await first.say('Yes')
    first.close()

    const { body, headers } = await call.next({ SessionStatus: 'failed', ErrorCode: '64105' })
    expect(headers.get('content-type')).toContain('xml')
    const second = await openSocket(app.url, socketIn(body))
    await second.say('Head of sales')

    // The agent's words are stored after they were sent.
    await expect
      .poll(async () => linesOf(await call.now()))
      .toEqual([
        ...['agent: Hello!', 'user: Yes', 'agent: May I ask about this: Job title?', 'user: Head of sales'],
        'agent: May I ask about this: Seats?',
      ])
  })

  test('words that were not answered are answered by the next socket, once', async () => {
    const call = await answeredCall()
    const first = await call.socket()
    await first.nextText()
    await app.services.database.prisma
      .$executeRaw`update conversations set speaker = speaker || '{"models": ["gone/model"]}'::jsonb where call_id = ${call.id}::uuid`
    first.close()
    const { body } = await call.next({ SessionStatus: 'failed' })
    const second = await openSocket(app.url, socketIn(body))

    // No model answers: the agent apologizes, and the conversation ends.
    expect(await second.say('Yes')).toMatch(/technical problem/)
    await second.closed
    expect((await call.now()).transcript.filter(({ text }: Json) => text === 'Yes')).toHaveLength(1)
  })

  test('when the caller has hung up, the result is read from the history', async () => {
    const call = await answeredCall()
    const socket = await call.socket()
    await socket.nextText()
    await socket.say('Yes')
    await socket.say('Head of sales')
    socket.close()
    await callback(call.id, status('completed', '3', { CallDuration: '9' }))

    expect((await call.next({ SessionStatus: 'ended', CallStatus: 'completed' })).body).toBe('<Response><Hangup/></Response>')

    expect(await call.now()).toMatchObject({ status: 'completed', extracted: { job_title: 'Head of sales' }, outcome: 'goal_not_met' })
  })
})

test('somebody who wants a person is put through to the first number of the agent', async () => {
  const call = await answeredCall({ transfer_to: [{ name: 'Sales', phone: '+442079460111' }] })
  const socket = await call.socket()
  await socket.nextText()

  expect(await socket.say('Can I speak with a real person?')).toBe('One moment, I will put you through.')
  await socket.closed

  expect((await call.next({ SessionStatus: 'ended' })).body).toBe(
    `<Response><Dial callerId="${call.agent.phone_number}">+442079460111</Dial></Response>`,
  )
  await callback(call.id, status('completed', '3', { CallDuration: '60' }))
  expect(await call.now()).toMatchObject({ outcome: 'transferred', ended_reason: 'transferred' })
})

describe('refused sockets', () => {
  test('an unknown token, a used one, one without a signature, and a second socket', async () => {
    const call = await answeredCall()
    const address = socketIn(call.twiml)

    await expect(openSocket(app.url, `${publicUrl.replace('https', 'wss')}/voice/relay/unknown`)).rejects.toThrow('refused with 401')
    await expect(openSocket(app.url, address, { signature: 'wrong' })).rejects.toThrow('refused with 401')
    const first = await openSocket(app.url, address)
    await expect(openSocket(app.url, address)).rejects.toThrow('refused with 401')
    await first.nextText()

    expect(await first.say('Yes')).toBe('May I ask about this: Job title?')
  })

  test('a token is good for some minutes', async () => {
    const call = await answeredCall()
    app.setNow(new Date(Date.now() + 10 * 60_000))

    await expect(call.socket()).rejects.toThrow('refused with 401')
  })

  test('a question how the call goes on without the signature of Twilio', async () => {
    const call = await answeredCall()
    const path = actionIn(call.twiml).slice(publicUrl.length)

    const { status } = await app.rest('POST', path, {
      body: 'CallStatus=in-progress',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'wrong' },
    })

    expect(status).toBe(401)
  })
})

describe('frames that nobody should send', () => {
  test('nine in a row are ignored, and the call goes on; ten close the socket', async () => {
    const call = await answeredCall()
    const socket = await call.socket()
    await socket.nextText()

    for (let index = 0; index < 9; index++) socket.send('{"type":')
    expect(await socket.say('Yes')).toBe('May I ask about this: Job title?')
    for (let index = 0; index < 10; index++) socket.send({ type: 'unknown' })

    expect(await socket.closed).toBe(1007)
  })

  test('a prompt of 100 kB is cut, a frame of a megabyte closes the socket', async () => {
    const call = await answeredCall()
    const socket = await call.socket()
    await socket.nextText()

    await socket.say('x '.repeat(50_000))
    const [, said] = (await call.now()).transcript
    expect(said.text.length).toBeLessThanOrEqual(4000)
    socket.send({ type: 'prompt', voicePrompt: 'x'.repeat(1_000_000), last: true })

    expect(await socket.closed).toBe(1009)
  })

  test('a flood of frames does not stop the server, and closes the socket', async () => {
    const call = await answeredCall()
    const socket = await call.socket()
    await socket.nextText()

    for (let index = 0; index < 2000 && socket.isOpen(); index++) socket.send({ type: 'prompt', voicePrompt: 'a', last: false })

    expect(await socket.closed).toBe(1008)
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  })
})
