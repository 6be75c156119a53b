// Outgoing requests: no form of a private address is dialled, and the dialled address is the one that was checked.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isSubnet } from '../../src/kernel/outgoing/addresses.ts'
import { OutgoingError } from '../../src/kernel/outgoing/answer.ts'
import { createOutgoing } from '../../src/kernel/outgoing/http.ts'

let answer: (req: IncomingMessage, res: ServerResponse) => void = () => {}
let connections = 0
let requests = 0
let port = 0
const server = createServer((req, res) => {
  requests++
  answer(req, res)
}).on('connection', () => {
  connections++
})

await new Promise<void>(resolve => server.listen(0, '::', resolve))
port = (server.address() as AddressInfo).port
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  connections = 0
  requests = 0
  answer = (_req, res) => res.end('hello')
})

const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutgoingError ? error.failure : error),
  )

describe('a guarded request', () => {
  const hosts = [
    ...['127.0.0.1', '127.1', '127.8.9.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1', '0', '0.0.0.0', '0.1.2.3'],
    ...['localhost', 'LOCALHOST', '%6c%6fcalhost', '１２７.0.0.1', '127。0。0。1'],
    ...['10.0.0.1', '10.255.255.255', '100.64.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.254', '192.168.1.1', '192.0.0.8'],
    ...['198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '2852039166'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[0:0:0:0:0:ffff:a00:1]', '[::ffff:0:0]'],
    ...['[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001::1]'],
    ...['[::ffff:0:127.0.0.1]', '[::ffff:0:a9fe:a9fe]', '[64:ff9b:1::a00:1]', '[100:0:0:1::1]', '[4000::1]', '[1::1]', '[5f00::1]'],
    ...['[2606:4700::5efe:7f00:1]', '[2606:4700::200:5efe:10.0.0.1]'],
  ]

  test.each(hosts)('does not dial %s', async host => {
    const failure = await failureOf(createOutgoing().send(`http://${host}:${port}/`))
    const kept = await failureOf(createOutgoing().send(`http://${host}:${port}/`, { keepAlive: 'one' }))

    expect({ failure, kept, connections }).toEqual({ failure: 'refused', kept: 'refused', connections: 0 })
  })

  test.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'ftp://example.com/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    '//example.com/',
    'http://user:secret@example.com/',
    'not an address',
  ])('does not take %s', async url => {
    expect(await failureOf(createOutgoing().send(url))).toBe('refused')
  })

  test('refuses a name when any of its addresses is private', async () => {
    const outgoing = createOutgoing({ lookup: async () => [{ address: '93.184.216.34' }, { address: '10.0.0.7' }] })

    expect(await failureOf(outgoing.send(`http://two-faced.example:${port}/`))).toBe('refused')
  })

  test('dials the address that it checked, even if the name resolves to another one a moment later', async () => {
    let asked = 0
    // Allowed in the first lookup, private in later ones, so that a second lookup would fail the test.
    const lookup = async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1' }]
    const outgoing = createOutgoing({ allowPrivate: ['127.0.0.2'], lookup })
    answer = (req, res) => res.end(req.socket.localAddress)

    const first = await outgoing.send(`http://rebinding.example:${port}/`)
    const second = await failureOf(outgoing.send(`http://rebinding.example:${port}/`))

    expect([first.text(), second, asked, connections]).toEqual(['::ffff:127.0.0.2', 'refused', 2, 1])
  })

  test('checks every redirect, and follows none unless asked', async () => {
    const outgoing = createOutgoing({ allowPrivate: ['127.0.0.2'] })
    answer = (_req, res) => res.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end('moved')

    const followed = await failureOf(outgoing.send(`http://127.0.0.2:${port}/`, { redirects: 3 }))
    const unfollowed = await outgoing.send(`http://127.0.0.2:${port}/`)

    expect([followed, unfollowed.status, unfollowed.text(), connections]).toEqual(['refused', 302, 'moved', 2])
  })

  test('follows redirects of GET as often as asked, without showing credentials to another host', async () => {
    const outgoing = createOutgoing({ allowPrivate: ['127.0.0.0/8'] })
    const seen: unknown[] = []
    answer = (req, res) => {
      seen.push([req.url, req.headers.authorization, req.headers['x-note']])
      if (req.url === '/0') res.writeHead(302, { location: '/1' }).end()
      else if (req.url === '/1') res.writeHead(307, { location: `http://127.0.0.2:${port}/2` }).end()
      else res.end('there')
    }

    const { url } = await outgoing.send(`http://127.0.0.1:${port}/0`, {
      redirects: 2,
      headers: { authorization: 'Bearer secret', 'x-note': 'kept' },
    })

    expect(url).toBe(`http://127.0.0.2:${port}/2`)
    expect(seen).toEqual([
      ['/0', 'Bearer secret', 'kept'],
      ['/1', 'Bearer secret', 'kept'],
      ['/2', undefined, 'kept'],
    ])
  })

  test('never repeats a POST, not even for a redirect', async () => {
    const outgoing = createOutgoing({ allowPrivate: ['*'] })
    answer = (_req, res) => res.writeHead(307, { location: '/again' }).end()

    const { status } = await outgoing.send(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x', redirects: 3 })

    expect([status, requests]).toEqual([307, 1])
  })
})

