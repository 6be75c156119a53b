// Calls that name a deal: placed for it, listed by it, and shown in its timeline.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { calls, givenCallFixture, number } from './call-fixture.ts'
import { report, secretOf } from './report.ts'

const app = await openApp()
const rest = conforming(app)
const fixture = () => givenCallFixture({ rest, given: app.given })
const givenDeal = async (key: string, title = 'Engines for Leeds') => {
  const { status, body } = await rest('POST', '/api/crm/v1/deals', { key, body: { title } })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as string
}

test('a call says its deal, and lists and the timeline of the deal have it', async () => {
  const placing = await fixture()
  const { key, call } = placing
  const [deal, other] = [await givenDeal(key), await givenDeal(key, 'Other')]

  const placed = await call({ deal_id: deal })
  await call({ deal_id: other })
  await call()
  await report(app, await secretOf(app, placing), { call_id: placed.id, status: 'completed', outcome: 'goal_met', duration_seconds: 30 })

  expect(placed.deal_id).toBe(deal)
  const { body } = await rest('GET', `${calls}?deal_id=${deal}`, { key })
  expect(body.data.map(({ id }: Json) => id)).toEqual([placed.id])
  const query = `{ deal(id: "${deal}") { calls { totalCount nodes { id deal { title } } } timeline { nodes { type } } } }`
  const asked = await app.graphql(query, {}, { key })
  expect(asked.body.data.deal.calls).toEqual({ totalCount: 1, nodes: [{ id: placed.id, deal: { title: 'Engines for Leeds' } }] })
  expect(asked.body.data.deal.timeline.nodes.map(({ type }: Json) => type)).toEqual(['CALL_ENDED', 'CALL_CREATED', 'DEAL_CREATED'])
})

test('422 for a deal that is deleted, unknown or of another organization; nothing is placed', async () => {
  const { key, agent } = await fixture()
  const deleted = await givenDeal(key)
  await rest('DELETE', `/api/crm/v1/deals/${deleted}`, { key })
  const foreign = await givenDeal((await app.given.apiKey()).key)

  for (const deal_id of [deleted, foreign, randomUUID()]) {
    const { status, body } = await rest('POST', calls, { key, body: { agent_id: agent.id, to_number: number, deal_id } })
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ loc: ['body', 'deal_id'], type: 'value_error', ctx: { error: 'there is no deal with this id' } }])
  }
  expect((await rest('GET', calls, { key })).body.data).toEqual([])
})

test('a page of deals with their calls takes two statements', async () => {
  const { key, call } = await fixture()
  for (let index = 0; index < 20; index++) await call({ deal_id: await givenDeal(key, `Deal ${index}`) })
  const statementsOf = async (first: number) => {
    app.statements()
    const { body } = await app.graphql(`{ deals(first: ${first}) { nodes { calls(first: 3) { nodes { id } } } } }`, {}, { key })
    expect(body.data.deals.nodes.flatMap(({ calls }: Json) => calls.nodes)).toHaveLength(first)
    return app.statements()
  }

  await statementsOf(1)
  // The deals and their calls.
  await expect.poll(() => statementsOf(20)).toBe(2)
})
