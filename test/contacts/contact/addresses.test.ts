// Several email addresses and telephone numbers of a contact.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, problemsOf, warm } from '../client.ts'

const app = await openApp()

const lists = 'id email phone emails { value label isPrimary verification } phones { value label isPrimary verification }'
const update = async (on: Client, input: Json) =>
  (await on.data(`mutation ($input: UpdateContactInput!) { updateContact(input: $input) { ${lists} } }`, { input })).updateContact
const refused = (on: Client, input: Json) =>
  on.error('mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }', { input })
const read = async (on: Client, id: string) => (await on.data(`query ($id: ID!) { contact(id: $id) { ${lists} } }`, { id })).contact
const remove = (on: Client, id: string) => on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
const valuesOf = (list: Json[]) => list.map(({ value }) => value)
const known = (value: string, isPrimary = false, more: Json = {}) => ({
  value,
  label: null,
  isPrimary,
  verification: 'UNVERIFIED',
  ...more,
})

describe('emails and phones', () => {
  test('are the primary one alone, for a contact that has no others', async () => {
    const on = await clientIn(app)

    const { id } = await on.create({ email: 'Ada@example.com', phone: '+442079460958' })
    const { id: nobody } = await on.create({ firstName: 'Bob' })

    expect(await read(on, id)).toMatchObject({ emails: [known('Ada@example.com', true)], phones: [known('+442079460958', true)] })
    expect(await read(on, nobody)).toMatchObject({ emails: [], phones: [] })
  })

  test('are set together: the first is primary, or the one that says so', async () => {
    const on = await clientIn(app)

    const ada = await on.create(
      {
        emails: [{ value: 'ada@example.com' }, { value: 'ada@work.example', label: 'work', isPrimary: true, verification: 'VERIFIED' }],
        phones: [{ value: '+44 20 7946 0958', label: 'office' }, { value: '+442079460959' }, { value: '+442079460958' }],
      },
      lists,
    )

    expect(ada).toEqual({
      ...{ id: ada.id, email: 'ada@work.example', phone: '+442079460958' },
      emails: [known('ada@work.example', true, { label: 'work', verification: 'VERIFIED' }), known('ada@example.com')],
      phones: [known('+442079460958', true, { label: 'office' }), known('+442079460959')],
    })
    expect(await read(on, ada.id)).toEqual(ada)
    expect((await update(on, { id: ada.id, emails: null })).emails).toEqual([])
    expect((await update(on, { id: ada.id, phones: [{ value: '+442079460959' }] })).phones).toEqual([known('+442079460959', true)])
  })

  test('email and phone change the primary one: the others stay, and one of them can take its place', async () => {
    const on = await clientIn(app)
    const emails = ['a', 'b', 'c'].map(name => ({ value: `${name}@example.com`, label: name }))
    const { id } = await on.create({ emails })

    const replaced = await update(on, { id, email: 'new@example.com' })
    const promoted = await update(on, { id, email: 'C@example.com' })
    const cleared = await update(on, { id, email: null })

    expect(valuesOf(replaced.emails)).toEqual(['new@example.com', 'b@example.com', 'c@example.com'])
    expect(promoted.emails.map(({ value, label }: Json) => [value, label])).toEqual([
      ['C@example.com', 'c'],
      ['new@example.com', 'a'],
      ['b@example.com', 'b'],
    ])
    expect([cleared.email, ...valuesOf(cleared.emails)]).toEqual(['new@example.com', 'new@example.com', 'b@example.com'])
  })

  test('keep the label and the verification that an input does not name', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ emails: [{ value: 'a@example.com', label: 'work', verification: 'BOUNCED' }] })

    const after = await update(on, { id, emails: [{ value: 'b@example.com' }, { value: 'A@example.com' }] })

    expect(after.emails).toEqual([known('b@example.com', true), known('A@example.com', false, { label: 'work', verification: 'BOUNCED' })])
  })

  test('in the country of the organization become international', async () => {
    const on = await clientIn(app)

    const { phones } = await on.create({ country: 'DE', phones: [{ value: '030 901820' }, { value: '0171 1234567' }] }, lists)

    expect(valuesOf(phones)).toEqual(['+4930901820', '+491711234567'])
  })

  test('that are wrong are refused with all problems', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ email: 'ada@example.com' })
    const many = Array.from({ length: 21 }, (_, n) => ({ value: `${n}@example.com` }))

    const two = await refused(on, {
      id,
      emails: [
        { value: 'a@b.example', isPrimary: true },
        { value: 'c@d.example', isPrimary: true },
      ],
    })
    const wrong = await refused(on, {
      id,
      emails: [{ value: 'nobody' }],
      phones: [{ value: ' ' }, { value: '+49301', label: 'x'.repeat(65) }],
    })
    const both = await refused(on, { id, email: 'a@b.example', emails: [{ value: 'c@d.example' }] })
    const tooMany = await refused(on, { id, emails: many })

    expect(problemsOf(two)).toEqual(['emails.1.isPrimary: Value error, another of the emails is primary already; choose one'])
    expect(problemsOf(wrong)).toEqual([
      'emails.0.value: Value error, it is not a valid email address',
      'phones.0.value: String should have at least 1 character',
      'phones.1.label: String should have at most 64 characters',
    ])
    expect(problemsOf(both)).toEqual(['emails: Value error, the primary one is not the same as email; send one of the two fields'])
    expect(problemsOf(tooMany)[0]).toMatch(/emails: List should have at most 20 items/)
    expect(valuesOf((await read(on, id)).emails)).toEqual(['ada@example.com'])
  })

  test('are added and removed, and another one becomes the primary one', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ email: 'a@example.com', country: 'DE', phone: '030 901820' })

    const added = await update(on, {
      id,
      addEmails: [{ value: 'b@example.com', label: 'home' }, { value: 'c@example.com' }],
      addPhones: [{ value: '0171 1234567', isPrimary: true }],
      country: 'DE',
    })
    const labelled = await update(on, { id, addEmails: [{ value: 'C@example.com', label: 'old', verification: 'INVALID' }] })
    const removed = await update(on, { id, removeEmails: ['A@example.com', 'unknown@example.com'], removePhones: ['+4930901820'] })
    const none = await update(on, { id, removeEmails: ['b@example.com', 'c@example.com'] })

    expect(added.emails).toEqual([known('a@example.com', true), known('b@example.com', false, { label: 'home' }), known('c@example.com')])
    expect([added.phone, ...valuesOf(added.phones)]).toEqual(['+491711234567', '+491711234567', '+4930901820'])
    expect(labelled.emails[2]).toEqual(known('c@example.com', false, { label: 'old', verification: 'INVALID' }))
    expect(removed.emails[0]).toEqual(known('b@example.com', true, { label: 'home' }))
    expect(valuesOf(removed.phones)).toEqual(['+491711234567'])
    expect([none.email, none.emails]).toEqual([null, []])
  })

  test('are at most 20, also where they are added, and an added address is unique', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ emails: Array.from({ length: 19 }, (_, n) => ({ value: `${n}@example.com` })) })
    const other = await on.create({ email: 'taken@example.com' })
    const addEmails = [{ value: 'twenty@example.com' }, { value: 'more@example.com' }]

    expect(problemsOf(await refused(on, { id, addEmails }))).toEqual([
      'addEmails: List should have at most 20 items after validation, not 21',
    ])
    expect(await refused(on, { id, addEmails: [{ value: 'TAKEN@example.com' }] })).toMatchObject({ existingId: other.id })
  })

  test('are told as a change with all of them, before and after', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ email: 'a@example.com' })
    await update(on, { id, emails: [{ value: 'a@example.com' }, { value: 'b@example.com', label: 'home' }] })

    const timeline = await app.rest('GET', `/api/crm/v1/contacts/${id}/timeline`, { key: on.key })

    const a = { value: 'a@example.com', label: null, verification: 'unverified' }
    expect(timeline.body.data[0].changes).toEqual({ emails: [[a], [a, { ...a, value: 'b@example.com', label: 'home' }]] })
  })

  test('of a page take no further statement', async () => {
    const on = await clientIn(app)
    for (const name of ['a', 'b', 'c']) await on.create({ emails: [{ value: `${name}@example.com` }, { value: `${name}@work.example` }] })
    await warm(app, on)

    const { contacts } = await on.data(`{ contacts(sort: EMAIL) { nodes { emails { value } phones { value } } } }`)

    expect(app.statements()).toBe(1)
    expect(contacts.nodes.map(({ emails }: Json) => valuesOf(emails))).toEqual(
      ['a', 'b', 'c'].map(name => [`${name}@example.com`, `${name}@work.example`]),
    )
  })
})

