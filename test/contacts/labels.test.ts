// Labels, through REST and GraphQL: what they may be named, their versions, pages and maximum, and what is told of them.

import { describe, expect, test } from 'vitest'
import { maxLabels } from '../../src/contacts/labels/label.ts'
import { openStream } from '../graphql/stream.ts'
import { conforming } from '../rest/conforming.ts'
import { type Json, openApp } from '../support/app.ts'
import { query } from '../support/database.ts'
import { clientIn } from './client.ts'

const app = await openApp()
const rest = conforming(app)
const path = '/api/crm/v1/labels'

describe(path, () => {
  test('201, 200: a label is added, read, changed and deleted', async () => {
    const { key, id: keyId } = await app.given.apiKey()

    const created = await rest('POST', path, { key, body: { name: ' Renewal ' } })
    const at = `${path}/${created.body.id}`
    const read = await rest('GET', at, { key })
    const changed = await rest('PATCH', at, { key, body: { name: 'renewal', color: 'green' }, headers: { 'If-Match': '"1"' } })
    const same = await rest('PATCH', at, { key, body: { color: 'green' } })
    const stale = await rest('DELETE', at, { key, headers: { 'If-Match': '"1"' } })
    const listed = await rest('GET', `${path}?include=total`, { key })
    const deleted = await rest('DELETE', at, { key })
    const gone = await rest('GET', at, { key })

    expect([created.status, created.headers.get('location'), created.headers.get('etag')]).toEqual([201, at, '"1"'])
    expect(created.body).toEqual({
      id: expect.any(String),
      name: 'Renewal',
      color: 'gray',
      created_by: { type: 'api_key', id: keyId, name: 'Test key' },
      created_at: expect.any(String),
      updated_at: created.body.created_at,
      version: 1,
    })
    expect(read.body).toEqual(created.body)
    expect(changed.body).toEqual({ ...created.body, name: 'renewal', color: 'green', version: 2, updated_at: changed.body.updated_at })
    expect(same.body).toEqual(changed.body)
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    expect(listed.body).toEqual({ data: [changed.body], has_more: false, next_cursor: null, total: 1 })
    expect(deleted.body).toEqual(changed.body)
    expect([gone.status, gone.body.code]).toEqual([404, 'not_found'])
  })

  test('409: a name is one of a kind, without regard to case, in its organization alone', async () => {
    const { key } = await app.given.apiKey()
    const other = await app.given.apiKey()
    const first = await rest('POST', path, { key, body: { name: 'Straße' } })
    const second = await rest('POST', path, { key, body: { name: 'Avenue' } })

    const twice = await Promise.all(['STRASSE', 'straße'].map(name => rest('POST', path, { key, body: { name } })))
    const renamed = await rest('PATCH', `${path}/${second.body.id}`, { key, body: { name: 'strasse' } })
    const elsewhere = await rest('POST', path, { key: other.key, body: { name: 'Straße' } })

    for (const { status, body } of [...twice, renamed])
      expect([status, body.code, body.field, body.existing_id]).toEqual([409, 'already_exists', 'name', first.body.id])
    expect(elsewhere.status).toBe(201)
  })

  test('422: a name of 1 to 50 characters, and one of the colors', async () => {
    const { key } = await app.given.apiKey()
    const problems = async (body: Json) => (await rest('POST', path, { key, body })).body.detail.map(({ loc }: Json) => loc.join('.'))

    expect(await problems({ color: 'pink' })).toEqual(['body.name', 'body.color'])
    expect(await problems({ name: ' ' })).toEqual(['body.name'])
    expect(await problems({ name: 'x'.repeat(51), color: null })).toEqual(['body.color', 'body.name'])
  })

  test('409: an organization has at most 200', async () => {
    const { key } = await app.given.apiKey()
    const { body } = await rest('POST', path, { key, body: { name: 'First' } })
    await query(
      app.database.url,
      `insert into labels select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'name_key', n))).*
       from labels t, generate_series(1, ${maxLabels.most - 1}) n where t.id = $1`,
      [body.id],
    )

    const refused = await rest('POST', path, { key, body: { name: 'Last' } })

    expect([refused.status, refused.body.detail]).toEqual([409, 'An organization has at most 200 labels; delete one first'])
  })
})

test('GraphQL has a label by its id, as a node and in pages, and a change tells of it', async () => {
  const on = await clientIn(app)
  const stream = await openStream(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${on.key}` },
    body: JSON.stringify({ query: 'subscription { changes { type entity { ... on Label { name color } } } }' }),
  })
  // FOLLOWING.
  await stream.next()
  const add = 'mutation ($input: CreateLabelInput!) { createLabel(input: $input) { id } }'

  const { createLabel } = await on.data(add, { input: { name: 'One', color: 'RED' } })
  await on.data(add, { input: { name: 'Two' } })
  const found = await on.data(
    `query ($id: ID!) { label(id: $id) { name color version } node(id: $id) { __typename }
       labels(first: 1) { nodes { name } totalCount pageInfo { hasNextPage } } }`,
    createLabel,
  )

  expect(found).toEqual({
    label: { name: 'One', color: 'RED', version: 1 },
    node: { __typename: 'Label' },
    labels: { nodes: [{ name: 'Two' }], totalCount: 2, pageInfo: { hasNextPage: true } },
  })
  const { data } = await stream.next()
  stream.leave()
  expect(data.data.changes).toEqual({ type: 'LABEL_CREATED', entity: { name: 'One', color: 'RED' } })
})
