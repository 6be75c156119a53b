// The widgets of a dashboard: the default ones, an own arrangement, and what each of them shows.

import { describe, expect, test } from 'vitest'
import { seedFirst } from '../../prisma/seed/seed.ts'
import { startOfDayBefore } from '../../src/dashboard/widgets/days.ts'
import { kindNamed, type WidgetKind, widgetKinds } from '../../src/dashboard/widgets/kind.ts'
import { type Json, openApp } from '../support/app.ts'

const app = await openApp()

const data = `data { __typename ... on Groups { groups { keys count sum } } ... on CallStats { total answerRate }
  ... on DashboardWidgetItems { items { title detail } } }`
const asking =
  (credential: Json) =>
  async (text: string, variables: Json = {}): Promise<Json> => {
    const { body } = await app.graphql(text, variables, credential)
    return body.errors ? { ...body.data, errors: body.errors.map(({ path, extensions }: Json) => ({ path, ...extensions })) } : body.data
  }
const kindsOf = async (ask: ReturnType<typeof asking>) =>
  (await ask('{ dashboardWidgets { kind } }')).dashboardWidgets.map(({ kind }: Json) => kind)

describe('dashboardWidgets', () => {
  test('are the default ones, with all data in one operation, until the first change', async () => {
    const { session, orgId } = await app.given.session()
    const ask = asking({ session })
    const { key } = await app.given.apiKey({ orgId })
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com', company_name: 'Analytical' } })

    const { dashboardWidgets, errors } = await ask(`{ dashboardWidgets { id kind position createdAt ${data} } }`)

    expect(errors).toBeUndefined()
    expect(dashboardWidgets.map(({ id: _, ...widget }: Json) => widget)).toMatchObject([
      { kind: 'CONTACTS_OVER_TIME', position: 0, createdAt: null, data: { groups: [{ count: 1 }] } },
      { kind: 'CONTACTS_BREAKDOWN', data: { groups: [{ keys: ['SUBSCRIBER'], count: 1 }] } },
      { kind: 'CALLS_OVER_TIME', data: { groups: [] } },
      { kind: 'ANSWER_RATE', data: { __typename: 'CallStats', total: 0, answerRate: 0 } },
      { kind: 'CALLS_BREAKDOWN', data: { groups: [] } },
      { kind: 'ENRICHMENT_JOBS', data: { groups: [] } },
      { kind: 'PENDING_SUGGESTIONS', data: { items: [] } },
      { kind: 'CREDITS_OVER_TIME', data: { groups: [] } },
      { kind: 'TASKS_DUE', data: { items: [] } },
      { kind: 'RECENT_CONTACTS', position: 9, data: { items: [{ title: 'ada@example.com', detail: 'Analytical' }] } },
    ])
    const again = await ask('{ dashboardWidgets { id } }')
    expect(again.dashboardWidgets).toEqual(dashboardWidgets.map(({ id }: Json) => ({ id })))
  })

  test('of one user in one organization are nobody else’s', async () => {
    const { session, orgId } = await app.given.session()
    const other = await app.given.member({ orgId, role: 'viewer' })
    const [mine, theirs] = [asking({ session }), asking({ session: other.session })]
    const { addDashboardWidget } = await mine('mutation { addDashboardWidget(input: { kind: RECENT_CALLS }) { id } }')

    expect((await kindsOf(mine)).at(-1)).toBe('RECENT_CALLS')
    expect(await kindsOf(theirs)).toHaveLength(10)
    expect(await theirs(`{ dashboardWidget(id: "${addDashboardWidget.id}") { id } }`)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    expect(await theirs(`mutation { removeDashboardWidget(input: { id: "${addDashboardWidget.id}" }) { id } }`)).toMatchObject({
      errors: [{ code: 'NOT_FOUND' }],
    })
  })

  test('of a guest show the demo, and an API key has none', async () => {
    await seedFirst(app.services)
    const { key } = await app.given.apiKey()

    const guest = await asking({ headers: { 'x-guest-id': 'guest' } })(`{ dashboardWidgets { kind ${data} } }`)

    expect(guest.errors).toBeUndefined()
    expect(guest.dashboardWidgets.at(-1).data.items).toHaveLength(10)
    expect(await asking({ key })('{ dashboardWidgets { id } }')).toMatchObject({ errors: [{ code: 'FORBIDDEN' }] })
  })

  test('one that fails leaves the others', async () => {
    const { session } = await app.given.session()

    const read = await asking({ session })('{ dashboardWidgets { kind data(timezone: "Nowhere") { __typename } } }')

    expect(read.dashboardWidgets).toHaveLength(10)
    expect(read.errors[0]).toMatchObject({ path: ['dashboardWidgets', 0, 'data'], code: 'INVALID' })
  })
})

describe('an arrangement', () => {
  test('is added to, changed, moved and taken from, the default widgets by the ids they had before', async () => {
    const ask = asking({ session: (await app.given.session()).session })
    const { dashboardWidgets } = await ask('{ dashboardWidgets { id kind } }')
    const idOf = (kind: string) => dashboardWidgets.find((widget: Json) => widget.kind === kind).id

    const { updateDashboardWidget } = await ask(
      `mutation { updateDashboardWidget(input: { id: "${idOf('CONTACTS_OVER_TIME')}", title: " Growth ", per: WEEK, rangeDays: 90, groupBy: SOURCE })
        { title per rangeDays groupBy } }`,
    )
    const { moveDashboardWidget } = await ask(
      `mutation { moveDashboardWidget(input: { id: "${idOf('RECENT_CONTACTS')}", position: 0 }) { kind position } }`,
    )
    const { addDashboardWidget } = await ask(
      'mutation { addDashboardWidget(input: { kind: SUGGESTIONS_BREAKDOWN, groupBy: FIELD, position: 1 }) { kind position groupBy rangeDays } }',
    )
    await ask(`mutation { removeDashboardWidget(input: { id: "${idOf('TASKS_DUE')}" }) { id } }`)

    expect(updateDashboardWidget).toEqual({ title: 'Growth', per: 'WEEK', rangeDays: 90, groupBy: 'SOURCE' })
    expect(moveDashboardWidget[0]).toEqual({ kind: 'RECENT_CONTACTS', position: 0 })
    expect(moveDashboardWidget).toHaveLength(10)
    expect(addDashboardWidget).toEqual({ kind: 'SUGGESTIONS_BREAKDOWN', position: 1, groupBy: 'FIELD', rangeDays: 30 })
    expect(await kindsOf(ask)).toEqual([
      ...['RECENT_CONTACTS', 'SUGGESTIONS_BREAKDOWN', 'CONTACTS_OVER_TIME', 'CONTACTS_BREAKDOWN', 'CALLS_OVER_TIME'],
      ...['ANSWER_RATE', 'CALLS_BREAKDOWN', 'ENRICHMENT_JOBS', 'PENDING_SUGGESTIONS', 'CREDITS_OVER_TIME'],
    ])
    const positions = (await ask('{ dashboardWidgets { position } }')).dashboardWidgets
    expect(positions.map(({ position }: Json) => position)).toEqual([...positions.keys()])
    const { updateDashboardWidget: reset } = await ask(
      `mutation { updateDashboardWidget(input: { id: "${idOf('CONTACTS_OVER_TIME')}", title: null, groupBy: null }) { title per groupBy } }`,
    )
    expect(reset).toEqual({ title: null, per: 'WEEK', groupBy: null })
  })

  test('names the owners and voice agents that it counts by', async () => {
    const { session, orgId, userId } = await app.given.session()
    const ask = asking({ session })
    const { key } = await app.given.apiKey({ orgId })
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com', owner_user_id: userId } })
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'b@example.com' } })
    const add = (input: string) =>
      ask(`mutation { addDashboardWidget(input: { ${input} }) { names { key name } data { ... on Groups { groups { keys } } } } }`)

    const { addDashboardWidget: byOwner } = await add('kind: CONTACTS_BREAKDOWN, groupBy: OWNER_USER_ID')
    const { addDashboardWidget: byStage } = await add('kind: CONTACTS_BREAKDOWN, groupBy: LIFECYCLE_STAGE')

    expect(byOwner.data.groups.map(({ keys }: Json) => keys[0])).toEqual(expect.arrayContaining([userId, null]))
    expect(byOwner.names).toEqual([{ key: userId, name: expect.stringMatching(/\w/) }])
    expect(byStage.names).toEqual([])
  })

  test('can be emptied', async () => {
    const ask = asking({ session: (await app.given.session()).session })
    const { dashboardWidgets } = await ask('{ dashboardWidgets { id } }')

    for (const { id } of dashboardWidgets) await ask(`mutation { removeDashboardWidget(input: { id: "${id}" }) { id } }`)

    expect(await kindsOf(ask)).toEqual([])
  })

  test('has at most 20 widgets, also when they are added at the same time', async () => {
    const ask = asking({ session: (await app.given.session()).session })

    const added = await Promise.all(
      Array.from({ length: 12 }, () => ask('mutation { addDashboardWidget(input: { kind: RECENT_CALLS }) { id } }')),
    )

    expect(added.flatMap(({ errors }) => errors?.[0].code ?? []).toSorted()).toEqual(['CONFLICT', 'CONFLICT'])
    expect(await kindsOf(ask)).toHaveLength(20)
  })

  test('refuses what a kind does not have, every problem at once', async () => {
    const ask = asking({ session: (await app.given.session()).session })
    const add = async (input: string) => (await ask(`mutation { addDashboardWidget(input: { ${input} }) { id } }`)).errors[0].problems

    expect(await add(`kind: RECENT_CONTACTS, rangeDays: 7, per: DAY, title: "${'x'.repeat(101)}"`)).toMatchObject([
      { path: ['title'], type: 'string_too_long' },
      { path: ['rangeDays'], message: 'Value error, a widget of RECENT_CONTACTS has none' },
      { path: ['per'], message: 'Value error, a widget of RECENT_CONTACTS has none' },
    ])
    expect(await add('kind: CALLS_BREAKDOWN, rangeDays: 731, groupBy: TAG')).toMatchObject([
      { path: ['rangeDays'], message: 'Input should be less than or equal to 730' },
      { path: ['groupBy'], message: "Input should be 'OUTCOME', 'STATUS', 'VOICE_AGENT_ID', 'ENDED_REASON'" },
    ])
  })

  test('is told to its user alone', async () => {
    const { session, orgId } = await app.given.session()
    const other = await app.given.member({ orgId, role: 'owner' })
    const ask = asking({ session })

    const { headers } = await app.graphql('mutation { addDashboardWidget(input: { kind: RECENT_CALLS }) { id } }', {}, { session })

    const events = `{ operation(id: "${headers.get('x-request-id')}") { events { nodes { type } } } }`
    const seen = async (one: ReturnType<typeof asking>) => (await one(events)).operation?.events?.nodes ?? []
    expect(await seen(ask)).toEqual([{ type: 'DASHBOARD_WIDGET_ADDED' }])
    expect(await seen(asking({ session: other.session }))).toEqual([])
  })
})

