// groupCreditTransactions: entries of the ledger counted by their fields, and usage by day.

import { expect, test } from 'vitest'
import { type Json, openApp, serviceToken } from '../support/app.ts'

const app = await openApp()

const service = { 'x-svc-services-token': serviceToken }
const grouped = async (args: string, asked: Json) => {
  const { body } = await app.graphql(`{ groupCreditTransactions(${args}) { groups { keys count sum } } }`, {}, asked)
  return body.errors ? body.errors[0].extensions.code : body.data.groupCreditTransactions.groups
}

async function spent() {
  const { session, userId } = await app.given.session()
  const at = async (time: string, path: string, body: Json) => {
    app.setNow(new Date(time))
    expect((await app.rest('POST', `/api/credits/${path}`, { headers: service, body: { user_id: userId, ...body } })).status).toBeLessThan(
      300,
    )
  }
  await at('2026-11-01T10:00:00Z', 'grant', { amount: 100 })
  await at('2026-11-02T10:00:00Z', 'deduct', { amount: 1.5 })
  await at('2026-11-02T23:30:00Z', 'deduct', { amount: 2 })
  await at('2026-11-04T10:00:00Z', 'deduct', { amount: 4 })
  return { session, userId }
}

test('usage by day, in the days of the reader', async () => {
  const asked = await spent()
  const usage = 'by: [{ field: CREATED_AT }], sumOf: SPENT, typeIn: [DEBIT, SETTLE]'

  expect(await grouped(usage, asked)).toEqual([
    { keys: ['2026-11-02'], count: 2, sum: 3.5 },
    { keys: ['2026-11-04'], count: 1, sum: 4 },
  ])
  expect(await grouped(`${usage}, timezone: "Europe/Berlin", createdUntil: "2026-11-04T00:00:00Z"`, asked)).toEqual([
    { keys: ['2026-11-02'], count: 1, sum: 1.5 },
    { keys: ['2026-11-03'], count: 1, sum: 2 },
  ])
  app.setNow(null)
})

test('by type, the added and the taken credits; grants spend nothing', async () => {
  const asked = await spent()

  expect(await grouped('by: [{ field: TYPE }], sumOf: AMOUNT', asked)).toEqual([
    { keys: ['DEBIT'], count: 3, sum: -7.5 },
    // The second one is that of every new user.
    { keys: ['GRANT'], count: 2, sum: 1100 },
  ])
  expect(await grouped('by: [{ field: TYPE }], sumOf: SPENT, createdSince: "2026-11-01T00:00:00Z"', asked)).toContainEqual({
    ...{ keys: ['GRANT'], count: 2, sum: 0 },
  })
  app.setNow(null)
})

test('shows the payer’s account alone', async () => {
  await spent()
  app.setNow(null)
  const stranger = await app.given.session()

  expect(await grouped('by: [{ field: TYPE }], typeIn: [DEBIT]', stranger)).toEqual([])
})
