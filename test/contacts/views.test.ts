// Saved views: who sees and changes them, what they may hold, and their defaults and order.

import { describe, expect, test } from 'vitest'
import { openStream } from '../graphql/stream.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf } from './client.ts'

const app = await openApp()
const rest = conforming(app)

const whole = 'id noun name filter sort columns isShared isDefault position ownerUserId owner { name } createdBy { type } version'
const create = `mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { ${whole} } }`
const update = `mutation ($input: UpdateSavedViewInput!) { updateSavedView(input: $input) { ${whole} } }`
const remove = 'mutation ($input: DeleteSavedViewInput!) { deleteSavedView(input: $input) { id } }'
const save = async (on: Client, input: Json): Promise<Json> =>
  (await on.data(create, { input: { noun: 'CONTACTS', name: 'A view', ...input } })).createSavedView
const change = async (on: Client, input: Json): Promise<Json> => (await on.data(update, { input })).updateSavedView
const namesOf = async (on: Client, args = ''): Promise<string[]> =>
  (await on.data(`{ savedViews${args} { nodes { name } } }`)).savedViews.nodes.map(({ name }: Json) => name)

/** A signed-in user, who joins the organization if one is given. */
async function user({
  orgId,
  role = 'member',
}: {
  orgId?: string
  role?: string
} = {}): Promise<Client & { userId: string; session: string }> {
  const own = await app.given.organization()
  const organizationId = orgId ?? own.orgId
  if (orgId !== undefined) {
    await app.services.database.prisma.membership.deleteMany({ where: { userId: own.userId } })
    await app.services.database.prisma.membership.create({ data: { userId: own.userId, organizationId, role } })
  }
  const { session } = await app.given.session({ userId: own.userId })
  return { ...clientWith(app, { session, orgId: organizationId }), userId: own.userId, session }
}

describe('a view', () => {
  test('keeps filter, order and columns as they were given, and is changed and deleted by its owner', async () => {
    const on = await user()
    const filter = { lifecycleStageIn: ['LEAD', 'CUSTOMER'], doNotCall: false, createdSince: '2026-01-01T00:00:00Z', empty: 'EMAIL' }
    const view = await save(on, {
      name: ' New leads ',
      filter,
      sort: 'LAST_NAME',
      columns: ['fullName', 'custom.plan', 'ownerUserId'],
      position: 7,
    })
    const changed = await change(on, { id: view.id, name: 'Leads', sort: null, columns: ['email'], ifVersion: 1 })
    const same = await change(on, { id: view.id, name: 'Leads' })

    expect(view).toEqual({
      id: expect.any(String),
      noun: 'CONTACTS',
      name: 'New leads',
      filter: { ...filter, empty: ['EMAIL'] },
      sort: 'LAST_NAME',
      columns: ['fullName', 'custom.plan', 'ownerUserId'],
      isShared: false,
      isDefault: false,
      position: 7,
      ownerUserId: on.userId,
      owner: { name: 'Test User' },
      createdBy: { type: 'USER' },
      version: 1,
    })
    expect(changed).toEqual({ ...view, name: 'Leads', sort: null, columns: ['email'], version: 2 })
    expect(same).toEqual(changed)
    const { contacts } = await on.data('query ($f: ContactFilter) { contacts(filter: $f) { nodes { id } } }', { f: view.filter })
    expect(contacts.nodes).toEqual([])
    const node = 'query ($id: ID!) { node(id: $id) { __typename ... on SavedView { name } } }'
    expect((await on.data(node, { id: view.id })).node).toEqual({ __typename: 'SavedView', name: 'Leads' })
    await on.data(remove, { input: { id: view.id } })
    expect((await on.data(node, { id: view.id })).node).toBeNull()
  })

  test('is refused with all that its noun does not have', async () => {
    const on = await user()
    const problems = async (input: Json) => problemsOf(await on.error(create, { input: { noun: 'CONTACTS', name: 'x', ...input } }))

    expect(
      await problems({
        name: ' ',
        filter: { stage: 'LEAD', lifecycleStageIn: ['LEADS'], doNotCall: 'no' },
        sort: 'NAME',
        columns: ['email', 'mail', '__proto__', 'custom.No'],
        position: -1,
      }),
    ).toEqual([
      'name: String should have at least 1 character',
      'position: Input should be greater than or equal to 0',
      expect.stringMatching(/^filter.doNotCall: Value error, boolean cannot represent a non boolean value: "no"/),
      expect.stringMatching(/^filter.lifecycleStageIn.0: Value error, value "LEADS" does not exist in "LifecycleStage" enum/),
      expect.stringMatching(/^filter: Value error, field "stage" is not defined by type "ContactFilter"/),
      expect.stringMatching(/^sort: Input should be 'CREATED_AT', 'CREATED_AT_DESC', /),
      'columns.1: Value error, rows of contacts have no such field',
      'columns.2: Value error, rows of contacts have no such field',
      'columns.3: Value error, rows of contacts have no such field',
    ])
    expect(await problems({ filter: { tagIn: Array.from({ length: 21 }, (_, index) => `t${index}`) } })).toEqual([
      'filter.tagIn: List should have at most 20 items after validation, not 21',
    ])
    expect(await problems({ noun: 'VOICE_AGENTS', sort: 'NEWEST' })).toEqual([
      "sort: Input should be 'CREATED_AT', 'CREATED_AT_DESC', 'NAME', 'NAME_DESC', 'UPDATED_AT', 'UPDATED_AT_DESC'",
    ])
    expect(await problems({ noun: 'CALLS', filter: { statusIn: ['COMPLETED'] }, columns: ['custom.plan'] })).toEqual([
      'columns.0: Value error, rows of calls have no such field',
    ])
    expect(await namesOf(on)).toEqual([])
  })
})