describe('each kind', () => {
  test('can be added with its defaults and with each of its groupings, and read', async () => {
    const ask = asking({ session: (await app.given.session()).session })
    for (const kind of Object.keys(widgetKinds) as WidgetKind[]) {
      const { groupings = [] } = kindNamed(kind)
      const { addDashboardWidget: added } = await ask(
        `mutation { addDashboardWidget(input: { kind: ${kind.toUpperCase()} }) { id ${data} } }`,
      )
      expect([kind, added.data]).toEqual([kind, expect.anything()])
      for (const grouping of groupings) {
        const change = `id: "${added.id}", groupBy: ${grouping.toUpperCase()}`
        const changed = await ask(`mutation { updateDashboardWidget(input: { ${change} }) { groupBy ${data} } }`)
        expect(changed).toMatchObject({ updateDashboardWidget: { groupBy: grouping.toUpperCase(), data: { __typename: 'Groups' } } })
      }
      await ask(`mutation { removeDashboardWidget(input: { id: "${added.id}" }) { id } }`)
    }
  })

  test('over time begins with a whole day of the reader’s zone', async () => {
    const { session, orgId } = await app.given.session()
    const { key } = await app.given.apiKey({ orgId })
    const create = async (email: string, at: string) => {
      app.setNow(new Date(at))
      await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email } })
    }
    await create('before@example.com', '2026-03-27T22:59:00Z')
    await create('first@example.com', '2026-03-27T23:01:00Z')
    await create('last@example.com', '2026-03-29T21:59:00Z')
    const ask = asking({ session })
    const { addDashboardWidget } = await ask(
      'mutation { addDashboardWidget(input: { kind: CONTACTS_OVER_TIME, rangeDays: 2 }) { data(timezone: "Europe/Berlin") { ... on Groups { groups { keys count } } } } }',
    )
    app.setNow(null)

    // 28 March begins at 23:00 UTC, 29 March, when the clocks change, at 23:00 UTC and ends at 22:00.
    expect(addDashboardWidget.data.groups).toEqual([
      { keys: ['2026-03-28'], count: 1 },
      { keys: ['2026-03-29'], count: 1 },
    ])
  })
})

test.each([
  ['2026-11-22T17:30:00.500Z', 0, 'UTC', '2026-11-22T00:00:00.000Z'],
  ['2026-11-22T17:30:00.500Z', 29, 'UTC', '2026-10-24T00:00:00.000Z'],
  ['2026-03-30T10:00:00Z', 1, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30T10:00:00Z', 0, 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-11-22T20:00:00Z', 0, 'Pacific/Auckland', '2026-11-22T11:00:00.000Z'],
  ['2026-11-22T03:00:00Z', 0, 'America/New_York', '2026-11-21T05:00:00.000Z'],
  // Clocks go from 0:00 to 1:00.
  ['2026-09-06T15:00:00Z', 0, 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-04-30T10:00:00Z', 6, 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-03-29T10:00:00Z', 0, 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  // From 1:00 back to 0:00, which is said twice.
  ['2026-11-01T15:00:00Z', 0, 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ['2026-10-26T15:00:00Z', 1, 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
])('the day of %s, %i before, begins in %s at %s', (now, days, zone, begins) => {
  expect(startOfDayBefore(new Date(now), days, zone).toISOString()).toBe(begins)
})
