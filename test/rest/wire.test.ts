// Malformed HTTP, and requests through a reverse proxy.

import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openApp } from '../support/app.ts'

const metricsToken = 'metrics-token-0123456789'

const app = await openApp()
const proxied = await openApp({ env: { NODE_ENV: 'production', TRUST_PROXY: '1', METRICS_TOKEN: metricsToken } })

/** Sends bytes as they are, and returns everything that comes back until the connection ends. */
const sent = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', chunk => (received += chunk))
    socket.on('close', () => resolve(received)).on('error', reject)
  })

describe('malformed HTTP', () => {
  test.each([
    ['a method that does not exist', 'DANCE / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['two lengths', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a length beside chunks', 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['a NUL in a header', 'GET /api HTTP/1.1\r\nHost: x\r\nX-Org-Id: a\0b\r\n\r\n', 400],
    ['an address of 20 kB', `GET /api?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a header of 20 kB', `GET /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a header that is still being sent when it is refused', `GET /api HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(2_000_000)}\r\n\r\n`, 431],
  ])('%s is answered with a status and a request id that is in the log', async (_what, bytes, status) => {
    const answer = await sent(bytes)

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const requestId = /^x-request-id: (\S+)/im.exec(answer)?.[1]
    expect(app.log.filter(line => requestId && line.includes(requestId))).toHaveLength(1)
  })
})

// Otherwise the client, which is still sending, would see a reset connection instead of the answer.
describe('a request that is answered before its body has arrived, and whose connection is closed then', () => {
  const megabytes = 'x'.repeat(5_000_000)
  const csv = 'Content-Type: text/csv\r\n'
  const json = 'Content-Type: application/json\r\n'
  test.each([
    ['POST', '/api/crm/v1/contacts', json, 401],
    ['POST', '/api/crm/v1/imports', csv, 401],
    ['POST', '/graphql', json, 413],
    ['POST', '/mcp', json, 401],
    ['POST', '/idp/sign-in/email', json, 413],
    ['POST', '/oauth/register', json, 413],
    ['POST', '/claim/none', json, 404],
    ['POST', '/docs', '', 405],
    ['DELETE', '/nothing/here', '', 404],
  ])('%s %s: the answer is read, and the body to its end', async (method, path, type, status) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${type}`

    const declared = await sent(`${head}Content-Length: ${megabytes.length}\r\n\r\n${megabytes}`)
    const chunked = await sent(`${head}Transfer-Encoding: chunked\r\n\r\n${megabytes.length.toString(16)}\r\n${megabytes}\r\n0\r\n\r\n`)

    for (const answer of [declared, chunked]) expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close\r\n`, 'is'))
  })

  test('does not delay the end of a connection that was kept alive after it', async () => {
    let received = ''
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('data', chunk => (received += chunk))
    socket.write(`POST /nothing/here HTTP/1.1\r\nHost: x\r\nContent-Length: ${megabytes.length}\r\n\r\n${megabytes}`)
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200'])
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await once(socket, 'end')

    const writing = setInterval(() => socket.write('x'), 20)
    const [error] = await once(socket, 'error')
    clearInterval(writing)

    expect(['EPIPE', 'ECONNRESET']).toContain(error.code)
  }, 15_000)
})

describe('production behind a proxy', () => {
  const over = (protocol: string) => proxied.rest('GET', '/api/crm/v1/contacts', { headers: { 'X-Forwarded-Proto': protocol } })

  test('requests by HTTP are refused, except probes, which do not use the proxy', async () => {
    const plain = await over('http')

    expect([plain.status, plain.body.code]).toEqual([403, 'forbidden'])
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await proxied.rest('GET', path, { headers: { authorization: `Bearer ${metricsToken}` } })).status).toBe(200)
  })

  test('requests by HTTPS are served, with Strict-Transport-Security', async () => {
    const secure = await over('https')

    expect(secure.status).toBe(401)
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}/)
  })

  test('there is no Strict-Transport-Security without HTTPS', async () => {
    expect((await app.rest('GET', '/api/crm/v1/contacts')).headers.get('strict-transport-security')).toBeNull()
  })
})
