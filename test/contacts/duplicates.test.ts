// Contacts that may be the same person: found by mailbox, number, name and company, and by similar names; dismissed for good.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mailboxOf, similarity } from '../../src/contacts/duplicates/contact-likeness.ts'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, problemsOf } from './client.ts'

const app = await openApp()

const pairs = 'nodes { contact { id } duplicate { id } reasons score } pageInfo { hasNextPage endCursor } totalCount'
const find = async (on: Client, args: Json = {}) =>
  (await on.data(`query ($first: Int, $after: String) { findDuplicates(first: $first, after: $after) { ${pairs} } }`, args)).findDuplicates
const of = async (on: Client, id: string) =>
  (await on.data(`query ($id: ID!) { duplicatesOf(contactId: $id) { ${pairs} } }`, { id })).duplicatesOf.nodes
const dismissed = 'mutation ($one: ID!, $other: ID!) { dismissDuplicate(input: { contactId: $one, otherId: $other }) { id } }'
const ids = (nodes: Json[]) => nodes.map(({ contact, duplicate }) => [contact.id, duplicate.id])

describe('findDuplicates', () => {
  test('finds the same mailbox, number, and name and company, each pair once, with all its reasons', async () => {
    const on = await clientIn(app)
    const ada = await on.create({ email: 'Ada.Byron@gmail.com', fullName: 'Ada Byron', companyName: 'Engines' })
    const plus = await on.create({ email: 'a.dabyron+news@googlemail.com', fullName: 'Ada Byron', companyName: 'ENGINES' })
    const bob = await on.create({ email: 'bob+1@example.com', phone: '+14155550101', fullName: 'Bob' })
    const twin = await on.create({ email: 'bob@example.com', phone: '+1 415 555 0101', fullName: 'Robert' })
    const phone = await on.create({ phone: '+14155550101' })
    const named = await on.create({ fullName: 'ada byron', companyName: 'engines' })
    await on.create({ email: 'bob@other.example', fullName: 'Ada Byron', companyName: 'Other' })
    await on.create()

    const { nodes, totalCount, pageInfo } = await find(on)

    expect(nodes).toEqual([
      { contact: { id: ada.id }, duplicate: { id: plus.id }, reasons: ['EMAIL', 'NAME_AND_COMPANY'], score: 0.99 },
      { contact: { id: bob.id }, duplicate: { id: twin.id }, reasons: ['EMAIL', 'PHONE'], score: expect.closeTo(0.993, 2) },
      { contact: { id: bob.id }, duplicate: { id: phone.id }, reasons: ['PHONE'], score: 0.85 },
      { contact: { id: ada.id }, duplicate: { id: named.id }, reasons: ['NAME_AND_COMPANY'], score: 0.8 },
    ])
    expect({ totalCount, hasNextPage: pageInfo.hasNextPage }).toEqual({ totalCount: 4, hasNextPage: false })
  })

  test('pages through all of them, whatever the size of a page', async () => {
    const on = await clientIn(app)
    for (let index = 0; index < 3; index++) {
      await on.create({ email: `mail${index}@example.com`, phone: `+1415555020${index}`, fullName: `N${index}`, companyName: 'C' })
      await on.create({ email: `mail${index}+x@example.com` })
      await on.create({ phone: `+1415555020${index}` })
      await on.create({ fullName: `N${index}`, companyName: 'c' })
    }

    const whole = await find(on)
    for (const first of [1, 2, 4]) {
      const paged: Json[] = []
      for (let after: string | null = null, more = true; more; ) {
        const page: Json = await find(on, { first, after })
        paged.push(...page.nodes)
        after = page.pageInfo.endCursor
        more = page.pageInfo.hasNextPage
      }
      expect(ids(paged)).toEqual(ids(whole.nodes))
    }
    expect(whole.nodes).toHaveLength(9)
    expect((await on.error('{ findDuplicates(after: "x") { nodes { score } } }')).code).toBe('INVALID')
  })

  test('leaves out deleted and foreign contacts, and numbers that more than 20 share', async () => {
    const on = await clientIn(app)
    const one = await on.create({ phone: '+14155550301' })
    const two = await on.create({ phone: '+14155550301' })
    await (await clientIn(app)).create({ phone: '+14155550301' })
    for (let index = 0; index < 21; index++) await on.create({ phone: '+14155550302' })
    expect(ids((await find(on)).nodes)).toEqual([[one.id, two.id]])

    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: two.id })

    expect((await find(on)).nodes).toEqual([])
  })

  test('a dismissed pair does not come again, in either direction, and the next oldest comes instead', async () => {
    const on = await clientIn(app)
    const [a, b, c] = [
      await on.create({ phone: '+14155550401' }),
      await on.create({ phone: '+14155550401' }),
      await on.create({ phone: '+14155550401' }),
    ]
    expect(ids((await find(on)).nodes)).toEqual([
      [a.id, b.id],
      [a.id, c.id],
    ])

    for (let times = 0; times < 2; times++) await on.data(dismissed, { one: c.id, other: a.id })

    expect(ids((await find(on)).nodes)).toEqual([
      [a.id, b.id],
      [b.id, c.id],
    ])
    expect(ids(await of(on, a.id))).toEqual([[a.id, b.id]])
    const { contact } = await on.data('query ($id: ID!) { contact(id: $id) { timeline { nodes { type entityId details } } } }', {
      id: c.id,
    })
    expect(contact.timeline.nodes[0]).toEqual({ type: 'CONTACT_DUPLICATE_DISMISSED', entityId: c.id, details: { otherId: a.id } })
    expect(contact.timeline.nodes).toHaveLength(2)
    expect(problemsOf(await on.error(dismissed, { one: a.id, other: a.id }))).toEqual(['otherId: Value error, it is the contact itself'])
    expect(await (await clientIn(app)).error(dismissed, { one: a.id, other: b.id })).toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('a contact that is merged takes its dismissed pairs along, and the undo gives them back', async () => {
  const on = await clientIn(app)
  const [winner, loser, other] = [await on.create(), await on.create({ phone: '+14155550601' }), await on.create({ phone: '+14155550601' })]
  await on.data(dismissed, { one: other.id, other: loser.id })
  const merging = 'mutation ($w: ID!, $l: ID!) { mergeContacts(input: { winnerId: $w, loserId: $l }) { mergeId moved { dismissals } } }'
  const { mergeContacts: merged } = await on.data(merging, { w: winner.id, l: loser.id })

  expect(merged.moved.dismissals).toBe(1)
  expect((await find(on)).nodes).toEqual([])
  const undoing = 'mutation ($id: ID!) { undoMerge(input: { mergeId: $id }) { moved { dismissals } } }'
  expect(await on.data(undoing, { id: merged.mergeId })).toEqual({ undoMerge: { moved: { dismissals: 1 } } })
  await on.data('mutation ($id: ID!) { updateContact(input: { id: $id, phone: "+14155550601" }) { id } }', { id: winner.id })
  expect(ids((await find(on)).nodes)).toEqual([
    [winner.id, loser.id],
    [winner.id, other.id],
  ])
})

describe('duplicatesOf', () => {
  test('finds similar names in the same company too, the surest first', async () => {
    const on = await clientIn(app)
    const one = await on.create({ email: 'j.smith@example.com', fullName: 'Jonathan Smith', companyName: 'Acme' })
    const similar = await on.create({ fullName: 'Jonathon Smith', companyName: 'ACME' })
    const mail = await on.create({ email: 'J.Smith+old@example.com' })
    await on.create({ fullName: 'Jonathan Miller', companyName: 'Other' })

    const found = await of(on, one.id)

    expect(ids(found)).toEqual([
      [one.id, mail.id],
      [one.id, similar.id],
    ])
    expect(found.map(({ reasons }: Json) => reasons)).toEqual([['EMAIL'], ['SIMILAR_NAME']])
    expect(await on.error('query ($id: ID!) { duplicatesOf(contactId: $id) { nodes { score } } }', { id: 'none' })).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('the program and the database agree on mailboxes and similarity', async () => {
    const part = fc.stringMatching(/^[A-Za-z0-9.+]{1,12}$/)
    const domain = fc.constantFrom('gmail.com', 'GoogleMail.com', 'example.com')
    await fc.assert(
      fc.asyncProperty(part, domain, part, async (local, host, other) => {
        const { rows } = await app.services.database.pool.query('select mailbox_of($1) as mailbox, similarity($2, $3) as similarity', [
          `${local}@${host}`,
          local,
          other,
        ])
        expect(mailboxOf(`${local}@${host}`)).toBe(rows[0].mailbox)
        expect(similarity(local, other)).toBeCloseTo(rows[0].similarity, 4)
      }),
      { numRuns: 50 },
    )
  })
})

describe('the endpoints of duplicates', () => {
  test('list, list for one, and dismiss', async () => {
    const on = await clientIn(app)
    const [a, b] = [await on.create({ phone: '+14155550501' }), await on.create({ phone: '+14155550501' })]
    const get = (path: string) => app.rest('GET', `/api/crm/v1${path}`, { key: on.key })

    const all = await get('/duplicates?limit=1&include=total')
    const one = await get(`/contacts/${b.id}/duplicates`)
    const done = await app.rest('POST', `/api/crm/v1/contacts/${a.id}/duplicates/dismiss`, { body: { other_id: b.id }, key: on.key })

    expect(all).toMatchObject({
      status: 200,
      body: { data: [{ contact: { id: a.id }, duplicate: { id: b.id }, reasons: ['phone'], score: 0.85 }], has_more: false, total: 1 },
    })
    expect(one).toMatchObject({ status: 200, body: { data: [{ contact: { id: a.id }, duplicate: { id: b.id } }] } })
    expect(done).toMatchObject({ status: 200, body: { id: a.id } })
    expect((await get('/duplicates')).body.data).toEqual([])
  })
})
