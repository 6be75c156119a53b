// A single contact: create, read, update, delete and restore.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, clientWith, warm } from '../client.ts'

const app = await openApp()

const every = `id orgId email firstName lastName fullName phone jobTitle companyName companyDomain linkedinUrl city region country timezone
  avatarUrl lifecycleStage source ownerUserId tags custom doNotCall externalId lastContactedAt createdBy { type actorId name }
  createdAt updatedAt deletedAt version`
const get = (on: Client, id: string) => on.data(`query ($id: ID!) { contact(id: $id) { ${every} } }`, { id })
const update = `mutation ($input: UpdateContactInput!) { updateContact(input: $input) { ${every} } }`
const remove = `mutation ($id: ID!, $ifVersion: Int) { deleteContact(input: { id: $id, ifVersion: $ifVersion }) { ${every} } }`
const nowhere = '00000000-0000-7000-8000-000000000000'

describe('createContact', () => {
  test('stores and returns every field', async () => {
    const { orgId, session, userId } = await app.given.session()
    const on = clientWith(app, { session, orgId })
    await on.data('mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }')
    const input = {
      email: 'Ada@Example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      phone: '+14155550100',
      jobTitle: 'Countess',
      companyName: 'Analytical Engines',
      companyDomain: 'engines.example',
      linkedinUrl: 'https://www.linkedin.com/in/ada',
      city: 'London',
      region: 'England',
      country: 'GB',
      timezone: 'Europe/London',
      avatarUrl: 'https://engines.example/ada.png',
      lifecycleStage: 'CUSTOMER',
      source: 'IMPORT',
      ownerUserId: userId,
      tags: ['vip', 'a "quoted", {tag}'],
      custom: { plan: 'pro' },
      doNotCall: true,
      externalId: 'crm-1',
      lastContactedAt: '2024-02-29T23:59:59.120Z',
    }
    app.setNow(new Date('2024-05-01T10:00:00.500Z'))

    const created = await on.create(input, every)

    app.setNow(null)
    expect(created).toEqual({
      ...input,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      orgId,
      fullName: 'Ada Lovelace',
      createdBy: { type: 'USER', actorId: userId, name: 'Test User' },
      createdAt: '2024-05-01T10:00:00.500Z',
      updatedAt: '2024-05-01T10:00:00.500Z',
      deletedAt: null,
      version: 1,
    })
    expect(await get(on, created.id)).toEqual({ contact: created })
  })

  test('requires no field, and sets defaults, source and actor', async () => {
    const on = await clientIn(app)

    const created = await on.create({}, every)

    expect(created).toMatchObject({
      email: null,
      fullName: null,
      lifecycleStage: 'SUBSCRIBER',
      source: 'API',
      tags: [],
      custom: {},
      doNotCall: false,
      createdBy: { type: 'API_KEY', name: 'Test key' },
      version: 1,
    })
  })

  test('is one statement', async () => {
    const on = await clientIn(app)
    await warm(app, on)

    await on.create({ email: 'counted@example.com', tags: ['a'], phone: '+14155550100' })

    expect(app.statements()).toBe(1)
  })

  test('the address of a live contact, in any case, is a conflict with the id of that contact', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ email: 'ada@example.com' })

    const error = await on.error('mutation { createContact(input: { email: " ADA@example.COM " }) { id } }')

    expect(error).toMatchObject({ code: 'ALREADY_EXISTS', status: 409, field: 'email', existingId: id })
  })

  test('an address is unique per organization, and free again after its contact is deleted', async () => {
    const on = await clientIn(app)
    const other = await clientIn(app)
    const { id } = await on.create({ email: 'ada@example.com' })

    const theirs = await other.create({ email: 'ada@example.com' }, 'email version')
    await on.data(remove, { id })
    const again = await on.create({ email: 'ada@example.com' }, 'email version')

    expect([theirs, again]).toEqual(Array(2).fill({ email: 'ada@example.com', version: 1 }))
  })

  test('of 20 concurrent requests for one address one succeeds, the others get the id of its contact', async () => {
    const on = await clientIn(app)

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => on.ask('mutation { createContact(input: { email: "race@example.com" }) { id } }')),
    )

    const ids = answers.flatMap((body: Json) => (body.data ? [body.data.createContact.id] : []))
    expect(ids).toHaveLength(1)
    expect(new Set(answers.flatMap((body: Json) => (body.errors ? [body.errors[0].extensions.existingId] : [])))).toEqual(new Set(ids))
  })
})

