// Deleting and restoring contacts, and writes with an Idempotency-Key.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn } from '../client.ts'

const app = await openApp()

const every = `id orgId email firstName lastName fullName phone jobTitle companyName companyDomain linkedinUrl city region country timezone
  avatarUrl lifecycleStage source ownerUserId tags custom doNotCall externalId lastContactedAt createdBy { type actorId name }
  createdAt updatedAt deletedAt version`
const get = (on: Client, id: string) => on.data(`query ($id: ID!) { contact(id: $id) { ${every} } }`, { id })
const update = `mutation ($input: UpdateContactInput!) { updateContact(input: $input) { ${every} } }`
const remove = `mutation ($id: ID!, $ifVersion: Int) { deleteContact(input: { id: $id, ifVersion: $ifVersion }) { ${every} } }`
const restore = `mutation ($id: ID!) { restoreContact(input: { id: $id }) { ${every} } }`

describe('deleteContact and restoreContact', () => {
  test('a deleted contact is not found, and is restored unchanged', async () => {
    const on = await clientIn(app)
    const before = await on.create({ email: 'ada@example.com', tags: ['x'] }, every)

    const { deleteContact: deleted } = await on.data(remove, { id: before.id, ifVersion: 1 })
    const { restoreContact: restored } = await on.data(restore, { id: before.id })

    expect(deleted).toEqual({ ...before, deletedAt: deleted.deletedAt, updatedAt: deleted.updatedAt, version: 2 })
    expect(deleted.deletedAt).not.toBeNull()
    expect(restored).toEqual({ ...before, updatedAt: restored.updatedAt, version: 3 })
    expect(await get(on, before.id)).toEqual({ contact: restored })
  })

  test('deleting twice is NOT_FOUND, restoring a live contact changes nothing', async () => {
    const on = await clientIn(app)
    const { id } = await on.create()

    expect((await on.data(restore, { id })).restoreContact.version).toBe(1)
    await on.data(remove, { id })
    expect(await on.error(remove, { id })).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('with another version than expected nothing is deleted', async () => {
    const on = await clientIn(app)
    const { id } = await on.create()

    expect(await on.error(remove, { id, ifVersion: 7 })).toMatchObject({ code: 'PRECONDITION_FAILED', version: 1 })
    expect((await get(on, id)).contact.version).toBe(1)
  })

  test('a contact whose address another live contact has stays deleted; the error has the id of the other', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ email: 'ada@example.com' })
    await on.data(remove, { id })
    const heir = await on.create({ email: 'ADA@example.com' })

    expect(await on.error(restore, { id })).toMatchObject({ code: 'ALREADY_EXISTS', field: 'email', existingId: heir.id })
  })

  test('of two deleted contacts with the same address, restored concurrently, only one is restored', async () => {
    const on = await clientIn(app)
    const ids = []
    for (let times = 0; times < 2; times++) {
      const { id } = await on.create({ email: 'twin@example.com' })
      await on.data(remove, { id })
      ids.push(id)
    }

    const answers = await Promise.all(ids.map(id => on.ask(restore, { id })))

    expect(answers.filter((body: Json) => body.data)).toHaveLength(1)
    expect(answers.find((body: Json) => body.errors).errors[0].extensions.code).toBe('ALREADY_EXISTS')
  })
})

describe('a write with an Idempotency-Key', () => {
  test('has one effect, conflicts included', async () => {
    const on = await clientIn(app)
    const create = (email: string, idempotencyKey: string) =>
      app.graphql(
        'mutation ($email: String) { createContact(input: { email: $email }) { id } }',
        { email },
        { key: on.key, headers: { 'idempotency-key': idempotencyKey } },
      )

    const first = await create('once@example.com', 'k1')
    const again = await create('once@example.com', 'k1')
    const other = await create('once@example.com', 'k2')

    expect(again.body).toEqual(first.body)
    expect(other.body.errors[0].extensions).toMatchObject({ code: 'ALREADY_EXISTS', existingId: first.body.data.createContact.id })
  })

  test('after losing a race inside its transaction returns the id of the existing contact', async () => {
    const on = await clientIn(app)
    const contacts = await Promise.all(Array.from({ length: 6 }, () => on.create()))

    const answers = await Promise.all(
      contacts.map(({ id }, index) =>
        app.graphql(update, { input: { id, email: 'wanted@example.com' } }, { key: on.key, headers: { 'idempotency-key': `r${index}` } }),
      ),
    )

    const winners = answers.flatMap(({ body }) => (body.data ? [body.data.updateContact.id] : []))
    expect(winners).toHaveLength(1)
    for (const { body } of answers.filter(one => !one.body.data))
      expect(body.errors[0].extensions).toMatchObject({ code: 'ALREADY_EXISTS', existingId: winners[0] })
  })
})
