// Contact stats: exact after any writes, and one statement for any number of contacts.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, problemsOf, warm } from '../client.ts'

const app = await openApp()

const document = `query ($from: Date, $to: Date) { stats(from: $from, to: $to) { asOf window { from to } contacts {
  total new withEmail withPhone doNotCall
  byLifecycleStage { subscriber lead qualified opportunity customer evangelist other }
  bySource { api web desktop import voice enrichment hook agent system }
} } }`
const stats = async (on: Client, variables: Json = {}) => (await on.data(document, variables)).stats

const noStages = { subscriber: 0, lead: 0, qualified: 0, opportunity: 0, customer: 0, evangelist: 0, other: 0 }
const noSources = { api: 0, web: 0, desktop: 0, import: 0, voice: 0, enrichment: 0, hook: 0, agent: 0, system: 0 }

describe('stats', () => {
  test('of an empty organization are zeros over the last 30 days', async () => {
    const on = await clientIn(app)
    app.setNow(new Date('2024-03-30T12:00:00.000Z'))

    const empty = await stats(on)

    app.setNow(null)
    expect(empty).toEqual({
      asOf: '2024-03-30T12:00:00.000Z',
      window: { from: '2024-03-01', to: '2024-03-30' },
      contacts: { total: 0, new: 0, withEmail: 0, withPhone: 0, doNotCall: 0, byLifecycleStage: noStages, bySource: noSources },
    })
  })

  test('count live contacts, and as new those created in the window, first and last day included', async () => {
    const on = await clientIn(app)
    for (const [day, firstName] of [
      ['2024-02-28T23:59:59.999Z', 'before'],
      ['2024-02-29T00:00:00.000Z', 'first day'],
      ['2024-03-02T23:59:59.999Z', 'last day'],
      ['2024-03-03T00:00:00.000Z', 'after'],
    ]) {
      app.setNow(new Date(String(day)))
      await on.create({ firstName })
    }
    app.setNow(new Date('2024-03-05T00:00:00.000Z'))

    expect((await stats(on, { from: '2024-02-29', to: '2024-03-02' })).contacts).toMatchObject({ total: 4, new: 2 })
    expect((await stats(on, { from: '2024-03-03' })).contacts.new).toBe(1)
    expect((await stats(on, { from: '2024-02-28', to: '2024-02-28' })).contacts.new).toBe(1)
    expect(await stats(on, { to: '2024-02-29' })).toMatchObject({ window: { from: '2024-01-31', to: '2024-02-29' }, contacts: { new: 2 } })
    expect((await stats(on, { from: '0001-01-01', to: '9999-12-31' })).contacts.new).toBe(4)
    app.setNow(null)
  })

  test('refuse a window that ends before it begins', async () => {
    const on = await clientIn(app)

    expect(problemsOf(await on.error(document, { from: '2024-03-02', to: '2024-03-01' }))).toEqual([
      'from: Value error, `from` must not be after `to`',
    ])
  })

  test('count the organization’s own contacts only', async () => {
    const on = await clientIn(app)
    const other = await clientIn(app)
    await other.create({ email: 'a@example.com' })

    expect((await stats(on)).contacts.total).toBe(0)
  })

  test('are one statement, with any counts', async () => {
    const on = await clientIn(app)
    await on.create({ email: 'a@example.com' })
    await warm(app, on)

    await stats(on)

    expect(app.statements()).toBe(1)
  })

  test('after any sequence of writes equal the counts of the list', async () => {
    const fields = fc.record(
      {
        email: fc.constantFrom('a@example.com', 'B@example.com', 'c@example.com', null),
        phone: fc.constantFrom('+14155550100', null),
        doNotCall: fc.boolean(),
        lifecycleStage: fc.constantFrom('LEAD', 'CUSTOMER', 'SUBSCRIBER'),
        source: fc.constantFrom('IMPORT', 'WEB'),
      },
      { requiredKeys: [] },
    )
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('create', 'upsert'), input: fields, at: fc.nat(9) }),
      fc.record({ kind: fc.constant('batch'), input: fields, at: fc.nat(9) }),
      fc.record({ kind: fc.constantFrom('update', 'delete', 'restore'), input: fields, at: fc.nat(9) }),
    )
    const write: Record<string, string> = {
      create: 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
      upsert: 'mutation ($input: UpsertContactInput!) { upsertContact(input: $input) { contact { id } } }',
      batch: 'mutation ($rows: [CreateContactInput!]!) { batchContacts(input: { contacts: $rows, onConflict: UPDATE }) { failed } }',
      update: 'mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }',
      delete: 'mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }',
      restore: 'mutation ($id: ID!) { restoreContact(input: { id: $id }) { id } }',
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
        const on = await clientIn(app)
        for (const { kind, input, at } of steps) {
          const all = (await on.data('{ contacts(filter: { includeDeleted: true }) { nodes { id } } }')).contacts.nodes
          const id = all[at % Math.max(all.length, 1)]?.id ?? on.orgId
          app.setNow(new Date(Date.UTC(2024, 1, 1 + (at % 3))))
          // Conflicts and missing contacts are results too, and must change no count.
          await on.ask(String(write[kind]), {
            input: kind === 'update' ? { id, ...input } : input,
            rows: [input, { ...input, email: null }],
            id,
          })
        }
        app.setNow(new Date(Date.UTC(2024, 1, 2)))
        const { contacts } = await stats(on, { from: '2024-02-02', to: '2024-02-02' })
        app.setNow(null)

        const live = (await on.data('{ contacts(first: 200) { nodes { email phone doNotCall lifecycleStage source createdAt } } }'))
          .contacts.nodes as Json[]
        const counted = (of: (contact: Json) => string, zeros: Json) => {
          const counts = { ...zeros }
          for (const contact of live) counts[of(contact)]++
          return counts
        }
        expect(contacts).toEqual({
          total: live.length,
          new: live.filter(({ createdAt }) => createdAt.startsWith('2024-02-02')).length,
          withEmail: live.filter(({ email }) => email !== null).length,
          withPhone: live.filter(({ phone }) => phone !== null).length,
          doNotCall: live.filter(({ doNotCall }) => doNotCall).length,
          byLifecycleStage: counted(({ lifecycleStage }) => lifecycleStage.toLowerCase(), noStages),
          bySource: counted(({ source }) => source.toLowerCase(), noSources),
        })
      }),
      { numRuns: 20 },
    )
  })

  test('are exact after concurrent writes', async () => {
    const on = await clientIn(app)

    await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const { id } = await on.create({ email: `w${number}@example.com`, lifecycleStage: 'LEAD' })
        if (number % 3 === 0) await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
        if (number % 3 === 1)
          await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, lifecycleStage: CUSTOMER, email: null }) { id } }', { id })
      }),
    )

    expect((await stats(on)).contacts).toMatchObject({
      total: 40,
      new: 40,
      withEmail: 20,
      byLifecycleStage: { ...noStages, lead: 20, customer: 20 },
      bySource: { ...noSources, api: 40 },
    })
  })
})
