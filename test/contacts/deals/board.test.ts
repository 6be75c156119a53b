// The board of a pipeline, and deals counted and summed for charts.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { problemsOf, warm } from '../client.ts'
import { add, deleting, move, seller } from './deals.ts'

const app = await openApp()

describe('dealBoard', () => {
  const board = `query ($id: ID!, $filter: DealFilter, $cards: Int) {
    dealBoard(pipelineId: $id, filter: $filter, cards: $cards) {
      stage { name } count sums { currency count sum } deals { title }
    }
  }`

  test('has a column for each stage, with count and sum for each currency, and the first cards in their order', async () => {
    const { on, pipelineId, stages } = await seller(app)
    const first = await add(on, { title: 'a', amount: '10.50', currency: 'EUR', tags: ['x'] })
    await add(on, { title: 'b', amount: '0.25', currency: 'EUR' })
    await add(on, { title: 'c', amount: '900', currency: 'JPY' })
    const last = await add(on, { title: 'd' })
    await add(on, { title: 'won', stageId: stages.won, tags: ['x'] })
    const gone = await add(on, { title: 'gone', amount: '99', currency: 'EUR' })
    await on.data(deleting, { input: { id: gone.id } })
    await move(on, { id: last.id, before: first.id })
    const { dealBoard: columns } = await on.data(board, { id: pipelineId, cards: 2 })
    const { dealBoard: tagged } = await on.data(board, { id: pipelineId, filter: { tag: 'x' } })

    expect(columns.map(({ stage, count }: Json) => [stage.name, count])).toEqual([
      ...[
        ['Lead', 4],
        ['Qualified', 0],
        ['Proposal', 0],
        ['Negotiation', 0],
        ['Won', 1],
        ['Lost', 0],
      ],
    ])
    expect(columns[0].sums).toEqual([
      { currency: 'EUR', count: 2, sum: '10.75' },
      { currency: 'JPY', count: 1, sum: '900' },
      { currency: null, count: 1, sum: null },
    ])
    expect(columns[0].deals).toEqual([{ title: 'd' }, { title: 'a' }])
    expect(tagged.map(({ count, deals }: Json) => [count, deals.length])).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
      [0, 0],
    ])
  })

  test('adds up more than numbers are exact for', async () => {
    const { on, pipelineId } = await seller(app)
    const amounts = ['9999999999999.99', '9999999999999.99', ...Array.from({ length: 98 }, () => '9999999999999.97')]
    for (const amount of amounts) await add(on, { title: 'a', amount, currency: 'EUR' })
    const { dealBoard: columns } = await on.data(board, { id: pipelineId })

    expect(columns[0].sums).toEqual([{ currency: 'EUR', count: 100, sum: '999999999999997.04' }])
  })

  test('goes on in one column behind its last card, and says where the cards end', async () => {
    const { on, pipelineId, stages } = await seller(app)
    for (const title of ['a', 'b', 'c', 'd', 'e']) await add(on, { title })
    await add(on, { title: 'other', stageId: stages.qualified })
    const more = `query ($id: ID!, $stage: ID, $after: String) {
      dealBoard(pipelineId: $id, stageId: $stage, after: $after, cards: 2) { count deals { title } endCursor }
    }`

    const { dealBoard: columns } = await on.data(more, { id: pipelineId })
    const pages: Json[] = [columns[0]]
    while (pages.at(-1)?.endCursor) {
      const { dealBoard: next } = await on.data(more, { id: pipelineId, stage: stages.lead, after: pages.at(-1)?.endCursor })
      expect(next).toHaveLength(1)
      pages.push(next[0])
    }

    expect(columns[1]).toEqual({ count: 1, deals: [{ title: 'other' }], endCursor: null })
    expect(pages.map(({ count, deals }) => [count, deals.map(({ title }: Json) => title)])).toEqual([
      [5, ['a', 'b']],
      [5, ['c', 'd']],
      [5, ['e']],
    ])
    expect(problemsOf(await on.error(more, { id: pipelineId, after: 'a0' }))).toEqual([
      'after: Value error, name the stage whose deals continue: stageId',
    ])
    expect(problemsOf(await on.error(more, { id: pipelineId, stage: stages.lead, after: "a'0" }))).toEqual([
      'after: Value error, it is no endCursor of a column',
    ])
    expect(problemsOf(await on.error(more, { id: pipelineId, stage: pipelineId }))).toEqual([
      'stageId: Value error, no stage of the pipeline has this id',
    ])
  })

  test('of another organization does not exist, and has 1 to 200 cards', async () => {
    const [{ on, pipelineId }, other] = [await seller(app), await seller(app)]

    expect(await on.error(board, { id: other.pipelineId })).toMatchObject({ code: 'NOT_FOUND' })
    expect(problemsOf(await on.error(board, { id: pipelineId, cards: 201 }))).toEqual(['cards: Value error, it is a number from 1 to 200'])
  })

  test('of 200 cards with company, contacts and owner takes 4 statements', async () => {
    const { on, userId, pipelineId } = await seller(app)
    const { createCompany } = await on.data('mutation { createCompany(input: { name: "Engines" }) { id } }')
    const ada = await on.create()
    const input = { companyId: createCompany.id, contacts: [{ contactId: ada.id }], ownerUserId: userId }
    for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 10 }, (_, m) => add(on, { ...input, title: `${n} ${m}` })))
    await warm(app, on)
    app.statements()
    const { dealBoard: columns } = await on.data(
      `query ($id: ID!) { dealBoard(pipelineId: $id, cards: 200) {
         stage { name } deals { title amount company { name } contacts { contact { firstName } } owner { name } }
       } }`,
      { id: pipelineId },
    )
    const statements = app.statements()

    expect(columns[0].deals).toHaveLength(200)
    expect(columns[0].deals[0]).toMatchObject({ company: { name: 'Engines' }, contacts: [{}], owner: { name: 'Test User' } })
    expect(statements).toBeLessThanOrEqual(4)
  })
})

