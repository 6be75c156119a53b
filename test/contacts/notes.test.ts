// Notes of contacts: through GraphQL, REST, timelines and the stream of changes.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { openStream } from '../graphql/stream.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf, warm } from './client.ts'

const app = await openApp()
const rest = conforming(app)

const whole = 'id contactId text pinned createdBy { type name } createdAt updatedAt version'
const add = async (on: Client, input: Json): Promise<Json> =>
  (await on.data(`mutation ($input: CreateNoteInput!) { createNote(input: $input) { ${whole} } }`, { input })).createNote
const change = `mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { ${whole} } }`
const remove = `mutation ($input: DeleteNoteInput!) { deleteNote(input: $input) { ${whole} } }`
const read = `query ($id: ID!, $first: Int, $after: String) { contact(id: $id, includeDeleted: true) {
  notes(first: $first, after: $after) { nodes { id text pinned } totalCount pageInfo { hasNextPage endCursor } } } }`
const textsOf = async (on: Client, id: string) => (await on.data(read, { id })).contact.notes.nodes.map(({ text }: Json) => text)
const timelineOf = async (on: Client, id: string) =>
  (
    await on.data('query ($id: ID!) { contact(id: $id) { timeline { nodes { type entityId changes { field before after } details } } } }', {
      id,
    })
  ).contact.timeline.nodes

async function someone(): Promise<{ on: Client; id: string }> {
  const on = await clientIn(app)
  return { on, id: (await on.create({ firstName: 'Ada' })).id }
}

