// Bulk changes of deals: tags, owner and expected close, moves to a stage, deletion and restoration; taken back.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { add, change, move, read, seller, wayOf } from '../deals/deals.ts'
import { asking, counts, done } from './changing.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const idle = await openApp()

async function owner(of = app) {
  const found = await seller(of)
  return { ...found, ask: asking(of, { session: found.session }) }
}

/** The titles of the deals of a stage, in their order. */
const column = async (stageId: string): Promise<string[]> =>
  (await query(app.database.url, 'select title from deals where stage_id = $1 order by position', [stageId])).map(({ title }) => title)

test('updateDealsInBulk sets tags, owner and expected close, and the undo sets them back', async () => {
  const { on, ask, userId } = await owner()
  const a = await add(on, { title: 'A', amount: '10.50', currency: 'EUR', expectedClose: '2026-12-01' })
  const b = await add(on, { title: 'B' })

  const input = `filter: { state: OPEN }, addTags: ["q4"], ownerUserId: "${userId}", expectedClose: "2026-12-31"`
  const bulk = await done(ask, 'updateDealsInBulk', input)

  expect(counts(bulk)).toEqual(['COMPLETED', 2, 2, 0, 0])
  expect(await read(on, a.id)).toMatchObject({
    tags: ['q4'],
    ownerUserId: userId,
    expectedClose: '2026-12-31',
    amount: '10.50',
    version: 2,
  })
  expect(await ask(`{ dealBulkChange(id: "${bulk.id}") { expectedClose stageId } }`)).toEqual({
    dealBulkChange: { expectedClose: '2026-12-31', stageId: null },
  })
  await change(on, { id: b.id, expectedClose: '2027-01-01' })

  expect(counts(await done(ask, 'undoDealBulkChange', `id: "${bulk.id}"`))).toEqual(['COMPLETED', 2, 2, 0, 0])
  expect(await read(on, a.id)).toMatchObject({ tags: [], ownerUserId: null, expectedClose: '2026-12-01' })
  expect(await read(on, b.id)).toMatchObject({ tags: [], expectedClose: '2027-01-01' })
})

describe('moveDealsInBulk', () => {
  test('moves deals behind the last one of the stage, and the undo moves back those that nobody has moved since', async () => {
    const { on, ask, stages } = await owner()
    const there = await add(on, { title: 'There', stageId: stages.lost, lostReason: 'Price' })
    const [a, b] = [await add(on, { title: 'A', stageId: stages.lead }), await add(on, { title: 'B', stageId: stages.won })]
    const c = await add(on, { title: 'C', stageId: stages.lead })
    const { wonAt } = await read(on, b.id)

    const bulk = await done(ask, 'moveDealsInBulk', `filter: {}, stageId: "${stages.lost}", lostReason: "Timing"`)

    expect([bulk.action, ...counts(bulk)]).toEqual(['MOVE', 'COMPLETED', 4, 3, 1, 0])
    expect(await read(on, b.id)).toMatchObject({ stageId: stages.lost, lostReason: 'Timing', wonAt: null, lostAt: expect.any(String) })
    expect(await read(on, there.id)).toMatchObject({ lostReason: 'Price', version: 1 })
    expect((await wayOf(on, a.id))[0]).toMatchObject({ fromName: 'Lead', toName: 'Lost', changedBy: { type: 'USER' } })
    expect(await column(stages.lost)).toEqual(['There', 'A', 'B', 'C'])
    await move(on, { id: c.id, stageId: stages.proposal })

    const undo = await done(ask, 'undoDealBulkChange', `id: "${bulk.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 3, 2, 1, 0])
    expect(await read(on, a.id)).toMatchObject({ stageId: stages.lead, lostAt: null, lostReason: null })
    expect(await read(on, b.id)).toMatchObject({ stageId: stages.won, wonAt, lostReason: null })
    expect((await read(on, c.id)).stageId).toBe(stages.proposal)
  })

  test('leaves a deal whose former stage is gone, and says so', async () => {
    const { on, ask, stages } = await owner()
    const a = await add(on, { title: 'A', stageId: stages.qualified })
    const bulk = await done(ask, 'moveDealsInBulk', `filter: {}, stageId: "${stages.proposal}"`)
    await on.data('mutation ($id: ID!) { deleteStage(input: { id: $id }) { id } }', { id: stages.qualified })

    const undo = await done(ask, 'undoDealBulkChange', `id: "${bulk.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 1, 0, 0, 1])
    expect(undo.failures).toMatchObject([{ dealId: a.id, error: { code: 'INVALID' } }])
  })

  test('a stage of others, a lost stage without a reason, and a reason for an open one are refused', async () => {
    const { ask, stages } = await owner(idle)
    const stranger = await owner(idle)
    const refused = async (input: string) => {
      const { error } = await ask(`mutation { moveDealsInBulk(input: { filter: {}, ${input} }) { id } }`)
      return error.problems[0].message
    }

    expect(await refused(`stageId: "${stranger.stages.lead}"`)).toContain('no stage has this id')
    expect(await refused(`stageId: "${stages.lost}"`)).toContain('a lost deal needs a reason')
    expect(await refused(`stageId: "${stages.lead}", lostReason: "x"`)).toContain('only a lost deal has a reason')
  })
})

test('deleteDealsInBulk and restoreDealsInBulk work on chosen deals, and are taken back', async () => {
  const { on, ask } = await owner()
  const [a, b] = [await add(on, { title: 'A' }), await add(on, { title: 'B' })]

  const bulk = await done(ask, 'deleteDealsInBulk', 'ids: $ids', { ids: [a.id] }, '($ids: [ID!])')
  expect(counts(bulk)).toEqual(['COMPLETED', 1, 1, 0, 0])
  expect((await ask(`{ deals { nodes { id } } }`)).deals.nodes).toEqual([{ id: b.id }])
  const restored = await done(ask, 'restoreDealsInBulk', 'filter: {}')
  expect(counts(restored)).toEqual(['COMPLETED', 1, 1, 0, 0])
  expect((await read(on, a.id)).deletedAt).toBeNull()
  expect(counts(await done(ask, 'undoDealBulkChange', `id: "${restored.id}"`))).toEqual(['COMPLETED', 1, 1, 0, 0])
  expect((await ask(`{ deals { nodes { id } } }`)).deals.nodes).toEqual([{ id: b.id }])
})
