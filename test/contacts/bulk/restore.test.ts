// Deleted contacts, listed and restored together.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Ask, asking, counts, done, ended, organizationIn } from './changing.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })

const remove = async (ask: Ask, ...ids: (string | undefined)[]) => {
  for (const id of ids) await ask(`mutation { deleteContact(input: { id: "${id}" }) { id } }`)
}
const merge = (ask: Ask, winner: string | undefined, loser: string | undefined) =>
  ask(`mutation { mergeContacts(input: { winnerId: "${winner}", loserId: "${loser}" }) { mergeId } }`)
const emails = async (ask: Ask, filter: string) =>
  (await ask(`{ contacts(sort: EMAIL, filter: { ${filter} }) { nodes { email } } }`)).contacts.nodes.map(({ email }: Json) => email)
const five = ['a', 'b', 'c', 'd', 'e'].map(name => ({ email: `${name}@example.com`, lifecycleStage: name < 'd' ? 'LEAD' : 'CUSTOMER' }))

describe('contacts, only deleted', () => {
  test('has deleted contacts alone, not those that were merged, and combines with every other filter and order', async () => {
    const { ask, create } = await organizationIn(app)
    const [a, b, c, d, e] = await create(five)
    await remove(ask, a, d)
    await merge(ask, b, c)
    const found = (sort: string, more = '') =>
      ask(`{ contacts(first: 1, sort: ${sort}, filter: { onlyDeleted: true ${more} }) { totalCount nodes { id deletedAt } } }`)

    expect(await emails(ask, 'onlyDeleted: true')).toEqual(['a@example.com', 'd@example.com'])
    for (const sort of ['CREATED_AT', 'UPDATED_AT', 'LAST_NAME', 'EMAIL'])
      expect(await found(sort)).toEqual({ contacts: { totalCount: 2, nodes: [{ id: a, deletedAt: expect.any(String) }] } })
    expect((await found('CREATED_AT', 'lifecycleStage: CUSTOMER')).contacts).toMatchObject({ totalCount: 1, nodes: [{ id: d }] })
    expect((await found('EMAIL', 'email: "A@example.com"')).contacts).toMatchObject({ totalCount: 1, nodes: [{ id: a }] })
    expect(
      await ask('{ groupContacts(by: [{ field: LIFECYCLE_STAGE }], filter: { onlyDeleted: true }) { groups { keys count } } }'),
    ).toEqual({
      groupContacts: {
        groups: expect.arrayContaining([
          { keys: ['LEAD'], count: 1 },
          { keys: ['CUSTOMER'], count: 1 },
        ]),
      },
    })
    expect(await emails(ask, 'onlyDeleted: true, includeDeleted: true')).toEqual(['a@example.com', 'd@example.com'])
    expect(await emails(ask, 'onlyDeleted: false')).toEqual(['b@example.com', 'e@example.com'])
    expect(e).toBeDefined()
  })

  test('is a parameter of REST, its cursors are its own', async () => {
    const { ask, create, orgId } = await organizationIn(app)
    const { key } = await app.given.apiKey({ orgId })
    const ids = await create(five)
    await remove(ask, ...ids.slice(0, 3))
    const page = async (query: string) => (await app.rest('GET', `/api/crm/v1/contacts?sort=email&${query}`, { key })).body

    const first = await page('only_deleted=true&limit=2&include=total')
    expect([first.total, first.data.map(({ id }: Json) => id)]).toEqual([3, ids.slice(0, 2)])
    const second = await page(`only_deleted=true&limit=2&cursor=${first.next_cursor}`)
    expect(second.data.map(({ id }: Json) => id)).toEqual([ids[2]])
    expect((await page(`include_deleted=true&cursor=${first.next_cursor}`)).detail[0].loc).toEqual(['query', 'cursor'])
  })
})

