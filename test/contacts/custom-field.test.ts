// Custom fields: definitions of an organization, and values that must fit them.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf } from './client.ts'

const app = await openApp()

const define = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id key label type options } }'
const list = '{ customFields { key label type options } }'
const update = 'mutation ($id: ID!, $custom: JSONObject) { updateContact(input: { id: $id, custom: $custom }) { custom version } }'

const owner = async (): Promise<Client> => {
  const { session, orgId } = await app.given.session()
  return clientWith(app, { session, orgId })
}
const everyType = [
  { key: 'note', label: 'Note', type: 'TEXT' },
  { key: 'seats', label: 'Seats', type: 'NUMBER' },
  { key: 'active', label: 'Active', type: 'BOOLEAN' },
  { key: 'renews_on', label: 'Renews on', type: 'DATE' },
  { key: 'plan', label: 'Plan', type: 'SELECT', options: ['free', 'pro'] },
  { key: 'topics', label: 'Topics', type: 'MULTI_SELECT', options: ['a', 'b', 'c'] },
  { key: 'site', label: 'Site', type: 'URL' },
]
const withFields = async () => {
  const on = await owner()
  for (const input of everyType) await on.data(define, { input })
  return on
}

describe('createCustomField', () => {
  test('defines fields of every type, listed in the order of creation', async () => {
    const on = await withFields()

    expect((await on.data(list)).customFields).toEqual(everyType.map(field => ({ options: [], ...field })))
  })

  test('of another organization are not visible, and do not reserve their keys here', async () => {
    await withFields()
    const on = await withFields()

    expect((await on.data(list)).customFields).toHaveLength(everyType.length)
  })

  test('a key is unique', async () => {
    const on = await owner()
    const { createCustomField } = await on.data(define, { input: everyType[0] })

    const error = await on.error(define, { input: { ...everyType[1], key: 'note' } })

    expect(error).toMatchObject({ code: 'ALREADY_EXISTS', field: 'key', existingId: createCustomField.id })
  })

  test('all problems are reported at once', async () => {
    const on = await owner()
    const problems = async (input: Json) => problemsOf(await on.error(define, { input }))

    expect(await problems({ key: 'Not a key', label: '  ', type: 'SELECT', options: ['x'.repeat(101), ' '] })).toEqual([
      "key: String should match pattern '^[a-z][a-z0-9_]{0,62}$'",
      'label: String should have at least 1 character',
      'options.0: String should have at most 100 characters',
      'options: List should have at least 1 item after validation, not 0',
    ])
    expect(await problems({ key: '__proto__', label: 'x', type: 'TEXT', options: ['a'] })).toEqual([
      "key: String should match pattern '^[a-z][a-z0-9_]{0,62}$'",
      'options: Value error, only select and multi_select have options',
    ])
  })

  test('requires contacts:write; reading requires contacts:read', async () => {
    const { key, orgId } = await app.given.apiKey({ scopes: ['contacts:write'] })
    const { key: reading } = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })

    await clientWith(app, { key, orgId }).data(define, { input: everyType[0] })

    const on = clientWith(app, { key: reading, orgId })
    expect(await on.error(define, { input: everyType[1] })).toMatchObject({ code: 'FORBIDDEN' })
    expect((await on.data(list)).customFields).toHaveLength(1)
  })
})