describe('groupDeals', () => {
  test('counts by stage, owner, month of the expected close and outcome, and sums each currency', async () => {
    const { on, userId, stages } = await seller(app)
    await add(on, { title: 'a', amount: '10.50', currency: 'EUR', expectedClose: '2026-07-01', ownerUserId: userId })
    await add(on, { title: 'b', amount: '1', currency: 'EUR', expectedClose: '2026-07-31' })
    await add(on, { title: 'c', amount: '900', currency: 'JPY', stageId: stages.won })
    const groups = async (args: string): Promise<Json[]> =>
      (await on.data(`{ groupDeals(${args}) { groups { keys count sum } } }`)).groupDeals.groups.map(({ keys, count, sum }: Json) => [
        ...keys,
        count,
        sum,
      ])

    expect(await groups('by: [{ field: STAGE }, { field: CURRENCY }], sumAmounts: true')).toEqual([
      [stages.lead, 'EUR', 2, 11.5],
      [stages.won, 'JPY', 1, 900],
    ])
    expect(await groups('by: [{ field: EXPECTED_CLOSE, per: MONTH }], filter: { state: OPEN }, timezone: "Pacific/Auckland"')).toEqual([
      ['2026-07-01', 2, null],
    ])
    expect(await groups('by: [{ field: STATE }]')).toEqual([
      ['OPEN', 2, null],
      ['WON', 1, null],
    ])
    expect(await groups('by: [{ field: OWNER }], filter: { currency: "EUR" }, sumAmounts: true')).toEqual(
      expect.arrayContaining([
        [userId, 1, 10.5],
        [null, 1, 1],
      ]),
    )
  })

  test('does not add up several currencies', async () => {
    const { on } = await seller(app)

    expect(problemsOf(await on.error('{ groupDeals(by: [{ field: STAGE }], sumAmounts: true) { hasMore } }'))).toEqual([
      'sumAmounts: Value error, amounts of several currencies are not added up: group by CURRENCY, or filter by a currency',
    ])
  })
})
