// Rows that a tenant has filled: a page of them is refused before it takes the memory of all.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a page with more than 64 MB of text is refused, a smaller one is answered, and the connection goes on', async () => {
  const { key, orgId } = await app.given.apiKey()
  await app.services.database.pool.query(
    `insert into contacts (id, org_id, email, custom, lifecycle_stage, source, search_text, created_by_type, created_at, updated_at)
     select gen_random_uuid(), $1, 'c' || n || '@example.com',
       (select jsonb_object_agg('field_' || f, repeat('x', 10000)) from generate_series(1, 100) f), 'lead', 'api', '', 'system', now(), now()
     from generate_series(1, 80) n`,
    [orgId],
  )
  const detail = 'These rows hold more than 64 MB of text: ask for a smaller page, or for fewer fields'

  const large = await app.rest('GET', '/api/crm/v1/contacts?limit=80', { key })
  const { body } = await app.graphql('{ contacts(first: 80) { nodes { custom } } }', undefined, { key })
  const small = await app.rest('GET', '/api/crm/v1/contacts?limit=5', { key })
  const few = await app.graphql('{ contacts(first: 80) { nodes { id } } }', undefined, { key })

  expect([large.status, JSON.stringify(large.body)]).toEqual([422, expect.stringContaining(detail)])
  expect(body.errors[0]).toMatchObject({ message: detail, extensions: { code: 'INVALID' } })
  expect([small.status, small.body.data.length]).toEqual([200, 5])
  expect(few.body.errors?.[0].message ?? few.body.data.contacts.nodes.length).toBe(80)
})
