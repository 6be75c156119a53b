// Notes and tasks of companies and deals, by the same mechanism as those of contacts.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { remind } from '../../../src/contacts/tasks/reminder.ts'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { type Client, clientIn, problemsOf, warm } from '../client.ts'

const app = await openApp()
const rest = conforming(app)

const kinds = [
  { noun: 'company', many: 'companies', Noun: 'Company', input: { name: 'Engines' }, label: 'name' },
  { noun: 'deal', many: 'deals', Noun: 'Deal', input: { title: 'Engines' }, label: 'title' },
] as const
type Kind = (typeof kinds)[number]

const ids = 'contactId companyId dealId'
const addNote = `mutation ($input: CreateNoteInput!) { createNote(input: $input) { id ${ids} text version company { name } deal { title } contact { id } } }`
const addTask = `mutation ($input: CreateTaskInput!) { createTask(input: $input) { id ${ids} title version company { name } deal { title } contact { id } } }`
const createNote = async (on: Client, input: Json): Promise<Json> => (await on.data(addNote, { input })).createNote
const createTask = async (on: Client, input: Json): Promise<Json> => (await on.data(addTask, { input })).createTask
const create = async (on: Client, { Noun, input }: Kind, more: Json = {}): Promise<string> =>
  (await on.data(`mutation ($input: Create${Noun}Input!) { create${Noun}(input: $input) { id } }`, { input: { ...input, ...more } }))[
    `create${Noun}`
  ].id
const remove = (on: Client, { Noun }: Kind, id: string) =>
  on.data(`mutation ($input: Delete${Noun}Input!) { delete${Noun}(input: $input) { id } }`, { input: { id } })
const restore = (on: Client, { Noun }: Kind, id: string) =>
  on.data(`mutation ($input: Restore${Noun}Input!) { restore${Noun}(input: $input) { id } }`, { input: { id } })
const read = async (on: Client, { noun }: Kind, id: string): Promise<Json> =>
  (
    await on.data(
      `query ($id: ID!) { ${noun}(id: $id, includeDeleted: true) { notes { nodes { id text } totalCount } tasks { nodes { id title } totalCount }
         timeline { nodes { type entityId } } } }`,
      { id },
    )
  )[noun]
const typesOf = (record: Json): string[] => record.timeline.nodes.map(({ type }: Json) => type)

