// GraphQL requests: parameters, organizations, rate limits, invalid credentials.

import { describe, expect, test } from 'vitest'
import { openApp, startApp } from '../../support/app.ts'

const app = await openApp()

describe('GET /graphql', () => {
  test('takes query, variables and operationName from the URL', async () => {
    const { key } = await app.given.apiKey()
    const parameters = new URLSearchParams({
      query: 'query A($first: Int) { contacts(first: $first) { nodes { id } } } query B { me { isGuest } }',
      variables: '{"first":3}',
      operationName: 'A',
    })

    const { status, body } = await app.rest('GET', `/graphql?${parameters}`, { key })

    expect([status, body]).toEqual([200, { data: { contacts: { nodes: [] } } }])
  })

  test('is one path: paths below it are 404', async () => {
    expect(await app.rest('GET', '/graphql/x?query={me{userId}}')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('with variables that are not JSON, or without a query: 400', async () => {
    for (const query of ['?query={me{userId}}&variables={', '?query={me{userId}}&variables=[1]', '?extensions=1', '', '?query='])
      expect(await app.rest('GET', `/graphql${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ extensions: { code: 'INVALID' } }] },
      })
  })
})

describe('the answer', () => {
  test('carries the request id and is never cached', async () => {
    const { headers } = await app.graphql('{ __typename }', {}, { headers: { 'x-request-id': 'mine-1' } })

    const [id, clientId, caching] = ['x-request-id', 'x-client-request-id', 'cache-control'].map(name => headers.get(name))
    expect([id, clientId, caching]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'mine-1', 'no-store'])
  })

  test('to an unsupported Accept is JSON, and the mutation ran once', async () => {
    const { key, orgId } = await app.given.apiKey()

    const answer = await app.graphql(
      'mutation { createContact(input: { email: "accept@example.com" }) { email } }',
      {},
      { key, headers: { accept: 'text/plain' } },
    )

    expect([answer.status, answer.body]).toEqual([200, { data: { createContact: { email: 'accept@example.com' } } }])
    expect(await app.services.database.prisma.contact.count({ where: { orgId } })).toBe(1)
  })

  test.each([
    'application/json;charset=utf8, text/event-stream;q=0.1',
    'Application/JSON ; Charset="UTF-8", TEXT/EVENT-STREAM',
    'text/event-stream;q=0.5, application/json; charset=utf8',
  ])('to Accept: %s is JSON', async accept => {
    const { headers, body } = await app.graphql('{ __typename }', {}, { headers: { accept } })

    expect([headers.get('content-type'), body]).toEqual(['application/json; charset=utf-8', { data: { __typename: 'Query' } }])
  })

  test('to an empty operation name and empty variables is the answer of the only operation, without variables', async () => {
    const { body } = await app.rest('POST', '/graphql', { body: { query: '{ __typename }', operationName: '', variables: '' } })

    expect(body).toEqual({ data: { __typename: 'Query' } })
  })

  test('is a stream of one event if the client accepts nothing else', async () => {
    const { headers, body } = await app.graphql('{ __typename }', {}, { headers: { accept: 'text/event-stream' } })

    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(body).toContain('event: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\n')
  })

  test('names the operation in the log', async () => {
    const { key } = await app.given.apiKey()

    await app.graphql('query WhoAmI { me { userId } }', {}, { key, headers: { 'x-request-id': 'named-1' } })
    await app.graphql('{ me { userId } contacts { totalCount } }', {}, { key, headers: { 'x-request-id': 'named-2' } })

    const logged = (id: string) => JSON.parse(app.log.find(line => line.includes(`"${id}"`) && line.includes('"msg":"request"')) ?? '{}')
    expect([logged('named-1').operation, logged('named-2').operation]).toEqual(['WhoAmI', 'me+contacts'])
  })
})

describe('an invalid credential', () => {
  const wrong: Record<string, Record<string, string>> = {
    'an unknown key': { authorization: 'Bearer rcm_0000000000000000000000000000000000000000' },
    'an unknown session': { authorization: 'Bearer 7f3c1a52-9a59-4b0e-8b0e-1f2d3c4b5a69' },
    'no bearer at all': { authorization: 'Basic YTpi' },
    'a wrong key beside a guest id': { authorization: 'Bearer x', 'x-guest-id': 'guest' },
  }
  for (const [what, headers] of Object.entries(wrong))
    test(`${what}: 401 for every operation and method`, async () => {
      for (const [method, path] of [
        ['POST', '/graphql'],
        ['GET', '/graphql?query={__typename}'],
      ] as const) {
        const answer = await app.rest(method, path, { headers, ...(method === 'POST' && { body: { query: '{ __typename }' } }) })

        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
        expect(answer.body).toEqual({
          errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED', status: 401, requestId: expect.any(String) } }],
        })
      }
    })
})

describe('X-Org-Id', () => {
  test('selects one of several organizations; without it the request is refused, as is an organization of others', async () => {
    const { session, userId, orgId } = await app.given.session()
    const second = (await app.graphql('mutation { createOrganization(input: { name: "Second" }) { id } }', {}, { session })).body.data
      .createOrganization.id
    const { orgId: foreign } = await app.given.organization()
    const create = (headers: Record<string, string>) =>
      app.graphql('mutation { createContact(input: { email: "x@example.com" }) { orgId } }', {}, { session, headers })

    expect((await create({ 'x-org-id': second })).body.data.createContact.orgId).toBe(second)
    expect((await create({ 'X-Org-Id': orgId.toUpperCase() })).body.data.createContact.orgId).toBe(orgId)
    expect((await create({})).body.errors[0].extensions).toMatchObject({
      code: 'INVALID',
      problems: [{ path: ['header', 'X-Org-Id'], type: 'missing' }],
    })
    for (const wrong of [foreign, 'nonsense', userId])
      expect((await create({ 'x-org-id': wrong })).body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', status: 403 })
  })
})

describe('rate limits', () => {
  test('count queries as reads and mutations as writes, also invalid ones', async () => {
    const limited = await startApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_READS: '5', RATE_LIMIT_WRITES: '2' } })
    const { key } = await limited.given.apiKey()
    const ask = (query: string) => limited.graphql(query, {}, { key })

    const queries = [
      await ask('{ me { userId } }'),
      await ask('{ me { userId } }'),
      await ask('{ nothing }'),
      await ask('{ ('),
      await ask('{ me { userId } }'),
    ]
    const refused = await ask('{ me { userId } }')
    const mutations = [
      await ask('mutation { deleteContact(input: { id: "x" }) { id } }'),
      await ask('mutation { deleteContact(input: { id: "x" }) { id } }'),
    ]
    const refusedMutation = await ask('mutation { deleteContact(input: { id: "x" }) { id } }')
    await limited.close()

    expect(queries.map(({ status, headers }) => [status, headers.get('ratelimit')?.slice(0, 10)])).toEqual(
      [4, 3, 2, 1, 0].map(left => [200, `"read";r=${left}`]),
    )
    expect(mutations.map(({ status }) => status)).toEqual([200, 200])
    for (const { status, headers, body } of [refused, refusedMutation]) {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    }
  })
})

test('operationType beside the query is ignored, and an error of a field has its location, compiled or not', async () => {
  const { key } = await app.given.apiKey()
  const query = `query Place {
  a: contact(id: "01890000-0000-7000-8000-000000000000") { id }
  me { id }
}`
  const answers = []
  for (let times = 0; times < 4; times++)
    answers.push((await app.rest('POST', '/graphql', { key, body: { query, operationType: 'query' } })).body.errors)

  for (const errors of answers)
    expect(errors).toEqual([
      {
        message: 'No contact 01890000-0000-7000-8000-000000000000',
        path: ['a'],
        locations: [{ line: 2, column: 3 }],
        extensions: { code: 'NOT_FOUND', status: 404, requestId: expect.any(String) },
      },
    ])
})