describe('a note', () => {
  test('is written, changed, pinned and deleted, and its contact tells of it', async () => {
    const { on, id } = await someone()
    app.setNow(new Date('2026-03-01T10:00:00.000Z'))
    const note = await add(on, { contactId: id, text: '  Met in Berlin\nspoke of prices ' })
    app.setNow(new Date('2026-03-02T10:00:00.000Z'))
    const changed = (await on.data(change, { input: { id: note.id, text: 'Met in Bonn', pinned: true, ifVersion: 1 } })).updateNote
    const same = (await on.data(change, { input: { id: note.id, text: 'Met in Bonn' } })).updateNote
    const deleted = (await on.data(remove, { input: { id: note.id, ifVersion: 2 } })).deleteNote
    app.setNow(null)

    expect(note).toEqual({
      id: expect.any(String),
      contactId: id,
      text: 'Met in Berlin\nspoke of prices',
      pinned: false,
      createdBy: { type: 'API_KEY', name: 'Test key' },
      createdAt: '2026-03-01T10:00:00.000Z',
      updatedAt: '2026-03-01T10:00:00.000Z',
      version: 1,
    })
    expect(changed).toEqual({ ...note, text: 'Met in Bonn', pinned: true, updatedAt: '2026-03-02T10:00:00.000Z', version: 2 })
    expect([same, deleted]).toEqual([changed, changed])
    expect(await textsOf(on, id)).toEqual([])
    const events = (await timelineOf(on, id)).filter(({ type }: Json) => type !== 'CONTACT_CREATED')
    expect(events).toEqual([
      { type: 'NOTE_DELETED', entityId: note.id, changes: [], details: {} },
      {
        type: 'NOTE_UPDATED',
        entityId: note.id,
        changes: [
          { field: 'text', before: note.text, after: 'Met in Bonn' },
          { field: 'pinned', before: false, after: true },
        ],
        details: null,
      },
      { type: 'CONTACT_NOTED', entityId: id, changes: [], details: { text: note.text, noteId: note.id } },
    ])
  })

  test('is refused without text, with too much of it, and for a contact that is not there', async () => {
    const { on, id } = await someone()
    const other = await someone()
    const { id: noteId } = await add(on, { contactId: id, text: 'a' })
    const create = 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }'
    const problems = async (query: string, input: Json) => problemsOf(await on.error(query, { input }))

    expect(await problems(create, { contactId: id, text: ' \n' })).toEqual(['text: String should have at least 1 character'])
    expect(await problems(create, { contactId: id, text: 'x'.repeat(10_001) })).toEqual([
      'text: String should have at most 10000 characters',
    ])
    expect(await problems(change, { id: noteId, text: null })).toEqual(['text: String should have at least 1 character'])
    for (const contactId of [other.id, uuid(), 'x'])
      expect(await on.error(create, { input: { contactId, text: 'a' } })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await textsOf(on, id)).toEqual(['a'])
  })

  test('of another organization is not there, and guests write none', async () => {
    const { on, id } = await someone()
    const note = await add(on, { contactId: id, text: 'secret' })
    const stranger = await clientIn(app)
    const reader = clientWith(app, { key: (await app.given.apiKey({ orgId: on.orgId, scopes: ['contacts:read'] })).key, orgId: on.orgId })
    const writer = clientWith(app, { key: (await app.given.apiKey({ orgId: on.orgId, scopes: ['contacts:write'] })).key, orgId: on.orgId })
    const input = { id: note.id }

    for (const query of [change, remove]) expect(await stranger.error(query, { input })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await stranger.error('query ($id: ID!) { note(id: $id) { text } }', { id: note.id })).toMatchObject({ code: 'NOT_FOUND' })
    expect((await stranger.data('query ($id: ID!) { node(id: $id) { id } }', { id: note.id })).node).toBeNull()
    expect(await reader.error(change, { input })).toMatchObject({ code: 'FORBIDDEN' })
    const inside = 'mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { contact { email } } }'
    expect(await writer.error(inside, { input })).toMatchObject({ code: 'FORBIDDEN' })
    const guest = await app.graphql(change, { input }, { headers: { 'x-guest-id': 'guest' } })
    expect(guest.body.errors[0].extensions.code).toBe('GUEST_READ_ONLY')
    expect(
      (await reader.data('query ($id: ID!) { node(id: $id) { __typename ... on Note { text contact { id } } } }', { id: note.id })).node,
    ).toEqual({ __typename: 'Note', text: 'secret', contact: { id } })
  })

  test('that two change at once is changed by the one, and the other learns its version', async () => {
    const { on, id } = await someone()
    const note = await add(on, { contactId: id, text: 'first' })

    const answers = await Promise.all(['a', 'b'].map(text => on.ask(change, { input: { id: note.id, text, ifVersion: 1 } })))

    const failed = answers.filter(({ errors }) => errors)
    expect(failed.map(({ errors }) => errors[0].extensions)).toMatchObject([{ code: 'PRECONDITION_FAILED', version: 2 }])
    expect(await textsOf(on, id)).toEqual(answers.filter(({ errors }) => !errors).map(({ data }) => data.updateNote.text))
  })

  test('written twice with one Idempotency-Key is one note', async () => {
    const { on, id } = await someone()
    const ask = () =>
      app.graphql(
        'mutation Add($input: CreateNoteInput!) { createNote(input: $input) { id } }',
        { input: { contactId: id, text: 'once' } },
        {
          key: on.key,
          headers: { 'idempotency-key': `note-${id}` },
        },
      )

    const [first, second] = [await ask(), await ask()]

    expect(second.body).toEqual(first.body)
    expect(await textsOf(on, id)).toEqual(['once'])
  })
})

