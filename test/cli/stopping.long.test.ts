// How a server ends on a signal.

import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { givenDatabase, keyIn, newFolder, run, watched } from './process.ts'

test('SIGTERM lets a request finish that is under way, closes streams properly, and takes nobody new', async () => {
  const DATABASE_URL = await givenDatabase()
  const dataDir = newFolder()
  const server = run([], { DATABASE_URL, DATA_DIR: dataDir })
  const url = await server.ready()
  const authorization = `Bearer ${keyIn(dataDir)}`
  const stream = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { contactChanged { type } }' }),
  })
  const body = JSON.stringify({ email: 'slow@example.com' })
  const slow = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  slow.on('data', chunk => (received += chunk))
  slow.write(`POST /api/crm/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`)
  slow.write(`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
  await sleep(200)

  server.kill('SIGTERM')
  await vi.waitFor(() => expect(fetch(`${url}/healthz`)).rejects.toThrow(), { timeout: 5_000 })
  slow.write(body.slice(5))
  const answered = performance.now()

  expect(await server.ended).toBe(0)
  expect(server.said.out).toContain('stopping')
  // Not the whole grace: a connection that is kept alive is no reason to wait.
  expect(performance.now() - answered).toBeLessThan(5_000)
  expect(received).toContain('201 Created')
  expect(await stream.text()).toContain('event: complete')
})

test('SIGTERM lets what comes on an idle connection right after it be answered, and says that nobody should come again', async () => {
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder() })
  const { port } = new URL(await server.ready())
  const idle = connect(Number(port), '127.0.0.1').on('error', () => {})
  let received = ''
  idle.on('data', chunk => (received += chunk))
  const ask = () => idle.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  ask()
  await vi.waitFor(() => expect(received).toContain('200 OK'), 20_000)

  server.kill('SIGTERM')
  const asking = setInterval(ask, 10)
  await new Promise(resolve => idle.on('data', () => received.includes(' 503 ') && clearInterval(asking)).on('close', resolve))
  clearInterval(asking)

  expect(await server.ended).toBe(0)
  const last = received.slice(received.lastIndexOf('HTTP/1.1'))
  expect([last.split('\r\n')[0], last.includes('Connection: close')]).toEqual(['HTTP/1.1 503 Service Unavailable', true])
})

test('for DRAIN_SECONDS after SIGTERM everything is served as before, and /readyz says that nothing more should come', async () => {
  const dataDir = newFolder()
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: dataDir, DRAIN_SECONDS: '5' })
  const url = await server.ready()
  const headers = { authorization: `Bearer ${keyIn(dataDir)}`, 'content-type': 'application/json' }
  const asked = async (path: string) => (await fetch(url + path, { headers })).status
  const stream = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { contactChanged { contact { email } } }' }),
  })

  const signalled = performance.now()
  server.kill('SIGTERM')
  await vi.waitFor(async () => expect(await asked('/readyz')).toBe(503), { timeout: 4_000 })
  const created = await fetch(`${url}/api/crm/v1/contacts`, { method: 'POST', headers, body: '{"email":"late@example.com"}' })

  expect([created.status, created.headers.get('connection'), await asked('/healthz')]).toEqual([201, 'close', 200])
  expect(await stream.text()).toMatch(/late@example\.com.*event: complete/s)
  expect(await server.ended).toBe(0)
  expect(performance.now() - signalled).toBeGreaterThan(4_900)
})

test('a signal to `npm start` reaches the server, which ends with it', async () => {
  const npm = watched('npm', ['start'], join(import.meta.dirname, '../..'), { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder() })
  const url = await npm.ready()

  npm.kill('SIGTERM')

  await npm.ended
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
})

test('a signal that comes twice within two seconds counts once, a later one ends it at once', async () => {
  const server = run([], { DATABASE_URL: await givenDatabase(), DATA_DIR: newFolder(), DRAIN_SECONDS: '60' })
  const { port } = new URL(await server.ready())
  // A request that never ends would keep it for the whole grace.
  const endless = connect(Number(port), '127.0.0.1').on('error', () => {})
  endless.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await sleep(200)

  server.kill('SIGINT')
  await sleep(200)
  server.kill('SIGINT')
  await sleep(2_800)
  const asked = performance.now()
  server.kill('SIGTERM')

  expect(await server.ended).toBe(130)
  // Not the 60 s of DRAIN_SECONDS.
  expect(performance.now() - asked).toBeLessThan(10_000)
})
