// Compiled documents return the same result as graphql-js, tested with random documents.

import { makeExecutableSchema } from '@graphql-tools/schema'
import fc, { type GeneratorValue } from 'fast-check'
import { execute as interpret, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compile } from '../../../src/graphql/execute/compile.ts'
import type { Context } from '../../../src/kernel/context.ts'

interface Node {
  id: string
  depth: number
  name: string | null
}
const node = (depth: number): Node => ({ id: `n${depth}`, depth, name: depth % 3 === 0 ? null : `Node ${depth}` })
const shown = (args: unknown) =>
  JSON.stringify(args, (_key, value) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const schema = makeExecutableSchema<Context>({
  typeDefs: `
    enum Colour { RED GREEN }
    scalar Time
    input Point { x: Int! y: Int = 7 at: Time }
    input Wish { text: String = "none" count: Int colour: Colour list: [Int!] point: Point }
    type Node {
      id: ID! name: String required: String! child: Node must: Node! later: [Node!]! some(first: Int = 2): [Node]
      echo(wish: Wish, text: String = "said", number: Int! = 4, colour: Colour = RED, at: Time, list: [Int]): String
    }
    type Query { node(depth: Int = 1): Node nodes: [Node!]! }
  `,
  resolvers: {
    Colour: { RED: 'red', GREEN: 'green' },
    // Errors are asynchronous: graphql-js leaves promises of other rows unhandled if one row of a list throws synchronously.
    Node: {
      required: ({ depth }: Node) => (depth % 4 === 3 ? Promise.resolve(null) : 'yes'),
      child({ depth }: Node) {
        return depth % 5 === 4 ? Promise.reject(new Error('no child')) : node(depth + 1)
      },
      must: async ({ depth }: Node) => (depth % 4 === 2 ? null : node(depth + 1)),
      later: async ({ depth }: Node) => [node(depth + 1), node(depth + 2)],
      some: ({ depth }: Node, { first }: { first: number | null }) =>
        Array.from({ length: Math.min(first ?? 1, 3) }, (_, index) => (index === 1 ? null : node(depth + index))),
      echo: (_node: Node, args: unknown) => shown(args),
    },
    Query: { node: (_parent: unknown, { depth }: { depth: number | null }) => node(depth ?? 1), nodes: async () => [node(1), node(2)] },
  },
})

const wishes = [
  '{ text: "x" }',
  '{ text: $text, count: $count }',
  '$wish',
  '{ colour: GREEN, list: [1, 2] }',
  '{ list: [$number] }',
  '{ point: { x: 1, at: "t" } }',
  '{ point: { x: $number, y: $count } }',
]

function randomDocument(pick: GeneratorValue) {
  const one = <T>(...choices: T[]): T => pick(fc.constantFrom, ...choices) as T
  const chance = () => one(true, false, false, false)
  // Documents with @skip or @include are executed by graphql-js, so most have none.
  const isConditional = chance()
  const condition = () => (isConditional && chance() ? ` @${one('skip', 'include')}(if: ${one('$yes', '$maybe', 'true', 'false')})` : '')
  const selections = (depth: number, fragments: readonly string[]): string => {
    const fields = Array.from({ length: pick(fc.integer, { min: 1, max: 4 }) }, () => {
      const alias = chance() ? one('a: ', 'b: ') : ''
      switch (one('leaf', 'leaf', 'echo', 'object', 'object', 'fragment', 'inline')) {
        case 'echo':
          return `${alias}echo(${one(`wish: ${one(...wishes)}`, 'text: $text', 'text: "it\'s \\"quoted\\""', 'number: $count', 'colour: $colour', 'colour: GREEN', 'at: "now", list: [1, null, 3]', 'number: 3, text: null')})${condition()}`
        case 'object':
          return depth > 0
            ? `${alias}${one('child', 'must', 'later', 'some', 'some(first: $count)', 'some(first: 3)')}${condition()} ${selections(depth - 1, fragments)}`
            : 'id'
        case 'fragment':
          return fragments.length > 0 ? `...${one(...fragments)}${condition()}` : '__typename'
        case 'inline':
          return depth > 0 ? `... on Node${condition()} ${selections(depth - 1, fragments)}` : 'name'
        default:
          return `${alias}${one('id', 'name', 'required', '__typename')}${condition()}`
      }
    })
    return `{ ${fields.join(' ')} }`
  }
  return `query ($yes: Boolean!, $maybe: Boolean = false, $count: Int, $number: Int! = 9, $text: String = "given", $colour: Colour = GREEN, $wish: Wish = { text: "default" }) {
    ${one('node(depth: $count)', 'nodes', 'node', 'x: node(depth: 2)')} ${selections(3, ['One', 'Two'])}
    ${chance() ? `y: node(depth: 1)${condition()} ${selections(2, ['One', 'Two'])}` : ''}
  }
  fragment One on Node ${selections(2, ['Two'])}
  fragment Two on Node ${selections(2, [])}`
}

function randomVariables(pick: GeneratorValue) {
  const values: Record<string, unknown[]> = {
    maybe: [undefined, true, false],
    count: [undefined, null, 1, 3],
    number: [undefined, 5],
    text: [undefined, null, 'v'],
    colour: [undefined, null, 'RED'],
    wish: [undefined, null, {}, { text: null, count: 1 }, { point: { x: 1 } }, { point: {} }, { colour: 'BLUE' }],
  }
  const variables: Record<string, unknown> = { yes: pick(fc.boolean) }
  for (const [name, choices] of Object.entries(values)) {
    const value = pick(fc.constantFrom, ...choices)
    if (value !== undefined) variables[name] = value
  }
  return variables
}

const used = /is never used/
// The resolvers above do not use the context.
const context = {} as Context

describe('a compiled document', () => {
  test('returns the same result as graphql-js', { timeout: 120_000 }, async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.gen(), async pick => {
        const text = randomDocument(pick)
        const variables = randomVariables(pick)
        const document = parse(text)
        if (validate(schema, document).some(({ message }) => !used.test(message))) return

        const expected = await interpret({ schema, document, contextValue: context, variableValues: variables })
        const actual = await compile(schema, parse(text)).execute(context, variables)

        // Below a field that became null, graphql-jit reports more errors than graphql-js.
        expect(JSON.parse(JSON.stringify(actual.data ?? null))).toEqual(JSON.parse(JSON.stringify(expected.data ?? null)))
        expect(Boolean(actual.errors)).toBe(Boolean(expected.errors))
        if (!('data' in expected))
          expect(actual.errors?.map(({ message }) => message)).toEqual(expected.errors?.map(({ message }) => message))
        compared++
      }),
      { numRuns: 500 },
    )
    expect(compared).toBeGreaterThan(100)
  })

  test('does not execute text of the caller as code', async () => {
    const trick = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.intruded=1'
    const documents = [
      `{ node { echo(text: "${trick}") } }`,
      `{ node { echo(text: """${trick}""") } }`,
      `{ node { echo(text: "\\u005f${trick.slice(1)}") } }`,
      `{ node { echo(wish: { text: "${trick}" }) } }`,
      `{ node { echo(at: "${trick}") } }`,
      `{ node { echo(at: { ${trick.replace(/\W.*/, '')}: 1 }) } }`,
      `{ node { echo(at: [${trick.replace(/\W.*/, '')}]) } }`,
      `query ($text: String = "${trick}") { node { echo(text: $text) } }`,
      `query ($wish: Wish = { text: "${trick}" }) { node { echo(wish: $wish) } }`,
      `{ node { id @skip(if: false) echo(text: "${trick}") } }`,
    ]

    for (const text of documents) {
      const { data } = await compile(schema, parse(text)).execute(context, {})
      expect(JSON.stringify(data)).toContain('__MAGIC_DATE__')
      expect('intruded' in globalThis).toBe(false)
    }
  })
})
