// Documents and bodies beyond the limits are refused quickly, with a small answer and never a 5xx, and do not delay other callers.

import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { openDoor } from '../door.ts'

const app = await openApp()
const door = await keepOpen(
  openDoor(app.services, {
    typeDefs: `
      scalar JSON
      input Wish { text: String, any: JSON, list: [Int] }
      type Item { id: ID! name: String self: Item parts(first: Int = 50): Connection! tags: [Tag!]! }
      type Tag { name: String }
      type Connection { nodes: [Item!]! edges: [Edge!]! total: Int }
      type Edge { node: Item! cursor: String! }
      type Query { nodes(ids: [ID!]!): [Item]! item: Item items(first: Int = 50): Connection! echo(wish: Wish, any: JSON): String }
      type Mutation { write(text: String): String }
    `,
    resolvers: {
      Query: {
        item: () => ({ id: 1, name: 'One', tags: [] }),
        items: (_parent, { first }) => ({ nodes: Array.from({ length: Math.min(first, 200) }, (_, id) => ({ id, tags: [] })), edges: [] }),
        nodes: (_parent, { ids }) => ids.map(() => null),
        echo: (_parent, args) => JSON.stringify(args).slice(0, 100),
      },
      Item: { self: item => item, parts: () => ({ nodes: [], edges: [] }) },
      Mutation: { write: (_parent, { text }) => text },
    },
  }),
)

