// Rows whose contact is known by its id in another system.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded, imported, contacts, report } = importsIn(app)

const outcomes = ({ created_count, updated_count, skipped_count, refused_count }: Json) => [
  created_count,
  updated_count,
  skipped_count,
  refused_count,
]
const file = 'External ID,First Name,Company\nERP-1,Bram,Kade BV\nERP-2,Cora,Kade BV\n'

test('rows without an address are added once, and changed by the next import', async () => {
  const { key } = await app.given.apiKey()

  const first = await imported(key, file, { on_conflict: 'update' })
  const second = await imported(key, file.replace('Bram', 'Bob'), { on_conflict: 'update' })

  expect([outcomes(first), outcomes(second)]).toEqual([
    [2, 0, 0, 0],
    [0, 1, 1, 0],
  ])
  expect((await contacts(key)).map(({ external_id, first_name }) => [external_id, first_name]).toSorted()).toEqual([
    ['ERP-1', 'Bob'],
    ['ERP-2', 'Cora'],
  ])
})

test('skip leaves them, and without a choice they are refused, as the preview says', async () => {
  const { key } = await app.given.apiKey()
  await imported(key, file)
  const { id } = await uploaded(key, file)

  const preview = await app.rest('POST', `${imports}/${id}/preview`, { key, body: { on_conflict: 'skip' } })
  const skipped = await imported(key, file, { on_conflict: 'skip' })
  const refused = await imported(key, file)

  expect(preview.body.rows.map(({ outcome }: Json) => outcome)).toEqual(['skipped', 'skipped'])
  expect([outcomes(skipped), outcomes(refused)]).toEqual([
    [0, 0, 2, 0],
    [0, 0, 0, 2],
  ])
  expect(await report(key, refused.id)).toContain('2,External ID: A contact with this external id exists already,ERP-1,Bram,Kade BV')
})

test('an address that has changed there changes here, unless another contact has it', async () => {
  const { key } = await app.given.apiKey()
  await imported(key, 'External ID,Email\n1,old@example.com\n2,two@example.com\n')

  const done = await imported(key, 'External ID,Email\n1,new@example.com\n2,new@example.com\n', { on_conflict: 'update' })

  expect(outcomes(done)).toEqual([0, 1, 0, 1])
  expect((await contacts(key)).map(({ external_id, email }) => [external_id, email])).toEqual([
    ['1', 'new@example.com'],
    ['2', 'two@example.com'],
  ])
})

test('two rows of one file with one id are one contact', async () => {
  const { key } = await app.given.apiKey()

  const done = await imported(key, 'External ID,First Name,City\n1,Ada,\n1,,London\n', { on_conflict: 'update' })

  expect(outcomes(done)).toEqual([1, 1, 0, 0])
  expect(await contacts(key)).toMatchObject([{ external_id: '1', first_name: 'Ada', city: 'London' }])
})

test("Salesforce's ids of 15 and of 18 characters are one", async () => {
  const { key } = await app.given.apiKey()
  await imported(key, 'Contact ID,First Name\n0031x00000AbCdE,Ada\n')

  const done = await imported(key, 'Contact ID,First Name\n0031x00000AbCdEAAV,Augusta\n', { on_conflict: 'update' })

  expect((await contacts(key)).map(({ first_name }) => [first_name, outcomes(done)])).toEqual([['Augusta', [0, 1, 0, 0]]])
})
