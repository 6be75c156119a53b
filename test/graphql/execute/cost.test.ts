// The cost of fragments on the types of a union.

import { buildSchema, Kind, parse } from 'graphql'
import { expect, test } from 'vitest'
import { costOf } from '../../../src/graphql/execute/cost.ts'

const schema = buildSchema(`
  type Part { id: ID! }
  type Call { parts(first: Int = 50): Parts! }
  type Note { parts(first: Int = 50): Parts! }
  type Parts { nodes: [Part!]! }
  union Entry = Call | Note
  type Query { entries: [Entry!]! entry: Call! }
`)

/** The cost of a query: the refusal names it. */
function costIn(text: string): number {
  const document = parse(text)
  const [operation] = document.definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The query comes first')
  let cost = 0
  expect(() => costOf(schema, document, operation, 0)({})).toThrow(
    expect.objectContaining({ extras: expect.objectContaining({ actual: expect.toSatisfy((actual: number) => (cost = actual) > 0) }) }),
  )
  return cost
}

const parts = (first: number) => `parts(first: ${first}) { nodes { id } }`

test('of several types the dearest counts, in either order, and inline or by name', () => {
  const one = costIn(`{ entries { ... on Call { ${parts(100)} } } }`)
  const small = `... on Note { ${parts(10)} }`

  expect(costIn(`{ entries { ... on Call { ${parts(100)} } ${small} } }`)).toBe(one)
  expect(costIn(`{ entries { ${small} ... on Call { ${parts(100)} } } }`)).toBe(one)
  expect(costIn(`{ entries { ...C ...N } } fragment C on Call { ${parts(100)} } fragment N on Note { ${parts(10)} }`)).toBe(one)
})

test('fragments on one type add up, and so do those on the type that the field has', () => {
  const one = costIn(`{ entries { ... on Call { a: ${parts(100)} } } }`)
  const two = costIn(`{ entries { ... on Call { a: ${parts(100)} } ... on Call { b: ${parts(100)} } } }`)
  expect(two).toBeGreaterThan(1.8 * one)

  const object = costIn(`{ entry { ... on Call { a: ${parts(100)} } } }`)
  expect(costIn(`{ entry { ... on Call { a: ${parts(100)} } ... on Call { b: ${parts(100)} } } }`)).toBeGreaterThan(1.8 * object)
})
