// Tags as a list, renamed and merged: through GraphQL and REST, and as one change.

import { describe, expect, test } from 'vitest'
import { openStream } from '../graphql/stream.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf } from './client.ts'

const app = await openApp()
const rest = conforming(app)

const rename = 'mutation ($input: RenameTagInput!) { renameTag(input: $input) { id name count } }'
const merge = 'mutation ($input: MergeTagsInput!) { mergeTags(input: $input) { id name count } }'
const list = async (on: Client, args = ''): Promise<string[]> =>
  (await on.data(`{ tags${args} { nodes { name count } } }`)).tags.nodes.map(({ name, count }: Json) => `${name} ${count}`)
const read = async (on: Client, id: string) =>
  (await on.data('query ($id: ID!) { contact(id: $id, includeDeleted: true) { tags version } }', { id })).contact

/** Contacts with these tags; one whose tags begin with `deleted` is. */
async function contactsWith(...tags: string[][]): Promise<{ on: Client; ids: string[] }> {
  const on = await clientIn(app)
  const ids: string[] = []
  for (const [first, ...others] of tags) {
    const isDeleted = first === 'deleted'
    const { id } = await on.create({ tags: isDeleted ? others : [first, ...others] })
    if (isDeleted) await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
    ids.push(id)
  }
  return { on, ids }
}

describe('tags', () => {
  test('are counted over live contacts, by name or by count, in pages, and searched', async () => {
    const { on } = await contactsWith(['b', 'a_x'], ['b', 'C', 'a'], ['b', 'a'], ['deleted', 'a', 'gone'])
    await contactsWith(['foreign', 'a'])

    expect(await list(on)).toEqual(['C 1', 'a 2', 'a_x 1', 'b 3'])
    expect(await list(on, '(sort: COUNT_DESC)')).toEqual(['b 3', 'a 2', 'C 1', 'a_x 1'])
    expect(await list(on, '(q: "A")')).toEqual(['a 2', 'a_x 1'])
    expect(await list(on, '(q: "_")')).toEqual(['a_x 1'])
    for (const sort of ['NAME', 'COUNT_DESC']) {
      const pages: string[] = []
      for (let after = ''; ; ) {
        const { tags } = await on.data(
          `{ tags(first: 1, sort: ${sort}${after}) { nodes { name } totalCount pageInfo { hasNextPage endCursor } } }`,
        )
        pages.push(tags.nodes[0].name)
        expect(tags.totalCount).toBe(4)
        if (!tags.pageInfo.hasNextPage) break
        after = `, after: "${tags.pageInfo.endCursor}"`
      }
      expect(pages).toEqual(sort === 'NAME' ? ['C', 'a', 'a_x', 'b'] : ['b', 'a', 'C', 'a_x'])
    }
  })
})

