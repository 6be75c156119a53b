// The door for hooks over HTTP: its responses, and the order of its checks.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hookToken, serviceToken } from '../support/app.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway({
  works: false,
  config: { agents: { list: { triage: {} } }, models: { aliases: { fast: 'offline/summary' } } },
})

/** Sends raw bytes, and reads the response until `isWhole`. */
async function raw(text: string | Buffer, isWhole: (answer: string) => boolean, socket: Socket = open()): Promise<string> {
  let answer = ''
  const onData = (chunk: Buffer) => {
    answer += chunk
  }
  socket.on('data', onData)
  socket.write(text)
  while (!isWhole(answer)) await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })
  socket.off('data', onData)
  return answer
}
const open = () => connect(Number(new URL(gateway.url).port), '127.0.0.1')
const head = (path: string, headers: string[], method = 'POST') =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${hookToken}`, ...headers].join('\r\n')}\r\n\r\n`

describe('the token', () => {
  const wake = (headers: Record<string, string>, query = '') =>
    gateway.rest('POST', `/hooks/wake${query}`, { body: { text: 'token' }, headers }).then(({ status }) => status)

  test('is accepted as bearer, as x-svc-token and from the query', async () => {
    expect(await wake({ authorization: `Bearer ${hookToken}` })).toBe(200)
    expect(await wake({ authorization: `bearer   ${hookToken}` })).toBe(200)
    expect(await wake({ 'x-svc-token': hookToken })).toBe(200)
    expect(await wake({}, `?token=${hookToken}`)).toBe(200)
  })

  test('of the first source that is not empty is final', async () => {
    expect(await wake({ authorization: 'Bearer wrong', 'x-svc-token': hookToken })).toBe(401)
    expect(await wake({ authorization: `Bearer ${hookToken}`, 'x-svc-token': 'wrong' }, '?token=wrong')).toBe(200)
    expect(await wake({ 'x-svc-token': 'wrong' }, `?token=${hookToken}`)).toBe(401)
    expect(await wake({ authorization: 'Bearer ', 'x-svc-token': hookToken })).toBe(200)
    expect(await wake({ authorization: 'Basic abc', 'x-svc-token': hookToken })).toBe(200)
  })

  test.each([
    ['none', {}, ''],
    ['a shorter one', { authorization: `Bearer ${hookToken.slice(0, -1)}` }, ''],
    ['a longer one', { authorization: `Bearer ${hookToken}x` }, ''],
    ['one of another kind', { authorization: `Bearer ${serviceToken}` }, ''],
    ['two in the query', {}, `?token=${hookToken}&token=${hookToken}`],
    ['a list in the query', {}, `?token[]=${hookToken}`],
    ['two headers', { 'x-svc-token': `${hookToken}, ${hookToken}` }, ''],
    ['the wrong name in the query', {}, `?Token=${hookToken}`],
  ])('401: %s', async (_what, headers, query) => {
    const { status, headers: answered, body } = await gateway.rest('POST', `/hooks/wake${query}`, { body: { text: 'a' }, headers })

    expect({ status, scheme: answered.get('www-authenticate'), body }).toEqual({
      status: 401,
      scheme: 'Bearer',
      body: { ok: false, error: expect.any(String) },
    })
  })

  test('is valid for the hooks only, and no other credential is valid there', async () => {
    const { key } = await gateway.given.apiKey({ orgId: gateway.owner.orgId })

    expect((await gateway.rest('GET', '/api/crm/v1/contacts', { key: hookToken })).status).toBe(401)
    expect((await gateway.graphql('{ me { userId } }', undefined, { key: hookToken })).status).toBe(401)
    expect(await wake({ authorization: `Bearer ${key}` })).toBe(401)
    expect(await wake({ authorization: `Bearer ${gateway.owner.session}` })).toBe(401)
    expect(await wake({ 'x-svc-services-token': serviceToken })).toBe(401)
  })

  test('in a query gets a deprecation header, and is never logged', async () => {
    const { headers } = await gateway.rest('POST', `/hooks/wake?token=${hookToken}`, { body: { text: 'in the query' } })

    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect((await gateway.hook('wake', { text: 'a' })).headers.get('deprecation')).toBeNull()
    expect(gateway.log.join('')).toContain('"path":"/hooks/wake"')
    expect(gateway.log.join('')).not.toContain(hookToken)
  })

  test.each([
    'nothing',
    '',
    'constructor',
    '%zz',
    'wake/x',
    'x'.repeat(5000),
  ])('is asked for before anything is told of names: /hooks/%s is 401 without it', async name => {
    expect((await gateway.rest('POST', `/hooks/${name}`, { body: {} })).status).toBe(401)
    expect((await gateway.rest('POST', `/hooks/${name}`, { body: {}, headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
  })

  test('is checked after the method and before the body', async () => {
    const wrong = { authorization: 'Bearer wrong' }

    expect((await gateway.rest('POST', '/hooks/wake', { body: '{', headers: wrong })).status).toBe(401)
    expect((await gateway.rest('POST', '/hooks/wake', { body: 'x'.repeat(300_000), headers: wrong })).status).toBe(401)
    expect((await gateway.rest('GET', '/hooks/wake', { headers: wrong })).status).toBe(405)
  })
})

describe('methods and names', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('405: %s', async method => {
    const answer = await gateway.hook('wake', undefined, {}, method)

    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })

  test.each([
    'constructor',
    '__proto__',
    'toString',
    'unknown',
    'wake/',
    'wake//',
    '/wake',
    'wake/x',
    'w%61ke',
    'wake%00',
    '%',
    '%zz',
    '%E0%A4%A',
    'wake;x',
    'Wake',
    '..%2fapi',
    'runs',
    'runs/',
    'x'.repeat(5000),
  ])('404: /hooks/%s', async name => {
    const { status, body } = await gateway.hook(name, { text: 'a', message: 'a' })

    expect({ status, body }).toEqual({ status: 404, body: { ok: false, error: expect.any(String) } })
  })

  test('404: dot segments, which only a raw socket sends', async () => {
    for (const path of ['/hooks/..', '/hooks/../hooks/wake', '/hooks/./wake', '/hooks/wake/..'])
      expect(await raw(head(path, ['Content-Length: 2']).concat('{}'), answer => answer.includes('}'))).toContain(' 404 ')
  })

  test('404: names with the same beginning as a hook', async () => {
    const { status, body } = await gateway.rest('POST', '/hooksx/wake', {
      body: { text: 'a' },
      headers: { authorization: `Bearer ${hookToken}` },
    })

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
  })
})

describe('the body', () => {
  test('400: bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const answer = await raw(Buffer.concat([Buffer.from(head('/hooks/wake', [`Content-Length: ${body.length}`])), body]), text =>
      text.includes('}'),
    )

    expect(answer).toContain(' 400 ')
    expect(answer).toContain('"error":"The body is not JSON: the text is not UTF-8"')
  })

  test('413 for a declared length, without waiting for it, and the connection stays usable', async () => {
    const socket = open()
    const size = 300_000
    const answer = await raw(head('/hooks/wake', [`Content-Length: ${size}`]), text => text.includes('}'), socket)
    expect(answer).toContain(' 413 ')
    expect(answer).toContain('{"ok":false,"error":"The body must not be larger than 262,144 bytes"}')

    const next = head('/hooks/wake', ['Content-Length: 16']).concat('{"text":"after"}')
    expect(await raw(Buffer.concat([Buffer.alloc(size, 120), Buffer.from(next)]), text => text.includes('}'), socket)).toContain(' 200 ')
    socket.destroy()
  })

  test('413 for a chunked body, and the connection stays usable', async () => {
    const socket = open()
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const answer = await raw(
      `${head('/hooks/wake', ['Transfer-Encoding: chunked'])}${chunk.repeat(6)}0\r\n\r\n`,
      text => text.includes('}'),
      socket,
    )
    expect(answer).toContain(' 413 ')

    const next = head('/hooks/wake', ['Content-Length: 16']).concat('{"text":"after"}')
    expect(await raw(next, text => text.includes('}'), socket)).toContain(' 200 ')
    socket.destroy()
  })

  test('fetch sees the 413 too', async () => {
    const { status, body } = await gateway.hook('wake', { text: 'x'.repeat(262_144) })

    expect({ status, body }).toEqual({ status: 413, body: { ok: false, error: 'The body must not be larger than 262,144 bytes' } })
  })

  test('of exactly the limit passes', async () => {
    const text = 'x'.repeat(262_144 - '{"text":""}'.length)

    expect((await gateway.hook('wake', { text })).status).toBe(200)
  })

  test('has the same limit when it is decompressed', async () => {
    const send = async (bytes: Buffer, encoding: string) => {
      const response = await fetch(`${gateway.url}/hooks/wake`, {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: { authorization: `Bearer ${hookToken}`, 'content-encoding': encoding },
      })
      return { status: response.status, body: await response.json() }
    }
    const text = JSON.stringify({ text: 'packed' })

    expect((await send(gzipSync(text), 'gzip')).status).toBe(200)
    expect((await send(brotliCompressSync(text), 'br')).status).toBe(200)
    expect((await send(deflateSync(text), 'Deflate')).status).toBe(200)
    // Without the header of zlib, as some senders have it.
    expect((await send(deflateRawSync(text), 'deflate')).status).toBe(200)
    expect((await send(deflateRawSync(Buffer.alloc(50_000_000, 32)), 'deflate')).status).toBe(413)
    expect((await send(gzipSync(Buffer.alloc(50_000_000, 32)), 'gzip')).status).toBe(413)
    expect((await send(Buffer.from('not gzip'), 'gzip')).status).toBe(400)
    expect((await send(Buffer.from(text), 'zstd')).status).toBe(400)
  })

  test('may be empty, and of any type', async () => {
    expect((await gateway.hook('wake', '', { 'content-type': 'application/octet-stream' })).body).toEqual({
      ok: false,
      error: 'text: is required',
    })
    expect((await gateway.hook('wake', '{"text":"a"}', { 'content-type': 'text/plain' })).status).toBe(200)
    expect((await gateway.hook('wake', '{"text":"a"}', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(200)
  })
})
