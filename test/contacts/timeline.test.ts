// A contact's timeline: its events, newest first, and the number of statements.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { type Client, clientIn, clientWith, problemsOf, warm } from './client.ts'

const app = await openApp()

const read = `query ($id: ID!, $first: Int, $after: String) { contact(id: $id) { timeline(first: $first, after: $after) {
  nodes { id type entityId door operation changes { field before after } details actor { type name } createdAt } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount
} } }`
const timeline = async (on: Client, variables: Json) => (await on.data(read, variables)).contact.timeline
const update = (on: Client, id: string, input: Json) =>
  on.data('mutation Rename($input: UpdateContactInput!) { updateContact(input: $input) { id } }', { input: { id, ...input } })

describe('timeline', () => {
  test('requires contacts:read, also in the result of a mutation', async () => {
    const { key, orgId } = await app.given.apiKey({ scopes: ['contacts:write'] })
    const on = clientWith(app, { key, orgId })

    const { code } = await on.error('mutation { createContact(input: { firstName: "Ada" }) { timeline { nodes { id } } } }')

    expect(code).toBe('FORBIDDEN')
  })

  test('has actor, event, door and changes', async () => {
    const on = await clientIn(app)
    const { id } = await on.create({ firstName: 'Ada', tags: ['a'] })
    await update(on, id, { firstName: 'Augusta', tags: ['a', 'b'], lifecycleStage: 'LEAD' })
    await update(on, id, { firstName: 'Augusta' })
    await on.data('mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id })
    await on.data('mutation ($id: ID!) { restoreContact(input: { id: $id }) { id } }', { id })

    const { nodes, totalCount, pageInfo } = await timeline(on, { id })

    expect(nodes.map(({ type, entityId, operation, changes, details }: Json) => ({ type, entityId, operation, changes, details }))).toEqual(
      [
        { type: 'CONTACT_RESTORED', entityId: id, operation: 'restoreContact', changes: [], details: {} },
        { type: 'CONTACT_DELETED', entityId: id, operation: 'deleteContact', changes: [], details: {} },
        {
          type: 'CONTACT_UPDATED',
          entityId: id,
          operation: 'Rename',
          changes: [
            { field: 'tags', before: ['a'], after: ['a', 'b'] },
            { field: 'fullName', before: 'Ada', after: 'Augusta' },
            { field: 'firstName', before: 'Ada', after: 'Augusta' },
            { field: 'lifecycleStage', before: 'subscriber', after: 'lead' },
          ],
          details: null,
        },
        { type: 'CONTACT_CREATED', entityId: id, operation: 'createContact', changes: [], details: {} },
      ],
    )
    for (const node of nodes) expect(node).toMatchObject({ door: 'GRAPHQL', actor: { type: 'API_KEY', name: 'Test key' } })
    expect(totalCount).toBe(4)
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
  })

  test('has pages, also among events with the same time', async () => {
    const on = await clientIn(app)
    app.setNow(new Date('2024-05-01T10:00:00.000Z'))
    const { id } = await on.create()
    for (let number = 0; number < 6; number++) await update(on, id, { firstName: `N${number}` })
    app.setNow(null)
    const whole = (await timeline(on, { id })).nodes

    const paged: Json[] = []
    for (let after: string | null = null; ; ) {
      const { nodes, pageInfo }: Json = await timeline(on, { id, first: 3, after })
      paged.push(...nodes)
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }

    expect(whole).toHaveLength(7)
    expect(paged).toEqual(whole)
  })

  test('refuses invalid sizes and cursors', async () => {
    const on = await clientIn(app)
    const { id } = await on.create()
    const { contacts } = await on.data('{ contacts { pageInfo { endCursor } } }')

    expect(problemsOf(await on.error(read, { id, first: 201 }))).toEqual(['first: Input should be less than or equal to 200'])
    expect(problemsOf(await on.error(read, { id, after: 'x' }))).toEqual(['after: Value error, the cursor was not returned by this API'])
    expect(problemsOf(await on.error(read, { id, after: contacts.pageInfo.endCursor }))).toEqual([
      'after: Value error, the cursor belongs to a list with another filter or sort',
    ])
  })

  test('of many contacts is one statement per level and page arguments', async () => {
    const on = await clientIn(app)
    for (let number = 0; number < 12; number++) {
      const { id } = await on.create({ firstName: `N${number}` })
      for (let changes = 0; changes < number % 4; changes++) await update(on, id, { jobTitle: `Job ${changes}` })
    }
    await warm(app, on)

    const { contacts } = await on.data(
      '{ contacts(sort: CREATED_AT) { nodes { timeline(first: 2) { nodes { type } pageInfo { hasNextPage } } } } }',
    )
    expect(app.statements()).toBe(2)
    expect(contacts.nodes.map(({ timeline }: Json) => [timeline.nodes.length, timeline.pageInfo.hasNextPage])).toEqual(
      Array.from({ length: 12 }, (_, number) => [Math.min(2, 1 + (number % 4)), 1 + (number % 4) > 2]),
    )

    await on.data('{ contacts { nodes { all: timeline { nodes { id } } last: timeline(first: 1) { nodes { id } } } } }')
    expect(app.statements()).toBe(3)
  })

  test('of a contact has no events of another organization', async () => {
    const on = await clientIn(app)
    const other = await clientIn(app)
    const { id } = await on.create({ firstName: 'Mine' })
    await other.create({ firstName: 'Foreign' })

    const { nodes } = await timeline(on, { id })

    expect(nodes).toHaveLength(1)
    expect(nodes[0].type).toBe('CONTACT_CREATED')
  })
})
