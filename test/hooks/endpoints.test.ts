// The plain hooks: a wake, a run, the state of a run, and repeated requests.

import { describe, expect, test } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway({
  works: false,
  config: { agents: { list: { triage: {} } }, models: { aliases: { fast: 'offline/summary' } } },
})

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const events = async () =>
  (await gateway.ask('{ systemEvents(first: 200) { nodes { id text mode state source name } } }')).systemEvents.nodes

describe('POST /hooks/wake', () => {
  test('200: the event is stored before the response', async () => {
    const { status, body } = await gateway.hook('wake', { text: 'New email received' })

    expect(status).toBe(200)
    expect(body).toEqual({
      ok: true,
      mode: 'now',
      eventId: expect.stringMatching(uuid),
      outcome: expect.stringMatching(/^(queued|coalesced)$/),
    })
    expect(await events()).toContainEqual({
      id: body.eventId,
      text: 'New email received',
      mode: 'NOW',
      state: 'QUEUED',
      source: 'HOOK',
      name: 'webhook',
    })
  })

  test('200: with next-heartbeat it waits', async () => {
    const { status, body } = await gateway.hook('wake', { text: 'later', mode: 'next-heartbeat' })

    expect({ status, body }).toEqual({
      status: 200,
      body: { ok: true, mode: 'next-heartbeat', eventId: expect.stringMatching(uuid), outcome: 'queued' },
    })
  })

  test('200: a text is stored unchanged, with its blanks and lines', async () => {
    const text = '  two\nlines\twith "quotes", \\ and 🦜 '
    const { body } = await gateway.hook('wake', { text })

    expect((await events()).find((event: { id: string }) => event.id === body.eventId).text).toBe(text)
  })

  test('200: the second of two wakes is for the same heartbeat', async () => {
    const answers = await Promise.all([gateway.hook('wake', { text: 'one' }), gateway.hook('wake', { text: 'two' })])

    expect(answers.map(({ body }) => body.outcome)).toContain('coalesced')
  })

  test('200: with keys, too, the second of two wakes is for the same heartbeat', async () => {
    const answers = await Promise.all([
      gateway.hook('wake', { text: 'one' }, { 'Idempotency-Key': 'wake-one' }),
      gateway.hook('wake', { text: 'two' }, { 'Idempotency-Key': 'wake-two' }),
    ])

    expect(answers.map(({ body }) => body.outcome)).toContain('coalesced')
  })

  test('200 for a hundred concurrent requests: each has an event of its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => gateway.hook('wake', { text: `burst ${index}`, mode: 'next-heartbeat' })),
    )

    expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(100)
    const told = new Set((await events()).map(({ text }: { text: string }) => text))
    expect(answers.every((_, index) => told.has(`burst ${index}`))).toBe(true)
  })

  test.each([
    ['nothing', undefined, 'text: is required'],
    ['an empty object', {}, 'text: is required'],
    ['a blank text', { text: ' \n\t' }, 'text: must not be blank'],
    ['a text that is none', { text: 7 }, 'text: must be a string'],
    ['a null', { text: null }, 'text: must be a string'],
    ['a list', { text: ['a'] }, 'text: must be a string'],
    ['an unknown mode', { text: 'a', mode: 'later' }, 'mode: must be one of now, next-heartbeat'],
    ['the mode of GraphQL', { text: 'a', mode: 'next_heartbeat' }, 'mode: must be one of now, next-heartbeat'],
    ['a mode that is none', { text: 'a', mode: true }, 'mode: must be one of now, next-heartbeat'],
    ['an unknown field', { text: 'a', txt: 'b' }, 'txt: unknown field; allowed are text, mode'],
    ['a field of every object', { text: 'a', constructor: {} }, 'constructor: unknown field; allowed are text, mode'],
    ['__proto__', '{"text":"a","__proto__":{"mode":"now"}}', '__proto__: no field may have this name'],
    ['NUL', { text: 'a\0b' }, 'text: NUL characters are not allowed'],
    ['half of a surrogate pair', '{"text":"a\\ud83e"}', 'text: the text holds half of a surrogate pair, which is not Unicode'],
    ['a list instead of an object', '[]', 'The body must be a JSON object'],
    ['a string instead of an object', '"text"', 'The body must be a JSON object'],
    ['null instead of an object', 'null', 'The body must be a JSON object'],
    ['malformed JSON', '{"text":', /^The body is not JSON: /],
    [
      'over-deep JSON',
      `{"text":"a","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'The JSON is too large: the body must not be nested deeper than 100 levels',
    ],
    [
      'too many values',
      `{"text":"a","x":[${'0,'.repeat(110_000)}0]}`,
      'The JSON is too large: the body must not hold more than 100,000 values; send it in parts',
    ],
  ])('400: %s', async (_what, body, error) => {
    const { status, body: answer } = await gateway.hook('wake', body)

    expect({ status, answer }).toEqual({
      status: 400,
      answer: { ok: false, error: typeof error === 'string' ? error : expect.stringMatching(error) },
    })
  })
})

describe('POST /hooks/agent', () => {
  test('202: the run is stored before the response, with all its fields', async () => {
    const { status, body } = await gateway.hook('agent', {
      message: 'Summarize the inbox',
      name: 'Email',
      agentId: 'triage',
      sessionKey: 'hook:email:1',
      wakeMode: 'next-heartbeat',
      deliver: false,
      channel: 'telegram',
      to: '42',
      model: 'fast',
      thinking: 'low',
      timeoutSeconds: 12.5,
    })

    expect(status).toBe(202)
    expect(body).toEqual({ ok: true, runId: expect.stringMatching(uuid), sessionKey: 'hook:email:1', status: 'accepted' })
    const { agentRun } = await gateway.ask(
      `query ($id: ID!) { agentRun(id: $id) { kind message name agentId sessionKey wakeMode deliver channel to model thinking timeoutSeconds status } }`,
      { id: body.runId },
    )
    expect(agentRun).toEqual({
      kind: 'HOOK',
      message: 'Summarize the inbox',
      name: 'Email',
      agentId: 'triage',
      sessionKey: 'hook:email:1',
      wakeMode: 'NEXT_HEARTBEAT',
      deliver: false,
      channel: 'TELEGRAM',
      to: '42',
      model: 'offline/summary',
      thinking: 'LOW',
      timeoutSeconds: 12.5,
      status: 'ACCEPTED',
    })
  })

  test('202: without a session key there is a new one each time', async () => {
    const [one, other] = await Promise.all([gateway.hook('agent', { message: 'a' }), gateway.hook('agent', { message: 'a' })])

    expect(one.body.sessionKey).toMatch(/^hook:[0-9a-f-]{36}$/)
    expect(other.body.sessionKey).not.toBe(one.body.sessionKey)
  })

  test.each([
    'last',
    'whatsapp',
    'telegram',
    'discord',
    'slack',
    'mattermost',
    'signal',
    'imessage',
    'msteams',
  ])('202: the channel %s is known, configured or not', async channel =>
    expect((await gateway.hook('agent', { message: 'a', channel })).status).toBe(202))

  test.each([
    ['no message', {}, 'message: is required'],
    ['a blank message', { message: '' }, 'message: must not be blank'],
    [
      'an unknown channel',
      { message: 'a', channel: 'fax' },
      'channel: must be one of last, whatsapp, telegram, discord, slack, mattermost, signal, imessage, msteams',
    ],
    ['a channel in capitals', { message: 'a', channel: 'LAST' }, /^channel: must be one of last, /],
    ['a deliver that is a word', { message: 'a', deliver: 'false' }, 'deliver: must be true or false'],
    ['a deliver that is null', { message: 'a', deliver: null }, 'deliver: must be true or false'],
    [
      'an unknown thinking level',
      { message: 'a', thinking: 'deeply' },
      'thinking: must be one of off, minimal, low, medium, high, xhigh, max',
    ],
    ['a timeout of nothing', { message: 'a', timeoutSeconds: 0 }, 'timeoutSeconds: must be a number from 1 to 86400'],
    ['a timeout of two days', { message: 'a', timeoutSeconds: 172_800 }, 'timeoutSeconds: must be a number from 1 to 86400'],
    ['a timeout in words', { message: 'a', timeoutSeconds: '60' }, 'timeoutSeconds: must be a number from 1 to 86400'],
    ['a timeout beyond all numbers', '{"message":"a","timeoutSeconds":1e400}', 'timeoutSeconds: the number is too large'],
    ['an unknown wakeMode', { message: 'a', wakeMode: 'soon' }, 'wakeMode: must be one of now, next-heartbeat'],
    ['a blank session key', { message: 'a', sessionKey: ' ' }, 'sessionKey: must not be blank'],
    ['an endless session key', { message: 'a', sessionKey: 'k'.repeat(256) }, 'sessionKey: must have at most 255 characters'],
    [
      'a session key of two lines',
      { message: 'a', sessionKey: 'a\nb' },
      'sessionKey: must have 1 to 255 characters, none of them control characters',
    ],
    ['the key of the main session', { message: 'a', sessionKey: 'main' }, 'sessionKey: must not be main, the key of the main session'],
    ['a name that is a number', { message: 'a', name: 5 }, 'name: must be a string'],
    ['an unknown agent', { message: 'a', agentId: 'nobody' }, 'agentId: must be one of main, triage'],
    ['an agent that every object has', { message: 'a', agentId: 'constructor' }, 'agentId: must be one of main, triage'],
    [
      'an unknown model',
      { message: 'a', model: 'openai/gpt-5' },
      /^model: "openai\/gpt-5" is not a configured model or alias; known are offline\/summary, fast$/,
    ],
    ['the text of a wake', { message: 'a', text: 'b' }, /^text: unknown field; allowed are message, name, /],
  ])('400: %s', async (_what, body, error) => {
    const { status, body: answer } = await gateway.hook('agent', body)

    expect({ status, answer }).toEqual({
      status: 400,
      answer: { ok: false, error: typeof error === 'string' ? error : expect.stringMatching(error) },
    })
  })
})

describe('GET /hooks/runs/{runId}', () => {
  test('200: the state of a run', async () => {
    const { body: accepted } = await gateway.hook('agent', { message: 'a', name: 'Told' })
    const { status, body } = await gateway.hook(`runs/${accepted.runId}`, undefined, {}, 'GET')

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ok: true,
        runId: accepted.runId,
        sessionKey: accepted.sessionKey,
        name: 'Told',
        status: 'accepted',
        summary: null,
        error: null,
        model: 'offline/summary',
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0, steps: 0 },
        delivery: { status: 'pending', channel: null, to: null, messageIds: [], reason: null },
        createdAt: expect.stringMatching(/Z$/),
        startedAt: null,
        finishedAt: null,
      },
    })
  })

  test.each(['019a0000-0000-7000-8000-000000000000', 'x', '1'])('404: the run %s', async id => {
    const { status, body } = await gateway.hook(`runs/${id}`, undefined, {}, 'GET')

    expect({ status, body }).toEqual({ status: 404, body: { ok: false, error: `No run ${id}` } })
  })

  test('401 without a token, 405 for POST', async () => {
    expect((await gateway.rest('GET', '/hooks/runs/x')).status).toBe(401)
    const answer = await gateway.hook('runs/x', {})
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow: 'GET' })
  })
})

describe('Idempotency-Key', () => {
  test('a repeated request has the same response, and no second event', async () => {
    const key = { 'Idempotency-Key': 'wake-once' }
    const first = await gateway.hook('wake', { text: 'only once', mode: 'next-heartbeat' }, key)
    const again = await gateway.hook('wake', { mode: 'next-heartbeat', text: 'only once' }, key)

    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await events()).filter(({ text }: { text: string }) => text === 'only once')).toHaveLength(1)
  })

  test('fifty concurrent requests make one run', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => gateway.hook('agent', { message: 'racers' }, { 'Idempotency-Key': 'race' })),
    )

    expect(answers.every(({ status }) => status === 202 || status === 409)).toBe(true)
    expect(new Set(answers.flatMap(({ body }) => body.runId ?? [])).size).toBe(1)
  })

  test('another payload is refused', async () => {
    await gateway.hook('agent', { message: 'one' }, { 'Idempotency-Key': 'other-payload' })
    const { status, body } = await gateway.hook('agent', { message: 'two' }, { 'Idempotency-Key': 'other-payload' })

    expect({ status, body }).toEqual({ status: 422, body: { ok: false, error: 'This Idempotency-Key was used with another input' } })
  })

  test.each([
    ['nothing', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a blank', 'with blank'],
    ['letters beyond ASCII', Buffer.from('ü').toString('latin1')],
  ])('400: a key of %s', async (_what, key) => {
    expect((await gateway.hook('wake', { text: 'a' }, { 'Idempotency-Key': key })).status).toBe(400)
  })
})
