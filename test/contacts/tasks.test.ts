// Tasks about contacts: through GraphQL and REST, and their reminders.

import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { remind } from '../../src/contacts/tasks/reminder.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { startMailServer } from '../support/servers/mail.ts'
import { type Client, clientWith, problemsOf, warm } from './client.ts'

const mail = await keepOpen(startMailServer())
const app = await openApp()
const worker = await openApp({
  env: { ROLES: 'worker', SMTP_URL: mail.url, MAIL_FROM: 'crm@example.com', RATE_LIMIT: '1' },
  database: app.database,
})
const rest = conforming(app)

const whole =
  'id contactId title description status dueAt assigneeUserId assignee { name } remindAt remindedAt completedAt createdBy { type } createdAt updatedAt version'
const create = `mutation ($input: CreateTaskInput!) { createTask(input: $input) { ${whole} } }`
const update = `mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { ${whole} } }`
const remove = `mutation ($input: DeleteTaskInput!) { deleteTask(input: $input) { ${whole} } }`
const add = async (on: Client, input: Json): Promise<Json> => (await on.data(create, { input })).createTask
const change = async (on: Client, input: Json): Promise<Json> => (await on.data(update, { input })).updateTask
const read = async (on: Client, id: string) => (await on.data(`query ($id: ID!) { task(id: $id) { ${whole} } }`, { id })).task
const eventsOf = async (on: Client, id: string) =>
  (
    await on.data(
      'query ($id: ID!) { contact(id: $id) { timeline { nodes { type changes { field before after } details actor { type name } } } } }',
      { id },
    )
  ).contact.timeline.nodes.filter(({ type }: Json) => type.startsWith('CONTACT_TASK_'))

async function someone(): Promise<{ on: Client; id: string; userId: string }> {
  const { session, orgId, userId } = await app.given.session()
  const on = clientWith(app, { session, orgId })
  return { on, userId, id: (await on.create({ firstName: 'Ada', lastName: 'Lovelace' })).id }
}
async function eventually<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(50)
  }
  throw new Error('what was waited for has not come about within 10 s')
}

