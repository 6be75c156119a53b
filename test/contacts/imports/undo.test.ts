// The undo of an import, and the contacts of an import in lists.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded, imported, contacts } = importsIn(app)
const crm = '/api/crm/v1'

async function undone(key: string, id: string): Promise<Json> {
  const started = await app.rest('POST', `${imports}/${id}/undo`, { key })
  expect(started.status).toBe(202)
  await expect.poll(async () => (await app.rest('GET', `${imports}/${id}`, { key })).body.undo.status).toBe('completed')
  return (await app.rest('GET', `${imports}/${id}`, { key })).body.undo
}
const countsOf = ({ deleted_count, restored_count, kept_count, gone_count }: Json) => [
  deleted_count,
  restored_count,
  kept_count,
  gone_count,
]

describe('POST /api/crm/v1/imports/{import_id}/undo', () => {
  test('deletes added contacts and gives changed ones their former values, except where somebody changed them since', async () => {
    const { key, orgId } = await app.given.apiKey()
    await app.graphql('mutation { createCustomField(input: { key: "plan", label: "Plan", type: TEXT }) { id } }', undefined, { key })
    const make = async (body: object) => (await app.rest('POST', `${crm}/contacts`, { key, body })).body
    await make({ email: 'old@example.com', city: 'Bonn', tags: ['a'], custom: { plan: 'pro' } })
    await make({ email: 'part@example.com', city: 'Bonn', job_title: 'Buyer' })
    await make({ email: 'same@example.com', city: 'Köln' })
    const before = await contacts(key)
    const file = [
      'Email,City,Job title,Plan,Tags',
      'old@example.com,Köln,Chef,basic,b',
      'part@example.com,Köln,Chef,,',
      'same@example.com,Köln,,,',
      'new@example.com,Köln,,,',
      'edited@example.com,Köln,,,',
      'noted@example.com,Köln,,,',
      'gone@example.com,Köln,,,',
      'new@example.com,Berlin,,,',
    ].join('\n')
    const done = await imported(key, file, { on_conflict: 'update' })
    const idOf = async (email: string) => (await contacts(key)).find(one => one.email === email).id
    await app.rest('PATCH', `${crm}/contacts/${await idOf('part@example.com')}`, { key, body: { job_title: 'Boss' } })
    await app.rest('PATCH', `${crm}/contacts/${await idOf('edited@example.com')}`, { key, body: { last_name: 'Moss' } })
    await app.rest('POST', `${crm}/contacts/${await idOf('noted@example.com')}/notes`, { key, body: { text: 'Called back' } })
    await app.rest('DELETE', `${crm}/contacts/${await idOf('gone@example.com')}`, { key })
    const listed = await app.rest('GET', `${crm}/contacts?import_id=${done.id}&include=total`, { key })

    const undo = await undone(key, done.id)

    expect(done.undoable_until).toBe(new Date(Date.parse(done.finished_at) + 7 * 86_400_000).toISOString())
    // Without the one whose values were stored already.
    expect(listed.body.total).toBe(5)
    expect(countsOf(undo)).toEqual([1, 1, 3, 1])
    const after = await contacts(key)
    expect(after.map(({ email }) => email)).toEqual([
      'edited@example.com',
      'noted@example.com',
      'old@example.com',
      'part@example.com',
      'same@example.com',
    ])
    const plain = ({ version: _version, updated_at: _at, ...rest }: Json) => rest
    expect(plain(after[2])).toEqual(plain(before[0]))
    expect(after[3]).toMatchObject({ city: 'Bonn', job_title: 'Boss' })
    const { rows } = await app.services.database.pool.query(
      "select count(*)::int as events from events where org_id = $1 and operation = 'undoContactImport' and entity = 'contact'",
      [orgId],
    )
    expect(rows).toEqual([{ events: 3 }])
  })

  test('of many contacts, and again: the second changes nothing, also after others changed', async () => {
    const { key } = await app.given.apiKey()
    const rows = Array.from({ length: 450 }, (_, n) => `row-${n}@example.com\n`).join('')
    const done = await imported(key, `email\n${rows}`)

    const first = await undone(key, done.id)
    await app.rest('POST', `${crm}/contacts`, { key, body: { email: 'row-1@example.com' } })
    const second = await undone(key, done.id)

    expect([countsOf(first), second]).toEqual([[450, 0, 0, 0], first])
    expect((await contacts(key)).map(({ email }) => email)).toEqual(['row-1@example.com'])
  })

  test('an address that another contact has taken since stays, and so does one with the id of another system', async () => {
    const { key } = await app.given.apiKey()
    const make = async (body: object) => (await app.rest('POST', `${crm}/contacts`, { key, body })).body
    await make({ email: 'first@example.com', external_id: 'A-1' })
    const done = await imported(key, 'External ID,Email,City\nA-1,second@example.com,Bonn\n', { on_conflict: 'update' })
    await make({ email: 'first@example.com' })

    const undo = await undone(key, done.id)

    expect(countsOf(undo)).toEqual([0, 0, 1, 0])
    expect((await contacts(key)).map(({ email, city }) => [email, city])).toEqual([
      ['first@example.com', null],
      ['second@example.com', null],
    ])
  })

  test('409 before its end, for one that was not started, and after 7 days; 404 for an import of another organization', async () => {
    const { key } = await app.given.apiKey()
    const other = await app.given.apiKey()
    const waiting = await uploaded(key, 'email\na@example.com\n')
    const done = await imported(key, 'email\nb@example.com\n')
    await app.services.database.pool.query("update contact_imports set finished_at = finished_at - interval '8 days' where id = $1", [
      done.id,
    ])
    const undo = (id: string, by = key) => app.rest('POST', `${imports}/${id}/undo`, { key: by })

    const answers = [await undo(waiting.id), await undo(done.id), await undo(done.id, other.key)]

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 404])
    expect(answers[1]?.body.detail).toBe('An import can be undone for 7 days')
    expect((await contacts(key)).length).toBe(1)
    const foreign = await app.rest('GET', `${crm}/contacts?import_id=${done.id}`, { key: other.key })
    const none = await app.rest('GET', `${crm}/contacts?import_id=nothing`, { key })
    expect([foreign.body.data, none.body.data]).toEqual([[], []])
  })
})