describe('a request with keepAlive', () => {
  const url = () => `http://named.example:${port}/`

  test('reuses the connection of its name alone', async () => {
    const outgoing = createOutgoing({ allowPrivate: ['*'], lookup: async () => [{ address: '127.0.0.1' }] })
    const post = { method: 'POST', body: '{}' }

    for (const keepAlive of ['one', 'one', 'one', 'other']) {
      await outgoing.send(url(), { ...post, keepAlive })
      // A connection is free again in the next turn of the event loop.
      await setImmediate()
    }
    await outgoing.send(url(), post)

    expect([requests, connections]).toEqual([5, 3])
  })

  test('is refused when its name has become private, and goes to the address that the name has now', async () => {
    let address = '127.0.0.2'
    const outgoing = createOutgoing({ allowPrivate: ['127.0.0.2', '127.0.0.3'], lookup: async () => [{ address }] })
    const send = () => outgoing.send(url(), { keepAlive: 'one' }).then(sent => sent.text())
    answer = (req, res) => res.end(req.socket.localAddress)

    const first = await send()
    address = '127.0.0.1'
    const rebound = await failureOf(send())
    address = '127.0.0.3'
    const moved = await send()

    expect([first, rebound, moved]).toEqual(['::ffff:127.0.0.2', 'refused', '::ffff:127.0.0.3'])
    expect([requests, connections]).toEqual([2, 2])
  })

  test('follows no redirect, and goes on with a new connection after one that broke, was cut or was closed', async () => {
    const outgoing = createOutgoing({ allowPrivate: ['*'] })
    const here = `http://127.0.0.1:${port}/`
    const send = (request = {}) => outgoing.send(here, { method: 'POST', body: '{}', keepAlive: 'one', ...request })
    const statusOf = async () => (await send()).status

    answer = (_req, res) => res.writeHead(307, { location: here }).end()
    const moved = await statusOf()
    answer = req => req.socket.destroy()
    const broken = await failureOf(send())
    answer = (_req, res) => res.end(Buffer.alloc(1001))
    const large = (await send({ maxBytes: 1000 })).body.length
    answer = () => {}
    const silent = await failureOf(send({ timeoutMs: 200 }))
    answer = (_req, res) => res.writeHead(200, { connection: 'close' }).end()
    const closing = await statusOf()
    answer = (_req, res) => res.end()

    expect([moved, broken, large, silent, closing, await statusOf()]).toEqual([307, 'interrupted', 1000, 'timeout', 200, 200])
    expect(requests).toBe(6)
  })

  test('that has not been sent fails as unreachable, or at its timeout', async () => {
    const lookup = (hostname: string) =>
      hostname === 'slow.example' ? new Promise<never>(() => {}) : Promise.reject(new Error('ENOTFOUND'))
    const outgoing = createOutgoing({ allowPrivate: ['*'], lookup })
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => closed.once('listening', resolve))
    const { port: unused } = closed.address() as AddressInfo
    await new Promise(resolve => closed.close(resolve))
    const send = (to: string, timeoutMs = 10_000) => outgoing.send(to, { keepAlive: 'one', timeoutMs })

    await expect(send(`http://127.0.0.1:${unused}/`)).rejects.toMatchObject({ failure: 'unreachable', mayHaveArrived: false })
    await expect(send('http://unknown.example/')).rejects.toMatchObject({ failure: 'unreachable', mayHaveArrived: false })
    await expect(send('http://slow.example/', 100)).rejects.toMatchObject({ failure: 'timeout', mayHaveArrived: false })
  })
})

