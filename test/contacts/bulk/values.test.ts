// Bulk changes of stage and "do not call", and tasks for many contacts: done, taken back, refused.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { type Ask, counts, done, organizationIn } from './changing.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })

const emails = ['a@example.com', 'b@example.com', 'c@example.com']

async function threeContacts() {
  const organization = await organizationIn(app)
  const ids = await organization.create([{ email: emails[0] }, { email: emails[1], lifecycleStage: 'LEAD' }, { email: emails[2] }])
  return { ...organization, ids }
}

const values = async (ask: Ask) =>
  (await ask('{ contacts(sort: EMAIL) { nodes { lifecycleStage doNotCall } } }')).contacts.nodes.map((one: Json) => [
    one.lifecycleStage,
    one.doNotCall,
  ])

describe('updateContactsInBulk', () => {
  test('sets stage and "do not call", and the undo sets back what nobody has changed since', async () => {
    const { ask, ids } = await threeContacts()

    const change = await done(ask, 'updateContactsInBulk', 'filter: {}, lifecycleStage: LEAD, doNotCall: true')

    expect(counts(change)).toEqual(['COMPLETED', 3, 3, 0, 0])
    expect(await values(ask)).toEqual([
      ['LEAD', true],
      ['LEAD', true],
      ['LEAD', true],
    ])
    expect(await ask(`{ contactBulkChange(id: "${change.id}") { lifecycleStage doNotCall taskTitle } }`)).toEqual({
      contactBulkChange: { lifecycleStage: 'LEAD', doNotCall: true, taskTitle: null },
    })
    await ask(`mutation { updateContact(input: { id: "${ids[2]}", lifecycleStage: CUSTOMER }) { id } }`)

    const undo = await done(ask, 'undoContactBulkChange', `id: "${change.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 3, 3, 0, 0])
    expect(await values(ask)).toEqual([
      ['SUBSCRIBER', false],
      ['LEAD', false],
      ['CUSTOMER', false],
    ])
  })
})

describe('createTasksInBulk', () => {
  const tasks = async (ask: Ask) => (await ask('{ tasks { nodes { id title dueAt assigneeUserId contact { email } } } }')).tasks.nodes

  test('adds a task to each live contact, and the undo deletes those that nobody has changed', async () => {
    const { ask, ids, userId } = await threeContacts()
    await ask(`mutation { deleteContact(input: { id: "${ids[2]}" }) { id } }`)

    const input = `ids: $ids, title: "Call about the offer", dueAt: "2026-12-24T09:00:00Z", assigneeUserId: "${userId}"`
    const change = await done(ask, 'createTasksInBulk', input, { ids }, '($ids: [ID!])')

    expect(change.action).toBe('CREATE_TASKS')
    expect(counts(change)).toEqual(['COMPLETED', 2, 2, 0, 0])
    const added = await tasks(ask)
    expect(added.map(({ id: _, ...task }: Json) => task)).toEqual(
      expect.arrayContaining(
        emails.slice(0, 2).map(email => ({
          title: 'Call about the offer',
          dueAt: '2026-12-24T09:00:00.000Z',
          assigneeUserId: userId,
          contact: { email },
        })),
      ),
    )
    expect((await ask(`{ contact(id: "${ids[0]}") { timeline { nodes { type } } } }`)).contact.timeline.nodes[0].type).toMatch(/task/i)
    await ask(`mutation { updateTask(input: { id: "${added[0].id}", title: "Call today" }) { id } }`)

    const undo = await done(ask, 'undoContactBulkChange', `id: "${change.id}"`)

    expect(counts(undo)).toEqual(['COMPLETED', 2, 1, 1, 0])
    expect((await tasks(ask)).map(({ title }: Json) => title)).toEqual(['Call today'])
  })

  test.each([
    ['filter: {}, title: ""', ['title']],
    ['filter: {}, title: "x", assigneeUserId: "nobody"', ['assigneeUserId']],
    ['title: "x"', ['ids']],
    ['filter: { onlyDeleted: true }, title: "x"', ['filter', 'onlyDeleted']],
  ])('%s is refused', async (input, path) => {
    const { ask } = await threeContacts()

    const { error } = await ask(`mutation { createTasksInBulk(input: { ${input} }) { id } }`)

    expect(error).toMatchObject({ code: 'INVALID', problems: [{ path }] })
    expect(await tasks(ask)).toEqual([])
  })
})
