// Mapped hooks: which mapping takes a request, how it is authenticated, and the action it becomes.

import { createHmac } from 'node:crypto'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, hookToken } from '../support/app.ts'
import { startGateway, type TestGateway, until } from '../support/gateway.ts'
import { contentOf } from '../support/tables.ts'

const githubSecret = 'github-secret-0123456789'
const stripeSecret = 'whsec-stripe-0123456789'
const slackSecret = 'slack-secret-0123456789'
const standardSecret = `whsec_${Buffer.from('standard-webhooks-secret').toString('base64')}`

const transforms = {
  'sentence.ts': `
    export default ({ payload, headers, query, url, path }: { payload: { n: number; [key: string]: unknown }; headers: Record<string, string>; query: Record<string, string>; url: URL; path: string }) => {
      if (payload.skip) return null
      if (payload.throw) throw new Error('a private reason')
      if (payload.hang) while (true) {}
      if (payload.exit) process.exit(1)
      if (payload.list) return [1]
      if (payload.asWake) return { kind: 'wake', text: 'woken by a transform' }
      if (payload.bad) return { message: 'a', deliver: 'perhaps' }
      const n: number = payload.n
      return { message: JSON.stringify({ n: n + 1, headers: Object.keys(headers).sort(), query, url: url.pathname + url.search, path, env: Object.keys(process.env) }) }
    }
    export const named = async () => ({ message: 'by another name' })
    export const notAFunction = 5
  `,
  'slow.ts': `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    export default async ({ payload }: { payload: { log: string } }) => {
      appendFileSync(payload.log, 'begin ')
      await sleep(100)
      appendFileSync(payload.log, 'end ')
      return { text: 'slowly' }
    }
  `,
  'changing.js': `export default () => ({ message: 'version 1' })`,
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    works: false,
    transforms,
    config: {
      hooks: {
        transformsDir: '.',
        presets: ['gmail', 'github', 'stripe'],
        presetSecrets: { github: githubSecret, stripe: stripeSecret },
        mappings: [
          { id: 'broken', match: { path: 'broken' }, messageTemplate: '{{#if a}}' },
          { id: 'gone', match: { path: 'gone' }, transform: { module: 'missing.ts' } },
          { id: 'outside', match: { path: 'outside' }, transform: { module: '../../../../etc/hostname' } },
          {
            id: 'opened',
            match: { path: 'tracker', headers: { 'X-Event': ['issue', 'bug'] }, where: { 'change.action': ['opened', 'reopened'] } },
            messageTemplate: '{{title}} in {{change.repository}}',
            name: 'Tracker {{change.repository}}',
            sessionKey: 'hook:tracker:{{id}}',
            deliver: false,
            channel: 'slack',
            to: '{{channel}}',
            timeoutSeconds: 30,
            wakeMode: 'next-heartbeat',
            thinking: 'low',
            model: 'offline/summary',
            agentId: 'main',
          },
          {
            id: 'other',
            match: { path: 'tracker' },
            action: 'wake',
            textTemplate: 'Something else: {{change.action}}',
            wakeMode: 'next-heartbeat',
          },
          { id: 'source', match: { path: 'ingest', source: 'erp' }, action: 'wake', textTemplate: 'ERP: {{text}}' },
          {
            id: 'each',
            match: { path: 'orders' },
            action: 'wake',
            forEach: 'orders',
            textTemplate: 'Order {{item.id}} ({{index}}) of {{shop}}',
          },
          { id: 'shaped', match: { path: 'shaped' }, transform: { module: 'sentence.ts' } },
          { id: 'slow', match: { path: 'slow' }, action: 'wake', transform: { module: 'slow.ts' }, concurrency: 1 },
          { id: 'blank', match: { path: 'blank' }, messageTemplate: ' {{nothing}} ' },
          { id: 'named', match: { path: 'named' }, transform: { module: './sentence.ts', export: 'named' } },
          { id: 'no-function', match: { path: 'no-function' }, transform: { module: 'sentence.ts', export: 'notAFunction' } },
          { id: 'changing', match: { path: 'changing' }, transform: { module: 'changing.js' } },
          {
            id: 'own-token',
            match: { path: 'own-token' },
            action: 'wake',
            textTemplate: 'own',
            auth: { token: 'a-token-of-its-own-0123' },
          },
          {
            id: 'other-token',
            match: { path: 'other-token' },
            action: 'wake',
            textTemplate: 'own',
            auth: { token: 'another-token-of-its-own' },
          },
          {
            id: 'standard',
            match: { path: 'standard' },
            action: 'wake',
            textTemplate: 'standard {{n}}',
            auth: { hmac: { secret: standardSecret, scheme: 'standard-webhooks' } },
          },
          {
            id: 'slack',
            match: { path: 'slack', where: { type: 'event_callback' } },
            messageTemplate: '{{event.text}} {{headers.x-mood}} {{now}}',
            auth: { hmac: { secret: slackSecret, scheme: 'slack' } },
          },
          {
            id: 'labelled',
            match: { path: 'labels', headers: { 'x-kind': 'label' } },
            messageTemplate: 'labelled {{n}}',
            idempotencyKey: '{{headers.x-delivery}}',
            auth: { hmac: { secret: 'labels-secret-0123', scheme: 'github' } },
          },
          {
            id: 'unlabelled',
            match: { path: 'labels' },
            action: 'wake',
            textTemplate: 'unlabelled {{n}}',
            auth: { hmac: { secret: 'labels-secret-0123', scheme: 'github' } },
          },
          {
            id: 'hex',
            match: { path: 'hex' },
            action: 'wake',
            textTemplate: 'hex',
            auth: { hmac: { secret: 'hex-secret-0123', scheme: 'hex', header: 'X-Sig' } },
          },
          {
            id: 'base64',
            match: { path: 'base64' },
            action: 'wake',
            textTemplate: 'base64',
            auth: { hmac: { secret: 'base64-secret', scheme: 'base64', header: 'X-Sig' } },
          },
          { id: 'small', match: { path: 'small' }, action: 'wake', textTemplate: 'small', maxBodyBytes: 100 },
          { id: 'large', match: { path: 'large' }, action: 'wake', textTemplate: 'large', maxBodyBytes: 1_000_000 },
          { id: 'deep', match: { path: 'deep/er' }, action: 'wake', textTemplate: 'deeper' },
          { id: 'called', match: { path: 'called', headers: { 'X-Caller': 'erp' } }, action: 'wake', textTemplate: 'called' },
          {
            id: 'form',
            match: { path: 'form', where: { kind: 'order' } },
            action: 'wake',
            textTemplate:
              '{{customer.name}} ({{customer.tags}}) of {{from}}: {{items}} {{file.filename}} {{file.size}} {{payload.body-plain}}',
          },
          { id: 'json-in-form', match: { path: 'form', where: { 'repository.name': 'shop' } }, action: 'wake', textTemplate: '{{action}}' },
          {
            id: 'list',
            match: { path: 'list', where: { '[0].type': 'batch' } },
            action: 'wake',
            textTemplate: '{{[1].name}}, {{payload[2].name}}',
          },
          {
            id: 'each-of-list',
            match: { path: 'list' },
            action: 'wake',
            forEach: 'payload',
            textTemplate: '{{index}}: {{item.name}} of {{[0].name}}',
          },
          { id: 'writer', match: { path: 'writer' }, messageTemplate: 'write', scopes: ['contacts:write'], creditCeiling: 5 },
        ],
      },
    },
  })
})
afterAll(() => gateway.close())

