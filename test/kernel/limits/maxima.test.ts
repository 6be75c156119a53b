// Maxima: what one person could make without end, asked for at the public doors.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { maxFields } from '../../../src/contacts/custom-fields/field.ts'
import { maxViews } from '../../../src/contacts/views/view.ts'
import { maxAgents } from '../../../src/voice/agents/agent.ts'
import { type Json, openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'

const app = await openApp()

const member = async () => {
  const { session, orgId, userId } = await app.given.session()
  const ask = async (mutation: string): Promise<Json> => {
    const { body } = await app.graphql(`mutation { done: ${mutation} }`, {}, { session, headers: { 'x-org-id': orgId } })
    const [error] = body.errors ?? []
    return error ? { code: error.extensions.code, message: error.message } : body.data.done
  }
  return { session, orgId, userId, ask }
}
const sql = (text: string, values: unknown[] = []) => query<Json>(app.database.url, text, values)
/** Copies a row of the table until there are as many, with new ids. */
async function fill(table: string, id: string, columns: string, count: number) {
  await sql(
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()) || ${columns})).*
     from ${table} t, generate_series(1, ${count}) n where t.id = $1`,
    [id],
  )
}

describe('an organization', () => {
  test('has at most 200 API keys that work, also when several are made at the same time', async () => {
    const { ask, orgId } = await member()
    const make = () => ask(`createApiKey(input: { label: "Script" }) { apiKey { id } }`)
    const { apiKey } = await make()
    const inserted = await sql(
      `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'hash', sha256(n::text::bytea)))).*
       from api_keys k, generate_series(1, 198) n where k.id = $1 returning id`,
      [apiKey.id],
    )
    await sql('insert into api_key_organizations (api_key_id, organization_id) select unnest($1::uuid[]), $2', [
      inserted.map(({ id }) => id),
      orgId,
    ])

    const answers = await Promise.all([make(), make(), make()])

    const refusal = { code: 'CONFLICT', message: 'An organization has at most 200 API keys that work; revoke one first' }
    expect(answers.filter(({ apiKey: made }) => made)).toHaveLength(1)
    expect(answers.filter(({ code }) => code)).toEqual([refusal, refusal])
    expect(await ask(`rotateApiKey(input: { id: "${apiKey.id}", overlapSeconds: 60 }) { key }`)).toEqual(refusal)
    await ask(`revokeApiKey(input: { id: "${apiKey.id}" }) { id }`)
    expect(await make()).toMatchObject({ apiKey: { id: expect.any(String) } })
  })

  test('has at most 200 agents that are not archived', async () => {
    const { ask, orgId } = await member()
    const make = () => ask(`createVoiceAgent(input: { name: "Grace", draft: true }) { id }`)
    const { id } = await make()
    await fill('voice_agents', id, `'{}'`, maxAgents.most - 1)

    expect(await make()).toEqual({ code: 'CONFLICT', message: 'An organization has at most 200 agents; archive one first' })

    await sql(`update voice_agents set status = 'archived' where org_id = $1 and id = $2`, [orgId, id])
    expect(await make()).toMatchObject({ id: expect.any(String) })
  })

  test('has at most 200 custom fields, and refuses with what to do', async () => {
    const { ask } = await member()
    const make = (key: string) => ask(`createCustomField(input: { key: "${key}", label: "Field", type: TEXT }) { id }`)
    const { id } = await make('first')
    await fill('custom_fields', id, `jsonb_build_object('key', 'k' || n)`, maxFields.most - 1)

    expect(await make('last')).toEqual({ code: 'CONFLICT', message: 'An organization has at most 200 custom fields; delete one first' })
    expect(await make('first')).toMatchObject({ code: 'ALREADY_EXISTS' })
  })
})

test("a member has at most 100 saved views, and leaves room for other members' views", async () => {
  const { ask, orgId } = await member()
  const make = () => ask(`createSavedView(input: { noun: CONTACTS, name: "${uuid()}" }) { id }`)
  const { id } = await make()
  await fill('saved_views', id, `'{}'`, maxViews.most - 1)

  expect(await make()).toEqual({ code: 'CONFLICT', message: 'A member has at most 100 saved views; delete one first' })

  const { session } = await app.given.member({ orgId, role: 'member' })
  const other = { session, headers: { 'x-org-id': orgId } }
  const { body } = await app.graphql('mutation { createSavedView(input: { noun: CONTACTS, name: "Mine" }) { name } }', {}, other)
  expect(body.data).toEqual({ createSavedView: { name: 'Mine' } })
})
