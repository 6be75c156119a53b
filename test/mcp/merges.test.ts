// The tools of duplicates and merges: one set for contacts and companies.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { call, connect } from './client.ts'

const app = await openApp()

async function keyed() {
  const { key } = await app.given.apiKey()
  const client = await connect(app, key)
  // The client checks answers by the schemas that it has listed.
  await client.listTools()
  const to = (name: string, args: Json) => call(client, name, args)
  return { to, key }
}

const cases = [
  {
    noun: 'contact',
    create: 'create_contact',
    one: { firstName: 'Ada', phone: '+14155550101' },
    two: { phone: '+14155550101', city: 'Bonn' },
  },
  { noun: 'company', create: 'create_company', one: { name: 'Acme GmbH' }, two: { name: 'ACME Inc.', city: 'Bonn' } },
]

describe.each(cases)('duplicates of the noun $noun', ({ noun, create, one, two }) => {
  test('are found, previewed, merged, and come back', async () => {
    const { to } = await keyed()
    const [winner, loser] = [await to(create, one), await to(create, two)]

    const { found, page } = await to('find_duplicates', { noun })
    expect(found).toMatchObject([{ [noun]: { id: winner.id }, duplicate: { id: loser.id }, score: expect.any(Number) }])
    expect(page.hasNextPage).toBe(false)
    const pair = { noun, winnerId: winner.id, loserId: loser.id }
    const { fields } = await to('preview_merge', pair)
    expect(fields).toContainEqual({
      field: 'city',
      winnerValue: null,
      loserValue: 'Bonn',
      value: 'Bonn',
      keeps: 'loser',
      reason: 'only_one',
    })

    const tried = await to('merge_records', { ...pair, dry_run: true })
    expect(tried).toMatchObject({ winner: { id: winner.id, city: 'Bonn' }, dry_run: { events: [{ type: `${noun}.merged` }] } })
    const merged = await to('merge_records', { ...pair, fields: { city: 'winner' } })
    expect(merged).toMatchObject({ winner: { id: winner.id, city: null }, moved: { deals: 0 }, undoneAt: null })
    expect((await to(`get_${noun}`, { id: loser.id })).error).toMatchObject({ code: 'NOT_FOUND', mergedInto: winner.id })
    const undone = await to('undo_merge', { mergeId: merged.mergeId })

    expect(undone).toMatchObject({ mergeId: merged.mergeId, winner: { id: winner.id }, undoneAt: expect.any(String) })
    expect(await to('dismiss_duplicate', { [`${noun}Id`]: loser.id, otherId: winner.id })).toMatchObject({ id: loser.id, city: 'Bonn' })
    expect(await to('find_duplicates', { noun })).toMatchObject({ found: [] })
  })
})

test('are of contacts where no noun is given, and merge_contacts is merge_records', async () => {
  const { to } = await keyed()
  const [one, two] = [await to('create_contact', { phone: '+14155550102' }), await to('create_contact', { phone: '+14155550102' })]
  await to('create_company', { name: 'Acme' })
  await to('create_company', { name: 'Acme' })

  expect((await to('find_duplicates', {})).found).toMatchObject([{ contact: { id: one.id } }])
  const merged = await to('merge_contacts', { winnerId: one.id, loserId: two.id, fields: { jobTitle: 'winner' } })
  expect(merged.winner.id).toBe(one.id)
  expect((await to('undo_merge', { mergeId: merged.mergeId })).winner).toMatchObject({ id: one.id })
})

test('refuse fields of the other noun, records of the other noun, and an unclear dismissal, with what to send', async () => {
  const { to, key } = await keyed()
  const stranger = await keyed()
  const [contact, other] = [await to('create_contact', { firstName: 'Ada' }), await to('create_contact', { firstName: 'Bob' })]
  const [one, two] = [await to('create_company', { name: 'A' }), await to('create_company', { name: 'B' })]
  const { mergeId } = await to('merge_records', { winnerId: contact.id, loserId: other.id })
  const error = async (name: string, args: Json, by = to) => (await by(name, args)).error

  const pair = { noun: 'company', winnerId: one.id, loserId: two.id }
  const wrong = await error('merge_records', { ...pair, fields: { jobTitle: 'loser' } })
  expect(wrong.problems).toMatchObject([
    {
      path: ['fields', 'jobTitle'],
      message: expect.stringMatching(/companies have no such field; they have name, domain, .* and custom$/),
    },
  ])
  expect(await error('merge_records', { ...pair, winnerId: contact.id })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await error('preview_merge', { winnerId: one.id, loserId: two.id })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await error('find_duplicates', { noun: 'deal' })).toMatchObject({ code: 'INVALID' })
  for (const given of [{}, { contactId: contact.id, companyId: one.id }])
    expect((await error('dismiss_duplicate', { ...given, otherId: two.id })).problems[0].message).toContain('either contactId or companyId')
  expect(await error('undo_merge', { mergeId }, stranger.to)).toMatchObject({ code: 'NOT_FOUND' })
  expect(await error('undo_merge', { mergeId: 'none' })).toMatchObject({ code: 'NOT_FOUND' })
  const { body } = await app.rest('GET', `/api/crm/v1/companies/${two.id}`, { key })
  expect(body.name).toBe('B')
})
