// Files with several columns of addresses and numbers.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { importsIn } from '../imports/files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded, imported, ended, contacts } = importsIn(app)

const file = [
  'Name,Email,Email 2,Phone,Mobile,Country',
  'Ada,ada@example.com,ada@work.example,+442079460958,07911 123456,GB',
  'Bob,,bob@example.com,,+14155550101,',
  'Cyd,cyd@example.com,CYD@example.com,,,',
  'Dee,dee@example.com,no address,+442079460959,"+442079460951;+442079460952",',
].join('\n')
const listed = async (key: string) =>
  (await contacts(key)).map(({ email, emails, phones }: Json) => [
    email,
    emails.map(({ value }: Json) => value),
    phones.map(({ value }: Json) => value),
  ])

test('a second column of addresses or numbers has further ones, which are added to a contact that is there', async () => {
  const { key } = await app.given.apiKey()
  const there = { email: 'ada@home.example', emails: [{ value: 'ada@home.example' }, { value: 'ada@work.example' }] }
  await app.rest('POST', '/api/crm/v1/contacts', { key, body: there })
  await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'dee@example.com', phone: '+442079460953' } })

  const first = await imported(key, file, { on_conflict: 'update' })
  const again = await imported(key, file, { on_conflict: 'update' })

  // Ada's second address is of another contact.
  expect([first.created_count, first.updated_count, first.refused_count, first.warning_count]).toEqual([2, 1, 1, 1])
  expect([again.created_count, again.updated_count, again.skipped_count, again.refused_count]).toEqual([0, 0, 3, 1])
  expect(await listed(key)).toEqual([
    ['ada@home.example', ['ada@home.example', 'ada@work.example'], []],
    ['bob@example.com', ['bob@example.com'], ['+14155550101']],
    ['cyd@example.com', ['cyd@example.com'], []],
    ['dee@example.com', ['dee@example.com'], ['+442079460959', '+442079460951', '+442079460952']],
  ])
})

test('a check says beforehand which rows have an address of another contact', async () => {
  const { key } = await app.given.apiKey()
  await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@work.example' } })
  const { id } = await uploaded(key, file)

  const check = await app.rest('POST', `/api/crm/v1/imports/${id}/check`, { key, body: {} })
  await app.rest('POST', `/api/crm/v1/imports/${id}/start`, { key, body: {} })

  expect(check.body).toMatchObject({ refused_count: 1, created_count: 3 })
  expect(await ended(key, id)).toMatchObject({ refused_count: 1, created_count: 3 })
})

test('an export has all of them, and its import adds them again', async () => {
  const [one, other] = [await app.given.apiKey(), await app.given.apiKey()]
  const body = {
    emails: [{ value: 'ada@example.com' }, { value: 'ada@work.example' }],
    phones: [{ value: '+442079460958' }, { value: '+442079460959' }],
    email: 'ada@example.com',
  }
  await app.rest('POST', '/api/crm/v1/contacts', { key: one.key, body })

  const link = await app.rest('POST', '/api/crm/v1/exports', { key: one.key, body: { columns: ['email', 'phone', 'emails', 'phones'] } })
  const text = await (await fetch(link.body.url)).text()
  await imported(other.key, text)

  const lists = `"ada@example.com;ada@work.example","'+442079460958;+442079460959"`
  expect(text.split('\r\n')[1]).toBe(`ada@example.com,'+442079460958,${lists}`)
  expect(await listed(other.key)).toEqual(await listed(one.key))
})
