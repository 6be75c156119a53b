// Which documents are cached, so that they are parsed only once.

import { buildSchema } from 'graphql'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDocuments, type Documents } from '../../../src/graphql/execute/documents.ts'
import type { Principal } from '../../../src/kernel/principal.ts'
import { anonymous, guest, signedIn } from '../door.ts'

const schema = buildSchema(`
  type Query { hello(name: String): String }
  type Mutation { write: String }
  type Subscription { ticks: Int }
`)

let documents: Documents
beforeEach(() => {
  documents = createDocuments(schema, { isProduction: false })
})

const request = (query: string, operationName?: string) => ({ query, operationName, isPersisted: false })
function isRemembered(principal: Principal, query: string, operationName?: string): boolean {
  try {
    documents.ready(principal, request(query, operationName))
  } catch {}
  return documents.find(principal, request(query, operationName)) !== undefined
}

describe('a document', () => {
  test('that is valid is cached, with its operation', () => {
    const ready = documents.ready(signedIn, request('query A { hello } query B { hello }', 'B'))

    expect(documents.find(signedIn, request('query A { hello } query B { hello }', 'B'))).toBe(ready)
    expect(documents.find(signedIn, request('query A { hello } query B { hello }', 'A'))).toBeUndefined()
    expect(documents.find(signedIn, request('query A { hello } query B { hello }'))).toBeUndefined()
    expect(ready.name).toBe('B')
  })

  test('that is invalid is not cached', () => {
    for (const query of [
      '{',
      '{ hallo }',
      'query A { hello } query B { hello }',
      '{ a: hello b: hello ...F } fragment F on Query { ...F }',
    ])
      expect(isRemembered(signedIn, query)).toBe(false)
  })

  test('that introspects, subscribes, is very long or comes from an anonymous caller is not cached', () => {
    expect(isRemembered(signedIn, '{ __schema { queryType { name } } }')).toBe(false)
    expect(isRemembered(signedIn, '{ ...F } fragment F on Query { __type(name: "Query") { name } }')).toBe(false)
    expect(isRemembered(signedIn, 'subscription { ticks }')).toBe(false)
    expect(isRemembered(signedIn, `{ hello(name: "${'x'.repeat(20_000)}") }`)).toBe(false)
    expect(isRemembered(anonymous, '{ hello }')).toBe(false)
    expect(isRemembered(signedIn, '{ hello __typename }')).toBe(true)
  })

  test('of a guest is cached for guests only, and cannot be a mutation', () => {
    expect(isRemembered(guest, '{ hello }')).toBe(true)
    expect(documents.find(signedIn, request('{ hello }'))).toBeUndefined()
    documents.ready(signedIn, request('mutation { write }'))
    expect(isRemembered(guest, 'mutation { write }')).toBe(false)
  })

  test('is evicted when the cache is full: memory stays bounded', () => {
    for (let index = 0; index < 600; index++) documents.ready(signedIn, request(`{ hello(name: "${index}") }`))

    expect(documents.find(signedIn, request('{ hello(name: "0") }'))).toBeUndefined()
    expect(documents.find(signedIn, request('{ hello(name: "599") }'))).toBeDefined()
  })
})