describe('contact', () => {
  test('of another organization, deleted, or with an invalid id is NOT_FOUND', async () => {
    const on = await clientIn(app)
    const other = await clientIn(app)
    const foreign = await other.create()
    const deleted = await on.create()
    await on.data(remove, { id: deleted.id })

    for (const id of [nowhere, foreign.id, deleted.id, 'x', "'; drop table contacts"])
      for (const query of [
        'query ($id: ID!) { contact(id: $id) { id } }',
        'mutation ($id: ID!) { updateContact(input: { id: $id }) { id } }',
        'mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }',
      ])
        expect(await on.error(query, { id })).toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })
})

describe('updateContact', () => {
  test('changes given fields, clears null ones, keeps the others, and increments the version', async () => {
    const on = await clientIn(app)
    const before = await on.create(
      { email: 'a@example.com', firstName: 'Ada', lastName: 'Byron', phone: '+14155550100', tags: ['x'] },
      every,
    )

    const { updateContact: after } = await on.data(update, {
      input: { id: before.id, lastName: 'Lovelace', phone: null, lifecycleStage: 'LEAD' },
    })

    expect(after).toEqual({
      ...before,
      lastName: 'Lovelace',
      fullName: 'Ada Lovelace',
      phone: null,
      lifecycleStage: 'LEAD',
      updatedAt: after.updatedAt,
      version: 2,
    })
    expect(after.updatedAt >= before.updatedAt).toBe(true)
    expect(await get(on, before.id)).toEqual({ contact: after })
  })

  test('null resets fields that cannot be null to the defaults of a new contact', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ lifecycleStage: 'CUSTOMER', tags: ['x'], doNotCall: true })

    const { updateContact } = await on.data(update, { input: { id, lifecycleStage: null, tags: null, doNotCall: null, custom: null } })

    expect(updateContact).toMatchObject({ lifecycleStage: 'SUBSCRIBER', tags: [], doNotCall: false, custom: {} })
    expect(await on.error(update, { input: { id, source: null } })).toMatchObject({
      code: 'INVALID',
      problems: [{ path: ['source'], type: 'enum' }],
    })
  })

  test('with equal values writes nothing', async () => {
    const on = await clientIn(app)
    const before = await on.create({ email: 'a@example.com', tags: ['x'], lastContactedAt: '2024-01-01T00:00:00.000Z' }, every)
    await warm(app, on)

    const { updateContact } = await on.data(update, {
      input: { id: before.id, email: ' a@example.com', tags: ['x', 'x'], firstName: '  ', lastContactedAt: '2024-01-01T01:00:00+01:00' },
    })

    expect(updateContact).toEqual(before)
    expect(app.statements()).toBe(1)
  })

  test('adds and removes tags concurrently without losing one', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ tags: ['old', 'gone'] })

    await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => on.data(update, { input: { id, addTags: [`new${index}`] } })),
      on.data(update, { input: { id, removeTags: ['gone', 'never there'] } }),
    ])

    const { contact } = await get(on, id)
    expect(contact.tags.toSorted()).toEqual(['new0', 'new1', 'new2', 'new3', 'new4', 'new5', 'new6', 'new7', 'old'])
    expect(contact.version).toBe(10)
  })

  test('refuses a 51st tag, but accepts one in place of another', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ tags: Array.from({ length: 50 }, (_, index) => `tag${index}`) })

    expect(await on.error(update, { input: { id, addTags: ['one more'] } })).toMatchObject({
      code: 'INVALID',
      problems: [{ path: ['addTags'], type: 'too_long' }],
    })
    await on.data(update, { input: { id, addTags: ['instead'], removeTags: ['tag0'] } })
  })

  test('the full name follows first and last name until it is set', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Ada', lastName: 'Byron' })
    const change = async (input: Json) => (await on.data(update, { input: { id, ...input } })).updateContact.fullName

    expect(await change({ lastName: 'Lovelace' })).toBe('Ada Lovelace')
    expect(await change({ fullName: 'The Countess' })).toBe('The Countess')
    expect(await change({ firstName: 'Augusta' })).toBe('The Countess')
    expect(await change({ fullName: null })).toBe('Augusta Lovelace')
    expect(await change({ firstName: null, lastName: null })).toBe(null)
  })

  test('accepts another spelling of its own address, but not the address of another contact', async () => {
    const on = await clientIn(app)
    const ada = await on.create({ email: 'ada@example.com' })
    const bob = await on.create({ email: 'bob@example.com' })

    const { updateContact } = await on.data(update, { input: { id: ada.id, email: 'Ada@Example.com' } })

    expect(updateContact.email).toBe('Ada@Example.com')
    expect(await on.error(update, { input: { id: ada.id, email: 'BOB@example.com' } })).toMatchObject({
      code: 'ALREADY_EXISTS',
      field: 'email',
      existingId: bob.id,
    })
  })

  test('of concurrent requests for one free address one succeeds, the others get the id of its contact', async () => {
    const on = await clientIn(app)
    const contacts = await Promise.all(Array.from({ length: 8 }, () => on.create()))

    const answers = await Promise.all(contacts.map(({ id }) => on.ask(update, { input: { id, email: 'wanted@example.com' } })))

    const winner = answers.findIndex((body: Json) => body.data)
    expect(answers.filter((body: Json) => body.data)).toHaveLength(1)
    for (const body of answers.filter((other: Json) => !other.data))
      expect(body.errors[0].extensions).toMatchObject({ code: 'ALREADY_EXISTS', existingId: contacts[winner].id })
  })

  test('with another version than expected is PRECONDITION_FAILED, and changes nothing', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Ada' })
    await on.data(update, { input: { id, ifVersion: 1, firstName: 'Augusta' } })

    const error = await on.error(update, { input: { id, ifVersion: 1, firstName: 'Late' } })

    expect(error).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412, version: 2 })
    expect((await get(on, id)).contact).toMatchObject({ firstName: 'Augusta', version: 2 })
  })

  test('of 10 concurrent requests with the same expected version one succeeds', async () => {
    const on = await clientIn(app)
    const { id } = await on.create()

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => on.ask(update, { input: { id, ifVersion: 1, firstName: `Racer ${index}` } })),
    )

    expect(answers.filter((body: Json) => body.data)).toHaveLength(1)
    expect((await get(on, id)).contact.version).toBe(2)
  })

  test('never decreases updatedAt, even if the clock steps back', async () => {
    const on = await clientIn(app)
    app.setNow(new Date('2024-05-01T10:00:00.000Z'))
    const { id } = await on.create()
    app.setNow(new Date('2024-05-01T09:00:00.000Z'))

    const { updateContact } = await on.data(update, { input: { id, firstName: 'Ada' } })

    app.setNow(null)
    expect(updateContact).toMatchObject({ createdAt: '2024-05-01T10:00:00.000Z', updatedAt: '2024-05-01T10:00:00.000Z', version: 2 })
  })
})