const runOf = async (id: string) =>
  (
    await gateway.ask(
      'query ($id: ID!) { agentRun(id: $id) { message name sessionKey deliver channel to timeoutSeconds wakeMode thinking model agentId usage { creditCeiling } } }',
      { id },
    )
  ).agentRun
const eventOf = async (id: string) =>
  (await gateway.ask('{ systemEvents(first: 200) { nodes { id text name mode } } }')).systemEvents.nodes.find(
    (event: { id: string }) => event.id === id,
  )

/** Sends a request without the hook token. */
const bare = (name: string, body: unknown, headers: Record<string, string>) => gateway.rest('POST', `/hooks/${name}`, { body, headers })

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

describe('a payload', () => {
  test('with a blank template or an invalid result of the transform is 400, and the message names the mapping', async () => {
    const blank = await gateway.hook('blank', {})
    const nonsense = await gateway.hook('shaped', { bad: true })

    expect([blank.status, blank.body]).toEqual([
      400,
      { ok: false, error: 'Mapping blank made of this payload: message: must not be blank' },
    ])
    expect([nonsense.status, nonsense.body]).toEqual([
      400,
      { ok: false, error: 'Mapping shaped made of this payload: deliver: must be true or false' },
    ])
  })

  test.each([
    [
      'a form',
      'kind=order&from=Ada%20L.&customer%5Bname%5D=Grace&customer%5Btags%5D%5B%5D=a&customer%5Btags%5D%5B%5D=b&items=1&items=2&body-plain=Hi',
      'application/x-www-form-urlencoded; charset=UTF-8',
      'Grace (["a","b"]) of Ada L.: ["1","2"]   Hi',
    ],
    [
      'a multipart form with a file',
      '--x\r\nContent-Disposition: form-data; name="kind"\r\n\r\norder\r\n--x\r\nContent-Disposition: form-data; name="from"\r\n\r\nAda\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nabc\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
      ' () of Ada:  a.txt 3 ',
    ],
    [
      'JSON in the only field of a form',
      `payload=${encodeURIComponent('{"action":"opened","repository":{"name":"shop"}}')}`,
      'application/x-www-form-urlencoded',
      'opened',
    ],
    [
      'a form with numbered items',
      'kind=order&from=Ada&items[1][id]=b&items[0][id]=a&items[0][tags][]=x&customer[tags][][name]=y&customer[name][0]=z&customer[name][k]=w',
      'application/x-www-form-urlencoded;',
      '{"0":"z","k":"w"} ([{"name":"y"}]) of Ada: [{"id":"a","tags":["x"]},{"id":"b"}]   ',
    ],
    [
      'a form with items without numbers',
      'kind=order&from=Ada&items[][id]=a&items[][tags][]=x&items[][tags][]=y&items[][id]=b',
      'application/x-www-form-urlencoded',
      ' () of Ada: [{"id":"a","tags":["x","y"]},{"id":"b"}]   ',
    ],
    [
      'a form with a name that is a value and an object',
      'kind=order&from=Ada&items=1&items[id]=2&customer[tags][]=x&customer[tags][id]=y',
      'application/x-www-form-urlencoded',
      ' (["x"]) of Ada: 1   ',
    ],
    ['JSON that is called a form', '{"kind":"order","from":"Ada"}', 'application/x-www-form-urlencoded', ' () of Ada:    '],
  ])('may be %s', async (_what, raw, contentType, text) => {
    const { status, body } = await gateway.hook('form', raw, { 'content-type': contentType })

    expect([status, (await eventOf(body.eventId)).text]).toEqual([200, text])
  })

  test.each(['utf16le', 'utf16be'])('may be JSON in %s with its mark', async encoding => {
    const little = Buffer.from('\ufeff{"kind":"order","from":"Zoë"}', 'utf16le')
    const response = await fetch(`${gateway.url}/hooks/form`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hookToken}`, 'content-type': 'application/json; charset=utf-16' },
      body: new Uint8Array(encoding === 'utf16le' ? little : little.swap16()),
    })

    expect((await eventOf(((await response.json()) as { eventId: string }).eventId)).text).toBe(' () of Zoë:    ')
  })

  test.each([
    ['a form of percent signs', 'application/x-www-form-urlencoded; charset=ISO-8859-1', 'kind=order&from=Zo%EB+%80'],
    ['a form', 'application/x-www-form-urlencoded; charset="windows-1252"', 'kind=order&from=Zoë €'],
    ['JSON', 'application/json; charset=iso-8859-1', '{"kind":"order","from":"Zoë €"}'],
    ['a form that is UTF-8 all the same', 'application/x-www-form-urlencoded; charset=ISO-8859-1', 'kind=order&from=Zo%C3%AB+%E2%82%AC'],
  ])('may be %s in another charset', async (_what, contentType, raw) => {
    const response = await fetch(`${gateway.url}/hooks/form`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hookToken}`, 'content-type': contentType },
      body: new Uint8Array(Buffer.from(raw.replace('€', '\x80'), 'latin1')),
    })

    expect((await eventOf(((await response.json()) as { eventId: string }).eventId)).text).toBe(' () of Zoë €:    ')
  })

  test.each(['', ' ', '\r\n', '\ufeff'])('%j is an empty one', async raw => {
    const { status, body } = await gateway.hook('deep/er', raw)
    expect([status, (await eventOf(body.eventId)).text]).toEqual([200, 'deeper'])
    expect((await gateway.hook('wake', raw)).body.error).toBe('text: is required')
  })

  test('may be a list in the only field of a form', async () => {
    const raw = `payload=${encodeURIComponent('[{"name":"a"},{"name":"b"}]')}`
    const { body } = await gateway.hook('list', raw, { 'content-type': 'application/x-www-form-urlencoded' })
    const texts = await Promise.all(body.events.map(async ({ eventId }: { eventId: string }) => (await eventOf(eventId)).text))

    expect(texts).toEqual(['0: a of a', '1: b of a'])
  })

  test('may be a list, read by index or for each of its elements', async () => {
    const byIndex = await gateway.hook('list', [{ type: 'batch' }, { name: 'b' }, { name: 'c' }])
    const each = await gateway.hook('list', [{ name: 'a' }, { name: 'b' }])
    const texts = await Promise.all(each.body.events.map(async ({ eventId }: { eventId: string }) => (await eventOf(eventId)).text))

    expect((await eventOf(byIndex.body.eventId)).text).toBe('b, c')
    expect(texts).toEqual(['0: a of a', '1: b of a'])
    expect((await gateway.hook('list', [])).status).toBe(204)
  })

  let seconds = 0
  test.each([
    ['text', 'stock is low', 'text/plain', /^The body is not JSON: .*; a form needs its Content-Type$/],
    ['malformed JSON', '{"kind":', 'application/json', /^The body is not JSON: /],
    ['XML', '<order id="1"/>', 'application/xml', /^The body is not JSON: /],
    ['a JSON text', '"order"', 'application/json', /^The body must be a JSON object or list, or a form$/],
    ['a broken multipart form', '--y\r\n\r\n', 'multipart/form-data; boundary=x', /^The body is not multipart\/form-data/],
    ['too many fields', 'a=1&'.repeat(1001), 'application/x-www-form-urlencoded', /^The form must have at most 1000 fields$/],
    ['a name that is none', '__proto__[a]=1', 'application/x-www-form-urlencoded', /^__proto__: no field may have this name$/],
    ['NUL', 'a=%00', 'application/x-www-form-urlencoded', /^a: NUL characters are not allowed$/],
  ])('that is %s is 400, logged and kept', async (_what, raw, contentType, error) => {
    const before = gateway.log.length
    // Of each second some requests are kept, not all.
    gateway.setNow(new Date(Date.now() + ++seconds * 1000))
    const { status, body } = await gateway.hook('form', raw, { 'content-type': contentType })

    expect([status, body.error]).toEqual([400, expect.stringMatching(error)])
    expect(gateway.log.slice(before).some(line => line.includes('the body of a hook was refused'))).toBe(true)
    const kept = await until(async () => {
      const { hookPayloads } = await gateway.ask('{ hookPayloads(hook: "form", first: 1) { nodes { status error payload mapping } } }')
      return hookPayloads.nodes[0]?.error === body.error ? hookPayloads.nodes[0] : undefined
    })
    expect(kept).toMatchObject({ status: 400, mapping: null, payload: expect.stringContaining(raw.slice(0, 10)) })
  })

  test('that is no payload is kept without what may be a credential', async () => {
    await gateway.hook('form', '{"password":"hunter2", "api_key": abc', { 'content-type': 'application/json' })

    const kept = await until(async () => {
      const { hookPayloads } = await gateway.ask('{ hookPayloads(hook: "form", first: 1) { nodes { payload } } }')
      return JSON.stringify(hookPayloads).includes('password') ? hookPayloads.nodes[0].payload : undefined
    })
    gateway.setNow(null)
    expect(kept).toBe('{"password":"[redacted]", "api_key": [redacted]')
  })

  test('with one action per element makes all of them, or none', async () => {
    const { status, body } = await gateway.hook('orders', { shop: 'Berlin', orders: [{ id: 'a' }, { id: 'b' }] })

    expect(status).toBe(200)
    expect(body.events.map(({ eventId }: { eventId: string }) => eventId)[0]).toBe(body.eventId)
    const texts = await Promise.all(body.events.map(async ({ eventId }: { eventId: string }) => (await eventOf(eventId)).text))
    expect(texts).toEqual(['Order a (0) of Berlin', 'Order b (1) of Berlin'])

    expect((await gateway.hook('orders', { orders: [] })).status).toBe(204)
    expect((await gateway.hook('orders', { orders: 'none' })).body).toEqual({ ok: false, error: 'orders: must be a list' })
    expect((await gateway.hook('orders', {})).status).toBe(400)
    expect((await gateway.hook('orders', { orders: Array.from({ length: 101 }, () => ({})) })).status).toBe(400)
  })

  test('with the same key is executed once', async () => {
    const orders = { shop: 'Rome', orders: [{ id: 1 }, { id: 2 }] }
    const first = await gateway.hook('orders', orders, { 'Idempotency-Key': 'order-batch' })
    const again = await gateway.hook('orders', orders, { 'Idempotency-Key': 'order-batch' })

    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('has the size limit of its mapping', async () => {
    expect((await gateway.hook('small', { text: 'x'.repeat(100) })).status).toBe(413)
    expect((await gateway.hook('small', { text: 'x' })).status).toBe(200)
    expect((await gateway.hook('large', { text: 'x'.repeat(500_000) })).status).toBe(200)
    expect((await gateway.hook('large', { text: 'x'.repeat(1_000_000) })).status).toBe(413)
  })

  test('cannot exceed the grants of its mapping', async () => {
    const { body } = await gateway.hook('writer', { scopes: ['*'], creditCeiling: 1000 })

    expect((await runOf(body.runId)).usage.creditCeiling).toBe(5)
  })
})

