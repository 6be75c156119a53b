// Writes that the database does not confirm: every door answers within 6 s that the outcome is unknown, and a retry with the key is safe.

import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { register } from '../../identity/oauth/given.ts'
import { idp, newEmail, password } from '../../identity/provider.ts'
import { type Answer, type Json, serviceToken, startApp, type TestApp } from '../../support/app.ts'
import { connected } from '../../support/database/database.ts'
import { openGateway, until } from '../../support/gateway.ts'

const contacts = '/api/crm/v1/contacts'
const keyed = (name: string) => ({ 'Idempotency-Key': name })

describe('while a lock stops every write for longer than 6 s', async () => {
  const app = await openGateway({ works: false })
  const { key, userId } = await app.given.apiKey()
  const { body } = await app.rest('POST', contacts, { key, body: { email: 'before@example.com' } })
  const given = { key, userId, contactId: body.id }
  // The library is loaded at the first request.
  await idp(app, 'POST', '/sign-up/email', { body: { email: newEmail(), password, name: 'Ada' } })

  const writes: [string, () => Promise<Answer>][] = [
    ['a contact', () => app.rest('POST', contacts, { key: given.key, body: { email: 'one@example.com' }, headers: keyed('create') })],
    ['a contact without a key', () => app.rest('POST', contacts, { key: given.key, body: { email: 'keyless@example.com' } })],
    [
      'a change',
      () => app.rest('PATCH', `${contacts}/${given.contactId}`, { key: given.key, body: { job_title: 'CTO' }, headers: keyed('edit') }),
    ],
    [
      'a batch',
      () =>
        app.rest('POST', `${contacts}/batch`, {
          key: given.key,
          body: { contacts: [{ email: 'b@example.com' }] },
          headers: keyed('batch'),
        }),
    ],
    [
      'a deduction',
      () => {
        const headers = { 'x-svc-services-token': serviceToken, ...keyed('deduct') }
        return app.rest('POST', '/api/credits/deduct', { headers, body: { user_id: given.userId, amount: 1 } })
      },
    ],
    [
      'a job',
      () => {
        const body = { target: { host_app: 'crm', id: '1', kind: 'contact' } }
        return app.rest('POST', '/api/enrich/v1/jobs', { key: given.key, body, headers: keyed('job') })
      },
    ],
    ['a hook', () => app.hook('wake', { text: 'a' }, keyed('wake'))],
    ['a registration of an OAuth client', () => register(app)],
    ['a sign-up', () => idp(app, 'POST', '/sign-up/email', { body: { email: newEmail(), password, name: 'Ada' } })],
  ]

  test('each answers within 6 s that the outcome is unknown, and repeated with its key it happens once', async () => {
    const lock = await connected(app.database.url)
    await lock.query('begin; lock table events, gateway_events, enrichment_jobs, oauth_clients, idp_users in exclusive mode')
    const answers = await Promise.all(
      writes.map(async ([name, send]) => {
        const started = performance.now()
        const { status, body } = await send()
        const sentence = JSON.stringify(body.detail ?? body.error_description ?? body.error ?? body.message)
        return { name, status, isInTime: performance.now() - started < 6_000, isHonest: /unknown whether this was stored/.test(sentence) }
      }),
    )
    await lock.query('rollback')
    await lock.end()

    expect(answers).toEqual(writes.map(([name]) => ({ name, status: 503, isInTime: true, isHonest: true })))
    const repeated = []
    for (const [name, send] of writes.filter((_, n) => ![1, 7, 8].includes(n)))
      repeated.push([
        name,
        await until(async () => (({ status }) => (status === 409 || status === 503 ? undefined : status < 300))(await send())),
      ])
    expect(repeated).toEqual(repeated.map(([name]) => [name, true]))
    expect(await count(app, 'one@example.com', given.key)).toBe(1)
  })

  // Alone: with the others it would wait for a connection.
  test('GraphQL says it in the extensions of its error', async () => {
    const lock = await connected(app.database.url)
    await lock.query('begin; lock table events in exclusive mode')
    const { body } = await app.graphql('mutation { createContact(input: { email: "g@example.com" }) { id } }', undefined, {
      key: given.key,
    })
    await lock.query('rollback')
    await lock.end()

    expect(body.errors[0].extensions).toMatchObject({ code: 'UNAVAILABLE', unconfirmed: true, retryAfter: 1 })
  })
})

test('a commit whose answer never comes is unknown too, and happens once', async () => {
  const first = await startApp()
  const relay = await startRelay(first.database.url)
  const app = await startApp({ database: { ...first.database, url: relay.url } })
  try {
    const { key } = await first.given.apiKey()
    const create = () => app.rest('POST', contacts, { key, body: { email: 'lost@example.com' }, headers: keyed('lost') })
    relay.holdsCommits = true
    const started = performance.now()
    const unknown = await create()
    const tookMs = performance.now() - started
    relay.holdsCommits = false

    expect(unknown).toMatchObject({ status: 503, body: { code: 'unavailable', unconfirmed: true } })
    expect(tookMs).toBeLessThan(6_000)
    const again = await until(async () => (({ status }: Json) => (status === 503 || status === 409 ? undefined : status))(await create()))
    expect([again, await count(app, 'lost@example.com', key)]).toEqual([201, 1])
  } finally {
    await app.close()
    await relay.close()
    await first.close()
  }
})

const count = async (app: Pick<TestApp, 'rest'>, email: string, key: string) =>
  (await app.rest('GET', `${contacts}?email=${encodeURIComponent(email)}`, { key })).body.data.length

/** A relay to PostgreSQL that passes a COMMIT on, and keeps what is answered to it and after it. */
async function startRelay(url: string) {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(Number(port), hostname)
    let isHeld = false
    open.add(near).add(far)
    near.on('data', data => {
      isHeld ||= relay.holdsCommits && data.includes('COMMIT')
      far.write(data)
    })
    far.on('data', data => !isHeld && near.write(data))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.port = String((server.address() as { port: number }).port)
  through.hostname = '127.0.0.1'
  const relay = {
    url: through.href,
    holdsCommits: false,
    close() {
      for (const socket of open) socket.destroy()
      return new Promise(resolve => server.close(resolve))
    },
  }
  return relay
}
