// Lists of contacts: filters, sorts, search, totals, and their number of statements.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf, warm } from '../client.ts'

const app = await openApp()

const document = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter, $sort: ContactSort, $counted: Boolean! = false) {
  contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: $sort) {
    nodes { id email firstName lastName } edges { cursor node { id } } totalCount @include(if: $counted)
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`
const list = async (on: Client, variables: Json = {}) => (await on.data(document, variables)).contacts
const names = async (on: Client, filter: Json, sort = 'CREATED_AT') =>
  (await list(on, { filter, sort })).nodes.map(({ firstName }: Json) => firstName)
const remove = (on: Client, id: string) => on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })

describe('contacts', () => {
  test('are the organization’s live ones, newest first', async () => {
    const on = await clientIn(app)
    const other = await clientIn(app)
    await other.create({ firstName: 'Foreign' })
    for (const firstName of ['A', 'B', 'C']) await on.create({ firstName })
    const gone = await on.create({ firstName: 'Gone' })
    await remove(on, gone.id)

    const { nodes, edges, pageInfo, totalCount } = await list(on)

    expect(nodes.map(({ firstName }: Json) => firstName)).toEqual(['C', 'B', 'A'])
    expect(edges.map(({ node }: Json) => node.id)).toEqual(nodes.map(({ id }: Json) => id))
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges[2].cursor,
    })
    expect(totalCount).toBeUndefined()
  })

  test('an empty list has no cursors', async () => {
    const on = await clientIn(app)

    expect(await list(on, { counted: true })).toEqual({
      nodes: [],
      edges: [],
      totalCount: 0,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    })
  })

  test('are sorted by every order, ignoring case, with missing values last', async () => {
    const on = await clientIn(app)
    const rows: [string, string | null, string | null][] = [
      ['1', 'Zeta', 'b@example.com'],
      ['2', null, 'C@example.com'],
      ['3', 'alpha', null],
      ['4', 'Beta', 'a@example.com'],
    ]
    const ids = []
    const stages = ['CUSTOMER', 'LEAD', 'SUBSCRIBER', 'QUALIFIED']
    for (const [index, [firstName, lastName, email]] of rows.entries())
      ids.push((await on.create({ firstName, lastName, email, lifecycleStage: stages[index] })).id)
    await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, jobTitle: "x" }) { id } }', { id: ids[1] })

    expect(await names(on, {}, 'CREATED_AT')).toEqual(['1', '2', '3', '4'])
    expect(await names(on, {}, 'CREATED_AT_DESC')).toEqual(['4', '3', '2', '1'])
    expect(await names(on, {}, 'UPDATED_AT')).toEqual(['1', '3', '4', '2'])
    expect(await names(on, {}, 'UPDATED_AT_DESC')).toEqual(['2', '4', '3', '1'])
    expect(await names(on, {}, 'LAST_NAME')).toEqual(['3', '4', '1', '2'])
    expect(await names(on, {}, 'EMAIL')).toEqual(['4', '1', '2', '3'])
    expect(await names(on, {}, 'LAST_NAME_DESC')).toEqual(['2', '1', '4', '3'])
    expect(await names(on, {}, 'EMAIL_DESC')).toEqual(['3', '2', '1', '4'])
    expect(await names(on, {}, 'STAGE')).toEqual(['3', '2', '4', '1'])
    expect(await names(on, {}, 'STAGE_DESC')).toEqual(['1', '4', '2', '3'])
  })

  test('are filtered by ranges, sets of tags, further fields, and fields that are empty or not', async () => {
    const on = await clientIn(app)
    const people = [
      { firstName: 'A', tags: ['x', 'y'], country: 'DE', city: 'Berlin', companyName: 'Acme', doNotCall: true },
      { firstName: 'B', tags: ['x'], country: 'FR', companyDomain: 'b.example', externalId: '7', lastContactedAt: '2026-01-02T00:00:00Z' },
      { firstName: 'C', country: 'DE', email: 'c@example.com' },
    ]
    for (const person of people) await on.create(person)

    for (const [filter, found] of [
      [{ tagAll: ['x', 'y'] }, 'A'],
      [{ tagAll: ['x'] }, 'AB'],
      [{ countryIn: ['DE', 'CH'] }, 'AC'],
      [{ countryIn: ['DE'], cityIn: ['Berlin'] }, 'A'],
      [{ companyNameIn: ['Acme'] }, 'A'],
      [{ companyDomainIn: ['b.example'] }, 'B'],
      [{ externalIdIn: ['7', '8'] }, 'B'],
      [{ doNotCall: true }, 'A'],
      [{ doNotCall: false }, 'BC'],
      [{ lastContactedSince: '2026-01-01T00:00:00Z', lastContactedUntil: '2026-01-03T00:00:00Z' }, 'B'],
      [{ lastContactedSince: '2026-01-03T00:00:00Z' }, ''],
      [{ createdUntil: '2020-01-01T00:00:00Z' }, ''],
      [{ updatedUntil: '2999-01-01T00:00:00Z' }, 'ABC'],
      [{ empty: ['EMAIL', 'TAGS'] }, ''],
      [{ empty: ['EMAIL'] }, 'AB'],
      [{ empty: ['TAGS'] }, 'C'],
      [{ notEmpty: ['EMAIL', 'COUNTRY'] }, 'C'],
      [{ notEmpty: ['TAGS'] }, 'AB'],
    ] as const)
      expect([filter, (await names(on, filter)).join('')]).toEqual([filter, found])
  })

  test('are filtered by parts of company, domain and city, however they are written', async () => {
    const on = await clientIn(app)
    for (const [firstName, companyName, companyDomain, city] of [
      ['A', 'ACME GmbH', 'acme.example', 'München'],
      ['B', 'Café Łódź', 'cafe.example', 'Łódź'],
      ['C', '50%_off', 'shop.acme.example', 'New York'],
      // The company's name as a part of something else.
      ['D', null, null, null],
    ] as const)
      await on.create({ firstName, lastName: firstName === 'D' ? 'Acme' : firstName, companyName, companyDomain, city })
    for (const [filter, found] of [
      [{ companyNameContains: ['acme'] }, 'A'],
      [{ companyNameContains: ['e g'] }, 'A'],
      [{ companyNameContains: ['cafe'] }, 'B'],
      [{ companyNameContains: ['CAFÉ'] }, 'B'],
      [{ companyNameContains: ['Łódź'] }, 'B'],
      [{ companyNameContains: ['%_o'] }, 'C'],
      [{ companyNameContains: ['_cme'] }, ''],
      [{ companyNameContains: ['gmbh', 'cafe'] }, 'AB'],
      [{ companyDomainContains: ['acme'] }, 'AC'],
      [{ companyDomainContains: ['Shop.'] }, 'C'],
      [{ cityContains: ['munchen'] }, 'A'],
      [{ cityContains: ['york'], companyNameContains: ['off'] }, 'C'],
      [{ companyNameContains: [] }, ''],
      [{ companyNameContains: [''] }, ''],
    ] as const)
      expect([filter, (await names(on, filter)).join('')]).toEqual([filter, found])
  })

  test('are filtered by custom fields: values, ranges, and whether there is one', async () => {
    const on = await clientIn(app)
    const define = (key: string, type: string, options?: string[]) =>
      on.data('mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }', {
        input: { key, label: key, type, ...(options && { options }) },
      })
    await define('plan', 'SELECT', ['free', 'pro'])
    await define('areas', 'MULTI_SELECT', ['north', 'south'])
    await define('seats', 'NUMBER')
    await define('renews', 'DATE')
    await define('active', 'BOOLEAN')
    await on.create({ firstName: 'A', custom: { plan: 'pro', areas: ['north', 'south'], seats: 9, renews: '2026-05-01', active: true } })
    await on.create({ firstName: 'B', custom: { plan: 'free', areas: ['south'], seats: 10, renews: '2026-06-01' } })
    await on.create({ firstName: 'C' })

    for (const [custom, found] of [
      [[{ key: 'plan', in: ['pro', 'other'] }], 'A'],
      [[{ key: 'areas', in: ['south'] }], 'AB'],
      [[{ key: 'active', in: ['true'] }], 'A'],
      [[{ key: 'seats', min: 9.5 }], 'B'],
      [[{ key: 'seats', min: 9, max: 9 }], 'A'],
      [[{ key: 'renews', since: '2026-05-02' }], 'B'],
      [[{ key: 'renews', until: '2026-05-01' }], 'A'],
      [[{ key: 'plan', empty: true }], 'C'],
      [
        [
          { key: 'plan', empty: false },
          { key: 'seats', max: 9 },
        ],
        'A',
      ],
      [[{ key: 'unknown', in: ['x'] }], ''],
    ] as const)
      expect([custom, (await names(on, { custom })).join('')]).toEqual([custom, found])

    const wrong = { custom: [{ key: 'plan' }, { key: "x'; drop table contacts", empty: true }] }
    const { errors } = await on.ask(document, { filter: wrong })
    expect(errors[0].extensions.problems.map(({ path }: Json) => path.join('.'))).toEqual(['custom.0', 'custom.1.key'])
  })

  test('have in every sort order the same fields as when read by id', async () => {
    const { session, orgId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId })
    const people = [clientWith(app, { session, orgId }), clientWith(app, { key, orgId })] as const
    const fields = 'id orgId email fullName source createdBy { type actorId name } createdAt updatedAt version tags'
    for (const [index, on] of people.entries()) {
      await on.create({ email: `as-made-${index}@example.com` })
      const { id } = await on.create({ email: `changed-${index}@example.com`, source: 'IMPORT' })
      await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, tags: ["x"] }) { id } }', { id })
    }

    for (const sort of ['CREATED_AT', 'UPDATED_AT', 'UPDATED_AT_DESC', 'EMAIL', 'LAST_NAME'])
      for (const includeDeleted of [false, true]) {
        const page = `{ contacts(sort: ${sort}, filter: { includeDeleted: ${includeDeleted} }) { nodes { ${fields} } } }`
        const { nodes } = (await people[0].data(page)).contacts
        expect(nodes).toHaveLength(4)
        for (const node of nodes)
          expect((await people[0].data(`query ($id: ID!) { contact(id: $id) { ${fields} } }`, { id: node.id })).contact).toEqual(node)
        if (sort.startsWith('UPDATED_AT')) {
          const times = nodes.map(({ updatedAt }: Json) => updatedAt)
          expect(times).toEqual(sort.endsWith('DESC') ? times.toSorted().toReversed() : times.toSorted())
        }
      }
  })

  test('page sizes are 1 to 200', async () => {
    const on = await clientIn(app)

    expect(await on.error(document, { first: 0 })).toMatchObject({
      code: 'INVALID',
      problems: [
        {
          path: ['first'],
          type: 'greater_than_equal',
          message: 'Input should be greater than or equal to 1',
          input: 0,
          context: { ge: 1 },
        },
      ],
    })
    expect(await on.error(document, { first: 201 })).toMatchObject({ problems: [{ path: ['first'], type: 'less_than_equal' }] })
    expect(await on.error(document, { first: -1 })).toMatchObject({ problems: [{ path: ['first'] }] })
  })

  test('totals count the whole list, filtered or not', async () => {
    const on = await clientIn(app)
    for (let number = 0; number < 5; number++) await on.create({ firstName: `N${number}`, tags: number < 3 ? ['x'] : [] })
    const gone = await on.create({ tags: ['x'] })
    await remove(on, gone.id)
    const total = async (variables: Json) => (await list(on, { first: 1, counted: true, ...variables })).totalCount

    expect(await total({})).toBe(5)
    expect(await total({ filter: { tag: 'x' } })).toBe(3)
    expect(await total({ filter: { tag: 'x', includeDeleted: true } })).toBe(4)
    expect(await total({ filter: { includeDeleted: true } })).toBe(6)
  })

  test('a cursor is valid for its own list only', async () => {
    const on = await clientIn(app)
    for (let number = 0; number < 3; number++) await on.create({ firstName: 'X', tags: ['x'] })
    const { pageInfo } = await list(on, { first: 1 })
    const after = pageInfo.endCursor
    const message = 'after: Value error, the cursor belongs to a list with another filter or sort'

    expect((await list(on, { first: 2, after })).nodes).toHaveLength(2)
    for (const other of [
      { sort: 'CREATED_AT' },
      { sort: 'UPDATED_AT_DESC' },
      { filter: { tag: 'x' } },
      { filter: { includeDeleted: true } },
    ])
      expect(problemsOf(await on.error(document, { after, ...other }))).toEqual([message])
    const filtered = await list(on, { first: 1, filter: { tag: 'x' } })
    expect(problemsOf(await on.error(document, { after: filtered.pageInfo.endCursor, filter: { tag: 'y' } }))).toEqual([message])
  })

  test('an invalid cursor is refused with a message', async () => {
    const on = await clientIn(app)
    const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')
    const { id } = await on.create()
    const fingerprint = JSON.parse(Buffer.from((await list(on)).edges[0].cursor, 'base64url').toString())[0]

    for (const after of [
      '',
      'x',
      '%00',
      encoded([]),
      encoded({}),
      encoded(null),
      encoded([fingerprint, '2024-02-30T00:00:00.000Z', id]),
      encoded([fingerprint, 'yesterday', id]),
      encoded([fingerprint, '2024-02-01T00:00:00.000Z', 'x']),
      encoded([fingerprint, '\0', id]),
      encoded([fingerprint, { toString: 1 }, id]),
    ])
      expect(problemsOf(await on.error(document, { after }))).toEqual(['after: Value error, the cursor was not returned by this API'])
  })
})

describe('cost', () => {
  test('a page is one statement, with any arguments; its total is one more', async () => {
    const on = await clientIn(app)
    for (let number = 0; number < 5; number++) await on.create({ firstName: `N${number}`, tags: ['x'] })
    await warm(app, on)
    const cost = async (variables: Json) => {
      app.statements()
      await list(on, variables)
      return app.statements()
    }

    const { pageInfo } = await list(on, { first: 2 })
    expect(await cost({})).toBe(1)
    expect(await cost({ after: pageInfo.endCursor })).toBe(1)
    expect(await cost({ filter: { q: 'n1', tag: 'x', includeDeleted: true }, sort: 'LAST_NAME' })).toBe(1)
    expect(await cost({ counted: true })).toBe(2)
    // A filtered total is bounded by a transaction of its own: BEGIN, the limit, the count, COMMIT.
    expect(await cost({ counted: true, filter: { tag: 'x' } })).toBe(5)
    expect(await cost({ last: 2, before: pageInfo.endCursor })).toBe(1)
  })

  test('values do not depend on which fields are selected', async () => {
    const on = await clientIn(app)
    const input = { email: 'a@example.com', lastName: 'L', tags: ['x'], jobTitle: 'J', city: 'C', externalId: 'e' }
    await on.create(input)
    const asked = async (fields: string) =>
      (
        await on.data(
          `{ contacts(sort: EMAIL, filter: { includeDeleted: true }) { ${fields} } } ${fields.includes('...F') ? 'fragment F on Contact { externalId }' : ''}`,
        )
      ).contacts

    expect(await asked('nodes { city }')).toEqual({ nodes: [{ city: 'C' }] })
    expect(await asked('edges { node { jobTitle ...F } } nodes { tags createdBy { name } }')).toEqual({
      edges: [{ node: { jobTitle: 'J', externalId: 'e' } }],
      nodes: [{ tags: ['x'], createdBy: { name: 'Test key' } }],
    })
    expect(await asked('nodes { __typename email } n: nodes { lastName }')).toEqual({
      nodes: [{ __typename: 'Contact', email: 'a@example.com' }],
      n: [{ lastName: 'L' }],
    })
    expect(await asked('nodes { version timeline { nodes { type } } ... on Contact { email } }')).toEqual({
      nodes: [{ version: 1, timeline: { nodes: [{ type: 'CONTACT_CREATED' }] }, email: 'a@example.com' }],
    })
  })
})
