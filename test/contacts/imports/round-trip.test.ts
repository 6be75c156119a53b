// What an export writes, an import reads: the same contacts come back, whatever stands in their fields.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { clientIn } from '../client.ts'
import { importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { imported } = importsIn(app)

const customFields = [
  { key: 'budget', label: 'Budget', type: 'NUMBER' },
  { key: 'plan', label: 'Plan', type: 'SELECT', options: ['A, B', '-'] },
  { key: 'colors', label: 'Colors', type: 'MULTI_SELECT', options: ['A; B', 'Red', 'none'] },
  { key: 'since', label: 'Since', type: 'DATE' },
  { key: 'page', label: 'Page', type: 'URL' },
  { key: 'vip', label: 'VIP', type: 'BOOLEAN' },
  { key: 'memo', label: 'Memo', type: 'TEXT' },
]
const contacts = [
  {
    email: 'all@example.com',
    firstName: "'Ada'",
    lastName: '=1+1',
    phone: '0171 1234567',
    jobTitle: '+Chief',
    companyName: '-Acme, "S.A."\nLine',
    companyDomain: 'https://www.example.com',
    linkedinUrl: 'https://www.linkedin.com/in/ada?x=1;2.',
    city: '@home',
    region: 'n/a',
    country: 'GB',
    timezone: 'America/Argentina/Buenos_Aires',
    avatarUrl: 'http://localhost:3000/a.png',
    lifecycleStage: 'EVANGELIST',
    tags: [
      'a|b',
      'none',
      '* star',
      'x;y',
      '"q"',
      '["a"]',
      'a ::: b',
      'a\nb',
      'n/a',
      '1,2',
      '；',
      'myContacts',
      "'x",
      '=y',
      '[]',
      '[a]',
      'x،y',
      '#N/D',
      "['b']",
    ],
    doNotCall: true,
    externalId: '00123',
    lastContactedAt: '2024-01-02T03:04:05.678Z',
    custom: { budget: 1.234, plan: 'A, B', colors: ['A; B', 'Red'], since: '1999-01-01', page: 'https://a.com/x|y#https://c', vip: false },
  },
  {
    email: 'odd@xn--mller-kva.de',
    firstName: 'NULL',
    companyDomain: 'www.example.com',
    tags: ['-'],
    externalId: '="5"',
    custom: { budget: 1e21, plan: '-', colors: ['none'], page: 'http://x/y', memo: "'=1", since: '2567-01-01' },
  },
  { email: "o'b{x}|y@example.com", fullName: '王 小明', phone: '+999123456', tags: ['tbd'], custom: { budget: 12345678901234567000 } },
  { email: 'text@example.com', firstName: 'A\u00a0B', phone: '112', custom: { budget: -0.1, memo: 'a\r\nb\rc' } },
]
const fields =
  'email firstName lastName fullName phone jobTitle companyName companyDomain linkedinUrl city region country timezone avatarUrl ' +
  'lifecycleStage tags doNotCall externalId lastContactedAt custom'

test('an export, imported into another organization, makes the same contacts there', async () => {
  const [from, to] = [await clientIn(app), await clientIn(app)]
  for (const client of [from, to])
    for (const input of customFields)
      await client.data('mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }', { input })
  for (const input of contacts) await from.create(input)
  const all = async (client: typeof from): Promise<Json[]> =>
    (await client.data(`{ contacts(first: 10, sort: EMAIL) { nodes { ${fields} } } }`)).contacts.nodes

  const { body } = await app.rest('POST', '/api/crm/v1/exports', { key: from.key, body: { byte_order_mark: true } })
  const done = await imported(to.key, Buffer.from(await (await fetch(body.url)).arrayBuffer()))

  expect([done.created_count, done.refused_count]).toEqual([contacts.length, 0])
  expect(await all(to)).toEqual(await all(from))
})