describe('a transform', () => {
  test('sees payload, query and headers without credentials, and no environment', async () => {
    const { body } = await gateway.hook(
      'shaped?a=1&token=secret&api_key=x',
      { n: 41 },
      { 'x-custom': 'yes', cookie: 'session=1', 'x-api-key': 'k' },
    )
    const { message } = await runOf(body.runId)

    const seen = JSON.parse(message)
    expect(seen).toMatchObject({ n: 42, query: { a: '1' }, url: '/hooks/shaped?a=1', path: 'shaped', env: [] })
    expect(seen.headers).toContain('x-custom')
    for (const hidden of ['authorization', 'cookie', 'x-api-key']) expect(seen.headers).not.toContain(hidden)
  })

  test('that returns null makes nothing: 204', async () => {
    const { status, body } = await gateway.hook('shaped', { skip: true })

    expect({ status, body }).toEqual({ status: 204, body: '' })
  })

  test('may make a wake of an agent’s payload', async () => {
    const { status, body } = await gateway.hook('shaped', { asWake: true })

    expect(status).toBe(200)
    expect((await eventOf(body.eventId)).text).toBe('woken by a transform')
  })

  test('may be one of several functions of a module', async () => {
    const { body } = await gateway.hook('named', {})

    expect((await runOf(body.runId)).message).toBe('by another name')
  })

  test.each([
    ['throws', 'shaped', { throw: true }],
    ['ends its thread', 'shaped', { exit: true }],
    ['answers a list', 'shaped', { list: true }],
    ['is no function', 'no-function', {}],
  ])('that %s is 400, tells no reason, and the next request works', async (_what, name, payload) => {
    const { status, body } = await gateway.hook(name, payload)

    expect(status).toBe(400)
    expect(body.error).not.toContain('private')
    expect((await gateway.hook('shaped', { n: 1 })).status).toBe(202)
  })

  test('that never returns is terminated, and does not block others', async () => {
    let isOver = false
    const hanging = gateway.hook('shaped', { hang: true }).finally(() => {
      isOver = true
    })
    expect((await gateway.hook('shaped', { n: 1 })).status).toBe(202)
    expect((await gateway.hook('wake', { text: 'meanwhile' })).status).toBe(200)
    expect(isOver).toBe(false)

    expect((await hanging).status).toBe(400)
  })

  test('has the concurrency of its mapping', async () => {
    const log = join(gateway.folder, 'slow.log')
    const answers = await Promise.all([1, 2, 3].map(() => gateway.hook('slow', { log })))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(readFileSync(log, 'utf8')).toBe('begin end '.repeat(3))
  })

  test('is loaded again when its file changes', async () => {
    const message = async () => (await runOf((await gateway.hook('changing', {})).body.runId)).message
    expect(await message()).toBe('version 1')

    const path = join(gateway.folder, 'changing.js')
    writeFileSync(path, `export default () => ({ message: 'version 2' })`)
    expect(await message()).toBe('version 2')

    writeFileSync(path, `export default () => ({ message: 'version 3' })`)
    utimesSync(path, new Date(), new Date(Date.now() - 86_400_000))
    expect(await message()).toBe('version 3')
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

describe('the preset gmail', () => {
  test('makes a run of every message of a batch, in a session of its own, once', async () => {
    const messages = ['Ada', 'Grace'].map((from, index) => ({
      id: `m${index}`,
      from,
      subject: `Hello ${index}`,
      snippet: 'Hi',
      body: 'Hi there',
    }))
    const { status, body } = await gateway.hook('gmail', { source: 'gmail', messages })

    expect({ status, runs: body.runs.length, runId: body.runs[0].runId }).toEqual({ status: 202, runs: 2, runId: body.runId })
    expect(await runOf(body.runs[1].runId)).toMatchObject({
      message: 'New email from Grace\nSubject: Hello 1\nHi\nHi there',
      name: 'Gmail',
      sessionKey: 'hook:gmail:m1',
      deliver: true,
      channel: 'LAST',
    })
    expect((await gateway.hook('gmail', { source: 'gmail', messages })).body).toEqual(body)
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