describe('an address, primary or further,', () => {
  const taken = (existingId: string) => ({ code: 'ALREADY_EXISTS', field: 'email', existingId })

  test('is unique among live contacts, in every way of writing', async () => {
    const on = await clientIn(app)
    const holder = await on.create({ emails: [{ value: 'ada@example.com' }, { value: 'ada@work.example' }] })
    const other = await on.create({ email: 'bob@example.com' })
    const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
    const upsert = 'mutation ($input: UpsertContactInput!) { upsertContact(input: $input) { contact { id } } }'
    const third = { value: 'third@example.com' }

    expect(await on.error(create, { input: { email: 'ADA@work.example' } })).toMatchObject(taken(holder.id))
    expect(await on.error(create, { input: { emails: [third, { value: 'Ada@Example.com' }] } })).toMatchObject(taken(holder.id))
    expect(await refused(on, { id: other.id, email: 'ada@work.example' })).toMatchObject(taken(holder.id))
    expect(await refused(on, { id: other.id, emails: [third, { value: 'ada@work.example' }] })).toMatchObject(taken(holder.id))
    expect(await on.error(upsert, { input: { emails: [third, { value: 'ada@work.example' }] } })).toMatchObject(taken(holder.id))
    expect((await read(on, other.id)).emails).toEqual([known('bob@example.com', true)])
  })

  test('finds the contact of an upsert, which keeps its primary one', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ emails: [{ value: 'ada@example.com' }, { value: 'ada@work.example' }] })

    const { upsertContact } = await on.data(
      `mutation { upsertContact(input: { email: "ADA@work.example", firstName: "Ada" }) { outcome contact { firstName ${lists} } } }`,
    )

    expect(upsertContact).toMatchObject({ outcome: 'UPDATED', contact: { id, firstName: 'Ada', email: 'ada@example.com' } })
    expect(valuesOf(upsertContact.contact.emails)).toEqual(['ada@example.com', 'ada@work.example'])
  })

  test('finds the contacts of a batch, whose rows fail one by one', async () => {
    const on = await clientIn(app)
    const ada = await on.create({ emails: [{ value: 'ada@example.com' }, { value: 'ada@work.example' }] })
    const bob = await on.create({ email: 'bob@example.com' })
    const contacts = [
      { email: 'ada@work.example', firstName: 'Ada' },
      { email: 'ada@example.com', lastName: 'Lovelace' },
      { emails: [{ value: 'bob@example.com' }, { value: 'ada@example.com' }] },
      { emails: [{ value: 'new@example.com' }, { value: 'bob@example.com' }] },
      { emails: [{ value: 'cyd@example.com' }, { value: 'cyd@work.example' }] },
      { email: 'cyd@work.example', firstName: 'Cyd' },
    ]

    const { batchContacts } = await on.data(
      `mutation ($contacts: [CreateContactInput!]!) {
        batchContacts(input: { contacts: $contacts, onConflict: UPDATE, atomic: false }) { results { outcome contactId error { code } } }
      }`,
      { contacts },
    )

    const cyd = batchContacts.results[4].contactId
    expect(batchContacts.results.map(({ outcome, contactId, error }: Json) => [outcome, contactId, error?.code])).toEqual([
      ['UPDATED', ada.id, undefined],
      ['UPDATED', ada.id, undefined],
      ['FAILED', ada.id, 'ALREADY_EXISTS'],
      ['FAILED', bob.id, 'ALREADY_EXISTS'],
      ['CREATED', cyd, undefined],
      ['UPDATED', cyd, undefined],
    ])
  })

  test('is free again after its removal or the deletion of its contact, which then cannot be restored', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ emails: ['a', 'b', 'c'].map(name => ({ value: `${name}@example.com` })) })

    await update(on, { id, emails: [{ value: 'a@example.com' }, { value: 'b@example.com' }] })
    await on.create({ email: 'c@example.com' })
    await remove(on, id)
    const heir = await on.create({ email: 'B@example.com' })

    const restore = 'mutation ($id: ID!) { restoreContact(input: { id: $id }) { id } }'
    expect(await on.error(restore, { id })).toMatchObject(taken(heir.id))
    await remove(on, heir.id)
    await on.data(restore, { id })
    expect(valuesOf((await read(on, id)).emails)).toEqual(['a@example.com', 'b@example.com'])
    expect(await on.error('mutation { createContact(input: { email: "b@example.com" }) { id } }')).toMatchObject(taken(id))
  })

  test('of 20 concurrent writes as primary and further one only one contact gets it', async () => {
    const on = await clientIn(app)
    const ids = await Promise.all(Array.from({ length: 10 }, async (_, n) => (await on.create({ email: `${n}@example.com` })).id))

    const answers = await Promise.all([
      ...ids.map(id =>
        on.ask('mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }', {
          input: { id, emails: [{ value: `${id}@example.com` }, { value: 'wanted@example.com' }] },
        }),
      ),
      ...ids.map(() => on.ask('mutation { createContact(input: { email: "WANTED@example.com" }) { id } }')),
    ])

    const codes = answers.flatMap(({ errors }) => errors?.map(({ extensions }: Json) => extensions.code) ?? [])
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'ALREADY_EXISTS'))
  })

  test('written by a release that knows only the primary one is unique, too', async () => {
    const on = await clientIn(app)
    const ada = await on.create({ emails: [{ value: 'ada@example.com' }, { value: 'ada@work.example' }] })
    const bob = await on.create({ email: 'bob@example.com' })
    const { pool } = app.services.database
    const former = (email: string, id: string) => pool.query('update contacts set email = $1 where id = $2', [email, id])

    await expect(former('ADA@work.example', bob.id)).rejects.toMatchObject({ code: '23505' })
    await former('new@example.com', ada.id)

    expect(valuesOf((await read(on, ada.id)).emails)).toEqual(['new@example.com', 'ada@work.example'])
    await on.create({ email: 'ada@example.com' })
  })
})

