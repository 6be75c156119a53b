// Calls that end while their contact is merged into another: each end is applied once, and belongs to the contact that stays.

import { expect, test } from 'vitest'
import { clientWith } from '../contacts/client.ts'
import { startApp } from '../support/app.ts'
import { givenCallFixture } from './call-fixture.ts'
import { fakeProvider } from './fake-provider.ts'
import { report, secretOf } from './report.ts'

const count = 24

test('calls that end together while their contact is merged, and the merge undone, lose nothing', async () => {
  const app = await startApp({ telephony: { simulator: fakeProvider() }, env: { VOICE_CONCURRENCY: '1000' } })
  const fixture = await givenCallFixture(app)
  const secret = await secretOf(app, fixture)
  const { data, create } = clientWith(app, fixture)
  const { id: winnerId } = await create({ email: 'ada@example.com' })
  const { id: loserId } = await create({ email: 'ada.l@example.com' })
  const calls = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      fixture.call({ contact_id: n % 3 === 0 ? winnerId : loserId, to_number: `+4420794600${10 + n}` }),
    ),
  )
  const merge = 'mutation ($w: ID!, $l: ID!) { mergeContacts(input: { winnerId: $w, loserId: $l }) { mergeId } }'
  const undo = 'mutation ($id: ID!) { undoMerge(input: { mergeId: $id }) { undoneAt } }'
  const mergeAll = async () => (await data(merge, { w: winnerId, l: loserId })).mergeContacts.mergeId

  const ends = calls.map(({ id }) => report(app, secret, { call_id: id, status: 'completed', outcome: 'goal_met', duration_seconds: 30 }))
  const rounds = (async () => {
    for (let round = 0; round < 3; round++) await data(undo, { id: await mergeAll() })
    await mergeAll()
  })()
  const [answers] = await Promise.all([Promise.all(ends), rounds])

  expect(answers.filter(({ status }) => status >= 300)).toEqual([])
  const ofWinner = `query ($id: ID!) { contact(id: $id) {
    calls(first: ${count}) { nodes { status outcome contact { id } } } timeline(first: 100) { nodes { type } } } }`
  await expect
    .poll(async () => (await data(ofWinner, { id: winnerId })).contact.calls.nodes, { timeout: 10_000 })
    .toEqual(Array.from({ length: count }, () => ({ status: 'COMPLETED', outcome: 'GOAL_MET', contact: { id: winnerId } })))
  const { timeline } = (await data(ofWinner, { id: winnerId })).contact
  expect(timeline.nodes.filter(({ type }: { type: string }) => type === 'CALL_ENDED')).toHaveLength(count)
  await app.close()
})
