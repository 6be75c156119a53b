// Mapped hooks: which mapping takes a request, and how each sender is authenticated.

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { contentOf } from '../../support/database/tables.ts'
import { githubSecret, openMapped, slackSecret, standardSecret, stripeSecret } from './given.ts'

const { gateway, runOf, eventOf, bare } = await openMapped()

describe('the mapping of a request', () => {
  test('is the first mapping whose path, headers and values match, and its templates make the run', async () => {
    const payload = { id: 7, title: 'It is broken', change: { action: 'opened', repository: 'rolo' }, channel: 'C1' }
    const { status, body } = await gateway.hook('tracker', payload, { 'x-event': 'bug' })

    expect({ status, body }).toEqual({
      status: 202,
      body: { ok: true, runId: expect.any(String), sessionKey: 'hook:tracker:7', status: 'accepted' },
    })
    expect(await runOf(body.runId)).toEqual({
      message: 'It is broken in rolo',
      name: 'Tracker rolo',
      sessionKey: 'hook:tracker:7',
      deliver: false,
      channel: 'SLACK',
      to: 'C1',
      timeoutSeconds: 30,
      wakeMode: 'NEXT_HEARTBEAT',
      thinking: 'LOW',
      model: 'offline/summary',
      agentId: 'main',
      usage: { creditCeiling: 0 },
    })
  })

  test.each([
    ['another header', { 'x-event': 'push' }, 'opened'],
    ['no header', {}, 'opened'],
    ['another value', { 'x-event': 'bug' }, 'closed'],
  ])('with %s is the next one', async (_what, headers, action) => {
    const { status, body } = await gateway.hook('tracker', { change: { action } }, headers as Record<string, string>)

    expect({ status, mode: body.mode }).toEqual({ status: 200, mode: 'next-heartbeat' })
    expect((await eventOf(body.eventId)).text).toBe(`Something else: ${action}`)
  })

  test('may be chosen by the source in the payload', async () => {
    const { body } = await gateway.hook('ingest', { source: 'erp', text: 'stock is low' })

    expect(await eventOf(body.eventId)).toMatchObject({ text: 'ERP: stock is low', name: 'source', mode: 'NOW' })
    expect((await gateway.hook('ingest', { source: 'crm' })).status).toBe(404)
    expect((await gateway.hook('ingest', {})).status).toBe(404)
  })

  test('may have a longer path', async () => {
    expect((await gateway.hook('deep/er', {})).status).toBe(200)
    expect((await gateway.hook('deep', {})).status).toBe(404)
  })

  test('is revealed to authenticated senders only, as are the names of hooks', async () => {
    expect((await bare('nothing', {}, {})).status).toBe(401)
    expect((await gateway.hook('nothing', {})).status).toBe(404)
    expect((await bare('called', {}, {})).status).toBe(401)
    expect((await bare('called', {}, { 'x-caller': 'erp' })).status).toBe(401)
    expect((await gateway.hook('called', {})).status).toBe(404)
    expect((await gateway.hook('called', {}, { 'x-caller': 'erp' })).status).toBe(200)
  })

  test.each(['broken', 'gone', 'outside'])('is never an invalid one: %s is disabled with a warning, and the others work', async name => {
    expect((await gateway.hook(name, {})).status).toBe(404)
    expect(gateway.log.some(line => line.includes(`the mapping ${name} is disabled`))).toBe(true)
  })
})

