// The dashboard: a user's own organization, or the demo organization for guests.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedFirst } from '../../prisma/seed/seed.ts'
import { readWidgets } from '../../src/dashboard/widget.ts'
import { createContext } from '../../src/kernel/context.ts'
import { type Json, startApp, type TestApp } from '../support/app.ts'
import { clientWith } from './client.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const document = `{ dashboard { mode demo asOf user { userId email name } stats { contacts { total new } }
  recentContacts { email } widgets { name kind title data error } } }`
const asGuest = { headers: { 'x-guest-id': 'visitor-1' } }

describe('dashboard', () => {
  test('of a user shows the user’s organization', async () => {
    const { session, orgId, userId } = await app.given.session()
    const on = clientWith(app, { session, orgId })
    // All on one day, even if the test runs at midnight.
    app.setNow(new Date())
    for (let number = 0; number < 7; number++)
      await on.create({ email: `c${number}@example.com`, lifecycleStage: number < 2 ? 'LEAD' : null })

    const { dashboard } = await on.data(document)
    app.setNow(null)

    expect(dashboard).toMatchObject({
      mode: 'USER',
      demo: false,
      user: { userId, name: 'Test User' },
      stats: { contacts: { total: 7, new: 7 } },
      recentContacts: [6, 5, 4, 3, 2].map(number => ({ email: `c${number}@example.com` })),
    })
    const [total, series, stages, feed] = dashboard.widgets
    expect(total).toEqual({ name: 'contacts_total', kind: 'NUMBER', title: 'Contacts', data: { value: 7, change: 7 }, error: null })
    expect(series.data.points).toHaveLength(30)
    expect(series.data.points.at(-1)).toEqual({ date: dashboard.asOf.slice(0, 10), value: 7 })
    expect(stages.data.rows.slice(0, 2)).toEqual([
      ['subscriber', 5],
      ['lead', 2],
    ])
    expect(feed.data.items[0]).toMatchObject({ text: 'c6@example.com' })
  })

  test('of a guest reports a missing demo organization', async () => {
    const { body } = await app.graphql(document, undefined, asGuest)

    expect(body.errors[0].extensions.code).toBe('NOT_FOUND')
  })

  test('of a guest shows the demo organization, by the same resolvers', async () => {
    await seedFirst(app.services)

    const { body } = await app.graphql(document, undefined, asGuest)

    expect(body.data.dashboard).toMatchObject({ mode: 'GUEST', demo: true, user: null })
    expect(body.data.dashboard.stats.contacts.total).toBe(500)
    expect(body.data.dashboard.recentContacts).toHaveLength(5)
    for (const widget of body.data.dashboard.widgets) expect(widget).toMatchObject({ error: null, data: expect.anything() })
  })

  test('refuses API keys and requests without a credential', async () => {
    const { key } = await app.given.apiKey()

    expect((await app.graphql(document, undefined, { key })).body.errors[0].extensions.code).toBe('FORBIDDEN')
    expect((await app.graphql(document)).body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test('reads its stats once, however many widgets show them', async () => {
    const { session, orgId } = await app.given.session()
    const on = clientWith(app, { session, orgId })
    await on.data(document)
    await on.data(document)
    app.statements()

    await on.data(document)

    // Stats of contacts and of calls, recent contacts, contacts by day, recently changed contacts.
    expect(app.statements()).toBe(5)
  })

  test('a failed widget has an error, and the others have data', async () => {
    const { orgId } = await app.given.organization()
    const context = createContext(app.services, {
      principal: { kind: 'system', name: 'test', orgId },
      requestId: 'broken-widget',
      door: 'system',
    })
    const query: typeof context.db.query = (statement, values) =>
      statement.name === 'contact_counts_by_day'
        ? Promise.reject(new Error('secret detail'))
        : app.services.database.query(statement, values)

    const widgets = await readWidgets({ ...context, db: { ...app.services.database, query } })

    expect(widgets.map(({ id, data, error }) => [id, data === null, error])).toEqual([
      ['contacts_total', false, null],
      ['contacts_new', true, 'This part could not be read'],
      ['contacts_by_stage', false, null],
      ['contacts_changed', false, null],
      ['calls_answered', false, null],
      ['calls_placed', false, null],
    ])
    expect(app.log.filter(line => line.includes('broken-widget')).map(line => (JSON.parse(line) as Json).err.message)).toEqual([
      'secret detail',
    ])
  })
})