describe('people of a contact', () => {
  const people = 'owner { id name email } createdBy { type user { id name } }'

  test('are users for signed-in members of the organization, and null for keys and for those who have left', async () => {
    const { session, orgId, userId } = await app.given.session()
    const other = await app.given.session()
    const { prisma } = app.services.database
    await prisma.membership.create({ data: { organizationId: orgId, userId: other.userId, role: 'member' } })
    const on = clientWith(app, { session, orgId })
    await on.create({ email: 'a@example.com', ownerUserId: other.userId })
    await on.create({ email: 'b@example.com', ownerUserId: userId })
    const ask = async (as: typeof on) => (await as.data(`{ contacts(sort: EMAIL) { nodes { ${people} } } }`)).contacts.nodes

    const nodes = await ask(on)

    const creator = { type: 'USER', user: { id: userId, name: 'Test User' } }
    expect(nodes).toMatchObject([
      { owner: { id: other.userId }, createdBy: creator },
      { owner: { id: userId }, createdBy: creator },
    ])
    const { key } = await app.given.apiKey({ orgId })
    expect(await ask(clientWith(app, { key, orgId }))).toMatchObject([
      { owner: null, createdBy: { user: null } },
      { owner: null, createdBy: { user: null } },
    ])
    await prisma.membership.deleteMany({ where: { organizationId: orgId, userId: other.userId } })
    expect((await ask(on))[0].owner).toBeNull()
  })
})