describe('an answer', () => {
  const outgoing = createOutgoing({ allowPrivate: ['*'] })

  test('is cut at its limit, also when it is small on the wire', async () => {
    const limit = { maxBytes: 1000 }
    answer = (_req, res) => res.end(Buffer.alloc(1001))
    const plain = await failureOf(outgoing.send(`http://127.0.0.1:${port}/`, limit))
    answer = (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)))
    const bomb = await failureOf(outgoing.send(`http://127.0.0.1:${port}/`, limit))
    answer = (_req, res) => res.end(Buffer.alloc(1000))
    const whole = await outgoing.send(`http://127.0.0.1:${port}/`, limit)

    expect([plain, bomb, whole.body.length]).toEqual(['too_large', 'too_large', 1000])
  })

  test('that times out may belong to a request that has arrived; without a connection it has not', async () => {
    answer = () => {}
    const silent = outgoing.send(`http://127.0.0.1:${port}/`, { timeoutMs: 1000 })
    await expect(silent).rejects.toMatchObject({ failure: 'timeout', mayHaveArrived: true })

    answer = req => req.socket.destroy()
    const cut = outgoing.send(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    await expect(cut).rejects.toMatchObject({ failure: 'interrupted', mayHaveArrived: true })
    expect(requests).toBe(2)

    const closed = createServer().listen(0)
    const { port: unused } = closed.address() as AddressInfo
    await new Promise(resolve => closed.close(resolve))
    const nobody = outgoing.send(`http://127.0.0.1:${unused}/`)
    await expect(nobody).rejects.toMatchObject({ failure: 'unreachable', mayHaveArrived: false })
  })

  test('that trickles is cut at the timeout', async () => {
    answer = (_req, res) => {
      const timer = setInterval(() => res.write('.'), 20)
      res.on('close', () => clearInterval(timer))
    }
    const started = performance.now()

    const failure = await failureOf(outgoing.send(`http://127.0.0.1:${port}/`, { timeoutMs: 300 }))

    expect(failure).toBe('timeout')
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('that is not JSON fails as unreadable', async () => {
    const { json } = await outgoing.send(`http://127.0.0.1:${port}/`)
    expect(json).toThrow(OutgoingError)
  })

  test('comes from a name with several addresses when the first does not answer', async () => {
    const named = createOutgoing({ allowPrivate: ['*'], lookup: async () => [{ address: '127.0.0.1' }, { address: '::1' }] })
    const v6only = createServer((_req, res) => res.end('six'))
    await new Promise<void>(resolve => v6only.listen({ port: 0, host: '::1', ipv6Only: true }, resolve))

    const { body } = await named.send(`http://both.example:${(v6only.address() as AddressInfo).port}/`)

    expect(body.toString()).toBe('six')
    v6only.close()
  })
})

test('the setting takes addresses and subnets', () => {
  expect(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1'].map(isSubnet)).toEqual([true, true, true, true])
  expect(['10.0.0.0/33', 'localhost', '', '10.0.0', '/8'].map(isSubnet)).toEqual([false, false, false, false, false])
})
