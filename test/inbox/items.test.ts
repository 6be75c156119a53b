// What a member does with inbox items, through every door, and what nobody else sees.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { bringBack } from '../../src/inbox/items/return.ts'
import { applyRetention } from '../../src/server/queue/retention.ts'
import { problemsOf } from '../contacts/client.ts'
import { openStream, type Stream } from '../graphql/stream.ts'
import { call, connect } from '../mcp/client.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { type Person, twoPeople } from './members.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const rest = conforming(app)
const change =
  'mutation ($input: UpdateInboxItemInput!) { updateInboxItem(input: $input) { id state doneAt snoozedUntil shownAt version } }'
const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** Two people, and an item of the second one. */
async function withItem() {
  const people = await twoPeople(app)
  const contact = await people.ada.create({ firstName: 'Alan', ownerUserId: people.grace.userId })
  const [item] = await people.grace.receives(1)
  return { ...people, contact, item: item as Json }
}

describe('updateInboxItem', () => {
  test('finishes and reopens; the same again changes nothing', async () => {
    const { grace, item } = await withItem()
    const write = async (input: Json) => (await grace.data(change, { input: { id: item.id, ...input } })).updateInboxItem
    const done = await write({ done: true, ifVersion: 1 })
    const again = await write({ done: true })
    const counted = (await grace.data('{ inboxCount inbox(state: DONE) { totalCount } }')) as Json
    const open = await write({ done: false })

    expect(done).toMatchObject({ state: 'DONE', doneAt: expect.any(String), version: 2 })
    expect(again).toEqual(done)
    expect(counted).toEqual({ inboxCount: 0, inbox: { totalCount: 1 } })
    expect(open).toMatchObject({ state: 'OPEN', doneAt: null, version: 3 })
    expect(await grace.error(change, { input: { id: item.id, done: true, ifVersion: 1 } })).toMatchObject({ code: 'PRECONDITION_FAILED' })
  })

  test('snoozes until a time, at which the item comes back by itself, once', async () => {
    const { grace, item, orgId } = await withItem()
    const snoozedUntil = new Date(Date.now() + 1500).toISOString()
    const { updateInboxItem } = await grace.data(change, { input: { id: item.id, snoozedUntil } })
    const meanwhile = [await grace.inbox(), (await grace.inbox('SNOOZED')).map(({ id }) => id)]
    await grace.receives(1)
    await bringBack(app.services, { orgId, itemId: item.id, snoozedUntil })
    const returns = await app.services.database.prisma.event.count({ where: { entityId: item.id, type: 'inbox_item.returned' } })

    expect(updateInboxItem).toMatchObject({ state: 'SNOOZED', snoozedUntil, shownAt: snoozedUntil })
    expect(meanwhile).toEqual([[], [item.id]])
    expect(returns).toBe(1)
  })

  test('a woken item is open at its first place, and does not come back again', async () => {
    const { grace, item, orgId } = await withItem()
    const snoozedUntil = inOneHour()
    await grace.data(change, { input: { id: item.id, snoozedUntil } })
    const { updateInboxItem } = await grace.data(change, { input: { id: item.id, snoozedUntil: null } })
    await bringBack(app.services, { orgId, itemId: item.id, snoozedUntil })

    expect(updateInboxItem).toMatchObject({ state: 'OPEN', snoozedUntil: null })
    expect(Date.parse(updateInboxItem.shownAt)).toBeLessThan(Date.now())
    expect(await grace.inbox()).toEqual([expect.objectContaining({ version: 3 })])
  })

  test('refuses a time that has passed, one more than a year ahead, and one of a finished item', async () => {
    const { grace, item } = await withItem()
    const problems = async (input: Json) => problemsOf(await grace.error(change, { input: { id: item.id, ...input } }))
    const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

    expect(JSON.stringify(await problems({ snoozedUntil: ahead(-1) }))).toContain('it lies in the past')
    expect(JSON.stringify(await problems({ snoozedUntil: ahead(367) }))).toContain('more than a year ahead')
    expect(JSON.stringify(await problems({ snoozedUntil: ahead(1), done: true }))).toContain('done or comes back later')
    expect(await grace.inbox()).toEqual([item])
  })
})