describe('a task', () => {
  test('is added, changed, done and deleted, and its contact tells of it', async () => {
    const { on, id, userId } = await someone()
    app.setNow(new Date('2026-03-01T10:00:00.000Z'))
    const task = await add(on, { contactId: id, title: ' Send the offer ', dueAt: '2030-01-01T12:00:00Z', assigneeUserId: userId })
    const changed = await change(on, { id: task.id, description: 'As a PDF', dueAt: null, ifVersion: 1 })
    app.setNow(new Date('2026-03-02T10:00:00.000Z'))
    const done = await change(on, { id: task.id, status: 'DONE' })
    const same = await change(on, { id: task.id, status: 'DONE', title: 'Send the offer' })
    const open = await change(on, { id: task.id, status: null })
    const { deleteTask } = await on.data(remove, { input: { id: task.id } })
    app.setNow(null)

    expect(task).toEqual({
      id: expect.any(String),
      contactId: id,
      title: 'Send the offer',
      description: null,
      status: 'OPEN',
      dueAt: '2030-01-01T12:00:00.000Z',
      assigneeUserId: userId,
      assignee: { name: 'Test User' },
      remindAt: null,
      remindedAt: null,
      completedAt: null,
      createdBy: { type: 'USER' },
      createdAt: '2026-03-01T10:00:00.000Z',
      updatedAt: '2026-03-01T10:00:00.000Z',
      version: 1,
    })
    expect(changed).toEqual({ ...task, description: 'As a PDF', dueAt: null, version: 2 })
    const at = '2026-03-02T10:00:00.000Z'
    expect(done).toEqual({ ...changed, status: 'DONE', completedAt: at, updatedAt: at, version: 3 })
    expect(same).toEqual(done)
    expect(open).toEqual({ ...done, status: 'OPEN', completedAt: null, version: 4 })
    expect(deleteTask).toEqual(open)
    expect((await eventsOf(on, id)).map(({ type, changes, details }: Json) => ({ type, changes, details }))).toEqual([
      { type: 'CONTACT_TASK_DELETED', changes: [], details: { title: 'Send the offer' } },
      { type: 'CONTACT_TASK_UPDATED', changes: [{ field: 'status', before: 'done', after: 'open' }], details: null },
      { type: 'CONTACT_TASK_COMPLETED', changes: [{ field: 'status', before: 'open', after: 'done' }], details: null },
      {
        type: 'CONTACT_TASK_UPDATED',
        changes: [
          { field: 'dueAt', before: '2030-01-01T12:00:00.000Z', after: null },
          { field: 'description', before: null, after: 'As a PDF' },
        ],
        details: null,
      },
      {
        type: 'CONTACT_TASK_CREATED',
        changes: [],
        details: { title: 'Send the offer', dueAt: '2030-01-01T12:00:00.000Z', assigneeUserId: userId },
      },
    ])
  })

  test('is refused with all that is wrong, and nothing is written', async () => {
    const { on, id } = await someone()
    const stranger = await someone()
    const problems = async (query: string, input: Json) => problemsOf(await on.error(query, { input }))
    const task = await add(on, { contactId: id, title: 'a' })

    expect(await problems(create, { contactId: id, title: ' ', description: 'x'.repeat(10_001), assigneeUserId: stranger.userId })).toEqual(
      [
        'title: String should have at least 1 character',
        'description: String should have at most 10000 characters',
        'assigneeUserId: Value error, no member of the organization has this id',
      ],
    )
    expect(await problems(update, { id: task.id, title: null })).toEqual(['title: String should have at least 1 character'])
    for (const contactId of [stranger.id, uuid(), 'x'])
      expect(await on.error(create, { input: { contactId, title: 'a' } })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await read(on, task.id)).toEqual(task)
  })

  test('of another organization is not there, and guests write none', async () => {
    const { on, id } = await someone()
    const task = await add(on, { contactId: id, title: 'secret' })
    const stranger = (await someone()).on
    const input = { id: task.id }

    for (const query of [update, remove]) expect(await stranger.error(query, { input })).toMatchObject({ code: 'NOT_FOUND' })
    expect((await stranger.data('query ($id: ID!) { node(id: $id) { id } }', { id: task.id })).node).toBeNull()
    expect((await stranger.data('query ($id: ID!) { tasks(filter: { contactId: $id }) { nodes { id } } }', { id })).tasks.nodes).toEqual([])
    const guest = await app.graphql(update, { input }, { headers: { 'x-guest-id': 'guest' } })
    expect(guest.body.errors[0].extensions.code).toBe('GUEST_READ_ONLY')
    const node = 'query ($id: ID!) { node(id: $id) { __typename ... on ContactTask { title contact { id } } } }'
    expect((await on.data(node, { id: task.id })).node).toEqual({ __typename: 'ContactTask', title: 'secret', contact: { id } })
  })

  test('that two change at once is changed by the one, and the other learns its version', async () => {
    const { on, id } = await someone()
    const task = await add(on, { contactId: id, title: 'first' })

    const answers = await Promise.all(['a', 'b'].map(title => on.ask(update, { input: { id: task.id, title, ifVersion: 1 } })))

    const failed = answers.filter(({ errors }) => errors)
    expect(failed.map(({ errors }) => errors[0].extensions)).toMatchObject([{ code: 'PRECONDITION_FAILED', version: 2 }])
    expect((await read(on, task.id)).title).toBe(answers.find(({ errors }) => !errors).data.updateTask.title)
  })
})

