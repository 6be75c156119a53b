// batchContacts: up to 100 contacts in a call, with a result for each.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, warm } from '../client.ts'

const app = await openApp()

const document = `mutation ($input: [CreateContactInput!]!, $onConflict: OnConflict, $atomic: Boolean) {
  batchContacts(input: { contacts: $input, onConflict: $onConflict, atomic: $atomic }) {
    results { index outcome contactId contact { id version } error { code message problems { path type message } } } succeeded failed
  }
}`
const batch = async (on: Client, input: Json[], options: Json = {}) => (await on.data(document, { input, ...options })).batchContacts
const live = async (on: Client) =>
  (await on.data('{ contacts(sort: EMAIL, first: 200) { nodes { id email firstName tags version } } }')).contacts.nodes as Json[]
const outcomes = ({ results }: Json) => results.map(({ outcome }: Json) => outcome)

describe('batchContacts', () => {
  test('adds 100 in one statement, with their events and counts', async () => {
    const on = await clientIn(app)
    await batch(on, [{ email: 'first@example.com' }])
    await warm(app, on)

    const input = Array.from({ length: 100 }, (_, index) => ({
      email: `c${index}@example.com`,
      firstName: `C${index}`,
      tags: ['a"b', 'c,d'],
    }))
    const result = await batch(on, input)

    // One writes the rows, one reads their contacts.
    expect(app.statements()).toBe(2)
    expect(result).toMatchObject({ succeeded: 100, failed: 0 })
    const { contactId } = result.results[99]
    expect(result.results[99]).toEqual({ index: 99, outcome: 'CREATED', contactId, contact: { id: contactId, version: 1 }, error: null })
    const { contact } = await on.data(
      'query ($id: ID!) { contact(id: $id) { email firstName fullName tags custom version createdBy { type } timeline { nodes { type operation } } } }',
      { id: result.results[99].contactId },
    )
    expect(contact).toEqual({
      email: 'c99@example.com',
      firstName: 'C99',
      fullName: 'C99',
      tags: ['a"b', 'c,d'],
      custom: {},
      version: 1,
      createdBy: { type: 'API_KEY' },
      timeline: { nodes: [{ type: 'CONTACT_CREATED', operation: 'batchContacts' }] },
    })
    expect((await on.data('{ stats { contacts { total withEmail } } }')).stats.contacts).toEqual({ total: 101, withEmail: 101 })
  })

  test('an invalid row fails alone, with all its problems', async () => {
    const on = await clientIn(app)

    const result = await batch(on, [
      { email: 'a@example.com' },
      { email: 'bad', phone: 'x' },
      { firstName: 'No address' },
      { custom: { x: 1 } },
    ])

    expect(outcomes(result)).toEqual(['CREATED', 'FAILED', 'CREATED', 'FAILED'])
    expect(result).toMatchObject({ succeeded: 2, failed: 2 })
    expect(result.results[1]).toMatchObject({
      contactId: null,
      contact: null,
      error: { code: 'INVALID', problems: [{ path: ['email'] }, { path: ['phone'], type: 'string_pattern_mismatch' }] },
    })
    expect(result.results[3].error.problems).toMatchObject([{ path: ['custom', 'x'], type: 'extra_forbidden' }])
    expect(await live(on)).toHaveLength(2)
  })

  describe('rows whose address is taken', () => {
    const rows = [
      { email: 'old@example.com', firstName: 'New name' },
      { email: 'new@example.com', firstName: 'First' },
      { email: 'NEW@example.com', firstName: 'Second' },
    ]

    test('fail by default, with the id of the existing contact', async () => {
      const on = await clientIn(app)
      const { id } = await on.create({ email: 'old@example.com' })

      const result = await batch(on, rows)

      expect(outcomes(result)).toEqual(['FAILED', 'CREATED', 'FAILED'])
      expect(result.results[0]).toMatchObject({ contactId: id, contact: null, error: { code: 'ALREADY_EXISTS', problems: [] } })
      expect(result.results[2].contactId).toBe(result.results[1].contactId)
    })

    test('are skipped on request', async () => {
      const on = await clientIn(app)
      await on.create({ email: 'old@example.com', firstName: 'Old name' })

      const result = await batch(on, rows, { onConflict: 'SKIP' })

      expect(outcomes(result)).toEqual(['SKIPPED', 'CREATED', 'SKIPPED'])
      expect((await live(on)).map(({ firstName }) => firstName)).toEqual(['First', 'Old name'])
    })

    test('update on request, in the order of the rows', async () => {
      const on = await clientIn(app)
      await on.create({ email: 'old@example.com', firstName: 'Old name' })

      const result = await batch(on, rows, { onConflict: 'UPDATE' })

      expect(outcomes(result)).toEqual(['UPDATED', 'CREATED', 'UPDATED'])
      expect((await live(on)).map(({ firstName, version }) => [firstName, version])).toEqual([
        ['Second', 2],
        ['New name', 2],
      ])
    })
  })

  describe('atomic', () => {
    test('with invalid rows writes none, and reports every problem with its row', async () => {
      const on = await clientIn(app)

      const error = await on.error(document, { input: [{ email: 'a@example.com' }, { email: 'bad' }, { phone: 'x' }], atomic: true })

      expect(error.code).toBe('INVALID')
      expect(error.problems.map(({ path }: Json) => path)).toEqual([
        ['contacts', 1, 'email'],
        ['contacts', 2, 'phone'],
      ])
      expect(await live(on)).toEqual([])
    })

    test('with a taken address writes none', async () => {
      const on = await clientIn(app)
      const { id } = await on.create({ email: 'old@example.com' })

      const error = await on.error(document, { input: [{ email: 'a@example.com' }, { email: 'OLD@example.com' }], atomic: true })

      expect(error).toMatchObject({ code: 'ALREADY_EXISTS', index: 1, field: 'email', existingId: id })
      expect(await live(on)).toHaveLength(1)
      expect((await on.data('{ stats { contacts { total } } }')).stats.contacts.total).toBe(1)
    })

    test('writes all rows if all are valid', async () => {
      const on = await clientIn(app)
      await on.create({ email: 'old@example.com' })

      const result = await batch(on, [{ email: 'a@example.com' }, { email: 'old@example.com', tags: ['x'] }], {
        atomic: true,
        onConflict: 'UPDATE',
      })

      expect(outcomes(result)).toEqual(['CREATED', 'UPDATED'])
    })
  })

  test('takes 1 to 100 rows', async () => {
    const on = await clientIn(app)

    expect(await on.error(document, { input: [] })).toMatchObject({
      code: 'INVALID',
      problems: [{ path: ['contacts'], type: 'too_short' }],
    })
    expect(await on.error(document, { input: Array(101).fill({}) })).toMatchObject({ problems: [{ path: ['contacts'], type: 'too_long' }] })
  })

  test('concurrent batches with the same addresses neither deadlock nor write an address twice', async () => {
    const on = await clientIn(app)
    const rows = Array.from({ length: 50 }, (_, index) => ({ email: `r${index}@example.com` }))

    const results = await Promise.all([
      batch(on, rows, { onConflict: 'UPDATE' }),
      batch(on, rows.toReversed(), { onConflict: 'UPDATE' }),
      batch(on, rows, { onConflict: 'UPDATE', atomic: true }),
      batch(on, rows.toReversed(), { onConflict: 'UPDATE', atomic: true }),
    ])

    expect(results.map(({ failed }) => failed)).toEqual([0, 0, 0, 0])
    expect(results.flatMap(outcomes).filter(outcome => outcome === 'CREATED')).toHaveLength(50)
    expect(await live(on)).toHaveLength(50)

    // Once more, when all contacts exist.
    const again = await Promise.all(
      [1, 2, 3, 4].map(number => {
        const named = rows.map(row => ({ ...row, firstName: `Name ${number}` }))
        return batch(on, number % 2 ? named : named.toReversed(), { onConflict: 'UPDATE', atomic: number < 3 })
      }),
    )

    expect(again.map(({ failed }) => failed)).toEqual([0, 0, 0, 0])
    expect((await live(on)).every(({ version }) => version >= 3)).toBe(true)
  })

  test('with a repeated Idempotency-Key is written once', async () => {
    const on = await clientIn(app)
    const send = () =>
      app.graphql(
        document,
        { input: [{ email: 'a@example.com' }, { email: 'bad' }] },
        { key: on.key, headers: { 'idempotency-key': 'b1' } },
      )

    const first = await send()
    const again = await send()

    expect(again.body).toEqual(first.body)
    expect(outcomes(first.body.data.batchContacts)).toEqual(['CREATED', 'FAILED'])
    expect(await live(on)).toHaveLength(1)
  })
})
