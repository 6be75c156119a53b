import { describe, expect, test } from 'vitest'
import { newApiKey } from '../../../src/identity/keys/format.ts'
import { openApp, startApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'

const app = await openApp()

const create =
  'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id label start last4 scopes organizationIds expiresAt revokedAt } } }'
const revoke = 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id revokedAt } }'
const rotate =
  'mutation ($id: ID!, $overlap: Int!) { rotateApiKey(input: { id: $id, overlapSeconds: $overlap }) { key apiKey { id rotatedFromId label scopes } } }'

/** Whether the key is accepted, by a query that needs no SQL statement of its own. */
const isLetIn = async (key: string, to = app) => {
  const { body } = await to.graphql('{ __typename }', undefined, { key })
  if (body.data) return true
  expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  return false
}
const problemsOf = (body: { errors: { extensions: { code: string; problems: unknown } }[] }) => {
  expect(body.errors[0]?.extensions.code).toBe('INVALID')
  return body.errors[0]?.extensions.problems
}
const settledUse = () => new Promise(resolve => setTimeout(resolve, 50))

describe('a request with an API key', () => {
  test('is accepted, without a statement once the key is cached', async () => {
    const { key } = await app.given.apiKey()

    // Its use is recorded later, which is a statement too.
    const statementsOfFive = async () => {
      app.statements()
      for (let i = 0; i < 5; i++) expect(await isLetIn(key)).toBe(true)
      return app.statements()
    }
    await expect.poll(statementsOfFive).toBe(0)
  })

  test('with a wrong checksum is refused without a statement', async () => {
    const { key } = await app.given.apiKey()
    await settledUse()
    const misspelled = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x')

    app.statements()
    for (const token of [misspelled, 'rcm_', 'rcm_short', `${key}x`, 'nonsense']) expect(await isLetIn(token)).toBe(false)

    expect(app.statements()).toBe(0)
  })

  test('that does not exist is refused, whichever other credentials the request has', async () => {
    const { status } = await app.rest('GET', '/api/dashboard', { key: newApiKey(), headers: { 'x-guest-id': 'guest' } })
    const { body } = await app.graphql('{ me { isGuest } }', undefined, { key: newApiKey(), headers: { 'x-guest-id': 'guest' } })

    expect(status).toBe(401)
    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'rcm_x'])('Authorization: %j is refused', async authorization => {
    const { body } = await app.graphql('{ __typename }', undefined, { headers: { authorization } })

    expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test('accepts Bearer in upper and lower case', async () => {
    const { key } = await app.given.apiKey()

    const { body } = await app.graphql('{ __typename }', undefined, { headers: { authorization: `bEARER  ${key} ` } })

    expect(body).toEqual({ data: { __typename: 'Query' } })
  })

  test('records the last use, at most once a minute', async () => {
    const start = new Date('2030-01-01T12:00:00.000Z')
    const lastUse = async () =>
      (await query<{ at: Date }>(app.database.url, 'select last_used_at as at from api_keys where id = $1', [id]))[0]?.at
    app.setNow(start)
    const { key, id } = await app.given.apiKey()
    await isLetIn(key)
    await expect.poll(lastUse).toEqual(start)

    app.setNow(new Date(start.getTime() + 59_000))
    await isLetIn(key)
    await settledUse()
    expect(await lastUse()).toEqual(start)

    const later = new Date(start.getTime() + 60_000)
    app.setNow(later)
    await isLetIn(key)
    await expect.poll(lastUse).toEqual(later)
    app.setNow(null)
  })
})

describe('createApiKey', () => {
  test('shows the key once and stores only its hash', async () => {
    const { session, orgId } = await app.given.session()

    const { body } = await app.graphql(create, { input: { label: ' Import ', scopes: ['CONTACTS_READ', 'CONTACTS_READ'] } }, { session })

    const { key, apiKey } = body.data.createApiKey
    expect(apiKey).toEqual({
      id: expect.any(String),
      label: 'Import',
      start: key.slice(0, 8),
      last4: key.slice(-4),
      scopes: ['CONTACTS_READ'],
      organizationIds: [orgId],
      expiresAt: null,
      revokedAt: null,
    })
    expect(await isLetIn(key)).toBe(true)
    const listed = await app.graphql('{ apiKeys { id label } }', undefined, { session })
    expect(listed.body.data.apiKeys).toEqual([{ id: apiKey.id, label: 'Import' }])
    const [stored] = await query(app.database.url, 'select * from api_keys where id = $1', [apiKey.id])
    expect(JSON.stringify(stored)).not.toContain(key.slice(8, -4))
  })

  test('reports all invalid fields at once', async () => {
    const { session } = await app.given.session()
    const { orgId: foreign } = await app.given.organization()

    const input = { label: '  ', scopes: [], organizationIds: [foreign], expiresAt: '2001-01-01T00:00:00Z' }
    const { body } = await app.graphql(create, { input }, { session })

    expect(problemsOf(body)).toEqual([
      expect.objectContaining({ path: ['label'], type: 'string_too_short' }),
      expect.objectContaining({ path: ['scopes'], type: 'too_short' }),
      expect.objectContaining({ path: ['organizationIds', 0], type: 'value_error' }),
      expect.objectContaining({ path: ['expiresAt'], type: 'datetime_future' }),
    ])
  })

  test('needs a session: a key cannot create keys', async () => {
    const { key } = await app.given.apiKey()

    const { body } = await app.graphql(create, { input: { label: 'x' } }, { key })

    expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
  })

  test('repeated with its Idempotency-Key answers with the same key, which is stored encrypted', async () => {
    const { session } = await app.given.session()
    const asked = { session, headers: { 'idempotency-key': 'make-it-once' } }

    const [first, second] = [
      await app.graphql(create, { input: { label: 'x' } }, asked),
      await app.graphql(create, { input: { label: 'x' } }, asked),
    ]

    expect(second.body).toEqual(first.body)
    const answers = await query<{ answer: string }>(app.database.url, 'select answer from idempotency_keys')
    expect(answers.length).toBeGreaterThan(0)
    expect(JSON.stringify(answers)).not.toContain(first.body.data.createApiKey.key.slice(4))
    expect(await isLetIn(first.body.data.createApiKey.key)).toBe(true)
  })

  test('are listed where they work, with the newest 200 of the ended ones', async () => {
    const { session, orgId } = await app.given.session()
    const input = { label: 'Oldest', scopes: ['CONTACTS_READ'] }
    const { body: created } = await app.graphql(create, { input }, { session })
    const { id } = created.data.createApiKey.apiKey
    await query(
      app.database.url,
      `with ended as (
         insert into api_keys (id, hash, start, last4, label, scopes, created_by_id, created_at, revoked_at, expires_at)
         select gen_random_uuid(), sha256(($1 || i)::bytea), 'rcm_abcd', 'wxyz', 'Ended ' || i, '{}', 'somebody',
           now() + interval '1 second' * i, case when i % 2 = 0 then now() end, case when i % 2 = 1 then now() - interval '1 day' end
         from generate_series(1, 230) i returning id
       ) insert into api_key_organizations (api_key_id, organization_id) select id, $2::uuid from ended`,
      [id, orgId],
    )

    const { body } = await app.graphql('{ apiKeys { id label } }', undefined, { session })

    expect(body.data.apiKeys).toHaveLength(201)
    expect(body.data.apiKeys[0].label).toBe('Ended 230')
    expect(body.data.apiKeys[199].label).toBe('Ended 31')
    expect(body.data.apiKeys[200].id).toBe(id)
  })

  test('records an event without the secret', async () => {
    const { session, orgId } = await app.given.session()

    const { body } = await app.graphql(create, { input: { label: 'Traced' } }, { session })

    const { key, apiKey } = body.data.createApiKey
    const events = await query(app.database.url, 'select * from events where entity_id = $1', [apiKey.id])
    expect(events).toEqual([expect.objectContaining({ type: 'api_key.created', org_id: orgId, actor_type: 'user', door: 'graphql' })])
    expect(JSON.stringify(events)).not.toContain(key.slice(8))
  })
})

describe('revokeApiKey', () => {
  test('takes effect for every request begun after its answer, under twelve clients; other keys stay valid', async () => {
    const { session, orgId } = await app.given.session()
    const { key, id } = await app.given.apiKey({ orgId })
    const { key: other } = await app.given.apiKey({ orgId })
    await isLetIn(key)
    let stop = false
    const outcomes: { begun: number; ended: number; letIn: boolean; key: string }[] = []
    const client = async (asked: string) => {
      while (!stop) {
        const begun = performance.now()
        const letIn = await isLetIn(asked)
        outcomes.push({ begun, ended: performance.now(), letIn, key: asked })
      }
    }
    const clients = [...Array.from({ length: 12 }, () => client(key)), client(other)]
    await new Promise(resolve => setTimeout(resolve, 200))

    const askedAt = performance.now()
    const { body } = await app.graphql(revoke, { id }, { session })
    const revokedAt = performance.now()
    const afterwards = () => outcomes.filter(outcome => outcome.begun > revokedAt && outcome.key === key)
    await expect.poll(() => afterwards().length).toBeGreaterThan(24)
    stop = true
    await Promise.all(clients)

    expect(body.data.revokeApiKey).toEqual({ id, revokedAt: expect.any(String) })
    expect(afterwards().filter(outcome => outcome.letIn)).toEqual([])
    expect(outcomes.filter(outcome => outcome.key === other && !outcome.letIn)).toEqual([])
    expect(outcomes.filter(outcome => outcome.ended < askedAt && !outcome.letIn)).toEqual([])
  })

  test('accepts an Idempotency-Key, and changes nothing the second time', async () => {
    const { session, orgId } = await app.given.session()
    const { key, id } = await app.given.apiKey({ orgId })
    await isLetIn(key)

    const first = await app.graphql(revoke, { id }, { session, headers: { 'idempotency-key': 'revoke-it' } })
    expect(await isLetIn(key)).toBe(false)
    const second = await app.graphql(revoke, { id }, { session })

    expect(second.body).toEqual(first.body)
  })

  test('NOT_FOUND: a key of another organization, or an unknown one', async () => {
    const { session } = await app.given.session()
    const { key, id } = await app.given.apiKey()

    for (const unknown of [id, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
      const { body } = await app.graphql(revoke, { id: unknown }, { session })
      expect(body.errors[0].extensions.code).toBe('NOT_FOUND')
    }
    expect(await isLetIn(key)).toBe(true)
  })

  test('takes effect also by an update in the database', async () => {
    const { key, id } = await app.given.apiKey()
    await isLetIn(key)
    await isLetIn(key)

    await query(app.database.url, 'update api_keys set revoked_at = now() where id = $1', [id])

    await expect.poll(() => isLetIn(key)).toBe(false)
  })
})

describe('a key that expires', () => {
  test('works until it expires and not after, cached or not', async () => {
    const start = new Date('2031-01-01T00:00:00.000Z')
    app.setNow(start)
    const { key } = await app.given.apiKey({ expiresAt: new Date(start.getTime() + 60_000) })
    expect(await isLetIn(key)).toBe(true)

    app.setNow(new Date(start.getTime() + 59_999))
    expect(await isLetIn(key)).toBe(true)
    app.setNow(new Date(start.getTime() + 60_000))
    expect(await isLetIn(key)).toBe(false)
    app.setNow(null)
  })
})

describe('rotateApiKey', () => {
  test('accepts both keys during the overlap, then only the new one', async () => {
    const start = new Date('2032-01-01T00:00:00.000Z')
    app.setNow(start)
    const { session, orgId } = await app.given.session()
    const { key: old, id } = await app.given.apiKey({ orgId, scopes: ['stats:read'] })
    expect(await isLetIn(old)).toBe(true)

    const { body } = await app.graphql(rotate, { id, overlap: 3600 }, { session })

    const { key, apiKey } = body.data.rotateApiKey
    expect(apiKey).toEqual({ id: expect.any(String), rotatedFromId: id, label: 'Test key', scopes: ['STATS_READ'] })
    app.setNow(new Date(start.getTime() + 3_599_000))
    expect([await isLetIn(old), await isLetIn(key)]).toEqual([true, true])
    app.setNow(new Date(start.getTime() + 3_600_000))
    expect([await isLetIn(old), await isLetIn(key)]).toEqual([false, true])
    app.setNow(null)
  })

  test('without overlap revokes the old key immediately, and cannot be repeated', async () => {
    const { session, orgId } = await app.given.session()
    const { key: old, id } = await app.given.apiKey({ orgId })
    await isLetIn(old)

    const { body } = await app.graphql(rotate, { id, overlap: 0 }, { session })

    expect([await isLetIn(old), await isLetIn(body.data.rotateApiKey.key)]).toEqual([false, true])
    const again = await app.graphql(rotate, { id, overlap: 0 }, { session })
    expect(again.body.errors[0].extensions.code).toBe('CONFLICT')
  })

  test('creates one new key for two concurrent requests', async () => {
    const { session, orgId } = await app.given.session()
    const { id } = await app.given.apiKey({ orgId })

    const answers = await Promise.all([1, 2, 3].map(() => app.graphql(rotate, { id, overlap: 0 }, { session })))

    expect(answers.filter(({ body }) => body.data?.rotateApiKey).length).toBe(1)
  })

  test('keeps the lifetime of the key, not its expiry date', async () => {
    const start = new Date('2033-01-01T00:00:00.000Z')
    app.setNow(start)
    const { session, orgId } = await app.given.session()
    const { id } = await app.given.apiKey({ orgId, expiresAt: new Date('2033-01-11T00:00:00.000Z') })
    app.setNow(new Date('2033-01-09T00:00:00.000Z'))

    const { body } = await app.graphql(rotate, { id, overlap: 60 }, { session })

    const [row] = await query<{ at: Date }>(app.database.url, 'select expires_at as at from api_keys where id = $1', [
      body.data.rotateApiKey.apiKey.id,
    ])
    expect(row?.at).toEqual(new Date('2033-01-19T00:00:00.000Z'))
    app.setNow(null)
  })

  test('FORBIDDEN: the key also opens organizations that the user is not in', async () => {
    const { session, orgId } = await app.given.session()
    const { orgId: foreign } = await app.given.organization()
    const { key, id } = await app.given.apiKey({ orgId })
    await query(app.database.url, 'insert into api_key_organizations (api_key_id, organization_id) values ($1, $2)', [id, foreign])

    const { body } = await app.graphql(rotate, { id, overlap: 0 }, { session })

    expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
    expect(await isLetIn(key)).toBe(true)
    const listed = await app.graphql('{ apiKeys { organizationIds } }', undefined, { session })
    expect(listed.body.data.apiKeys).toEqual([{ organizationIds: [orgId] }])
  })

  test.each([-1, 2_592_001])('an overlap of %i s is refused', async overlap => {
    const { session, orgId } = await app.given.session()
    const { id } = await app.given.apiKey({ orgId })

    const { body } = await app.graphql(rotate, { id, overlap }, { session })

    expect(problemsOf(body)).toEqual([expect.objectContaining({ path: ['overlapSeconds'], input: overlap })])
  })
})

describe('failed authentications', () => {
  test('are 429 after 600 a minute, while a valid key of the same address always passes', async () => {
    const limited = await startApp({ env: { RATE_LIMIT: '1' } })
    try {
      const { key } = await limited.given.apiKey()
      const codes: string[] = []
      for (let i = 0; i < 605; i++) {
        const { body } = await limited.graphql('{ __typename }', undefined, { key: newApiKey() })
        codes.push(body.errors[0].extensions.code)
      }

      expect(codes.slice(0, 600)).toEqual(Array(600).fill('UNAUTHENTICATED'))
      expect(codes.slice(600)).toEqual(Array(5).fill('RATE_LIMITED'))
      const refused = await limited.rest('GET', '/api/crm/v1/contacts', { key: newApiKey() })
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await isLetIn(key, limited)).toBe(true)
    } finally {
      await limited.close()
    }
  })
})
