// A document's first answer goes through Yoga, later ones do not: they must be identical.

import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/kernel/errors.ts'
import { openApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { openDoor } from '../door.ts'

let written: string[] = []

const app = await openApp()
const door = await keepOpen(
  openDoor(app.services, {
    typeDefs: `
      enum Colour { RED GREEN }
      scalar DateTime
      input Wish { text: String = "none", colour: Colour, at: [Int!] }
      type Item { id: ID! name: String! broken: String fails: String! self: Item! }
      type Connection { nodes: [Item!]! }
      type Query {
        hello(name: String = "you"): String!
        wish(wish: Wish, first: Int! = 3): String
        items(first: Int = 50): Connection!
        item: Item
        denied: String
        gone: Item!
      }
      type Mutation { write(text: String!): String! }
    `,
    resolvers: {
      Query: {
        hello: (_parent, { name }) => `Hello ${name}`,
        wish: (_parent, args) => JSON.stringify(args, Object.keys({ first: 0, wish: 0, text: 0, colour: 0, at: 0, 0: 0, 1: 0 }).sort()),
        items: (_parent, { first }) => ({ nodes: Array.from({ length: first }, (_, id) => ({ id, name: `Item ${id} – ü` })) }),
        item: () => ({ id: 1, name: 'One' }),
        denied: () => {
          throw new AppError('ALREADY_EXISTS', 'There is one already', { existingId: 'x1', cause: new Error('private') })
        },
        gone: () => Promise.reject(new AppError('NOT_FOUND', 'No item x')),
      },
      Item: {
        broken: () => {
          throw new Error('the secret is 1234')
        },
        fails: () => Promise.reject(new TypeError('at /srv/secret.ts:12')),
        self: item => item,
      },
      Mutation: {
        write(_parent, { text }) {
          if (text === 'bad') throw new AppError('CONFLICT', 'That is bad')
          written.push(text)
          return text
        },
      },
    },
  }),
)

const documents: [string, string, Record<string, unknown>?][] = [
  ['a field', '{ hello }'],
  ['a named operation', 'query Greet { hello(name: "Ada") }'],
  ['a variable', 'query ($name: String) { hello(name: $name) }', { name: 'Ünï"\\\n' }],
  ['a variable not given', 'query ($name: String) { hello(name: $name) }', {}],
  ['a variable that is null', 'query ($name: String) { hello(name: $name) }', { name: null }],
  ['a default of a required variable', 'query ($first: Int! = 7) { wish(first: $first) }'],
  ['a literal object', '{ wish(wish: { text: "x", colour: GREEN, at: [1, 2] }) }'],
  ['a variable inside a literal', 'query ($text: String) { wish(wish: { text: $text, colour: RED }) }', {}],
  ['a page', 'query ($first: Int) { items(first: $first) { nodes { id name __typename } } }', { first: 20 }],
  ['fragments', '{ item { ...F } } fragment F on Item { id ...G } fragment G on Item { name self { id } }'],
  ['conditions', 'query ($no: Boolean!) { item { id name @skip(if: $no) ... @include(if: $no) { x: name } } }', { no: true }],
  ['aliases', '{ a: hello(name: "a") b: hello(name: "b") }'],
  ['a purposeful error', '{ hello denied }'],
  ['an error that empties the answer', '{ hello gone { id } }'],
  ['an unexpected error', '{ item { id broken } }'],
  ['an unexpected error below something required', '{ hello item { fails } }'],
  ['variables that do not fit', 'query ($first: Int!) { wish(first: $first) }', { first: 'many' }],
  ['a variable that is missing', 'query ($first: Int!) { wish(first: $first) }'],
  ['a member of an input that does not exist', 'query ($wish: Wish) { wish(wish: $wish) }', { wish: { tex: 'x' } }],
  ['null where the argument takes none', 'query ($first: Int = 1) { wish(first: $first) }', { first: null }],
  ['a document that does not parse', '{ hello('],
  ['a document that does not fit the schema', '{ hallo { x } }'],
  ['a mutation', 'mutation { write(text: "one") }'],
  ['a mutation that fails', 'mutation { write(text: "bad") }'],
  ['several mutations', 'mutation { a: write(text: "1") b: write(text: "2") }'],
]

describe('POST /graphql, the same twice', () => {
  for (const accept of ['application/json', 'application/graphql-response+json', '*/*'])
    for (const [what, query, variables] of documents)
      test(`${what}, as ${accept}`, async () => {
        const first = await door.ask(query, variables, { accept })
        const second = await door.ask(query, variables, { accept })

        expect(second.text).toBe(first.text)
        expect(second.status).toBe(first.status)
        const headers = (answer: typeof first) => Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'))
        expect(headers(second)).toEqual(headers(first))
      })

  test('the answers are correct', async () => {
    const answers = await Promise.all(documents.map(([, query, variables]) => door.ask(query, variables)))

    expect(Object.fromEntries(documents.map(([what], index) => [what, answers[index]?.body.data]))).toMatchObject({
      'a field': { hello: 'Hello you' },
      'a variable': { hello: 'Hello Ünï"\\\n' },
      'a variable not given': { hello: 'Hello you' },
      'a variable that is null': { hello: 'Hello null' },
      'a default of a required variable': { wish: '{"first":7}' },
      'a literal object': { wish: '{"first":3,"wish":{"at":[1,2],"colour":"GREEN","text":"x"}}' },
      'a variable inside a literal': { wish: '{"first":3,"wish":{"colour":"RED","text":"none"}}' },
      fragments: { item: { id: '1', name: 'One', self: { id: '1' } } },
      conditions: { item: { id: '1', x: 'One' } },
      'a purposeful error': { hello: 'Hello you', denied: null },
      'an error that empties the answer': null,
      'an unexpected error below something required': { hello: 'Hello you', item: null },
    })
  })

  test('after a failed mutation the next ones do not run', async () => {
    written = []

    const { body } = await door.ask('mutation { a: write(text: "first") b: write(text: "bad") c: write(text: "never") }')

    expect(body).toMatchObject({ data: null, errors: [{ message: 'That is bad', path: ['b'] }] })
    expect(written).toEqual(['first'])
  })
})

describe('errors', () => {
  test('an AppError has code, status, request id and extras', async () => {
    const { status, body } = await door.ask('{ denied }', undefined, { 'x-request-id': 'r1' })

    expect(status).toBe(200)
    expect(body).toEqual({
      data: { denied: null },
      errors: [
        {
          message: 'There is one already',
          locations: [{ line: 1, column: 3 }],
          path: ['denied'],
          extensions: { code: 'ALREADY_EXISTS', status: 409, requestId: 'r1', existingId: 'x1' },
        },
      ],
    })
  })

  test('an unexpected one is masked, and logged completely under the same request id', async () => {
    const { body, text } = await door.ask('{ item { broken } }', undefined, { 'x-request-id': 'find-me-12' })

    expect(body.errors).toEqual([
      {
        message: 'Unexpected error',
        locations: [{ line: 1, column: 10 }],
        path: ['item', 'broken'],
        extensions: { code: 'INTERNAL', status: 500, requestId: 'find-me-12' },
      },
    ])
    expect(text).not.toMatch(/1234|secret|\.ts/)
    expect(app.log.find(line => line.includes('find-me-12') && line.includes('the secret is 1234'))).toBeDefined()
  })

  test('a value that does not match the schema is INTERNAL, not INVALID', async () => {
    const other = await openDoor(app.services, {
      typeDefs: 'type Query { missing: String! odd: Int }',
      resolvers: { Query: { missing: () => null, odd: () => 'many' } },
    })

    const answers = await Promise.all([other.ask('{ missing }'), other.ask('{ odd }')])
    await other.close()

    for (const { body } of answers) expect(body.errors).toMatchObject([{ message: 'Unexpected error', extensions: { code: 'INTERNAL' } }])
  })

  test('wrong variables are reported by the caller’s names, at most twenty of them', async () => {
    const { body } = await door.ask('query ($wish: Wish) { wish(wish: $wish) }', { wish: { at: Array.from({ length: 1000 }, () => 'x') } })

    expect(body.data).toBeUndefined()
    expect(body.errors.length).toBeLessThanOrEqual(21)
    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID', status: 422 })
    expect(body.errors[0].message).toMatch(/at "wish\.at\[0\]"/)
  })
})
