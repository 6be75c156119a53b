// Mapped hooks: how a payload is read, and what transforms and presets make of it.

import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hookToken } from '../../support/app.ts'
import { until } from '../../support/gateway.ts'
import { openMapped } from './given.ts'

const { gateway, runOf, eventOf } = await openMapped()

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