describe('lists', () => {
  test('of the organization filter by status, assignee and due time, in each order, in pages that agree with the whole', async () => {
    const { on, id, userId } = await someone()
    const due = (day: number) => `2030-01-0${day}T00:00:00.000Z`
    const given: Json[] = [
      { title: 'a', dueAt: due(3), assigneeUserId: userId },
      { title: 'b', dueAt: due(1), status: 'DONE' },
      { title: 'c' },
      { title: 'd', dueAt: due(1), assigneeUserId: userId },
      { title: 'e', dueAt: due(2), status: 'CANCELED' },
      { title: 'f', assigneeUserId: userId },
    ]
    for (const task of given) await add(on, { contactId: id, ...task })
    const query = `query ($filter: TaskFilter, $sort: TaskSort, $first: Int, $after: String) {
      tasks(filter: $filter, sort: $sort, first: $first, after: $after) { nodes { title } totalCount pageInfo { hasNextPage endCursor } } }`
    const list = async (variables: Json) => {
      const titles: string[] = []
      for (let after: string | null = null; ; ) {
        const { nodes, totalCount, pageInfo }: Json = (await on.data(query, { first: 2, ...variables, after })).tasks
        titles.push(...nodes.map(({ title }: Json) => title))
        if (pageInfo.hasNextPage) after = pageInfo.endCursor
        else {
          expect(totalCount).toBe(titles.length)
          return titles.join('')
        }
      }
    }

    expect(await list({})).toBe('bdeacf')
    expect(await list({ sort: 'DUE_AT_DESC' })).toBe('fcaedb')
    expect(await list({ sort: 'CREATED_AT' })).toBe('abcdef')
    expect(await list({ sort: 'CREATED_AT_DESC' })).toBe('fedcba')
    expect(await list({ filter: { status: 'OPEN' } })).toBe('dacf')
    expect(await list({ filter: { statusIn: ['DONE', 'CANCELED'] } })).toBe('be')
    expect(await list({ filter: { assigneeUserId: userId, status: 'OPEN' } })).toBe('daf')
    expect(await list({ filter: { assigned: false } })).toBe('bec')
    expect(await list({ filter: { dueSince: due(2) } })).toBe('ea')
    expect(await list({ filter: { dueSince: due(1), dueUntil: due(3) } })).toBe('bde')
    expect(await list({ filter: { contactId: 'x' } })).toBe('')
  })

  test('rest with a deleted contact, for lists and their counts, and come back with it', async () => {
    const { on, id } = await someone()
    const other = await on.create({ firstName: 'Grace' })
    await add(on, { contactId: id, title: 'rests', dueAt: '2030-01-01T00:00:00Z' })
    await add(on, { contactId: other.id, title: 'stays', dueAt: '2030-01-02T00:00:00Z' })
    const listed = async (filter: Json = {}) => {
      const { tasks } = await on.data('query ($filter: TaskFilter) { tasks(filter: $filter) { totalCount nodes { title } } }', { filter })
      return [tasks.totalCount, ...tasks.nodes.map(({ title }: Json) => title)]
    }
    const ofContact = async () => {
      const found = await on.data('query ($id: ID!) { contact(id: $id, includeDeleted: true) { tasks { totalCount nodes { title } } } }', {
        id,
      })
      return found.contact.tasks
    }
    const { key } = await app.given.apiKey({ orgId: on.orgId })
    const answered = async () => (await rest('GET', '/api/crm/v1/tasks', { key })).body.data.map(({ title }: Json) => title)
    const everywhere = async () => [
      await listed(),
      await listed({ status: 'OPEN' }),
      await listed({ contactId: id }),
      await ofContact(),
      await answered(),
    ]
    const before = await everywhere()

    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })

    expect(await everywhere()).toEqual([[1, 'stays'], [1, 'stays'], [0], { totalCount: 1, nodes: [{ title: 'rests' }] }, ['stays']])
    await on.data('mutation ($id: ID!) { restoreContact(input: { id: $id }) { id } }', { id })
    expect(await everywhere()).toEqual(before)
  })

  test('of a page of contacts cost one more statement, and stay while a contact is deleted', async () => {
    const { on, id } = await someone()
    const other = await on.create({ firstName: 'Grace' })
    for (const contactId of [id, other.id, other.id]) await add(on, { contactId, title: 'x' })
    const query =
      '{ contacts(first: 10, filter: { includeDeleted: true }) { nodes { tasks(first: 10, filter: { status: OPEN }) { nodes { title contact { id } } } } } }'
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
    await on.data(query)
    await warm(app, on)

    app.statements()
    const { contacts } = await on.data(query)

    expect(app.statements()).toBe(3)
    expect(contacts.nodes.map(({ tasks }: Json) => tasks.nodes.length)).toEqual([2, 1])
  })
})