describe('a sender', () => {
  const raw = JSON.stringify({
    action: 'opened',
    repository: { full_name: 'rolo/com' },
    sender: { login: 'ada' },
    issue: { title: 'It broke', html_url: 'https://x/1' },
  })
  const hmac = (secret: string, text: string, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret).update(text).digest(encoding)
  const github = (body: string, secret = githubSecret, delivery = 'delivery-1') =>
    bare('github', body, {
      'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
      'x-github-event': 'issues',
      'x-github-delivery': delivery,
    })

  test('GitHub signs, and a repeated delivery is executed once', async () => {
    const { status, body } = await github(raw)
    expect(status).toBe(200)
    expect((await eventOf(body.eventId)).text).toBe('GitHub issues opened in rolo/com by ada: It broke https://x/1')

    const again = await github(raw)
    expect({ body: again.body, replayed: again.headers.get('idempotent-replayed') }).toEqual({ body, replayed: 'true' })
  })

  test.each([
    ['another secret', () => github(raw, 'another-secret')],
    ['another body', () => bare('github', `${raw} `, { 'x-hub-signature-256': `sha256=${hmac(githubSecret, raw)}` })],
    ['half a signature', () => bare('github', raw, { 'x-hub-signature-256': 'sha256=' })],
    ['no signature', () => bare('github', raw, {})],
    ['the hook token instead', () => gateway.hook('github', raw)],
    ['a signature and malformed JSON', () => bare('github', '{', { 'x-hub-signature-256': `sha256=${hmac('wrong-secret', '{')}` })],
  ])('GitHub with %s is 401', async (_what, ask) => {
    expect((await ask()).status).toBe(401)
  })

  test('a malformed body with a valid signature is 400', async () => {
    expect((await bare('github', '{', { 'x-hub-signature-256': `sha256=${hmac(githubSecret, '{')}` })).status).toBe(400)
  })

  test('Stripe signs the time as well, and old requests are refused', async () => {
    const event = JSON.stringify({
      id: 'evt_1',
      type: 'invoice.paid',
      data: { object: { object: 'invoice', id: 'in_1', status: 'paid', amount: 5, currency: 'eur' } },
    })
    const send = (ageSeconds: number, signed = event) => {
      const time = Math.floor(Date.now() / 1000) - ageSeconds
      return bare('stripe', event, { 'stripe-signature': `t=${time},v1=${'0'.repeat(64)},v1=${hmac(stripeSecret, `${time}.${signed}`)}` })
    }

    const { status, body } = await send(0)
    expect(status).toBe(200)
    expect((await eventOf(body.eventId)).text).toBe('Stripe invoice.paid: invoice in_1 paid 5 eur')
    expect((await send(299)).status).toBe(200)
    expect((await send(301)).status).toBe(401)
    expect((await send(-301)).status).toBe(401)
    expect((await send(0, 'other')).status).toBe(401)
  })

  test('GitHub’s signed body identifies the message, not the unsigned headers', async () => {
    const raw = JSON.stringify({ action: 'replayed', repository: { full_name: 'rolo/com' } })
    const signature = { 'x-hub-signature-256': `sha256=${hmac(githubSecret, raw)}`, 'x-github-event': 'issues' }
    const first = await bare('github', raw, { ...signature, 'x-github-delivery': 'one' })
    const replays: Record<string, string>[] = [
      { 'x-github-delivery': 'two' },
      { 'Idempotency-Key': 'mine' },
      { 'Idempotency-Key': 'mine-too', 'x-github-delivery': 'one' },
      { 'x-github-event': 'push' },
    ]
    const answers: Answer[] = []
    for (const headers of replays) answers.push(await bare('github', raw, { ...signature, ...headers }))

    expect(first.status).toBe(200)
    expect(new Set(answers.map(({ body }) => body.eventId))).toEqual(new Set([first.body.eventId]))
    expect(answers.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true)
  })

  test('a replay that unsigned headers lead to another mapping does nothing', async () => {
    const raw = '{"n":7}'
    const signature = { 'x-hub-signature-256': `sha256=${hmac('labels-secret-0123', raw)}` }
    const first = await bare('labels', raw, { ...signature, 'x-kind': 'label', 'x-delivery': 'a' })
    const again = await bare('labels', raw, { ...signature, 'x-kind': 'label', 'x-delivery': 'b' })
    const elsewhere = await bare('labels', raw, signature)

    expect([first.status, again.body.runId, elsewhere.status]).toEqual([202, first.body.runId, 422])
    expect(gateway.log.join('')).toContain(
      'the mapping labelled: its idempotencyKey reads {{headers.x-delivery}}, which its senders do not sign; what they sign counts instead',
    )
  })

  test('GitHub’s ping is answered, and makes no event', async () => {
    const raw = '{"zen":"Keep it logically awesome.","hook_id":1}'
    const before = (await gateway.ask('{ systemEvents(first: 200) { nodes { id } } }')).systemEvents.nodes.length
    const { status, body } = await bare('github', raw, {
      'x-hub-signature-256': `sha256=${hmac(githubSecret, raw)}`,
      'x-github-event': 'ping',
    })

    expect({ status, body }).toEqual({ status: 200, body: { ok: true, pong: true } })
    expect((await gateway.ask('{ systemEvents(first: 200) { nodes { id } } }')).systemEvents.nodes).toHaveLength(before)
    expect((await bare('github', raw, { 'x-hub-signature-256': 'sha256=0', 'x-github-event': 'ping' })).status).toBe(401)
  })

  test('Slack signs the time as well, gets its challenge, and a repeated event is executed once', async () => {
    const now = Math.floor(Date.now() / 1000)
    const send = (content: object, { ageSeconds = 0, headers = {} }: { ageSeconds?: number; headers?: Record<string, string> } = {}) => {
      const raw = JSON.stringify(content)
      const time = now - ageSeconds
      return bare('slack', raw, {
        'x-slack-request-timestamp': String(time),
        'x-slack-signature': `v0=${hmac(slackSecret, `v0:${time}:${raw}`)}`,
        ...headers,
      })
    }
    const event = { type: 'event_callback', event_id: 'Ev1', event: { text: 'hello' } }

    const { status, body } = await send({ type: 'url_verification', challenge: 'c-1', token: 't' })
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, challenge: 'c-1' } })
    const first = await send({ type: 'event_callback', event: { text: 'no id' } })
    const replayed = await send(
      { type: 'event_callback', event: { text: 'no id' } },
      { headers: { 'x-mood': 'x', 'Idempotency-Key': 'x' } },
    )
    expect([first.status, replayed.body.runId]).toEqual([202, first.body.runId])
    expect((await send(event)).status).toBe(202)
    expect((await send(event, { ageSeconds: 301 })).body.error).toContain('too old')
    expect((await send(event, { headers: { 'x-slack-request-timestamp': '1' } })).status).toBe(401)
    expect((await send(event, { headers: { 'x-slack-signature': 'v0=0' } })).status).toBe(401)
  })

  test.each([
    ['github', 'This hook takes signed requests: the header x-hub-signature-256 is missing'],
    ['stripe', 'This hook takes signed requests: the header stripe-signature is missing'],
    ['slack', 'This hook takes signed requests: the header x-slack-signature is missing'],
    ['standard', 'This hook takes signed requests: the header webhook-signature or svix-signature is missing'],
    ['wake', 'A hook token is required: Authorization: Bearer <token>'],
  ])('without a signature is told which header %s wants', async (name, error) => {
    expect((await bare(name, {}, {})).body).toEqual({ ok: false, error })
  })

  test('Svix’s headers are synonyms', async () => {
    const date = new Date()
    const headers = {
      'svix-id': 'msg_svix',
      'svix-timestamp': String(Math.floor(date.getTime() / 1000)),
      'svix-signature': new Webhook(standardSecret).sign('msg_svix', date, '{"n":3}'),
    }
    const first = await bare('standard', '{"n":3}', headers)
    const again = await bare('standard', '{"n":3}', { ...headers, 'Idempotency-Key': 'other' })
    const standard = await bare('standard', '{"n":3}', {
      'webhook-id': 'msg_svix',
      'webhook-timestamp': headers['svix-timestamp'],
      'webhook-signature': headers['svix-signature'],
    })

    expect([first.status, again.body.eventId, standard.body.eventId]).toEqual([200, first.body.eventId, first.body.eventId])
    expect((await bare('standard', '{"n":4}', headers)).status).toBe(401)
  })

  test('Standard Webhooks are signed by its library, and a repeated message is executed once', async () => {
    const body = '{"n":1}'
    const sign = (date: Date, text = body) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
      'webhook-signature': `v1,AAAA ${new Webhook(standardSecret).sign('msg_1', date, text)}`,
    })

    const first = await bare('standard', body, sign(new Date()))
    expect(first.status).toBe(200)
    // A repeated message has the same id and a new signature.
    const again = await bare('standard', body, sign(new Date(Date.now() - 5000)))
    expect({ body: again.body, replayed: again.headers.get('idempotent-replayed') }).toEqual({ body: first.body, replayed: 'true' })
    expect((await bare('standard', body, sign(new Date(Date.now() - 400_000)))).status).toBe(401)
    expect((await bare('standard', body, sign(new Date(), '{"n":2}'))).status).toBe(401)
    expect((await bare('standard', body, { ...sign(new Date()), 'webhook-id': 'msg_2' })).status).toBe(401)
  })

  test('a plain HMAC may be hex or base64, in any header', async () => {
    expect((await bare('hex', '{}', { 'x-sig': hmac('hex-secret-0123', '{}') })).status).toBe(200)
    expect((await bare('hex', '{}', { 'x-sig': hmac('hex-secret-0123', '{}').toUpperCase() })).status).toBe(200)
    expect((await bare('base64', '{}', { 'x-sig': hmac('base64-secret', '{}', 'base64') })).status).toBe(200)
    expect((await bare('base64', '{}', { 'x-sig': hmac('base64-secret', '{} ', 'base64') })).status).toBe(401)
  })

  test('the token of a mapping is valid for that mapping only', async () => {
    const headers = { authorization: 'Bearer a-token-of-its-own-0123' }

    expect((await bare('own-token', {}, headers)).status).toBe(200)
    expect((await bare('wake', { text: 'a' }, headers)).status).toBe(401)
    expect((await bare('ingest', { source: 'erp', text: 'a' }, headers)).status).toBe(401)
    expect((await gateway.hook('own-token', {})).status).toBe(401)
  })

  test('senders with tokens of their own take no idempotency key from each other, nor from the hook token', async () => {
    const key = { 'Idempotency-Key': 'event-1' }
    const first = await bare('own-token', {}, { authorization: 'Bearer a-token-of-its-own-0123', ...key })
    const other = await bare('other-token', {}, { authorization: 'Bearer another-token-of-its-own', ...key })
    const direct = await gateway.hook('wake', { text: 'own' }, key)
    const again = await bare('own-token', {}, { authorization: 'Bearer a-token-of-its-own-0123', ...key })

    expect([first, other, direct, again].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([first, other, direct, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, null, 'true'])
  })
})

test('a mapped hook is tried with dry_run: which mapping takes it and what it would do, and nothing is kept', async () => {
  const body = JSON.stringify({ action: 'opened', issue: { number: 1, title: 'A', html_url: 'x' }, repository: { full_name: 'a/b' } })
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': 'tried',
    'x-hub-signature-256': `sha256=${createHmac('sha256', githubSecret).update(body).digest('hex')}`,
  }
  const before = await contentOf(gateway.database.url)

  const answer = await gateway.rest('POST', '/hooks/github?dry%5Frun=true', { headers, body })

  expect([answer.status, answer.body]).toEqual([
    200,
    { ok: true, dryRun: true, mapping: 'github', actions: [expect.objectContaining({ kind: expect.stringMatching(/^(agent|wake)$/) })] },
  ])
  expect(await contentOf(gateway.database.url)).toEqual(before)
})
