// The dashboard: a user's own organization, or the demo organization for guests.

import { describe, expect, test } from 'vitest'
import { seedFirst } from '../../prisma/seed/seed.ts'
import { readWidget, widgets } from '../../src/dashboard/widget.ts'
import { clientWith } from '../contacts/client.ts'
import { type Json, openApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'

const app = await openApp()

const document = `{ dashboard { mode demo asOf user { userId email name } stats { contacts { total new } }
  recentContacts { email } widgets { __typename name title ... on NumberWidget { number { value change } } ... on SeriesWidget { series { at value } }
    ... on TableWidget { table { columns rows { label value } } } ... on FeedWidget { items { entityId text at } } } } }`
const asGuest = { headers: { 'x-guest-id': 'guest-1' } }

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
    expect(total).toEqual({ __typename: 'NumberWidget', name: 'contacts_total', title: 'Contacts', number: { value: 7, change: 7 } })
    expect(series.series).toHaveLength(30)
    expect(series.series.at(-1)).toEqual({ at: `${dashboard.asOf.slice(0, 10)}T00:00:00.000Z`, value: 7 })
    expect(stages.table.columns).toEqual(['stage', 'contacts'])
    expect(stages.table.rows.slice(0, 2)).toEqual([
      { label: 'subscriber', value: 5 },
      { label: 'lead', value: 2 },
    ])
    expect(feed.items[0]).toMatchObject({ text: 'c6@example.com', entityId: expect.any(String) })
  })

  test('has the answer rate in percent, and its change in percentage points, at every door', async () => {
    const { session, orgId, userId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId, userId })
    const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Agent' } })
    const place = (count: number, answered: number, daysAgo: number) =>
      query(
        app.database.url,
        `insert into calls (id, org_id, agent_id, agent_version, provider, dispatch_state, status, outcome, to_number, answered_at, dispatched_at,
           max_duration_seconds, ring_timeout_seconds, record, voicemail_action, dispatch_after, created_by_type, created_at)
         select gen_random_uuid(), $1, $2, 1, 'simulator', 'dispatched', 'completed', 'goal_met', '+14155550100', case when n <= $4 then at end, at,
           60, 30, false, 'hang_up', at, 'system', at
         from generate_series(1, $3) n, (select now() - $5 * interval '1 day' as at) past`,
        [orgId, agent.id, count, answered, daysAgo],
      )
    const asked = { session, headers: { 'x-org-id': orgId } }
    const told = async () => {
      const { body: rest } = await app.rest('GET', '/api/dashboard', asked)
      const { body } = await app.graphql('{ dashboard { widgets { name ... on NumberWidget { number { value change } } } } }', {}, asked)
      return [
        rest.widgets.find(({ id }: Json) => id === 'calls_answered').data,
        body.data.dashboard.widgets.find(({ name }: Json) => name === 'calls_answered').number,
      ]
    }

    await place(3, 2, 5)
    const first = { value: 66.67, change: 0 }
    expect(await told()).toEqual([first, first])

    await place(4, 1, 40)
    const compared = { value: 66.67, change: 41.67 }
    expect(await told()).toEqual([compared, compared])
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
    expect(body.errors).toBeUndefined()
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

    // Stats of contacts, of calls, and of calls of the 30 days before, recent contacts, contacts by day, recently changed contacts, any deals.
    expect(app.statements()).toBe(7)
  })

  test('a part that cannot be read is null with an error at its path, and the others are there', async () => {
    const { session, orgId } = await app.given.session()
    const on = clientWith(app, { session, orgId })
    await on.create({ email: 'only@example.com' })
    const parts = `{ dashboard { mode credits { balance } recentContacts { email } pendingSuggestions { id } recentCalls { id }
      stats { contacts { total } calls { total } }
      widgets { name ... on NumberWidget { number { value } } ... on SeriesWidget { series { value } } } } }`
    const change = (sql: string) => app.services.database.prisma.$executeRawUnsafe(sql)
    const answers: Json[] = []

    await change('alter table suggestions rename to unreadable_suggestions')
    await change('alter table call_counts rename to unreadable_counts')
    // The third time the document is compiled.
    for (const _ of [1, 2, 3, 4]) answers.push(await on.ask(parts))
    await change('alter table unreadable_suggestions rename to suggestions')
    await change('alter table unreadable_counts rename to call_counts')

    for (const { data, errors } of answers) {
      expect(errors.map(({ path, extensions }: Json) => [path.join('.'), extensions.code]).toSorted()).toEqual([
        ['dashboard.pendingSuggestions', 'INTERNAL'],
        ['dashboard.stats.calls', 'INTERNAL'],
        ['dashboard.widgets.4.number', 'INTERNAL'],
        ['dashboard.widgets.5.series', 'INTERNAL'],
      ])
      expect(data.dashboard).toMatchObject({
        mode: 'USER',
        credits: { balance: expect.any(Number) },
        recentContacts: [{ email: 'only@example.com' }],
        recentCalls: [],
        pendingSuggestions: null,
        stats: { contacts: { total: 1 }, calls: null },
      })
      expect(data.dashboard.widgets.map(({ number, series }: Json) => number ?? series?.length ?? null)).toEqual([
        { value: 1 },
        30,
        ...Array.from({ length: 9 }, () => null),
      ])
    }
    expect((await on.ask(parts)).errors).toBeUndefined()
  })

  test('for REST a failed widget has an error, and the others have data', async () => {
    const { orgId } = await app.given.organization()
    const context = { ...app.asSystem(orgId), requestId: 'broken-widget' }
    const query: typeof context.db.query = (statement, values) =>
      statement.name === 'contact_counts_by_day'
        ? Promise.reject(new Error('secret detail'))
        : app.services.database.query(statement, values)

    const broken = { ...context, db: { ...app.services.database, query } }
    const read = await Promise.all(widgets.map(async widget => ({ id: widget.id, ...(await readWidget(broken, widget)) })))

    expect(read.map(({ id, data, error }) => [id, data === null, error])).toEqual([
      ['contacts_total', false, null],
      ['contacts_new', true, 'This part could not be read'],
      ['contacts_by_stage', false, null],
      ['contacts_changed', false, null],
      ['calls_answered', false, null],
      ['calls_placed', false, null],
      ...['deals_by_stage', 'deals_forecast', 'deals_win_rate', 'days_in_stage', 'deal_activity'].map(id => [id, false, null]),
    ])
    expect(app.log.filter(line => line.includes('broken-widget')).map(line => (JSON.parse(line) as Json).err.message)).toEqual([
      'secret detail',
    ])
  })
})