describe('a reminder', () => {
  const remindedOf = (on: Client, id: string) => async () => (await read(on, id)).remindedAt ?? undefined
  const soon = () => new Date(Date.now() + 300).toISOString()

  test('comes once at its time: an event of the system, and an email to the assignee', async () => {
    const { on, id, userId } = await someone()
    const remindAt = soon()
    const task = await add(on, { contactId: id, title: 'Call back', dueAt: '2030-01-01T12:30:00Z', assigneeUserId: userId, remindAt })
    const remindedAt = await eventually(remindedOf(on, task.id))
    // As a worker does that was killed after it had written.
    await remind(worker.services, { orgId: on.orgId, taskId: task.id, remindAt })

    expect(remindedAt >= remindAt).toBe(true)
    expect((await eventsOf(on, id)).map(({ type }: Json) => type)).toEqual(['CONTACT_TASK_REMINDED', 'CONTACT_TASK_CREATED'])
    expect((await eventsOf(on, id))[0]).toEqual({
      type: 'CONTACT_TASK_REMINDED',
      changes: [],
      details: { title: 'Call back', dueAt: '2030-01-01T12:30:00.000Z', assigneeUserId: userId },
      actor: { type: 'SYSTEM', name: 'reminders' },
    })
    const own = () => mail.mails.filter(({ to }) => to === `${userId}@example.com`)
    await eventually(async () => own()[0])
    expect(own()).toHaveLength(1)
    expect(own()[0]?.text).toContain('Call back')
    expect(own()[0]?.text).toContain('Contact: Ada Lovelace')
    expect(own()[0]?.text).toContain('Due: 2030-01-01 12:30 UTC')
  })

  test('rests while its contact is deleted, and comes when the contact is restored', async () => {
    const { on, id } = await someone()
    const due = await add(on, { contactId: id, title: 'rests', remindAt: soon() })
    const settled = await add(on, { contactId: id, title: 'settled', status: 'DONE', remindAt: soon() })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
    // As the queue does at its time.
    await remind(worker.services, { orgId: on.orgId, taskId: due.id, remindAt: due.remindAt })
    expect((await read(on, due.id)).remindedAt).toBeNull()

    await on.data('mutation ($id: ID!) { restoreContact(input: { id: $id }) { id } }', { id })

    await eventually(remindedOf(on, due.id))
    expect((await read(on, settled.id)).remindedAt).toBeNull()
  })

  test('does not come for a task that is done or deleted, and comes at another time after that was changed', async () => {
    const { on, id } = await someone()
    const first = soon()
    const [done, deleted, moved, later] = await Promise.all(
      ['done', 'deleted', 'moved', 'later'].map(title => add(on, { contactId: id, title, remindAt: first })),
    )
    await Promise.all([
      change(on, { id: done.id, status: 'DONE' }),
      on.data(remove, { input: { id: deleted.id } }),
      change(on, { id: moved.id, remindAt: new Date(Date.parse(first) + 500).toISOString() }),
      change(on, { id: later.id, remindAt: '2030-01-01T00:00:00.000Z' }),
    ])

    const remindedAt = await eventually(remindedOf(on, moved.id))

    expect(remindedAt >= new Date(Date.parse(first) + 500).toISOString()).toBe(true)
    expect([(await read(on, done.id)).remindedAt, (await read(on, later.id)).remindedAt]).toEqual([null, null])
    const reminded = (await eventsOf(on, id)).filter(({ type }: Json) => type === 'CONTACT_TASK_REMINDED')
    expect(reminded.map(({ details }: Json) => details.title)).toEqual(['moved'])

    const reopened = await change(on, { id: done.id, status: 'OPEN' })
    expect(reopened.remindedAt).toBeNull()
    await eventually(remindedOf(on, done.id))
    expect((await change(on, { id: done.id, remindAt: '2031-01-01T00:00:00.000Z' })).remindedAt).toBeNull()
  })
})

describe('/api/crm/v1', () => {
  test('tasks are added, listed, read, changed and deleted', async () => {
    const { on, id } = await someone()
    const { key } = await app.given.apiKey({ orgId: on.orgId })
    const at = `/api/crm/v1/contacts/${id}/tasks`

    const created = await rest('POST', at, { key, body: { title: 'By REST', due_at: '2030-01-01T00:00:00Z' } })
    const path = `/api/crm/v1/tasks/${created.body.id}`
    expect([created.status, created.headers.get('location')]).toEqual([201, path])
    const page = { data: [created.body], has_more: false, next_cursor: null, total: null }
    expect((await rest('GET', `${at}?status=open`, { key })).body).toEqual(page)
    expect((await rest('GET', `/api/crm/v1/tasks?sort=-due_at&contact_id=${id}&due_until=2030-01-02T00:00:00Z`, { key })).body).toEqual(
      page,
    )
    const changed = await rest('PATCH', path, { key, body: { status: 'done' }, headers: { 'if-match': '"1"' } })
    expect(changed.body).toMatchObject({ status: 'done', completed_at: expect.any(String), version: 2 })
    expect((await rest('PATCH', path, { key, body: { title: 'late' }, headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await rest('GET', path, { key })).body).toEqual(changed.body)
    expect((await rest('DELETE', path, { key })).body).toEqual(changed.body)
    expect((await rest('GET', path, { key })).status).toBe(404)
  })

  test('422 names all that is wrong', async () => {
    const { on, id } = await someone()
    const { key } = await app.given.apiKey({ orgId: on.orgId })

    const { status, body } = await rest('POST', `/api/crm/v1/contacts/${id}/tasks`, {
      key,
      body: { title: '', status: 'late', due_at: 'soon' },
    })

    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: Json) => loc.join('.')).toSorted()).toEqual(['body.due_at', 'body.status', 'body.title'])
  })
})
