// Which documents are remembered, so that asking again costs no parsing.

import { buildSchema } from 'graphql'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDocuments, type Documents } from '../../src/graphql/documents.ts'
import type { Principal } from '../../src/identity/principal.ts'

const schema = buildSchema(`
  type Query { hello(name: String): String }
  type Mutation { write: String }
  type Subscription { ticks: Int }
`)
const session: Principal = { kind: 'session', sessionId: 's', userId: 'u', email: null, name: null, orgIds: [] }
const guest: Principal = { kind: 'guest', guestId: 'g', orgId: null }
const anonymous: Principal = { kind: 'anonymous' }

let documents: Documents
beforeEach(() => {
  documents = createDocuments(schema, { isProduction: false })
})

const asked = (query: string, operationName?: string) => ({ query, operationName })
function isRemembered(principal: Principal, query: string, operationName?: string): boolean {
  try {
    documents.ready(principal, asked(query, operationName))
  } catch {}
  return documents.known(principal, asked(query, operationName)) !== undefined
}

describe('a document', () => {
  test('that is good is remembered, with its operation', () => {
    const ready = documents.ready(session, asked('query A { hello } query B { hello }', 'B'))

    expect(documents.known(session, asked('query A { hello } query B { hello }', 'B'))).toBe(ready)
    expect(documents.known(session, asked('query A { hello } query B { hello }', 'A'))).toBeUndefined()
    expect(documents.known(session, asked('query A { hello } query B { hello }'))).toBeUndefined()
    expect(ready.name).toBe('B')
  })

  test('that is not good is not', () => {
    for (const query of [
      '{',
      '{ hallo }',
      'query A { hello } query B { hello }',
      '{ a: hello b: hello ...F } fragment F on Query { ...F }',
    ])
      expect(isRemembered(session, query)).toBe(false)
  })

  test('that introspects, subscribes, is very long, or comes from nobody in particular is not', () => {
    expect(isRemembered(session, '{ __schema { queryType { name } } }')).toBe(false)
    expect(isRemembered(session, '{ ...F } fragment F on Query { __type(name: "Query") { name } }')).toBe(false)
    expect(isRemembered(session, 'subscription { ticks }')).toBe(false)
    expect(isRemembered(session, `{ hello(name: "${'x'.repeat(20_000)}") }`)).toBe(false)
    expect(isRemembered(anonymous, '{ hello }')).toBe(false)
    expect(isRemembered(session, '{ hello __typename }')).toBe(true)
  })

  test('of a guest is remembered for guests, and never changes anything', () => {
    expect(isRemembered(guest, '{ hello }')).toBe(true)
    expect(documents.known(session, asked('{ hello }'))).toBeUndefined()
    documents.ready(session, asked('mutation { write }'))
    expect(isRemembered(guest, 'mutation { write }')).toBe(false)
  })

  test('makes room for others: memory stays bounded', () => {
    for (let index = 0; index < 600; index++) documents.ready(session, asked(`{ hello(name: "${index}") }`))

    expect(documents.known(session, asked('{ hello(name: "0") }'))).toBeUndefined()
    expect(documents.known(session, asked('{ hello(name: "599") }'))).toBeDefined()
  })
})