describe.each(kinds)('of a $noun', kind => {
  const { noun, many, Noun, label } = kind
  const idName = `${noun}Id`
  const idInRest = `${noun}_id`
  const none = { contactId: null, companyId: null, dealId: null }

  test('a note is written, changed and deleted, and the timeline tells of it', async () => {
    const on = await clientIn(app)
    const id = await create(on, kind)
    const note = await createNote(on, { [idName]: id, text: 'Met in Berlin' })
    await on.data('mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { id } }', { input: { id: note.id, pinned: true } })
    const before = await read(on, kind, id)
    await on.data('mutation ($input: DeleteNoteInput!) { deleteNote(input: $input) { id } }', { input: { id: note.id } })
    const after = await read(on, kind, id)

    expect(note).toEqual({
      ...{ id: expect.any(String), ...none, [idName]: id, text: 'Met in Berlin', version: 1 },
      ...{ contact: null, company: null, deal: null, [noun]: { [label]: 'Engines' } },
    })
    expect(before.notes).toEqual({ nodes: [{ id: note.id, text: 'Met in Berlin' }], totalCount: 1 })
    expect(after.notes).toEqual({ nodes: [], totalCount: 0 })
    const upper = noun.toUpperCase()
    expect(typesOf(after)).toEqual(['NOTE_DELETED', 'NOTE_UPDATED', `${upper}_NOTED`, `${upper}_CREATED`])
  })

  test('a task is added, done and deleted, and the timeline tells of it', async () => {
    const on = await clientIn(app)
    const id = await create(on, kind)
    const task = await createTask(on, { [idName]: id, title: 'Send the offer' })
    await on.data('mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }', { input: { id: task.id, status: 'DONE' } })
    const before = await read(on, kind, id)
    await on.data('mutation ($input: DeleteTaskInput!) { deleteTask(input: $input) { id } }', { input: { id: task.id } })
    const after = await read(on, kind, id)

    expect(task).toEqual({
      ...{ id: expect.any(String), ...none, [idName]: id, title: 'Send the offer', version: 1 },
      ...{ contact: null, company: null, deal: null, [noun]: { [label]: 'Engines' } },
    })
    expect(before.tasks).toEqual({ nodes: [{ id: task.id, title: 'Send the offer' }], totalCount: 1 })
    expect(typesOf(after)).toEqual([
      ...['CONTACT_TASK_DELETED', 'CONTACT_TASK_COMPLETED', 'CONTACT_TASK_CREATED'],
      `${noun.toUpperCase()}_CREATED`,
    ])
  })

  test('the list of tasks filters by it, and leaves tasks out while it is deleted', async () => {
    const on = await clientIn(app)
    const [id, other] = [await create(on, kind), await create(on, kind)]
    const task = await createTask(on, { [idName]: id, title: 'Of it' })
    await createTask(on, { [idName]: other, title: 'Of the other' })
    const titles = async (filter: Json) =>
      (await on.data('query ($filter: TaskFilter) { tasks(filter: $filter) { nodes { title } totalCount } }', { filter })).tasks
    const found = await titles({ [idName]: id })
    await remove(on, kind, id)
    const without = await titles({})
    const kept = await read(on, kind, id)
    await restore(on, kind, id)

    expect(found).toEqual({ nodes: [{ title: 'Of it' }], totalCount: 1 })
    expect(without).toEqual({ nodes: [{ title: 'Of the other' }], totalCount: 1 })
    expect(kept.tasks.nodes).toEqual([{ id: task.id, title: 'Of it' }])
    expect((await titles({})).totalCount).toBe(2)
  })

  test('a reminder rests while it is deleted, and its event is in the timeline', async () => {
    const on = await clientIn(app)
    const id = await create(on, kind)
    const remindAt = '2020-01-01T00:00:00.000Z'
    const task = await createTask(on, { [idName]: id, title: 'Call back', remindAt })
    const reminding = { orgId: on.orgId, taskId: task.id, remindAt }
    await remove(on, kind, id)
    await remind(app.services, reminding)
    const resting = typesOf(await read(on, kind, id))
    await restore(on, kind, id)
    await remind(app.services, reminding)

    expect(resting).not.toContain('CONTACT_TASK_REMINDED')
    expect(typesOf(await read(on, kind, id))[0]).toBe('CONTACT_TASK_REMINDED')
  })

  test('nothing is hung on one that is deleted, unknown or of another organization', async () => {
    const [on, other] = [await clientIn(app), await clientIn(app)]
    const [gone, foreign] = [await create(on, kind), await create(other, kind)]
    await remove(on, kind, gone)

    for (const id of [gone, foreign, uuid(), 'no id']) {
      expect(await on.error(addNote, { input: { [idName]: id, text: 'a' } })).toMatchObject({ code: 'NOT_FOUND' })
      expect(await on.error(addTask, { input: { [idName]: id, title: 'a' } })).toMatchObject({ code: 'NOT_FOUND' })
    }
    expect(await read(on, kind, gone)).toMatchObject({ notes: { totalCount: 0 }, tasks: { totalCount: 0 } })
  })

  test('lists of a page cost one statement each', async () => {
    const on = await clientIn(app)
    for (let n = 0; n < 3; n++) {
      const id = await create(on, kind, { [label]: `Engines ${n}` })
      await createNote(on, { [idName]: id, text: `note ${n}` })
      await createTask(on, { [idName]: id, title: `task ${n}` })
    }
    await warm(app, on)
    app.statements()
    await on.data(`{ ${many}(first: 3) { nodes { id notes { nodes { text } } tasks { nodes { title } } } } }`)

    expect(app.statements()).toBe(3)
  })

  test('REST adds them by its id, and lists, reads and filters them', async () => {
    const on = await clientIn(app)
    const id = await create(on, kind)
    const call = (method: string, path: string, body?: Json) => rest(method, `/api/crm/v1/${path}`, { key: on.key, body })
    const note = await call('POST', 'notes', { [idInRest]: id, text: 'Met in Berlin' })
    const task = await call('POST', 'tasks', { [idInRest]: id, title: 'Send the offer' })
    const inRest = { contact_id: null, company_id: null, deal_id: null, [idInRest]: id }

    expect(note).toMatchObject({ status: 201, body: { ...inRest, text: 'Met in Berlin' } })
    expect(task).toMatchObject({ status: 201, body: { ...inRest, title: 'Send the offer' } })
    expect((await call('GET', `notes/${note.body.id}`)).body).toEqual(note.body)
    expect((await call('GET', `${many}/${id}/notes`)).body.data).toEqual([note.body])
    expect((await call('GET', `${many}/${id}/tasks`)).body.data).toEqual([task.body])
    expect((await call('GET', `tasks?${idInRest}=${id}`)).body.data).toEqual([task.body])
    expect((await call('GET', `tasks?${idInRest}=${uuid()}`)).body.data).toEqual([])
  })

  test('search finds its notes, under its name, and not while it is deleted', async () => {
    const on = await clientIn(app)
    const id = await create(on, kind)
    const note = await createNote(on, { [idName]: id, text: 'Speaks of turbines' })
    const search = async () =>
      (await on.data('{ search(query: "turbines", types: [NOTE]) { nodes { title entityId } } }')).search.nodes as Json[]
    const found = await search()
    await remove(on, kind, id)

    expect(found).toEqual([{ title: 'Engines', entityId: note.id }])
    expect(await search()).toEqual([])
  })

  test(`its event names the ${Noun}`, async () => {
    const on = await clientIn(app)
    const id = await create(on, kind)
    const { id: noteId } = await createNote(on, { [idName]: id, text: 'Met' })
    const { body } = await rest('GET', `/api/crm/v1/${many}/${id}/timeline`, { key: on.key })

    expect(body.data[0]).toMatchObject({ type: `${noun}.noted`, changes: { note_id: noteId, text: 'Met' } })
  })
})

test('a note and a task name exactly one record', async () => {
  const on = await clientIn(app)
  const [companyId, dealId] = [await create(on, kinds[0]), await create(on, kinds[1])]

  expect(problemsOf(await on.error(addNote, { input: { text: 'a' } }))).toEqual([
    'contactId: Value error, a note belongs to a record: send the id of a contact, a company or a deal',
  ])
  expect(problemsOf(await on.error(addTask, { input: { title: 'a', companyId, dealId } }))).toEqual([
    'dealId: Value error, a task belongs to one record: send the id of the company or of the deal, not both',
  ])
})

test('the timeline of a company has the notes and tasks of its deals', async () => {
  const on = await clientIn(app)
  const companyId = await create(on, kinds[0])
  const dealId = await create(on, kinds[1], { companyId })
  await createNote(on, { dealId, text: 'Of the deal' })
  await createTask(on, { dealId, title: 'Of the deal' })

  expect(typesOf(await read(on, kinds[0], companyId)).slice(0, 2)).toEqual(['CONTACT_TASK_CREATED', 'DEAL_NOTED'])
  expect((await read(on, kinds[0], companyId)).notes.totalCount).toBe(0)
})
