// In production, guests and anonymous callers cannot discover the schema.

import { getIntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { anonymous, guest, openDoor, signedIn } from '../door.ts'

const behaviour = {
  typeDefs: `
    enum Stage { LEAD CUSTOMER }
    type Query { contacts(stage: Stage, first: Int): [Contact!]! }
    type Contact { email: String lifecycleStage: Stage }
    type Mutation { write: String }
  `,
  resolvers: { Query: { contacts: () => [] } },
}

const app = await openApp()
const production = await keepOpen(openDoor(app.services, behaviour, { isProduction: true }))
const development = await keepOpen(openDoor(app.services, behaviour))

const hinted: [string, Record<string, unknown>?][] = [
  ['{ contacs { email } }'],
  ['{ contacts { emial } }'],
  ['{ contacts { email { x } } }'],
  ['{ contacts(stag: LEAD) { email } }'],
  ['{ contacts(stage: LED) { email } }'],
  ['{ ...F } fragment F on Qery { __typename }'],
  ['query ($s: Stge) { contacts(stage: $s) { email } }'],
  ['query ($s: Stage) { contacts(stage: $s) { email } }', { s: 'LED' }],
]

describe('in production', () => {
  for (const principal of [anonymous, guest])
    test(`${principal.kind}: no introspection`, async () => {
      production.as(principal)

      for (const query of [
        getIntrospectionQuery(),
        '{ __type(name: "Contact") { name } }',
        '{ contacts { email } ...F } fragment F on Query { __schema { types { name } } }',
      ]) {
        const { body } = await production.ask(query)
        expect(body.data).toBeUndefined()
        expect(body.errors[0].message).toMatch(/introspection has been disabled/)
      }
    })

  test('a caller with a credential may introspect, and the cached document is not executed for others', async () => {
    production.as(signedIn)
    const first = await production.ask('{ __schema { queryType { name } } }')
    const again = await production.ask('{ __schema { queryType { name } } }')
    production.as(anonymous)
    const anonymousAnswer = await production.ask('{ __schema { queryType { name } } }')

    expect(first.body).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } })
    expect(again.body).toEqual(first.body)
    expect(anonymousAnswer.body.data).toBeUndefined()
  })

  for (const principal of [anonymous, guest])
    test(`${principal.kind}: no suggestions of names`, async () => {
      production.as(principal)

      for (const [query, variables] of hinted)
        for (const accept of ['application/json', 'text/event-stream']) {
          const response = await fetch(production.url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept },
            body: JSON.stringify({ query, variables }),
          })
          const text = await response.text()
          expect(text).toContain('errors')
          expect(text).not.toMatch(/did you mean/i)
        }
    })

  test('callers with a credential get suggestions', async () => {
    production.as(signedIn)

    for (const [query, variables] of hinted.slice(0, 2)) expect((await production.ask(query, variables)).text).toMatch(/Did you mean/)
  })

  test('GraphiQL is not served', async () => {
    const response = await fetch(production.url, { headers: { accept: 'text/html' } })

    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8'])
  })
})

describe('in development', () => {
  test('every caller may introspect, as GraphiQL does', async () => {
    development.as(anonymous)

    const { body } = await development.ask(getIntrospectionQuery())

    expect(body.data.__schema.queryType.name).toBe('Query')
  })

  test('a browser gets GraphiQL, with all assets inline', async () => {
    const response = await fetch(development.url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    const page = await response.text()

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    expect(response.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
    expect(page).not.toMatch(/<script[^>]+src=|<link[^>]+href="http/)
  })

  test('guests see the same types without mutations', async () => {
    development.as(guest)

    const { body } = await development.ask('{ __schema { mutationType { name } queryType { name } types { name } } }')

    expect(body.data.__schema).toMatchObject({ mutationType: null, queryType: { name: 'Query' } })
    expect(body.data.__schema.types).toContainEqual({ name: 'Contact' })
  })
})
