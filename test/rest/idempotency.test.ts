// Idempotency-Key: a retried write is executed once.

import { describe, expect, test } from 'vitest'
import { type Answer, openApp, startApp, type TestApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { conforming } from './conforming.ts'

const app = await openApp()
const rest = conforming(app)

const path = '/api/crm/v1/contacts'
const create = (key: string, idempotencyKey: string, body: object) =>
  rest('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey } })
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].toSorted()

async function contactsOf(orgId: string) {
  return query(app.database.url, `select id from contacts where org_id = '${orgId}'`)
}

describe('Idempotency-Key', () => {
  test('the same request gets the same answer, marked as replayed', async () => {
    const { key, orgId } = await app.given.apiKey()

    const first = await create(key, 'order-1', { email: 'a@example.com', tags: ['x'] })
    const second = await create(key, 'order-1', { tags: ['x'], email: 'a@example.com' })

    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(['location', 'etag'].map(name => second.headers.get(name))).toEqual(['location', 'etag'].map(name => first.headers.get(name)))
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(await contactsOf(orgId)).toHaveLength(1)
  })

  test('the replayed answer is the original one, also after the contact was deleted', async () => {
    const { key } = await app.given.apiKey()
    const first = await create(key, 'order-2', { email: 'a@example.com' })
    await rest('DELETE', `${path}/${first.body.id}`, { key })

    const second = await create(key, 'order-2', { email: 'a@example.com' })

    expect([second.status, second.body]).toEqual([201, first.body])
  })

  test('belongs to the endpoint; other query parameters make a different request', async () => {
    const { key, orgId } = await app.given.apiKey()
    const send = (method: string, query: string, email: string) =>
      rest(method, `${path}${query}`, { key, body: { email }, headers: { 'Idempotency-Key': 'order-3' } })

    const created = await send('POST', '', 'a@example.com')
    const another = await send('POST', '?on_conflict=update', 'b@example.com')
    const elsewhere = await send('PUT', '?match=email', 'c@example.com')

    expect([created, another, elsewhere].map(({ status }) => status)).toEqual([201, 422, 201])
    expect(await contactsOf(orgId)).toHaveLength(2)
  })

  test.each([50])('%i at once: one contact, identical answers or 409', async racers => {
    const { key, orgId } = await app.given.apiKey()

    const answers = await Promise.all(Array.from({ length: racers }, () => create(key, 'race-1', { email: 'race@example.com' })))

    const done = answers.filter(({ status }) => status === 201)
    expect(statuses(answers).filter(status => status !== 201 && status !== 409)).toEqual([])
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(done.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    for (const { status, headers, body } of answers)
      if (status === 409) expect([body.code, headers.get('retry-after')]).toEqual(['idempotency_in_flight', '1'])
    expect(await contactsOf(orgId)).toHaveLength(1)
  })

  test('25 and 25 at once with two bodies: one body wins', async () => {
    const { key, orgId } = await app.given.apiKey()

    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create(key, 'race-2', { email: `body${n % 2}@example.com` })))

    expect(statuses(answers).filter(status => ![201, 409, 422].includes(status))).toEqual([])
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.email)).size).toBe(1)
    expect(await contactsOf(orgId)).toHaveLength(1)
  })

  test('422: the key was used with a different body', async () => {
    const { key, orgId } = await app.given.apiKey()
    await create(key, 'order-3', { email: 'a@example.com' })

    const { status, body } = await create(key, 'order-3', { email: 'b@example.com' })

    expect(status).toBe(422)
    expect(body.detail).toEqual([
      { loc: ['header', 'Idempotency-Key'], msg: expect.any(String), type: 'idempotency_mismatch', input: 'order-3', ctx: {} },
    ])
    expect(await contactsOf(orgId)).toHaveLength(1)
  })

  test('422: the same change of a different contact', async () => {
    const { key } = await app.given.apiKey()
    const [a, b] = [
      await rest('POST', path, { key, body: { email: 'a@example.com' } }),
      await rest('POST', path, { key, body: { email: 'b@example.com' } }),
    ]
    const rename = (id: string) => rest('PATCH', `${path}/${id}`, { key, body: { city: 'Rome' }, headers: { 'Idempotency-Key': 'rename' } })

    expect([await rename(a.body.id), await rename(a.body.id), await rename(b.body.id)].map(({ status }) => status)).toEqual([200, 200, 422])
  })

  test('another API key of the organization gets the same answer; another organization has its own Idempotency-Keys', async () => {
    const one = await app.given.apiKey()
    const sameOrg = await app.given.apiKey({ orgId: one.orgId })
    const other = await app.given.apiKey()
    const first = await create(one.key, 'shared', { email: 'a@example.com' })

    const rotated = await create(sameOrg.key, 'shared', { email: 'a@example.com' })
    const foreign = await create(other.key, 'shared', { email: 'a@example.com' })

    expect(rotated.body).toEqual(first.body)
    expect([rotated, foreign].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', null])
    expect(foreign.body.org_id).toBe(other.orgId)
  })

  test('the same key on another endpoint is another key', async () => {
    const { key } = await app.given.apiKey()
    await create(key, 'everywhere', { email: 'a@example.com' })

    const { status, headers } = await rest('POST', `${path}/batch`, {
      key,
      body: { contacts: [{ email: 'b@example.com' }] },
      headers: { 'Idempotency-Key': 'everywhere' },
    })

    expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  test('a read-only API key gets no stored answer', async () => {
    const { key, orgId } = await app.given.apiKey()
    const reader = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })
    await create(key, 'not-yours', { email: 'a@example.com' })

    expect((await create(reader.key, 'not-yours', { email: 'a@example.com' })).status).toBe(403)
  })

  test('a refusal is not stored: the corrected request succeeds', async () => {
    const { key } = await app.given.apiKey()

    const refused = await create(key, 'repair', { email: 'a@example.com', country: 'Atlantis' })
    const repaired = await create(key, 'repair', { email: 'a@example.com', country: 'GR' })

    expect([refused.status, repaired.status]).toEqual([422, 201])
  })

  test('an answer is stored for 24 hours', async () => {
    const { key } = await app.given.apiKey()
    const now = Date.now()
    try {
      await create(key, 'day', { email: 'a@example.com' })

      app.setNow(new Date(now + 23.9 * 3_600_000))
      const within = await create(key, 'day', { email: 'a@example.com' })
      app.setNow(new Date(now + 24.1 * 3_600_000))
      const after = await create(key, 'day', { email: 'a@example.com' })

      expect([within.status, within.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect([after.status, after.body.code]).toEqual([409, 'already_exists'])
    } finally {
      app.setNow(null)
    }
  })

  test('upserts, batches, deletes and restores are replayed too', async () => {
    const { key } = await app.given.apiKey()
    const headers = { 'Idempotency-Key': 'all' }
    const upsert = () => rest('PUT', `${path}?match=email`, { key, headers, body: { email: 'a@example.com' } })
    const { body } = await upsert()
    const batch = () => rest('POST', `${path}/batch`, { key, headers, body: { contacts: [{ email: 'b@example.com' }, { email: 'no' }] } })
    const remove = () => rest('DELETE', `${path}/${body.id}`, { key, headers })
    const restore = () => rest('POST', `${path}/${body.id}/restore`, { key, headers })

    expect((await upsert()).status).toBe(201)
    for (const write of [batch, remove, restore]) {
      const [first, second] = [await write(), await write()]
      expect(second.body).toEqual(first.body)
      expect(second.headers.get('idempotent-replayed')).toBe('true')
    }
  })

  test.each([
    ['a', 201],
    ['x'.repeat(255), 201],
    ['!~', 201],
    ['x'.repeat(256), 422],
    ['two words', 422],
    ['ümlaut', 422],
  ])('%s is %i', async (idempotencyKey, status) => {
    const { key } = await app.given.apiKey()

    const answer = await create(key, idempotencyKey, { email: 'a@example.com' })

    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.body.detail).toMatchObject([{ loc: ['header', 'Idempotency-Key'], type: 'string_pattern_mismatch' }])
  })

  test('of many concurrent requests, invalid ones do not roll back others', async () => {
    const { key, orgId } = await app.given.apiKey()
    const bodyOf = (index: number) => ({ email: `crowd-${index}@example.com`, ...(index % 2 && { timezone: 'Nowhere/City' }) })

    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => create(key, `crowd-${index}`, bodyOf(index))))

    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 ? 422 : 201)))
    expect(await contactsOf(orgId)).toHaveLength(20)
  })

  test('of many concurrent requests, repeated ones are replayed, or refused if they differ', async () => {
    const { key, orgId } = await app.given.apiKey()
    const first = await create(key, 'known-1', { email: 'known-1@example.com' })
    await create(key, 'known-2', { email: 'known-2@example.com' })

    const news = Array.from({ length: 8 }, (_, n) => create(key, `new-${n}`, { email: `new-${n}@example.com` }))
    const [again, other, ...created] = await Promise.all([
      create(key, 'known-1', { email: 'known-1@example.com' }),
      create(key, 'known-2', { email: 'other@example.com' }),
      ...news,
    ])

    expect([again?.status, again?.body, again?.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect([other?.status, other?.body.detail[0].type]).toEqual([422, 'idempotency_mismatch'])
    expect(statuses(created)).toEqual([201])
    expect(await contactsOf(orgId)).toHaveLength(10)
  })

  test('two processes get the same request among others: it is executed once, and neither answers already_exists', async () => {
    const { key, orgId } = await app.given.apiKey()
    const second = await startApp({ database: app.database })
    try {
      for (let round = 0; round < 5; round++) {
        const send = (to: TestApp, name: string) =>
          to.rest('POST', path, { key, body: { email: `${name}@example.com` }, headers: { 'Idempotency-Key': name } })
        const answers = await Promise.all(
          [app, second].flatMap((to, process) => [
            ...Array.from({ length: 4 }, (_, n) => send(to, `own-${round}-${process}-${n}`)),
            ...Array.from({ length: 4 }, () => send(to, `shared-${round}`)),
          ]),
        )
        const refused = answers.filter(({ status }) => status !== 201)
        expect(refused.map(({ body }) => body.code).filter(code => code !== 'idempotency_in_flight')).toEqual([])
      }
      expect(await contactsOf(orgId)).toHaveLength(5 * 9)
    } finally {
      await second.close()
    }
  })

  test('reads ignore it', async () => {
    const { key } = await app.given.apiKey()

    expect((await rest('GET', path, { key, headers: { 'Idempotency-Key': 'not valid at all' } })).status).toBe(200)
  })
})