describe('values', () => {
  const good = {
    note: 'Met in Berlin',
    seats: -1.5,
    active: false,
    renews_on: '2028-02-29',
    plan: 'pro',
    topics: ['c', 'a'],
    site: 'https://example.com',
  }

  test('that are valid are stored and returned', async () => {
    const on = await withFields()

    expect(await on.create({ custom: good }, 'custom')).toEqual({ custom: good })
  })

  test('are set individually, and removed by null', async () => {
    const on = await withFields()
    const { id } = await on.create({ custom: { note: 'x', seats: 3, active: true } })
    const change = async (custom: Json) => (await on.data(update, { id, custom })).updateContact

    expect(await change({ seats: 4, note: null })).toEqual({ custom: { seats: 4, active: true }, version: 2 })
    expect(await change({ seats: 4, plan: null })).toEqual({ custom: { seats: 4, active: true }, version: 2 })
    expect(await change({})).toEqual({ custom: { seats: 4, active: true }, version: 2 })
    expect(await change(null)).toEqual({ custom: {}, version: 3 })
  })

  test('of a field that is named as what every object has are only those that were given', async () => {
    const on = await clientIn(app)
    await on.data(define, { input: { key: 'constructor', label: 'Constructor', type: 'TEXT' } })
    const [without, other] = [await on.create({ email: 'a@example.com' }), await on.create({ custom: { constructor: 'Ferrari' } })]

    const exported = await app.rest('POST', '/api/crm/v1/exports', {
      key: on.key,
      body: { columns: ['email', 'custom.constructor'] },
    })
    const file = await (await fetch(exported.body.url, { headers: { connection: 'close' } })).text()
    const merge = 'mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { winner { custom } } }'
    const { mergeContacts } = await on.data(merge, { input: { winnerId: without.id, loserId: other.id } })
    const history = '{ contacts(first: 1) { nodes { timeline(first: 20) { nodes { changes { field before after } } } } } }'
    await on.data(update, { id: without.id, custom: { constructor: null } })
    const { contacts } = await on.data(history)

    expect(file.split('\r\n')).toEqual(['email,custom.constructor', ',Ferrari', 'a@example.com,', ''])
    expect(mergeContacts.winner.custom).toEqual({ constructor: 'Ferrari' })
    expect(contacts.nodes[0].timeline.nodes.flatMap(({ changes }: Json) => changes)).toContainEqual({
      field: 'custom.constructor',
      before: 'Ferrari',
      after: null,
    })
  })

  const bad: [key: string, value: unknown, problem: string][] = [
    ['note', 1, 'custom.note: Input should be a valid string'],
    ['note', 'x'.repeat(10_001), 'custom.note: String should have at most 10000 characters'],
    ['seats', '3', 'custom.seats: Input should be a valid number'],
    ['active', 'yes', 'custom.active: Input should be a valid boolean'],
    ['renews_on', '2027-02-29', 'custom.renews_on: Input should be a valid date in the format YYYY-MM-DD'],
    ['renews_on', '2027-02-01T00:00:00Z', 'custom.renews_on: Input should be a valid date in the format YYYY-MM-DD'],
    ['renews_on', 20270201, 'custom.renews_on: Input should be a valid date in the format YYYY-MM-DD'],
    ['plan', 'gold', "custom.plan: Input should be 'free' or 'pro'"],
    ['topics', 'a', 'custom.topics: Input should be a valid list'],
    ['topics', ['a', 'x', 7], "custom.topics.1: Input should be 'a', 'b' or 'c'"],
    ['site', 'javascript:alert(1)', "custom.site: URL scheme should be 'http' or 'https'"],
    ['site', {}, 'custom.site: URL input should be a string or URL'],
    ['other', 1, 'custom.other: Extra inputs are not permitted'],
    ['constructor', 1, 'custom.constructor: Extra inputs are not permitted'],
  ]
  test('that are invalid are refused, each with its path', async () => {
    const on = await withFields()
    for (const [key, value, problem] of bad) {
      const error = await on.error('mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', {
        input: { custom: { [key]: value } },
      })

      expect(problemsOf(error)[0]).toBe(problem)
    }
  })

  test('cost one more statement, and none if the input has no custom fields', async () => {
    const on = await withFields()
    await on.create({ custom: { seats: 1 } })
    app.statements()

    await on.create({ custom: {} })
    expect(app.statements()).toBe(1)
    await on.create({ custom: { seats: 1 } })
    expect(app.statements()).toBe(2)
  })

  test('appear in the timeline individually', async () => {
    const on = await withFields()
    const { id } = await on.create({ custom: { seats: 1, note: 'x' } })
    await on.data(update, { id, custom: { seats: 2, note: null, plan: 'pro' } })

    const { contact } = await on.data(
      'query ($id: ID!) { contact(id: $id) { timeline(first: 1) { nodes { changes { field before after } } } } }',
      {
        id,
      },
    )

    expect(contact.timeline.nodes).toEqual([
      {
        changes: [
          { field: 'custom.note', before: 'x', after: null },
          { field: 'custom.plan', before: null, after: 'pro' },
          { field: 'custom.seats', before: 1, after: 2 },
        ],
      },
    ])
  })
})

describe('deleteCustomField', () => {
  test('removes the definition and its values, also from deleted contacts, in its organization only', async () => {
    const on = await withFields()
    const other = await withFields()
    const kept = await other.create({ custom: { seats: 1 } })
    const first = await on.create({ custom: { seats: 1, note: 'x' } })
    const untouched = await on.create({ custom: { note: 'y' } })
    const gone = await on.create({ custom: { seats: 2 } })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: gone.id })
    const { customFields } = await on.data('{ customFields { id key } }')
    const { id } = customFields.find(({ key }: Json) => key === 'seats')

    await on.data('mutation ($id: ID!) { deleteCustomField(input: { id: $id }) { key } }', { id })

    const read = 'query ($id: ID!) { contact(id: $id) { custom version } }'
    expect((await on.data(read, { id: first.id })).contact).toEqual({ custom: { note: 'x' }, version: 2 })
    expect((await on.data(read, { id: untouched.id })).contact).toEqual({ custom: { note: 'y' }, version: 1 })
    const restored = await on.data('mutation ($id: ID!) { restoreContact(input: { id: $id }) { custom } }', { id: gone.id })
    expect(restored.restoreContact.custom).toEqual({})
    expect((await other.data(read, { id: kept.id })).contact.custom).toEqual({ seats: 1 })
    expect((await on.data(list)).customFields).toHaveLength(everyType.length - 1)
  })

  test('of another organization, or with an unknown id, is NOT_FOUND', async () => {
    const on = await owner()
    const other = await withFields()
    const { customFields } = await other.data('{ customFields { id } }')

    for (const id of [customFields[0].id, 'x'])
      expect(await on.error('mutation ($id: ID!) { deleteCustomField(input: { id: $id }) { key } }', { id })).toMatchObject({
        code: 'NOT_FOUND',
      })
  })
})
