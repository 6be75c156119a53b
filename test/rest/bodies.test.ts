// Request bodies: media type, size, encoding and depth, independent of the endpoint.

import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { conforming } from './conforming.ts'

const app = await openApp()
const rest = conforming(app)

const contacts = '/api/crm/v1/contacts'

describe('bodies', () => {
  const post = async (body: string | Uint8Array<ArrayBuffer> | undefined, headers: Record<string, string> = {}) => {
    const { key } = await app.given.apiKey()
    const type = { 'content-type': 'application/json' }
    const response = await fetch(app.url + contacts, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...type, ...headers },
      body,
    })
    return { status: response.status, body: await response.json() }
  }
  const ok = (n: number) => JSON.stringify({ email: `body${n}@example.com` })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/vnd.api+json',
  ])('201 for %s', async type => {
    expect((await post(ok(1), { 'content-type': type })).status).toBe(201)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'json',
    '',
  ])('415 for %s', async type => {
    const { status, body } = await post(ok(2), { 'content-type': type })

    expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
  })

  test('415 for a compressed body, which may be a decompression bomb', async () => {
    const bomb = gzipSync(JSON.stringify({ email: 'a'.repeat(5_000_000) }))

    for (const encoding of ['gzip', 'deflate', 'br']) expect((await post(bomb, { 'content-encoding': encoding })).status).toBe(415)
  })

  test.each([
    ['nothing', undefined, { loc: ['body'], msg: 'Field required', type: 'missing', input: null, ctx: {} }],
    ['half an object', '{"email":', { loc: ['body'], msg: 'JSON decode error', type: 'json_invalid', input: null }],
    ['a trailing comma', '{"email":"a@example.com",}', { loc: ['body'], type: 'json_invalid' }],
    ['a list', '[]', { loc: ['body'], type: 'model_attributes_type', input: [] }],
    ['null', 'null', { loc: ['body'], type: 'model_attributes_type', input: null }],
    ['a text', '"x"', { loc: ['body'], type: 'model_attributes_type', input: 'x' }],
    ['a NUL', '{"email":"a\\u0000@example.com"}', { loc: ['body', 'email'], type: 'value_error' }],
    ['half a surrogate pair', '{"email":"a@example.com","city":"\\ud83d"}', { loc: ['body', 'city'], type: 'value_error' }],
    ['a NUL in a key', '{"email":"a@example.com","custom":{"a\\u0000":1}}', { loc: ['body', 'custom', 'a\u0000'], type: 'value_error' }],
    ['a number beyond numbers', '{"email":"a@example.com","custom":{"n":1e400}}', { loc: ['body', 'custom', 'n'], type: 'finite_number' }],
    [
      'a prototype',
      '{"email":"a@example.com","custom":{"__proto__":{"x":1}}}',
      { loc: ['body', 'custom', '__proto__'], type: 'value_error' },
    ],
    ['a text of 100 kB', `{"email":"a@example.com","city":"${'x'.repeat(100_000)}"}`, { loc: ['body', 'city'], type: 'string_too_long' }],
    [
      'objects in objects',
      `{"email":"a@example.com","custom":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
      { loc: ['body'], type: 'value_error' },
    ],
    ['lists in lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, { loc: ['body'], type: 'value_error' }],
  ])('422 for %s', async (_what, text, problem) => {
    const { status, body } = await post(text)

    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject(problem)
    expect(JSON.stringify(body).length).toBeLessThan(10_000)
  })

  test('422 for text that is not UTF-8', async () => {
    const { status, body } = await post(new Uint8Array([...Buffer.from('{"email":"'), 0xff, ...Buffer.from('@example.com"}')]))

    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body'], type: 'json_invalid' }])
  })

  test('422 for a thousand unknown fields names the first hundred', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, n]))

    const { status, body } = await post(JSON.stringify(fields))

    expect(status).toBe(422)
    expect(body.detail).toHaveLength(100)
  })

  test('the answer repeats at most a short part of the body', async () => {
    const { status, body } = await post(JSON.stringify({ tags: 'x'.repeat(60_000), custom: { long: 'y'.repeat(60_000) } }))

    expect(status).toBe(422)
    expect(JSON.stringify(body).length).toBeLessThan(5_000)
  })

  test('413 for more than 1 MB, declared or not, and the connection goes on', async () => {
    const { key } = await app.given.apiKey()
    const big = JSON.stringify({ email: 'a'.repeat(1_500_000) })
    const head = `POST ${contacts} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`
    const declared = `${head}Content-Length: ${big.length}\r\n\r\n${big}`
    const next = `GET ${contacts} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`

    for (const request of [declared, chunked]) {
      const answers = await talk(request + next)

      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
      expect(answers).toContain('"code":"payload_too_large"')
    }
  })

  test('a client that disconnects while sending the body leaves no open request', async () => {
    const { key } = await app.given.apiKey()
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    const head = `POST ${contacts} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`

    await new Promise<void>(resolve => socket.write(`${head}{"email":`, () => resolve()))
    socket.destroy()

    expect((await rest('GET', contacts, { key })).body.data).toEqual([])
  })

  // Everything the server sends on one connection.
  function talk(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(text))
      let answers = ''
      socket.setEncoding('utf8').on('data', part => {
        answers += part
      })
      socket.on('end', () => resolve(answers)).on('error', reject)
    })
  }
})