describe('an inbox', () => {
  test('is of its member alone: nobody else reads, changes or hears of it', async () => {
    const { ada, grace, item, orgId } = await withItem()
    const { key } = await app.given.apiKey({ orgId, userId: ada.userId })
    const found = async (credential: Json) =>
      (await app.graphql('query ($id: ID!) { node(id: $id) { id } inboxItem(id: $id) { id } }', { id: item.id }, credential)).body
    const { rows } = await app.services.database.pool.query(
      `select changes ->> 'privateTo' as whose from events where entity_id = $1 and type = 'inbox_item.created'`,
      [item.id],
    )

    for (const credential of [{ session: ada.session }, { key }])
      expect(await found(credential)).toMatchObject({
        data: { node: null, inboxItem: null },
        errors: [{ extensions: { code: 'NOT_FOUND' } }],
      })
    expect(await ada.error(change, { input: { id: item.id, done: true } })).toMatchObject({ code: 'NOT_FOUND' })
    expect(rows).toEqual([{ whose: grace.userId }])
    expect(await grace.inbox()).toEqual([item])
  })

  test('of an API key is the inbox of its maker, with inbox:manage; a guest has none', async () => {
    const { grace, item, orgId } = await withItem()
    const keyWith = async (scope: 'inbox:manage' | 'contacts:read') =>
      (await app.given.apiKey({ orgId, userId: grace.userId, scopes: [scope] })).key
    const [own, other] = [await keyWith('inbox:manage'), await keyWith('contacts:read')]

    expect((await rest('GET', '/api/crm/v1/inbox', { key: own })).body.data).toEqual([expect.objectContaining({ id: item.id })])
    expect(await rest('GET', '/api/crm/v1/inbox', { key: other })).toMatchObject({ status: 403 })
    expect((await app.graphql('{ inboxCount }', {}, { headers: { 'x-guest-id': 'guest' } })).body.errors).toBeDefined()
  })

  test('ends with the membership', async () => {
    const { ada, grace, orgId } = await withItem()
    await ada.data(`mutation { removeMember(input: { userId: "${grace.userId}" }) { id } }`)

    expect(await app.services.database.prisma.inboxItem.count({ where: { orgId, userId: grace.userId } })).toBe(0)
  })

  test('says that a subject is gone', async () => {
    const { ada, grace, contact } = await withItem()
    await ada.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: contact.id })

    expect(await grace.inbox()).toEqual([expect.objectContaining({ isSubjectGone: true })])
  })

  test('is finished as a whole, and each item tells it', async () => {
    const { ada, grace } = await withItem()
    for (const firstName of ['B', 'C']) await ada.create({ firstName, ownerUserId: grace.userId })
    await grace.receives(3)
    const finished = async () => (await grace.data('mutation { finishInbox(input: {}) { finishedCount } }')).finishInbox.finishedCount

    expect([await finished(), await finished()]).toEqual([3, 0])
    expect((await grace.inbox('DONE')).map(({ version }) => version)).toEqual([2, 2, 2])
  })

  test('keeps finished items for 90 days, open ones for ever', async () => {
    const { ada, grace, item } = await withItem()
    await ada.create({ firstName: 'Open', ownerUserId: grace.userId })
    await grace.receives(2)
    await grace.data(change, { input: { id: item.id, done: true } })
    const { prisma } = app.services.database
    await prisma.inboxItem.updateMany({ where: { userId: grace.userId }, data: { createdAt: new Date(0), shownAt: new Date(0) } })
    await prisma.inboxItem.update({ where: { id: item.id }, data: { doneAt: new Date(Date.now() - 91 * 86_400_000) } })
    await applyRetention(app.services)

    expect([await grace.inbox('DONE'), (await grace.inbox()).length]).toEqual([[], 1])
  })

  test('is live: the member hears of an item, others do not', async () => {
    const { ada, grace } = await twoPeople(app)
    const query = 'subscription { changes { type contactId entity { ... on InboxItem { id kind } } } }'
    const follow = ({ session }: Person) =>
      openStream(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${session}` },
        body: JSON.stringify({ query }),
      })
    const until = async (stream: Stream, fits: (change: Json) => boolean): Promise<Json[]> => {
      for (const read: Json[] = []; ; ) {
        read.push((await stream.next()).data.data.changes)
        if (fits(read.at(-1))) return read
      }
    }
    const [ofGrace, ofAda] = [await follow(grace), await follow(ada)]
    for (const stream of [ofGrace, ofAda]) await stream.next()
    await ada.create({ firstName: 'Alan', ownerUserId: grace.userId })
    const heard = await until(ofGrace, ({ type }) => type === 'INBOX_ITEM_CREATED')
    const { id } = await ada.create({ firstName: 'Marker' })
    const heardByAda = await until(ofAda, ({ contactId }) => contactId === id)
    for (const stream of [ofGrace, ofAda]) stream.leave()

    expect(heard.at(-1)).toMatchObject({ entity: { kind: 'ASSIGNED' } })
    expect(heardByAda.map(({ type }) => type)).toEqual(['CONTACT_CREATED', 'CONTACT_CREATED'])
  })
})

describe('the other doors', () => {
  test('REST lists, reads, changes with If-Match, and tries', async () => {
    const { grace, item } = await withItem()
    const { session } = grace
    const at = `/api/crm/v1/inbox/${item.id}`
    const page = await rest('GET', '/api/crm/v1/inbox?state=open&kind=assigned&include=total', { session })
    const tried = await app.rest('PATCH', `${at}?dry_run=true`, { session, body: { done: true } })
    const stale = await rest('PATCH', at, { session, body: { done: true }, headers: { 'if-match': '"7"' } })
    const snoozed = await rest('PATCH', at, { session, body: { snoozed_until: inOneHour() }, headers: { 'if-match': '"1"' } })
    const finished = await rest('PATCH', at, { session, body: { done: true }, headers: { 'idempotency-key': 'k' } })
    const all = await rest('POST', '/api/crm/v1/inbox/finish', { session, body: { kind: 'assigned' } })

    expect(page.body).toMatchObject({ data: [{ id: item.id, kind: 'assigned', state: 'open' }], total: 1 })
    expect(tried.body).toMatchObject({ dry_run: true, answer: { state: 'done' } })
    expect([stale.status, snoozed.body.state, finished.body.state]).toEqual([412, 'snoozed', 'done'])
    expect(all.body).toEqual({ finished: 0 })
    expect((await rest('GET', at, { session })).body).toMatchObject({ state: 'done', snoozed_until: null, version: 3 })
    expect((await rest('GET', `/api/crm/v1/inbox/${uuid()}`, { session })).status).toBe(404)
  })

  test('/mcp lists and finishes items of the member', async () => {
    const { grace, item, orgId } = await withItem()
    const { key } = await app.given.apiKey({ orgId, userId: grace.userId, scopes: ['inbox:manage'] })
    const agent = await connect(app, key)
    const listed = await call(agent, 'list_inbox')
    const done = await call(agent, 'update_inbox_item', { id: item.id, done: true })

    expect(listed).toMatchObject({ found: [{ id: item.id, kind: 'assigned', actor: { name: 'Test User' } }] })
    expect(done).toMatchObject({ id: item.id, state: 'done' })
  })
})