const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join(' ')
const nested = (depth: number, field: string, leaf: string) => `${`${field} { `.repeat(depth)}${leaf}${' }'.repeat(depth)}`
const fragments = (count: number, body: (next: string) => string) =>
  `{ item { ...F0 } } ${times(count, index => `fragment F${index} on Item { ${index === count - 1 ? 'id' : body(`...F${index + 1}`)} }`)}`

const tooMuch: Record<string, { query: string; limit: string; variables?: unknown }> = {
  'nested 5,000 deep': { query: `{ ${nested(5000, 'item', 'id')} }`, limit: 'tokens' },
  'braces without end': { query: '{a'.repeat(100_000), limit: 'tokens' },
  'lists without end': { query: `{ echo(any: ${'['.repeat(50_000)}`, limit: 'tokens' },
  'a type without end': { query: `query ($a: ${'['.repeat(50_000)}`, limit: 'tokens' },
  'half a megabyte of fields': { query: `{ ${'id '.repeat(170_000)} }`, limit: 'tokens' },
  'nested 13 deep': { query: `{ item { ${nested(11, 'self', 'id')} } }`, limit: 'depth' },
  'nested through fragments': { query: fragments(13, next => `self { ${next} }`), limit: 'depth' },
  '31 aliases of __typename': { query: `{ ${times(31, index => `a${index}: __typename`)} }`, limit: 'aliases' },
  'an alias that each row would repeat': { query: `{ items { nodes { ${'a'.repeat(10_000)}: id } } }`, limit: 'name' },
  '31 aliases': { query: `{ ${times(31, index => `a${index}: item { id }`)} }`, limit: 'aliases' },
  'aliases multiplied by fragments': { query: fragments(6, next => `a: self { ${next} } b: self { ${next} }`), limit: 'aliases' },
  'fields multiplied by fragments': {
    query: fragments(5, next => `self { ${next} } parts { nodes { ${next} } } ${'id name '.repeat(70)}`),
    limit: 'fields',
  },
  'literals nested 300 deep': { query: `{ echo(any: ${'['.repeat(300)}${']'.repeat(300)}) }`, limit: 'levels' },
  '51 directives': { query: `{ item { id ${'@skip(if: false) '.repeat(51)} } }`, limit: 'directives' },
  '250 directives': { query: `{ item ${'@include(if: true) '.repeat(250)} { id } }`, limit: 'directives' },
  '11 mutations': { query: `mutation { ${times(11, index => `a${index}: write(text: "x")`)} }`, limit: 'rootMutations' },
  '11 mutations in a fragment': {
    query: `mutation { ...F } fragment F on Mutation { ${times(11, index => `a${index}: write(text: "x")`)} }`,
    limit: 'rootMutations',
  },
  'a page of pages': { query: '{ items(first: 200) { nodes { parts(first: 200) { nodes { id } } } } }', limit: 'cost' },
  'a page of pages by variables': {
    query: 'query ($n: Int) { items(first: $n) { nodes { parts(first: $n) { nodes { id } } } } }',
    variables: { n: 200 },
    limit: 'cost',
  },
  'a page of pages by a default': {
    query: 'query ($n: Int = 200) { items(first: $n) { nodes { parts(first: $n) { nodes { id } } } } }',
    limit: 'cost',
  },
  // Every object has a member of this name.
  ...Object.fromEntries(
    ['constructor', 'toString', 'hasOwnProperty', 'valueOf'].map(name => [
      `a page of pages by the default of $${name}`,
      {
        query: `query ($${name}: Int = 200) { items(first: $${name}) { nodes { parts(first: $${name}) { nodes { id } } } } }`,
        limit: 'cost',
      },
    ]),
  ),
  '200 ids in the default of $constructor, each with a page': {
    query: `query ($constructor: [ID!] = [${times(200, index => `"${index}"`)}]) { nodes(ids: $constructor) { parts(first: 30) { nodes { id } } } }`,
    limit: 'cost',
  },
  'pages of a default size, three deep': {
    query: '{ items { nodes { parts { nodes { parts { edges { node { id } } } } } } } }',
    limit: 'cost',
  },
  'a negative page beside an expensive one': {
    query: '{ a: items(first: -2000000) { nodes { id } } items(first: 200) { nodes { parts(first: 200) { nodes { id } } } } }',
    limit: 'cost',
  },
  'the same through fragments': {
    query:
      '{ items(first: 200) { ...C } } fragment C on Connection { nodes { parts(first: 100) { ...D } } } fragment D on Connection { nodes { id } }',
    limit: 'cost',
  },
  '200 ids, each with a page': {
    query: `{ nodes(ids: [${times(200, index => `"${index}"`)}]) { parts(first: 30) { nodes { id } } } }`,
    limit: 'cost',
  },
  '200 ids in a variable, each with a page': {
    query: 'query ($ids: [ID!]!) { nodes(ids: $ids) { parts(first: 30) { nodes { id } } } }',
    variables: { ids: Array.from({ length: 200 }, (_, index) => String(index)) },
    limit: 'cost',
  },
  'an operation with a name of 10,000 characters': { query: `query ${'a'.repeat(10_000)} { item { id } }`, limit: 'name' },
  'a variable 300 deep': {
    query: 'query ($any: JSON) { echo(any: $any) }',
    variables: `{"any":${'['.repeat(300)}${']'.repeat(300)}}`,
    limit: 'levels',
  },
  'a variable 10,000 deep': {
    query: 'query ($any: JSON) { echo(any: $any) }',
    variables: `{"any":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    limit: 'levels',
  },
  'introspection through aliases': { query: '{ __schema { types { a: fields { name } b: fields { name } } } }', limit: 'aliases' },
}

const wrong: Record<string, { query: string; variables?: unknown }> = {
  'fragments in a circle': { query: '{ item { ...A } } fragment A on Item { ...B } fragment B on Item { ...A }' },
  'a fragment that spreads itself': { query: '{ item { ...A } } fragment A on Item { self { ...A } }' },
  'a fragment in a circle at the root of a mutation': { query: 'mutation { ...A } fragment A on Mutation { ...A }' },
  'introspection in a circle': { query: `{ __schema { types { ${nested(6, 'fields { type', 'name')} } ${'} '.repeat(6)} }` },
  'one field 900 times with other arguments': { query: `{ ${times(300, index => `echo(any: ${index})`)} }` },
  'conflicts everywhere': { query: `{ item { ${times(40, index => `... on Item { x: ${index % 2 ? 'id' : 'name'} }`)} } }` },
  'a text of a megabyte in the document': { query: `{ echo(wish: { text: "${'x'.repeat(900_000)}" }) }` },
  'a text of a megabyte in a variable': { query: 'query ($t: String) { echo(wish: { text: $t }) }', variables: { t: 'x'.repeat(900_000) } },
  'a NUL character': { query: 'query ($t: String) { echo(wish: { text: $t }) }', variables: { t: 'a\0b' } },
  'half a surrogate pair': { query: 'query ($w: Wish) { echo(wish: $w) }', variables: { w: { any: { deep: ['\ud800'] } } } },
  'a NUL character in the document': { query: '{ echo(wish: { text: "a\\u0000b" }) }' },
  'twenty thousand wrong values': {
    query: 'query ($w: Wish) { echo(wish: $w) }',
    variables: { w: { list: Array.from({ length: 20_000 }, () => 'x') } },
  },
  'one long wrong value': { query: 'query ($w: Wish) { echo(wish: $w) }', variables: { w: { list: ['x'.repeat(60_000)] } } },
  'an alias named __proto__': { query: '{ __proto__: item { id } }' },
  "an alias like Relay's for another field": { query: '{ __isItem: item { id } }' },
  'a variable named as ours are': { query: 'query ($__literal0: String) { echo(wish: { text: $__literal0 }) }' },
  'a member named __proto__': { query: '{ echo(any: { __proto__: { polluted: true } }) }' },
  'a member named __proto__ in a variable': {
    query: 'query ($any: JSON) { echo(any: $any) }',
    variables: '{"any":{"__proto__":{"polluted":true}}}',
  },
}

describe('POST /graphql with a document beyond a limit', () => {
  for (const [what, { query, variables, limit }] of Object.entries(tooMuch))
    test(`${what}: refused for its ${limit}`, async () => {
      const started = performance.now()
      const { status, text, body } = await door.ask(query, variables)

      expect(performance.now() - started).toBeLessThan(2000)
      expect(status).toBe(200)
      expect(text.length).toBeLessThan(100_000)
      expect(body).toEqual({
        errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code: 'INVALID', status: 422, limit }) }],
      })
    })

  for (const [what, { query, variables }] of Object.entries(wrong))
    test(`${what}: refused`, async () => {
      const started = performance.now()
      const { status, text, body } = await door.ask(query, variables)

      expect(performance.now() - started).toBeLessThan(2000)
      expect(status).toBe(200)
      expect(text.length).toBeLessThan(100_000)
      expect(body.data).toBeUndefined()
      expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID', status: 422 })
    })

  test('a string that graphql-jit would execute as code stays a string', async () => {
    const trick = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.intruded=1'

    const { body } = await door.ask(`{ echo(wish: { text: "${trick}" }) }`)
    const again = await door.ask(`{ echo(wish: { text: "${trick}" }) }`)

    expect(body).toEqual({ data: { echo: JSON.stringify({ wish: { text: trick } }).slice(0, 100) } })
    expect(again.body).toEqual(body)
    expect('intruded' in globalThis).toBe(false)
  })

  test('a document within the limits is answered', async () => {
    const documents = [
      `{ item { ${nested(10, 'self', 'id')} } }`,
      `{ ${times(15, index => `a${index}: item { id __typename t: __typename }`)} }`,
      `{ item { id ${'@skip(if: true) '} name ${times(45, () => `... @include(if: true) { id }`)} } }`,
      `mutation { ${times(10, index => `a${index}: write(text: "x")`)} }`,
      '{ items(first: 200) { total nodes { id name tags { name } } } }',
      '{ nodes(ids: ["1", "2"]) { parts(first: 200) { nodes { id } } } }',
      `{ nodes(ids: [${times(200, index => `"${index}"`)}]) { id name self { id } } }`,
      '{ items(first: 20) { nodes { id name parts(first: 20) { nodes { id name } } } } }',
    ]

    for (const query of documents) expect((await door.ask(query)).body).toMatchObject({ data: expect.anything() })
  })

  test('an honest query waits beside 40 abusive ones at most 20 times as long as beside 40 honest ones', async () => {
    const honest = { query: '{ item { id } }', variables: {} }
    const abusive = [...Object.values(tooMuch), ...Object.values(wrong)].slice(0, 40)

    const [wait, peer] = [await waitBeside(abusive), await waitBeside(Array.from({ length: 40 }, () => honest))]

    expect(wait / peer).toBeLessThan(20)

    // The best of five: client and server share this process, and other tests may be running.
    async function waitBeside(queries: readonly { query: string; variables?: unknown }[]): Promise<number> {
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < 5; round++) {
        const others = queries.map(({ query, variables }) => door.ask(query, variables))
        const started = performance.now()
        const { body } = await door.ask(honest.query)
        best = Math.min(best, performance.now() - started)
        await Promise.all(others)
        expect(body).toEqual({ data: { item: { id: '1' } } })
      }
      return best
    }
  })
})

describe('POST /graphql with a body of', () => {
  const post = (body: BodyInit, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(door.url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  const large = JSON.stringify({ query: '{ item { id } }', variables: { pad: 'x'.repeat(1_000_000) } })

  test('1 MB and more, declared: 413, and the connection goes on', async () => {
    const response = await post(large)

    expect(response.status).toBe(413)
    expect(response.headers.get('connection')).toBe('keep-alive')
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE', status: 413 } }] })
  })

  test('1 MB and more, in chunks: 413', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 2_000_000; at += 50_000) controller.enqueue(Buffer.alloc(50_000, 'x'))
        controller.close()
      },
    })

    const response = await post(chunks)

    expect(response.status).toBe(413)
  })

  test('20 MB that never ends: 413 while it still arrives', async () => {
    const { hostname, port } = new URL(door.url)
    const socket = connect(Number(port), hostname)
    const answered = new Promise<string>(resolve => socket.once('data', data => resolve(data.toString())))
    socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (let sent = 0; sent < 30; sent++) socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`)

    expect(await answered).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('compressed content: 415, it is not decompressed', async () => {
    const archive = gzipSync(JSON.stringify({ query: '{ item { id } }' }))

    expect((await post(archive, { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status).toBe(415)
  })

  test('several operations: 400, batches are not taken', async () => {
    const response = await post(JSON.stringify([{ query: '{ item { id } }' }, { query: '{ item { id } }' }]))

    expect(response.status).toBe(400)
  })

  test('not JSON, not UTF-8, not an object: 400', async () => {
    const bodies = ['', '{', 'null', '"x"', Buffer.from([0x7b, 0xff, 0x7d]), '{"query":1}', '{"query":"{ item { id } }","extra":1}']

    for (const body of bodies) {
      const response = await post(body)
      expect([response.status, await response.json()]).toEqual([
        400,
        { errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code: 'INVALID' }) }] },
      ])
    }
  })
})
