// What entries of a timeline tell: each type of event has fields of its own, with the objects that it tells about.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { clientIn } from './client.ts'

const app = await openApp()

const read = `query ($id: ID!) { contact(id: $id, includeDeleted: true) { timeline { nodes { event { __typename
  ... on NoteAddedEntry { text note { pinned } }
  ... on NoteChangedEntry { note { pinned } changes { field before after } }
  ... on TaskAddedEntry { title dueAt task { title } assignee { id } }
  ... on TaskCompletedEntry { task { title } changes { field before after } }
  ... on TaskDeletedEntry { title }
  ... on ContactMergedEntry { other { email } changes { field before after } }
  ... on CallPlacedEntry { toNumber dispatchState endedReason call { status } }
  ... on EnrichmentJobEntry { jobStatus job { recipe } }
} } } } }`

describe('TimelineEntry.event', () => {
  test('has the notes and tasks of its entries, and null for deleted ones', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Ada' })
    const { createNote: note } = await on.data('mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', {
      input: { contactId: id, text: 'Call back' },
    })
    await on.data('mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { id } }', { input: { id: note.id, pinned: true } })
    const create = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }'
    const { createTask: task } = await on.data(create, { input: { contactId: id, title: 'Send offer', dueAt: '2030-01-02T09:00:00Z' } })
    await on.data('mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }', { input: { id: task.id, status: 'DONE' } })
    const { createTask: gone } = await on.data(create, { input: { contactId: id, title: 'Wrong' } })
    await on.data('mutation ($id: ID!) { deleteTask(input: { id: $id }) { id } }', { id: gone.id })

    const { contact } = await on.data(read, { id })

    expect(contact.timeline.nodes.map(({ event }: Json) => event)).toEqual([
      { __typename: 'TaskDeletedEntry', title: 'Wrong' },
      { __typename: 'TaskAddedEntry', title: 'Wrong', dueAt: null, task: null, assignee: null },
      { __typename: 'TaskCompletedEntry', task: { title: 'Send offer' }, changes: [{ field: 'status', before: 'open', after: 'done' }] },
      {
        __typename: 'TaskAddedEntry',
        title: 'Send offer',
        dueAt: '2030-01-02T09:00:00.000Z',
        task: { title: 'Send offer' },
        assignee: null,
      },
      { __typename: 'NoteChangedEntry', note: { pinned: true }, changes: [{ field: 'pinned', before: false, after: true }] },
      { __typename: 'NoteAddedEntry', text: 'Call back', note: { pinned: true } },
      { __typename: 'ContactCreatedEntry' },
    ])
  })

  test('tells of a merge with the other contact, although it is deleted', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Ada', email: 'ada@entries.example.com' })
    const other = await on.create({ firstName: 'Ada', email: 'lovelace@entries.example.com', jobTitle: 'Countess' })
    await on.data('mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { winner { id } } }', {
      input: { winnerId: id, loserId: other.id },
    })

    const { contact } = await on.data(read, { id })

    expect(contact.timeline.nodes[0].event).toEqual({
      __typename: 'ContactMergedEntry',
      other: { email: 'lovelace@entries.example.com' },
      changes: expect.arrayContaining([{ field: 'jobTitle', before: null, after: 'Countess' }]),
    })
  })

  test('reads the notes of a page by one statement', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Ada' })
    const add = () =>
      on.data('mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', { input: { contactId: id, text: 'One' } })
    await add()
    await on.data(read, { id })
    app.statements()
    await on.data(read, { id })
    const ofOneNote = app.statements()
    for (let count = 0; count < 5; count++) await add()
    app.statements()

    await on.data(read, { id })

    expect(app.statements()).toBe(ofOneNote)
  })
})
