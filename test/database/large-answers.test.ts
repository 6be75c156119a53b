// Rows that a tenant has filled: a page of them is refused before it takes the memory of all.

import { expect, test } from 'vitest'
import { pageRead, statement } from '../../src/database/statement.ts'
import { rows, text } from '../../src/database/table.ts'
import { openApp } from '../support/app.ts'

const app = await openApp()

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

test('transcripts of many long calls are refused, transcripts of a few are answered', async () => {
  const { key, orgId } = await app.given.apiKey()
  const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Grace', phone_number: '+15550100001' } })
  const calls = Array.from({ length: 10 }, (_, n) =>
    app.rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agent.id, to_number: `+1555012${3000 + n}` } }),
  )
  await Promise.all(calls)
  await app.services.database.pool.query(
    `insert into call_transcripts (id, org_id, lines, written_at)
     select id, org_id, (select jsonb_agg(jsonb_build_object('seq', n, 'role', 'user', 'text', repeat('x', 9000), 'startMs', 0, 'endMs', 0))
       from generate_series(1, 1000) n), now() from calls where org_id = $1
     on conflict (id) do update set lines = excluded.lines`,
    [orgId],
  )
  const page = async (first: number) =>
    (await app.graphql(`{ calls(first: ${first}) { nodes { transcript { seq } } } }`, undefined, { key })).body

  expect((await page(10)).errors?.[0].extensions.code).toBe('INVALID')
  expect((await page(2)).data.calls.nodes.map(({ transcript }: { transcript: unknown[] }) => transcript.length)).toEqual([1000, 1000])
})

test('what workers read has no such limit', async () => {
  const { database } = app.services
  const long = `select repeat('x', 1000000) as word from generate_series(1, 70) n`
  const ofWorkers = statement('test_of_workers', long, rows({ word: text }))
  const ofCallers = pageRead('test_of_callers', long, rows({ word: text }))

  expect((await database.query(ofWorkers)).length).toBe(70)
  await expect(database.query(ofCallers)).rejects.toMatchObject({ code: 'INVALID' })
})
