// The widgets of deals: each is for one currency at a time, and the dashboard of REST has them as tables.

import { expect, test } from 'vitest'
import { add, move, seller } from '../contacts/deals/deals.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()

const day = 86_400_000
const now = Date.parse('2026-11-20T12:00:00Z')
const fields = `kind names { key name } data { ... on Groups { groups { keys count sum average } } }`

/** Three open deals, one of them in dollars, and two decided ones: all by one owner, who worked on one of them five days ago. */
async function selling() {
  const made = await seller(app)
  const { on, stages, userId } = made
  app.setNow(new Date(now - 10 * day))
  const deal = (input: Json) => add(on, { ownerUserId: userId, ...input })
  const first = await deal({ title: 'First', amount: '100.00', currency: 'EUR', expectedClose: '2026-12-24' })
  await deal({ title: 'Second', amount: '50', currency: 'EUR', expectedClose: '2026-12-01', stageId: stages.proposal })
  await deal({ title: 'Dollars', amount: '1000', currency: 'USD', expectedClose: '2026-12-01' })
  await deal({ title: 'Bare' })
  const won = await deal({ title: 'Won', amount: '8000', currency: 'JPY' })
  const lost = await deal({ title: 'Lost', amount: '1', currency: 'EUR' })
  app.setNow(new Date(now - 6 * day))
  await move(on, { id: first.id, stageId: stages.proposal })
  await move(on, { id: won.id, stageId: stages.won })
  await move(on, { id: lost.id, stageId: stages.lost, lostReason: 'Price' })
  app.setNow(new Date(now))
  return made
}

test('show open deals, the forecast, the decided ones, the days in stages and the activity, and never add up currencies', async () => {
  const { on, stages, userId } = await selling()

  const { dashboardWidgets } = await on.data(`{ dashboardWidgets { ${fields} } }`)
  app.setNow(null)

  const of = (kind: string) => dashboardWidgets.find((widget: Json) => widget.kind === kind)
  const groupsOf = (kind: string) => of(kind).data.groups.map(({ keys, count, sum }: Json) => [...keys, count, sum])
  expect(groupsOf('DEALS_BY_STAGE').toSorted()).toEqual(
    [
      [stages.proposal, 'EUR', 2, 150],
      [stages.lead, 'USD', 1, 1000],
      [stages.lead, null, 1, null],
    ].toSorted(),
  )
  expect(of('DEALS_BY_STAGE').names.map(({ name }: Json) => name)).toEqual(['Lead', 'Qualified', 'Proposal', 'Negotiation'])
  expect(groupsOf('DEALS_FORECAST')).toEqual([
    [null, null, 1, null],
    ['2026-12-01', 'EUR', 2, 75],
    ['2026-12-01', 'USD', 1, 100],
  ])
  expect(groupsOf('DEALS_WIN_RATE').toSorted()).toEqual([
    ['LOST', 'EUR', 1, 1],
    ['WON', 'JPY', 1, 8000],
  ])
  // In Lead: three stays of 4 days that ended, and two of 10 days until now. In Proposal: 6 and 10 days.
  const days = of('DAYS_IN_STAGE').data.groups.map(({ keys, count, average }: Json) => [...keys, count, average])
  expect(days).toEqual([
    [stages.lead, 5, 6.4],
    [stages.proposal, 2, 8],
  ])
  expect(groupsOf('DEAL_ACTIVITY')).toEqual([
    [userId, 'ADDED', 6, null],
    [userId, 'LOST', 1, null],
    [userId, 'MOVED', 1, null],
    [userId, 'WON', 1, null],
  ])
  expect(of('DEAL_ACTIVITY').names).toEqual([{ key: userId, name: expect.any(String) }])
})

test('are default ones where there are deals, and the first of all', async () => {
  const { on } = await seller(app)
  const kinds = async () => (await on.data('{ dashboardWidgets { kind } }')).dashboardWidgets.map(({ kind }: Json) => kind)
  expect(await kinds()).toHaveLength(10)

  await add(on)

  expect((await kinds()).slice(0, 5)).toEqual(['DEALS_FORECAST', 'DEALS_BY_STAGE', 'DEALS_WIN_RATE', 'DAYS_IN_STAGE', 'DEAL_ACTIVITY'])
})

test('are tables of the dashboard of REST, with a row for each currency', async () => {
  const { session, orgId } = await selling()

  const { body } = await app.rest('GET', '/api/dashboard', { session, headers: { 'x-org-id': orgId } })
  app.setNow(null)

  const rowsOf = (id: string) => body.widgets.find((widget: Json) => widget.id === id).data.rows.toSorted()
  expect(rowsOf('deals_by_stage')).toEqual([
    ['Lead, USD', 1000],
    ['Lead', 0],
    ['Proposal, EUR', 150],
  ])
  expect(rowsOf('deals_forecast')).toEqual([
    ['2026-12-01, EUR', 75],
    ['2026-12-01, USD', 100],
    ['no date', 0],
  ])
  expect(rowsOf('deals_win_rate')).toEqual([
    ['lost, EUR', 1],
    ['won, JPY', 1],
  ])
  expect(rowsOf('days_in_stage')).toEqual([
    ['Lead', 6.4],
    ['Proposal', 8],
  ])
})

test('of another organization are not among them', async () => {
  await selling()
  app.setNow(null)
  const { on } = await seller(app)
  await add(on, { title: 'Own' })

  const { dashboardWidgets } = await on.data(`{ dashboardWidgets { ${fields} } }`)

  const counts = dashboardWidgets.slice(0, 5).map(({ data }: Json) => data.groups.map(({ count }: Json) => count))
  expect(counts).toEqual([[1], [1], [], [1], [1]])
})