describe('restoreContactsInBulk', () => {
  test('restores all that match, each with its version and event, and is taken back', async () => {
    const { ask, create } = await organizationIn(app)
    const [a, b, , d] = await create(five)
    await remove(ask, a, b, d)

    const change = await done(ask, 'restoreContactsInBulk', 'filter: { lifecycleStage: LEAD, onlyDeleted: true }')

    expect(change).toMatchObject({ action: 'RESTORE', failures: [] })
    expect(counts(change)).toEqual(['COMPLETED', 2, 2, 0, 0])
    const { contact } = await ask(`{ contact(id: "${a}") { version deletedAt timeline(first: 1) { nodes { type } } } }`)
    expect(contact).toEqual({ version: 3, deletedAt: null, timeline: { nodes: [{ type: 'CONTACT_RESTORED' }] } })
    expect(await emails(ask, 'onlyDeleted: true')).toEqual(['d@example.com'])

    const undo = await done(ask, 'undoContactBulkChange', `id: "${change.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 2, 2, 0, 0])
    expect(await emails(ask, 'onlyDeleted: true')).toEqual(['a@example.com', 'b@example.com', 'd@example.com'])
    expect((await ended(ask, change.id)).undoneById).toBe(undo.id)
  })

  test('of chosen contacts says which were refused, and why: merged ones, and those whose address is taken', async () => {
    const { ask, create } = await organizationIn(app)
    const [a, b, c, d, e] = await create(five)
    await remove(ask, a, d)
    const [again] = await create([{ email: 'A@example.com' }])
    const [twin] = await create([{ email: 'd@example.com' }])
    await remove(ask, twin)
    await merge(ask, b, c)
    const single = async (id: string | undefined) => (await ask(`mutation { restoreContact(input: { id: "${id}" }) { id } }`)).error
    const alone = { a: await single(a), c: await single(c) }
    const ids = [a, c, d, e, twin, 'none', '019a0000-0000-7000-8000-000000000000']

    const change = await done(ask, 'restoreContactsInBulk', 'ids: $ids', { ids }, '($ids: [ID!])')

    expect(counts(change)).toEqual(['COMPLETED', 5, 1, 1, 3])
    expect([alone.a.code, alone.c.code]).toEqual(['ALREADY_EXISTS', 'CONFLICT'])
    const by = (one: Json, other: Json) => String(one.contactId).localeCompare(other.contactId)
    expect(change.failures.toSorted(by)).toEqual(
      [
        { contactId: a, otherId: again, error: { code: 'ALREADY_EXISTS', message: expect.stringContaining('email') } },
        { contactId: c, otherId: b, error: { code: 'CONFLICT', message: expect.stringContaining('undo the merge') } },
        { contactId: twin, otherId: d, error: { code: 'ALREADY_EXISTS', message: expect.stringContaining('email') } },
      ].toSorted(by),
    )
    expect(await emails(ask, 'email: "d@example.com"')).toEqual(['d@example.com'])
  })

  test('lists the first 100 refused ones, and counts all', async () => {
    const { ask, create } = await organizationIn(app)
    const many = [0, 1].map(half => Array.from({ length: 60 }, (_, index) => ({ email: `c${half}-${index}@example.com` })))
    const ids = (await Promise.all(many.map(create))).flat()
    await done(ask, 'deleteContactsInBulk', 'ids: $ids', { ids }, '($ids: [ID!])')
    for (const contacts of many) await create(contacts)

    const change = await done(ask, 'restoreContactsInBulk', 'filter: {}')

    expect([...counts(change), change.failures.length]).toEqual(['COMPLETED', 120, 0, 0, 120, 100])
  })

  test('leaves out contacts that are deleted after the request, and other organizations', async () => {
    const { ask, create } = await organizationIn(app)
    const stranger = await organizationIn(app)
    const [a, b] = await create(five)
    const [theirs] = await stranger.create(five)
    await remove(ask, a)
    await remove(stranger.ask, theirs)
    app.setNow(new Date(Date.now() + 60_000))
    await remove(ask, b)
    app.setNow(null)

    const change = await done(ask, 'restoreContactsInBulk', 'ids: $ids', { ids: [theirs] }, '($ids: [ID!])')
    expect(counts(change)).toEqual(['COMPLETED', 0, 0, 0, 0])
    await done(ask, 'restoreContactsInBulk', 'filter: {}')

    expect(await emails(ask, 'onlyDeleted: true')).toEqual(['b@example.com'])
    expect(await emails(stranger.ask, 'onlyDeleted: true')).toEqual(['a@example.com'])
  })

  test('brings the reminders that came meanwhile', async () => {
    const { ask, create } = await organizationIn(app)
    const [a] = await create(five)
    const remindAt = new Date(Date.now() + 2000).toISOString()
    const { createTask: task } = await ask(
      `mutation { createTask(input: { contactId: "${a}", title: "Call", remindAt: "${remindAt}" }) { id } }`,
    )
    await remove(ask, a)
    await new Promise(resolve => setTimeout(resolve, 2500))

    await done(ask, 'restoreContactsInBulk', 'filter: {}')

    const reminded = async () => (await ask(`{ contactTask: task(id: "${task.id}") { remindedAt } }`)).contactTask.remindedAt
    await expect.poll(reminded, { timeout: 20_000 }).not.toBeNull()
  })

  test('is repeated by its key, tried without happening, and refused to readers', async () => {
    const { ask, create, orgId } = await organizationIn(app)
    const [a] = await create(five)
    await remove(ask, a)
    const { key } = await app.given.apiKey({ orgId })
    const reader = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })
    const text = 'mutation ($dry: Boolean) { restoreContactsInBulk(input: { filter: {} }, dryRun: $dry) { id total status } }'

    expect((await asking(app, { key: reader.key })(text)).error.code).toBe('FORBIDDEN')
    const dry = await asking(app, { key })(text, { dry: true })
    expect(dry.error ?? dry.restoreContactsInBulk).toMatchObject({ total: 1 })
    expect((await ask('{ contactBulkChanges { totalCount } }')).contactBulkChanges.totalCount).toBe(0)
    const once = async () =>
      (await app.graphql(text, {}, { key, headers: { 'idempotency-key': 'once' } })).body.data.restoreContactsInBulk.id
    const id = await once()
    expect(await once()).toBe(id)
    await ended(ask, id)
    expect(await emails(ask, 'onlyDeleted: true')).toEqual([])
  })

  test('a contact that was merged since it was deleted in bulk stays merged when the deletion is undone', async () => {
    const { ask, create } = await organizationIn(app)
    const [a, b] = await create(five)
    const change = await done(ask, 'deleteContactsInBulk', 'ids: $ids', { ids: [a] }, '($ids: [ID!])')
    await ask(`mutation { restoreContact(input: { id: "${a}" }) { id } }`)
    await merge(ask, b, a)

    const undo = await done(ask, 'undoContactBulkChange', `id: "${change.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 1, 0, 0, 1])
    expect(undo.failures).toMatchObject([{ contactId: a, otherId: b, error: { code: 'CONFLICT' } }])
  })
})