describe('who sees and changes a view', () => {
  test('an own one its owner alone, a shared one everybody of the organization and nobody else', async () => {
    const owner = await user()
    const { orgId } = owner
    const own = await save(owner, { name: 'own' })
    const shared = await save(owner, { name: 'shared', isShared: true })
    const member = await user({ orgId })
    const key = clientWith(app, { key: (await app.given.apiKey({ orgId })).key, orgId })
    const stranger = await clientIn(app)
    const read = 'query ($id: ID!) { savedView(id: $id) { name } }'

    expect(await Promise.all([owner, member, key, stranger].map(on => namesOf(on)))).toEqual([
      ['own', 'shared'],
      ['shared'],
      ['shared'],
      [],
    ])
    for (const on of [member, key]) {
      for (const [query, variables] of [[read, { id: own.id }] as const, [update, { input: { id: own.id } }] as const])
        expect(await on.error(query, variables)).toMatchObject({ code: 'NOT_FOUND' })
      for (const query of [update, remove]) expect(await on.error(query, { input: { id: shared.id } })).toMatchObject({ code: 'FORBIDDEN' })
      expect((await on.data('query ($id: ID!) { node(id: $id) { id } }', { id: own.id })).node).toBeNull()
    }
    expect(await stranger.error(update, { input: { id: shared.id } })).toMatchObject({ code: 'NOT_FOUND' })
    const guest = await app.graphql(update, { input: { id: shared.id } }, { headers: { 'x-guest-id': 'guest' } })
    expect(guest.body.errors[0].extensions.code).toBe('GUEST_READ_ONLY')
  })

  test('an admin changes what a member shares, and nobody sees what that one does not', async () => {
    const owner = await user()
    const member = await user({ orgId: owner.orgId })
    const admin = await user({ orgId: owner.orgId, role: 'admin' })
    const own = await save(member, { name: 'own' })
    const shared = await save(member, { name: 'shared', isShared: true })

    expect((await change(admin, { id: shared.id, name: 'ours' })).name).toBe('ours')
    expect(await admin.error(update, { input: { id: own.id, name: 'ours' } })).toMatchObject({ code: 'NOT_FOUND' })
    expect((await change(member, { id: shared.id, isShared: false })).isShared).toBe(false)
    expect(await namesOf(admin)).toEqual([])
  })

  test('an API key has shared ones, which keys and admins change', async () => {
    const owner = await user()
    const { orgId } = owner
    const key = clientWith(app, { key: (await app.given.apiKey({ orgId })).key, orgId })
    const member = await user({ orgId })

    const view = await save(key, { name: 'of the key' })

    expect(view).toMatchObject({ isShared: true, ownerUserId: null, owner: null, createdBy: { type: 'API_KEY' } })
    expect(problemsOf(await key.error(create, { input: { noun: 'CALLS', name: 'a', isShared: false } }))).toEqual([
      'isShared: Value error, a view that no user owns is shared; sign in to save one of your own',
    ])
    expect(await member.error(update, { input: { id: view.id, name: 'b' } })).toMatchObject({ code: 'FORBIDDEN' })
    expect((await change(key, { id: view.id, name: 'b' })).version).toBe(2)
    expect((await change(owner, { id: view.id, name: 'c' })).version).toBe(3)
  })

  test('changes of an own view come to its owner alone, and others learn when one is shared no more', async () => {
    const owner = await user()
    const member = await user({ orgId: owner.orgId })
    const follow = async (session: string) => {
      const stream = await openStream(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${session}` },
        body: JSON.stringify({
          query: 'subscription { changes { type changes { field before after } } }',
        }),
      })
      await stream.next()
      return stream
    }
    const [own, others] = await Promise.all([follow(owner.session), follow(member.session)])
    const next = async (stream: typeof own, count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await stream.next()).data.data.changes))

    const view = await save(owner, { name: 'secret' })
    await change(owner, { id: view.id, name: 'ours', isShared: true })
    await change(owner, { id: view.id, name: 'mine', isShared: false })
    await change(owner, { id: view.id, name: 'secret' })
    await owner.data(remove, { input: { id: view.id } })
    await save(member, { name: 'last', isShared: true })

    expect((await next(own, 6)).map(({ type }: Json) => type)).toEqual([
      'SAVED_VIEW_CREATED',
      ...['SAVED_VIEW_UPDATED', 'SAVED_VIEW_UPDATED', 'SAVED_VIEW_UPDATED'],
      'SAVED_VIEW_DELETED',
      'SAVED_VIEW_CREATED',
    ])
    const seen = await next(others, 3)
    own.leave()
    others.leave()
    expect(seen).toEqual([
      { type: 'SAVED_VIEW_UPDATED', changes: [{ field: 'isShared', before: false, after: true }] },
      { type: 'SAVED_VIEW_UPDATED', changes: [{ field: 'isShared', before: true, after: false }] },
      { type: 'SAVED_VIEW_CREATED', changes: [] },
    ])
  })
})

describe('order and defaults', () => {
  test('views come by position, new ones last, in pages, of one noun or of all', async () => {
    const on = await user()
    for (const name of ['a', 'b', 'c']) await save(on, { name })
    await save(on, { name: 'calls', noun: 'CALLS', position: 0 })
    const { savedViews } = await on.data('{ savedViews(noun: CONTACTS) { nodes { id } } }')
    await change(on, { id: savedViews.nodes[2].id, position: 0 })

    const first = (await on.data('{ savedViews(noun: CONTACTS, first: 2) { totalCount nodes { name } pageInfo { endCursor } } }'))
      .savedViews
    expect([first.totalCount, first.nodes.map(({ name }: Json) => name)]).toEqual([3, ['c', 'a']])
    expect(await namesOf(on, `(noun: CONTACTS, after: "${first.pageInfo.endCursor}")`)).toEqual(['b'])
    expect(await namesOf(on, '(noun: CONTACTS, last: 2)')).toEqual(['a', 'b'])
    expect(await namesOf(on)).toEqual(['c', 'calls', 'a', 'b'])
  })

  test('one view of a noun is the default of its owner, and one of the organization, also when several write at once', async () => {
    const on = await user()
    const [a, b] = [await save(on, { name: 'a', isDefault: true }), await save(on, { name: 'b' })]
    const shared = await save(on, { name: 'shared', isShared: true, isDefault: true })

    await Promise.all([
      ...Array.from({ length: 3 }, () => save(on, { name: 'new', isDefault: true })),
      change(on, { id: b.id, isDefault: true }),
    ])
    const { savedViews } = await on.data('{ savedViews { nodes { id name isDefault isShared version } } }')

    const defaults = savedViews.nodes.filter((view: Json) => view.isDefault)
    expect(defaults.map((view: Json) => view.isShared).toSorted()).toEqual([false, true])
    expect(savedViews.nodes.find(({ id }: Json) => id === a.id)).toMatchObject({ isDefault: false, version: 2 })
    const moved = await change(on, { id: b.id, isShared: true, isDefault: true })
    expect(moved).toMatchObject({ isShared: true, isDefault: true })
    const after = (await on.data('{ savedViews { nodes { id isDefault } } }')).savedViews.nodes
    expect(after.find(({ id }: Json) => id === shared.id).isDefault).toBe(false)
  })
})

describe('/api/crm/v1/views', () => {
  test('are saved, listed, read, changed and deleted, with enums in lower case', async () => {
    const { key } = await app.given.apiKey()
    const body = { noun: 'enrichment_jobs', name: 'Failed', filter: { statusIn: ['failed'] }, columns: ['status'] }

    const created = await rest('POST', '/api/crm/v1/views', { key, body })
    const path = `/api/crm/v1/views/${created.body.id}`
    expect([created.status, created.headers.get('location')]).toEqual([201, path])
    expect(created.body).toMatchObject({
      ...body,
      sort: null,
      is_shared: true,
      is_default: false,
      position: 1,
      owner_user_id: null,
      version: 1,
    })
    const inGraphql = (await app.graphql(`{ savedView(id: "${created.body.id}") { noun filter } }`, undefined, { key })).body.data.savedView
    expect(inGraphql).toEqual({ noun: 'ENRICHMENT_JOBS', filter: { statusIn: ['FAILED'] } })
    expect((await rest('GET', '/api/crm/v1/views?noun=calls', { key })).body.data).toEqual([])
    expect((await rest('GET', '/api/crm/v1/views?include=total', { key })).body).toMatchObject({ data: [created.body], total: 1 })
    const changed = await rest('PATCH', path, { key, body: { filter: null, is_default: true }, headers: { 'if-match': '"1"' } })
    expect(changed.body).toMatchObject({ filter: {}, is_default: true, version: 2 })
    expect((await rest('PATCH', path, { key, body: {}, headers: { 'if-match': '"1"' } })).status).toBe(412)
    const { status, body: wrong } = await rest('PATCH', path, { key, body: { filter: { statusIn: ['FAILED'] } } })
    expect([status, wrong.detail[0].loc]).toEqual([422, ['body', 'filter', 'statusIn', '0']])
    expect((await rest('DELETE', path, { key })).body).toEqual(changed.body)
    expect((await rest('GET', path, { key })).status).toBe(404)
  })
})

test('a viewer saves, changes and deletes private views, and no shared ones', async () => {
  const owner = await user()
  const viewer = await user({ orgId: owner.orgId ?? '', role: 'viewer' })
  const shared = await save(owner, { name: 'Shared', isShared: true })
  const own = await save(viewer, { name: 'Mine' })
  const codes = [
    await viewer.error(create, { input: { noun: 'CONTACTS', name: 'For all', isShared: true } }),
    await viewer.error(update, { input: { id: own.id, isShared: true } }),
    await viewer.error(update, { input: { id: shared.id, name: 'Mine now' } }),
    await viewer.error(remove, { input: { id: shared.id } }),
  ].map(({ code }) => code)

  expect(own).toMatchObject({ isShared: false, ownerUserId: viewer.userId })
  expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  expect(await change(viewer, { id: own.id, name: 'Ours' })).toMatchObject({ name: 'Ours', version: 2 })
  expect(await namesOf(owner)).toEqual(['Shared'])
  await viewer.data(remove, { input: { id: own.id } })
  expect(await namesOf(viewer)).toEqual(['Shared'])
})

test("a viewer's session saves private views by REST as well, and reads them; the key of a viewer reads", async () => {
  const owner = await user()
  const { session, userId } = await user({ orgId: owner.orgId ?? '', role: 'viewer' })
  const { key } = await app.given.apiKey({ orgId: owner.orgId, userId })
  const path = '/api/crm/v1/views'
  const body = { noun: 'contacts', name: 'Mine' }

  const created = await rest('POST', path, { session, body })
  const shared = await rest('POST', path, { session, body: { ...body, is_shared: true } })
  const byKey = await rest('POST', path, { key, body })
  const changed = await rest('PATCH', `${path}/${created.body.id}`, { session, body: { name: 'Ours' } })

  expect([created.status, shared.status, byKey.status, changed.status]).toEqual([201, 403, 403, 200])
  expect((await rest('GET', path, { session })).body.data).toMatchObject([{ name: 'Ours', is_shared: false }])
  expect((await rest('GET', path, { key })).body.data).toEqual([])
  expect((await rest('DELETE', `${path}/${created.body.id}`, { session })).status).toBe(200)
})

test('a member who has become a viewer cannot change their shared view', async () => {
  const owner = await user()
  const member = await user({ orgId: owner.orgId ?? '' })
  const shared = await save(member, { isShared: true })
  await owner.data(`mutation { changeMemberRole(input: { userId: "${member.userId}", role: VIEWER }) { __typename } }`)

  const { code } = await member.error(update, { input: { id: shared.id, name: 'Still mine' } })

  expect(code).toBe('FORBIDDEN')
})
