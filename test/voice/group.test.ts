// groupCalls: calls counted by their fields, for charts.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { givenCallFixture } from './call-fixture.ts'
import { fakeProvider } from './fake-provider.ts'
import { report, secretOf } from './report.ts'

const app = await openApp({ telephony: { simulator: fakeProvider() }, env: { VOICE_CONCURRENCY: '1000' } })
const fixture = await givenCallFixture(app)
const secret = await secretOf(app, fixture)
const other = await givenCallFixture(app)
await other.call({ to_number: '+442079460000' })
for (const [n, seconds] of [10, 20, null].entries()) {
  const { id } = await fixture.call({ to_number: `+44207946000${n}` })
  if (seconds !== null)
    await report(app, secret, { call_id: id, status: 'completed', outcome: 'goal_met', duration_seconds: seconds, transcript: [] })
}

const grouped = async (args: string): Promise<Json> => {
  const query = `{ groupCalls(${args}) { hasMore groups { keys count unique sum average } } }`
  const { body } = await app.graphql(query, {}, { key: fixture.key })
  return body.data.groupCalls
}

test('counts the calls of the organization, with sums, averages and different values', async () => {
  expect(await grouped('by: [{ field: STATUS }], sumOf: DURATION_SECONDS, unique: CONTACT_ID')).toEqual({
    hasMore: false,
    groups: [
      { keys: ['COMPLETED'], count: 2, unique: 2, sum: 30, average: 15 },
      { keys: ['QUEUED'], count: 1, unique: 1, sum: null, average: null },
    ],
  })
})

test('counts by day, and only the calls that the filter leaves', async () => {
  const today = new Date().toISOString().slice(0, 10)

  const { groups } = await grouped('by: [{ field: CREATED_AT }, { field: OUTCOME }], filter: { outcome: GOAL_MET }')

  expect(groups.map(({ keys, count }: Json) => [...keys, count])).toEqual([[today, 'GOAL_MET', 2]])
})
