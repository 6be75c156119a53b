// rolocom/client/live: changes as they happen, on a stream that is opened again.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { type Change, follow } from 'rolocom/client/live'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { keyed } from './keyed.ts'

const app = await openApp()

const next = async <Value>(changes: AsyncGenerator<Value>): Promise<Value> => {
  const { value, done } = await changes.next()
  if (done) throw new Error('The stream is over')
  return value
}
const created = async (client: Awaited<ReturnType<typeof keyed>>['client'], email: string) =>
  (await client.post('/api/crm/v1/contacts', { body: { email } })).id

/** A port that forwards to the server until it is cut, and counts its connections. */
async function line(): Promise<{ url: string; cut(): void; connections(): number }> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server: Server = createServer(socket => {
    connections++
    const { hostname, port } = new URL(app.url)
    const onward = connect(Number(port), hostname)
    for (const one of [socket, onward]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, connections: () => connections }
}

test('changes arrive with the selected fields, in their order, from FOLLOWING on', async () => {
  const { client, key } = await keyed(app)
  const changes = follow<{ email?: string }>({ url: app.url, key, entity: '... on Contact { email }', types: ['CONTACT_CREATED'] })

  const first = await next(changes)
  const id = await created(client, 'live@example.com')
  await client.patch('/api/crm/v1/contacts/{contact_id}', { path: { contact_id: id }, body: { first_name: 'Ada' } })
  await created(client, 'second@example.com')
  const received = [await next(changes), await next(changes)]
  await changes.return()

  expect([first.type, first.entity]).toEqual(['FOLLOWING', null])
  expect(received.map(({ type, entity }) => [type, entity?.__typename, entity?.email])).toEqual([
    ['CONTACT_CREATED', 'Contact', 'live@example.com'],
    ['CONTACT_CREATED', 'Contact', 'second@example.com'],
  ])
})

test('a lost connection is opened again behind the last change: none is missed, none comes twice', async () => {
  const { client, key } = await keyed(app)
  const { url, cut, connections } = await line()
  const reasons: string[] = []
  const changes = follow({ url, key, onReconnect: ({ code }) => void reasons.push(code) })
  await next(changes)
  const ids: string[] = []
  const received: Change[] = []

  for (const round of [1, 2]) {
    ids.push(await created(client, `before-${round}@example.com`))
    received.push(await next(changes))
    cut()
    ids.push(await created(client, `away-${round}@example.com`))
    received.push(await next(changes))
  }
  await changes.return()

  expect(received.map(({ entityId }) => entityId)).toEqual(ids)
  expect([connections(), reasons]).toEqual([3, ['unreachable', 'unreachable']])
})

test('another process goes on behind the id that was kept', async () => {
  const { client, key } = await keyed(app)
  const changes = follow({ url: app.url, key })
  const { id: after } = await next(changes)
  await changes.return()
  const missed = await created(client, 'missed@example.com')

  const later = follow({ url: app.url, key, after })
  expect(await next(later)).toMatchObject({ type: 'CONTACT_CREATED', entityId: missed, changes: [] })
  await later.return()
})

test('READ_AFRESH comes behind an id of another database', async () => {
  const { client, key } = await keyed(app)
  const changes = follow({ url: app.url, key })
  const { id } = await next(changes)
  await changes.return()
  const position = JSON.parse(Buffer.from(id, 'base64url').toString()).with(0, 'another')

  const later = follow({ url: app.url, key, after: Buffer.from(JSON.stringify(position)).toString('base64url') })
  const signal = await next(later)
  const contact = await created(client, 'later@example.com')
  expect([signal, await next(later)]).toMatchObject([{ type: 'READ_AFRESH', entity: null }, { entityId: contact }])
  await later.return()
})

test.each([
  ['a key that is none', { key: 'rcm_nothing' }, 'unauthenticated', 401],
  ['an id that is none', { after: 'nothing' }, 'invalid', 422],
  ['a selection that is none', { entity: '... on Contact { nothing }' }, 'invalid', 422],
] as const)('%s is refused, not tried again', async (_, options, code, status) => {
  const { key } = await keyed(app)
  const attempts: unknown[] = []

  const changes = follow({ url: app.url, key, ...options, onReconnect: reason => void attempts.push(reason) })
  await expect(changes.next()).rejects.toMatchObject({ name: 'RolocomError', code, status })
  expect(attempts).toEqual([])
})

test('a key that is revoked ends the stream with unauthenticated', async () => {
  const { orgId, userId, session } = await app.given.session()
  const { key, id } = await app.given.apiKey({ orgId, userId })
  const changes = follow({ url: app.url, key })
  await next(changes)

  const refused = expect(changes.next()).rejects.toMatchObject({ code: 'unauthenticated' })
  const { body } = await app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id }, { session })
  expect(body.errors).toBeUndefined()
  // The credential is checked at each change.
  await app.graphql('mutation { createContact(input: { email: "told@example.com" }) { id } }', {}, { session })
  await refused
})

test('a signal ends the stream, while it listens and while it waits for the server to come back', async () => {
  const { key } = await keyed(app)
  const listening = new AbortController()
  const changes = follow({ url: app.url, key, signal: listening.signal })
  await next(changes)
  const end = changes.next()
  listening.abort(new Error('enough'))
  await expect(end).rejects.toThrow('enough')

  const waiting = new AbortController()
  const away = follow({ url: 'http://127.0.0.1:9', key, signal: waiting.signal, onReconnect: () => waiting.abort(new Error('given up')) })
  await expect(away.next()).rejects.toThrow('given up')
})