describe('a merge', () => {
  test('keeps all addresses and numbers, and gives them back when it is undone', async () => {
    const on = await clientIn(app)
    const winner = await on.create({
      emails: [{ value: 'a@example.com' }, { value: 'b@example.com', label: 'home' }],
      phone: '+442079460958',
    })
    const loser = await on.create({ emails: [{ value: 'c@example.com' }, { value: 'd@example.com' }], phone: '+442079460959' })
    const before = [await read(on, winner.id), await read(on, loser.id)]

    const { mergeContacts } = await on.data(
      `mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { mergeId winner { ${lists} } } }`,
      { input: { winnerId: winner.id, loserId: loser.id, fields: { email: 'LOSER' } } },
    )
    await on.data('mutation ($id: ID!) { undoMerge(input: { mergeId: $id }) { undoneAt } }', { id: mergeContacts.mergeId })

    expect(mergeContacts.winner.emails).toEqual([
      known('c@example.com', true),
      known('a@example.com'),
      known('b@example.com', false, { label: 'home' }),
      known('d@example.com'),
    ])
    expect(valuesOf(mergeContacts.winner.phones)).toEqual(['+442079460958', '+442079460959'])
    expect([await read(on, winner.id), await read(on, loser.id)]).toEqual(before)
    expect(await on.error('mutation { createContact(input: { email: "d@example.com" }) { id } }')).toMatchObject({ existingId: loser.id })
  })
})

test('REST has the lists with its names', async () => {
  const { key } = await app.given.apiKey()
  const emails = [
    { value: 'ada@example.com', label: 'work' },
    { value: 'ada@home.example', is_primary: true, verification: 'verified' },
  ]

  const created = await app.rest('POST', '/api/crm/v1/contacts', { body: { email: 'ada@home.example', emails }, key })
  const body = { email: 'bob@example.com', emails: [{ value: 'bob@example.com' }, { value: 'ada@example.com' }] }
  const again = await app.rest('POST', '/api/crm/v1/contacts', { body, key })

  expect([created.status, created.body.email, created.body.emails]).toEqual([
    201,
    'ada@home.example',
    [
      { value: 'ada@home.example', label: null, is_primary: true, verification: 'verified' },
      { value: 'ada@example.com', label: 'work', is_primary: false, verification: 'unverified' },
    ],
  ])
  expect(again).toMatchObject({ status: 409, body: { existing_id: created.body.id } })
})
