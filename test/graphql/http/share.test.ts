// The share of the server for callers without a credential: their documents are not compiled, and run one at a time.

import { describe, expect, test } from 'vitest'
import { createShare } from '../../../src/graphql/http/share.ts'
import type { Principal } from '../../../src/kernel/principal.ts'
import { openApp, startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { anonymous, guest, openDoor, signedIn } from '../door.ts'

let running = 0
let together = 0
/** How long a field takes, at most; it ends when another has begun beside it. */
let slowMs = 10

const app = await openApp()
const door = await keepOpen(
  openDoor(app.services, {
    typeDefs: `
      type Query { slow: String! item: Item! items(first: Int = 50): [Item!]! }
      type Item { id: ID! self: Item! }
    `,
    resolvers: {
      Query: {
        item: () => ({ id: 1 }),
        items: (_parent, { first }) => Array.from({ length: first }, (_, id) => ({ id })),
        async slow() {
          together = Math.max(together, ++running)
          for (const until = Date.now() + slowMs; Date.now() < until && together < 2; ) await new Promise(resolve => setTimeout(resolve, 5))
          running--
          return 'done'
        },
      },
      Item: { self: item => item },
    },
  }),
)

const unverified: Principal[] = [anonymous, guest]
const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join(' ')

describe.each(unverified.map(principal => [principal.kind, principal] as const))('%s', (_kind, principal) => {
  test('uncached documents run one at a time', async () => {
    door.as(principal)
    together = 0

    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => door.ask(`{ a${index}: slow }`)))

    expect(answers.map(({ body }) => Object.values(body.data))).toEqual(Array(8).fill(['done']))
    expect(together).toBe(1)
  })

  test.each([
    ['16 aliases', `{ ${times(16, index => `a${index}: item { id }`)} }`, 'aliases'],
    ['11 levels', `{ item { ${'self { '.repeat(10)}id${' }'.repeat(10)} } }`, 'depth'],
    ['600 fields', `{ ${times(600, () => '__typename')} }`, 'fields'],
    [
      '1,100 tokens',
      `{ item { ${times(125, index => `...F${index}`)} } } ${times(125, index => `fragment F${index} on Item { id }`)}`,
      'tokens',
    ],
    ['a page that costs 1,100', '{ items(first: 200) { id self { id self { id self { id self { id } } } } } }', 'cost'],
  ])('%s are too much, and not for a caller with a credential', async (_what, query, limit) => {
    door.as(principal)
    const refused = await door.ask(query)
    door.as(signedIn)
    const answered = await door.ask(query)

    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'INVALID', limit })
    expect(answered.body.errors).toBeUndefined()
  })
})

test('when the queue is full the next request is refused at once, and a disconnected one is skipped', async () => {
  const share = createShare({ part: 0.5, maxWaiting: 2 })
  const first = Promise.withResolvers<string>()
  const here = () => false

  const running = share(() => first.promise, here)
  // The first starts.
  await new Promise(resolve => setImmediate(resolve))
  const gone = share(
    async () => 'nobody hears this',
    () => true,
  )
  const waiting = share(async () => 'second', here)
  const refused = share(async () => 'third', here)
  const outcomes = Promise.allSettled([running, gone, waiting, refused])
  first.resolve('first')

  expect((await outcomes).map(outcome => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code))).toEqual([
    'first',
    'UNAVAILABLE',
    'second',
    'RATE_LIMITED',
  ])
})

test('callers with a credential do not wait for each other', async () => {
  door.as(signedIn)
  together = 0
  slowMs = 10_000

  await Promise.all(Array.from({ length: 8 }, (_, index) => door.ask(`{ c${index}: slow }`)))

  slowMs = 10
  expect(together).toBeGreaterThan(1)
})

test('a document has the same answer at its first, second, third and tenth execution', async () => {
  door.as(signedIn)

  const answers = []
  for (let attempt = 0; attempt < 10; attempt++) answers.push((await door.ask('query Same { items(first: 3) { id self { id } } }')).text)

  expect(new Set(answers).size).toBe(1)
})

test('an invalid document of an anonymous caller is counted before it is parsed', async () => {
  const limited = await startApp({ env: { RATE_LIMIT: '1', RATE_LIMIT_READS: '2' } })

  const statuses = []
  for (let attempt = 0; attempt < 3; attempt++) statuses.push((await limited.graphql('{ (')).status)
  await limited.close()

  expect(statuses).toEqual([200, 200, 429])
})