describe('renameTag', () => {
  test('renames it on all contacts, deleted ones too, in its place and with a new version; others stay', async () => {
    const { on, ids } = await contactsWith(['x', 'old', 'y'], ['deleted', 'old'], ['x'])
    const other = await contactsWith(['old'])

    const { renameTag } = await on.data(rename, { input: { name: 'old', to: ' new ' } })

    expect(renameTag).toEqual({ id: expect.any(String), name: 'new', count: 1 })
    expect(await Promise.all(ids.map(id => read(on, id)))).toEqual([
      { tags: ['x', 'new', 'y'], version: 2 },
      { tags: ['new'], version: 3 },
      { tags: ['x'], version: 1 },
    ])
    expect(await list(on)).toEqual(['new 1', 'x 2', 'y 1'])
    expect(await list(other.on)).toEqual(['old 1'])
  })

  test('is refused for an unknown tag, a name that is taken, and one that no tag can have', async () => {
    const { on } = await contactsWith(['a', 'b'])
    const error = (name: string, to: string) => on.error(rename, { input: { name, to } })

    expect(await error('nothing', 'c')).toMatchObject({ code: 'NOT_FOUND' })
    expect(await error('a', 'b')).toMatchObject({ code: 'ALREADY_EXISTS', field: 'to' })
    expect(problemsOf(await error('', 'x'.repeat(65)))).toEqual([
      'name: String should have at least 1 character',
      'to: String should have at most 64 characters',
    ])
    expect(await list(on)).toEqual(['a 1', 'b 1'])
  })

  test('is one change, which names both', async () => {
    const { on } = await contactsWith(['a'], ['a'])
    const stream = await openStream(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${on.key}` },
      body: JSON.stringify({ query: 'subscription { changes { type entityId entity { __typename } changes { field before after } } }' }),
    })
    const next = async () => (await stream.next()).data.data.changes
    await next()
    const { renameTag } = await on.data(rename, { input: { name: 'a', to: 'b' } })
    const renamed = await next()
    await on.data(merge, { input: { names: ['b', 'unknown'], into: 'c' } })
    const merged = await next()
    await stream.silence(200)
    stream.leave()

    expect(renamed).toEqual({
      type: 'TAG_RENAMED',
      entityId: renameTag.id,
      entity: null,
      changes: [{ field: 'name', before: 'a', after: 'b' }],
    })
    expect(merged).toMatchObject({ type: 'TAG_MERGED', changes: [{ field: 'names', before: ['b'], after: 'c' }] })
  })

  test('needs contacts:write, and guests may not', async () => {
    const { on } = await contactsWith(['a'])
    const { key } = await app.given.apiKey({ orgId: on.orgId, scopes: ['contacts:read'] })

    expect(await clientWith(app, { key, orgId: on.orgId }).error(rename, { input: { name: 'a', to: 'b' } })).toMatchObject({
      code: 'FORBIDDEN',
    })
    const guest = await app.graphql(rename, { input: { name: 'a', to: 'b' } }, { headers: { 'x-guest-id': 'guest' } })
    expect(guest.body.errors[0].extensions.code).toBe('GUEST_READ_ONLY')
  })
})

describe('renameTag beside atomic batches', () => {
  test('never deadlocks: both lock contacts in the order of their ids', async () => {
    const { key, orgId } = await app.given.apiKey()
    const on = clientWith(app, { key, orgId })
    const numbers = Array.from({ length: 100 }, (_, number) => number)
    const batch = (note: string, order: readonly number[]) =>
      rest('POST', '/api/crm/v1/contacts/batch', {
        key,
        body: {
          atomic: true,
          on_conflict: 'update',
          contacts: order.map(number => ({ email: `p${number}@example.com`, job_title: note })),
        },
      })
    // Written in this order, their rows stand in the table as they do in no index.
    const mixed = numbers.toSorted((one, other) => ((one * 37) % 100) - ((other * 37) % 100))
    await rest('POST', '/api/crm/v1/contacts/batch', {
      key,
      body: { contacts: numbers.map(number => ({ email: `p${number}@example.com`, tags: ['a0'] })) },
    })
    for (const number of mixed) await batch('first', [number])

    const renames = async () => {
      const codes: unknown[] = []
      for (let round = 0; round < 12; round++) {
        const { errors } = await on.ask(rename, { input: { name: `a${round}`, to: `a${round + 1}` } })
        codes.push(errors?.[0].extensions.code)
      }
      return codes
    }
    const batches = async (name: string) => {
      const statuses: number[] = []
      for (let round = 0; round < 12; round++)
        statuses.push((await batch(`${name} ${round}`, round % 2 ? numbers : mixed.toReversed())).status)
      return statuses
    }
    const [renamed, ...written] = await Promise.all([renames(), batches('one'), batches('two')])

    expect(renamed).toEqual(Array(12).fill(undefined))
    expect(written.flat()).toEqual(Array(24).fill(200))
    expect(await list(on)).toEqual(['a12 100'])
  }, 60_000)
})

describe('mergeTags', () => {
  test('puts one tag in the place of several, once per contact, where the first of them stood', async () => {
    const { on, ids } = await contactsWith(['x', 'VIP', 'vip'], ['v.i.p.', 'x'], ['vip'], ['x'])

    const { mergeTags } = await on.data(merge, { input: { names: ['VIP', 'v.i.p.', 'vip'], into: 'vip' } })
    const again = await on.data(merge, { input: { names: ['VIP'], into: 'vip' } })

    expect(mergeTags).toEqual({ id: expect.any(String), name: 'vip', count: 3 })
    expect(again.mergeTags).toEqual(mergeTags)
    expect(await Promise.all(ids.map(id => read(on, id)))).toEqual([
      { tags: ['x', 'vip'], version: 2 },
      { tags: ['vip', 'x'], version: 2 },
      { tags: ['vip'], version: 1 },
      { tags: ['x'], version: 1 },
    ])
    expect(await on.error(merge, { input: { names: ['a'], into: 'b' } })).toMatchObject({ code: 'NOT_FOUND' })
    expect(problemsOf(await on.error(merge, { input: { names: [], into: ' ' } }))).toEqual([
      'names: List should have at least 1 item after validation, not 0',
      'into: String should have at least 1 character',
    ])
  })

  test('and a rename of the same tags at once, while contacts are written, leave every contact with exactly one of them', async () => {
    const { on, ids } = await contactsWith(['a'], ['a', 'b'], ['b'], ['a'])
    const edit = 'mutation ($id: ID!, $name: String!) { updateContact(input: { id: $id, firstName: $name }) { id } }'

    const answers = await Promise.all([
      on.ask(rename, { input: { name: 'a', to: 'c' } }),
      on.ask(merge, { input: { names: ['a', 'b'], into: 'd' } }),
      on.ask(rename, { input: { name: 'b', to: 'a2' } }),
      ...ids.map(id => on.ask(edit, { id, name: 'Ada' })),
    ])

    for (const { errors } of answers) if (errors) expect(errors[0].extensions.code).toBe('NOT_FOUND')
    const left = await Promise.all(ids.map(async id => (await read(on, id)).tags))
    expect(left.flat().filter(name => name === 'a' || name === 'b')).toEqual([])
    for (const tags of left) expect(new Set(tags).size).toBe(tags.length)
  })
})

describe('/api/crm/v1/tags', () => {
  test('are listed, renamed and merged', async () => {
    const { on } = await contactsWith(['a', 'b'], ['a'])
    const { key } = on

    const listed = await rest('GET', '/api/crm/v1/tags?sort=-count&include=total&q=a', { key })
    expect(listed.body).toEqual({ data: [{ id: expect.any(String), name: 'a', count: 2 }], has_more: false, next_cursor: null, total: 1 })
    const renamed = await rest('POST', '/api/crm/v1/tags/rename', { key, body: { name: 'a', to: 'c' } })
    expect([renamed.status, renamed.body]).toEqual([200, { id: expect.any(String), name: 'c', count: 2 }])
    const merged = await rest('POST', '/api/crm/v1/tags/merge', { key, body: { names: ['b', 'c'], into: 'c' } })
    expect(merged.body).toEqual(renamed.body)
    expect((await rest('POST', '/api/crm/v1/tags/rename', { key, body: { name: 'gone', to: 'c' } })).status).toBe(404)
    expect((await rest('POST', '/api/crm/v1/tags/rename', { key, body: { name: 'c', to: '' } })).body.detail[0].loc).toEqual(['body', 'to'])
  })
})
