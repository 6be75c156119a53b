// The commands that follow from the endpoints of a noun: each usual noun that has a list is added, changed and deleted by them.

import { afterAll, expect, test } from 'vitest'
import { type Json, startApp } from '../../support/app.ts'
import { nouns } from '../../support/nouns.ts'
import { newUser } from './rolocom.ts'

const app = await startApp({ env: { ROLES: 'api,session' } })
const { key } = await app.given.apiKey()
const user = newUser({ ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key })
afterAll(async () => {
  user.leave()
  await app.close()
})
const { body: contact } = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com' } })

const fields = (body: Json): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) ? value.flatMap(one => ['-f', `${name}[]=${one}`]) : [typeof value === 'string' ? '-f' : '-F', `${name}=${value}`],
  )

test.each(nouns.filter(({ list }) => list))('rolocom has the commands of $type', async ({ table, isOfContact, body, change, upsert }) => {
  const command = table.replaceAll('_', '-')
  const json = async (...words: string[]) => {
    const { out, err } = await user.run([command, ...words])
    return out === '' ? err : JSON.parse(out)
  }
  const given = fields({ ...(isOfContact && { contact_id: contact.id }), ...body('by hand') })

  const tried = await json('create', ...given, '--dry-run')
  const created = await json('create', ...given)
  const shown = await json('get', created.id)
  const listed = await json('list')
  const changed = await json('update', created.id, ...fields(change))
  const deleted = await json('delete', created.id)

  expect(tried).toMatchObject({ dry_run: true, status: 201 })
  expect(JSON.stringify(created)).toContain('by hand')
  expect([shown, listed]).toEqual([created, [created]])
  expect(changed).toMatchObject({ id: created.id, version: 2, ...change })
  expect(deleted).toEqual(upsert ? { ...changed, deleted_at: deleted.deleted_at, updated_at: deleted.deleted_at, version: 3 } : changed)
  expect(await json('get', created.id)).toMatch(/^No /)
  if (upsert) expect(await json('restore', created.id)).toMatchObject({ id: created.id, deleted_at: null, version: 4 })
})

test('rolocom deals move moves a deal to a stage', async () => {
  const { body: deal } = await app.rest('POST', '/api/crm/v1/deals', { key, body: { title: 'Renewal' } })
  const { body: pipelines } = await app.rest('GET', '/api/crm/v1/pipelines', { key })
  const stage = pipelines.data[0].stages.find(({ id }: Json) => id !== deal.stage_id).id

  const tried = await user.run(['deals', 'move', deal.id, '--stage', stage, '--dry-run'])
  const moved = await user.run(['deals', 'move', deal.id, '--stage', stage])
  const without = await user.run(['deals', 'move', deal.id])

  expect(JSON.parse(tried.out)).toMatchObject({ dry_run: true })
  expect(JSON.parse(moved.out)).toMatchObject({ id: deal.id, stage_id: stage, version: 2 })
  expect([without.status, without.err]).toEqual([2, expect.stringContaining('--stage')])
})

test('a task is not added without a record', async () => {
  const { status, err } = await user.run(['contact-tasks', 'create', '-f', 'title=Call'])

  expect(status).toBe(1)
  expect(err).toContain('a task belongs to a record: send the id of a contact, a company or a deal')
})
