// Bulk changes of companies: tags, owner and fields; deletion and restoration with their domains; taken back.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { add, change, member, read, timelineOf } from '../companies/companies.ts'
import { asking, counts, done, ended } from './changing.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const idle = await openApp()

async function owner(of = app) {
  const { on, userId, session, orgId } = await member(of)
  return { on, userId, orgId, ask: asking(of, { session }) }
}

describe('updateCompaniesInBulk', () => {
  test('changes all that match, each with its version and event, and the undo sets back what nobody has changed since', async () => {
    const { on, ask, userId } = await owner()
    const [a, b] = [await add(on, { name: 'A', tags: ['old'], industry: 'Food' }), await add(on, { name: 'B', tags: ['old', 'keep'] })]
    const other = await add(on, { name: 'C' })
    const stranger = await owner()
    const strange = await add(stranger.on, { name: 'S', tags: ['old'] })

    const input = `filter: { tag: "old" }, addTags: ["new"], removeTags: ["old"], ownerUserId: "${userId}", industry: "Mining", country: "de"`
    const bulk = await done(ask, 'updateCompaniesInBulk', input)

    expect(counts(bulk)).toEqual(['COMPLETED', 2, 2, 0, 0])
    expect(await read(on, b.id)).toMatchObject({
      ...{ tags: ['keep', 'new'], ownerUserId: userId, industry: 'Mining', country: 'DE', version: 2 },
    })
    expect((await timelineOf(on, a.id))[0]).toMatchObject({ type: 'COMPANY_UPDATED' })
    expect([(await read(on, other.id)).version, (await read(stranger.on, strange.id)).version]).toEqual([1, 1])
    expect(await ask(`{ companyBulkChange(id: "${bulk.id}") { action addTags industry country } }`)).toEqual({
      companyBulkChange: { action: 'UPDATE', addTags: ['new'], industry: 'Mining', country: 'DE' },
    })
    await change(on, { id: b.id, industry: 'Energy' })

    const undo = await done(ask, 'undoCompanyBulkChange', `id: "${bulk.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 2, 2, 0, 0])
    expect(await read(on, a.id)).toMatchObject({ tags: ['old'], ownerUserId: null, industry: 'Food', country: null })
    expect(await read(on, b.id)).toMatchObject({ industry: 'Energy', country: null })
    expect(await ended(ask, bulk.id, 'company')).toMatchObject({ undoneById: undo.id })
  })

  test('changes chosen companies, clears with null, and counts unchanged and refused ones', async () => {
    const { on, ask } = await owner()
    const full = Array.from({ length: 50 }, (_, index) => `t${index}`)
    const a = await add(on, { name: 'A', industry: 'Food' })
    const [b, c] = [await add(on, { name: 'B', tags: ['x'] }), await add(on, { name: 'C', tags: full })]
    const variables = { ids: [a.id, b.id, c.id, 'none'] }

    const bulk = await done(ask, 'updateCompaniesInBulk', 'ids: $ids, addTags: ["x"], industry: null', variables, '($ids: [ID!])')

    expect(counts(bulk)).toEqual(['COMPLETED', 3, 1, 1, 1])
    expect(bulk.failures).toEqual([{ companyId: c.id, otherId: null, error: { code: 'INVALID', message: expect.stringMatching(/50/) } }])
    expect((await read(on, a.id)).industry).toBeNull()
  })

  test.each([
    ['filter: {}', 'give tags to add or remove, an owner, an industry, or a country'],
    ['addTags: ["x"]', 'give either the ids of companies, or a filter'],
    ['filter: { onlyDeleted: true }, addTags: ["x"]', 'restoreCompaniesInBulk'],
    ['filter: {}, country: "Atlantis"', 'ISO 3166'],
    ['filter: {}, ownerUserId: "nobody"', 'no member'],
  ])('%s is refused', async (input, sentence) => {
    const { ask } = await owner(idle)

    const { error } = await ask(`mutation { updateCompaniesInBulk(input: { ${input} }) { id } }`)

    expect(error.problems[0].message).toContain(sentence)
  })

  test('a change of companies is none of contacts, and cannot be ended as one', async () => {
    const { ask, on } = await owner(idle)
    await add(on, {})
    const { updateCompaniesInBulk: bulk } = await ask('mutation { updateCompaniesInBulk(input: { filter: {}, addTags: ["x"] }) { id } }')

    expect(await ask('{ contactBulkChanges { totalCount } companyBulkChanges { totalCount nodes { id } } }')).toEqual({
      contactBulkChanges: { totalCount: 0 },
      companyBulkChanges: { totalCount: 1, nodes: [{ id: bulk.id }] },
    })
    for (const document of [
      `{ contactBulkChange(id: "${bulk.id}") { id } }`,
      `mutation { cancelContactBulkChange(input: { id: "${bulk.id}" }) { id } }`,
    ])
      expect((await ask(document)).error.code).toBe('NOT_FOUND')
    const { cancelCompanyBulkChange } = await ask(`mutation { cancelCompanyBulkChange(input: { id: "${bulk.id}" }) { status } }`)
    expect(cancelCompanyBulkChange.status).toBe('CANCELED')
  })
})

test('deleteCompaniesInBulk frees the domains, and its undo restores those whose domains are free', async () => {
  const { on, ask } = await owner()
  const a = await add(on, { name: 'A', domain: 'a.example', domains: ['aa.example'] })
  const b = await add(on, { name: 'B', domain: 'b.example' })

  const bulk = await done(ask, 'deleteCompaniesInBulk', 'filter: {}')
  expect(counts(bulk)).toEqual(['COMPLETED', 2, 2, 0, 0])
  const other = await add(on, { name: 'Other', domain: 'aa.example' })
  const undo = await done(ask, 'undoCompanyBulkChange', `id: "${bulk.id}"`)

  expect(counts(undo)).toEqual(['COMPLETED', 2, 1, 0, 1])
  expect(undo.failures).toEqual([
    {
      companyId: a.id,
      otherId: other.id,
      error: { code: 'ALREADY_EXISTS', message: 'A company with the domain aa.example exists already' },
    },
  ])
  expect((await read(on, b.id)).deletedAt).toBeNull()
  const names = (await ask('{ companies(filter: { domain: "b.example" }) { nodes { name } } }')).companies.nodes
  expect(names.map(({ name }: Json) => name)).toEqual(['B'])
  // The domain of the refused company is free.
  await add(on, { name: 'New', domain: 'a.example' })
})

test('restoreCompaniesInBulk restores the first of several with one domain, and one that lives is unchanged', async () => {
  const { on, ask } = await owner()
  const first = await add(on, { name: 'First', domain: 'a.example' })
  await ask(`mutation { deleteCompany(input: { id: "${first.id}" }) { id } }`)
  const second = await add(on, { name: 'Second', domain: 'a.example' })
  await ask(`mutation { deleteCompany(input: { id: "${second.id}" }) { id } }`)
  const live = await add(on, { name: 'Live' })
  const variables = { ids: [first.id, second.id, live.id] }

  const bulk = await done(ask, 'restoreCompaniesInBulk', 'ids: $ids', variables, '($ids: [ID!])')

  expect([bulk.action, ...counts(bulk)]).toEqual(['RESTORE', 'COMPLETED', 3, 1, 1, 1])
  expect(bulk.failures).toMatchObject([{ companyId: second.id, otherId: first.id }])
  const undo = await done(ask, 'undoCompanyBulkChange', `id: "${bulk.id}"`)
  expect(counts(undo)).toEqual(['COMPLETED', 1, 1, 0, 0])
})