describe("a contact's notes", () => {
  test('are pinned ones first, then the newest, in pages that agree with the whole', async () => {
    const { on, id } = await someone()
    for (const [index, text] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      // The last three at the same time.
      app.setNow(new Date(Date.UTC(2026, 2, Math.min(index, 2) + 1)))
      await add(on, { contactId: id, text, pinned: text === 'b' || text === 'd' })
    }
    app.setNow(null)

    const pages: string[][] = []
    for (let after: string | null = null; ; ) {
      const { nodes, totalCount, pageInfo }: Json = (await on.data(read, { id, first: 2, after })).contact.notes
      expect(totalCount).toBe(5)
      pages.push(nodes.map(({ text }: Json) => text))
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }

    expect(pages).toEqual([['d', 'b'], ['e', 'c'], ['a']])
    expect(await on.error(read, { id, after: 'x' })).toMatchObject({ code: 'INVALID' })
  })

  test('stay readable while the contact is deleted', async () => {
    const { on, id } = await someone()
    await add(on, { contactId: id, text: 'kept' })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })

    expect(await textsOf(on, id)).toEqual(['kept'])
  })

  test('go with a contact whose row is removed', async () => {
    const { on, id } = await someone()
    const note = await add(on, { contactId: id, text: 'gone' })
    await app.services.database.prisma.contact.delete({ where: { id } })

    expect((await on.data('query ($id: ID!) { node(id: $id) { id } }', { id: note.id })).node).toBeNull()
  })

  test('of a page of contacts cost one more statement', async () => {
    const { on, id } = await someone()
    const other = await on.create({ firstName: 'Grace' })
    for (const contactId of [id, other.id, other.id]) await add(on, { contactId, text: 'x' })
    const query = '{ contacts(first: 10) { nodes { notes(first: 10) { nodes { text contact { id } } } } } }'
    await on.data(query)
    await warm(app, on)

    app.statements()
    const { contacts } = await on.data(query)

    expect(app.statements()).toBe(3)
    expect(contacts.nodes.map(({ notes }: Json) => notes.nodes.length)).toEqual([2, 1])
  })

  test('are told by the stream of changes: a new one of its contact, a changed one of itself', async () => {
    const { on, id } = await someone()
    const stream = await openStream(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${on.key}` },
      body: JSON.stringify({
        query: `subscription { changes { type entityId contactId changes { field before after }
          entity { __typename ... on Contact { notes { nodes { text } } } ... on Note { text } } } }`,
      }),
    })
    const next = async () => (await stream.next()).data.data.changes
    expect((await next()).type).toBe('FOLLOWING')
    const note = await add(on, { contactId: id, text: 'a' })
    const noted = await next()
    await on.data(change, { input: { id: note.id, text: 'b' } })
    const updated = await next()
    stream.leave()

    expect(noted).toEqual({
      type: 'CONTACT_NOTED',
      entityId: id,
      contactId: id,
      changes: [],
      entity: { __typename: 'Contact', notes: { nodes: [{ text: 'a' }] } },
    })
    expect(updated).toEqual({
      type: 'NOTE_UPDATED',
      entityId: note.id,
      contactId: id,
      changes: [{ field: 'text', before: 'a', after: 'b' }],
      entity: { __typename: 'Note', text: 'b' },
    })
  })
})

test('logNote writes a note as well', async () => {
  const { on, id } = await someone()

  const { logNote } = await on.data(
    'mutation ($id: ID!) { logNote(input: { contactId: $id, text: "Wants a call" }) { id notes { nodes { text } } } }',
    { id },
  )

  expect(logNote).toEqual({ id, notes: { nodes: [{ text: 'Wants a call' }] } })
  expect((await timelineOf(on, id))[0]).toMatchObject({ type: 'CONTACT_NOTED', details: { text: 'Wants a call' } })
})

describe('/api/crm/v1', () => {
  test('notes are added, listed, read, changed and deleted', async () => {
    const { on, id } = await someone()
    const { key } = on
    const at = `/api/crm/v1/contacts/${id}/notes`

    const created = await rest('POST', at, { key, body: { text: 'By REST' } })
    const path = `/api/crm/v1/notes/${created.body.id}`
    expect([created.status, created.headers.get('location')]).toEqual([201, path])
    expect(created.body).toMatchObject({ contact_id: id, text: 'By REST', pinned: false, version: 1 })
    const listed = await rest('GET', `${at}?include=total`, { key })
    expect(listed.body).toEqual({ data: [created.body], has_more: false, next_cursor: null, total: 1 })
    const changed = await rest('PATCH', path, { key, body: { pinned: true }, headers: { 'if-match': '"1"' } })
    expect([changed.body.pinned, changed.headers.get('etag')]).toEqual([true, '"2"'])
    expect((await rest('PATCH', path, { key, body: { text: 'late' }, headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await rest('GET', path, { key })).body).toEqual(changed.body)
    expect((await rest('DELETE', path, { key })).body).toEqual(changed.body)
    expect((await rest('GET', path, { key })).status).toBe(404)
  })

  test('422 names all that is wrong', async () => {
    const { on, id } = await someone()

    const { status, body } = await rest('POST', `/api/crm/v1/contacts/${id}/notes`, { key: on.key, body: { text: ' ', pinned: 'yes' } })

    expect(status).toBe(422)
    expect(body.detail.map(({ loc, type }: Json) => [loc.join('.'), type])).toEqual([
      ['body.pinned', 'bool_type'],
      ['body.text', 'string_too_short'],
    ])
  })
})
