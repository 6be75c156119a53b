// New contacts are linked by the domain of their address.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../../support/app.ts'
import { warm } from '../../client.ts'
import { owner, wordsOf } from './companies-of-contacts.ts'

const app = await openApp()

test('a new contact has the company with the domain of its address, first or further; none is made', async () => {
  const { add, company, companies } = await owner(app)
  await company({ name: 'Engines', domain: 'engines.example', domains: ['motors.example'] })
  const written = [
    await add({ email: 'Ada@Engines.example' }),
    await add({ email: 'ada@motors.example' }),
    await add({ email: 'ada@looms.example' }),
    await add({ email: 'ada@gmail.com' }),
    await add({ email: 'eve@engines.example', companyName: 'Looms' }),
    await add({ email: 'bob@engines.example', companyDomain: 'gmail.com' }),
  ]

  expect(written.map(wordsOf)).toEqual([
    ['Engines', 'engines.example', 'Engines'],
    ['Engines', 'engines.example', 'Engines'],
    [null, null, null],
    [null, null, null],
    ['Looms', null, 'Looms'],
    [null, 'gmail.com', null],
  ])
  expect(await companies()).toHaveLength(2)
})

test('a contact that exists is not linked by its address, nor one of another organization', async () => {
  const [mine, theirs] = [await owner(app), await owner(app)]
  const before = await mine.add({ email: 'ada@engines.example' })
  await mine.company({ name: 'Engines', domain: 'engines.example' })
  const upserted = await mine.rest('PUT', '/contacts?match=email', { email: 'ada@engines.example', city: 'Paris' })
  const other = await theirs.add({ email: 'ada@engines.example' })

  expect([upserted.body.id, upserted.body.company_id]).toEqual([before.id, null])
  expect(wordsOf(other)).toEqual([null, null, null])
})

test('many are linked by a number of statements that does not grow, with an owner by the assignment rule as well', async () => {
  const { on, rest, company, orgId } = await owner(app)
  const { userId } = await app.given.session()
  await app.services.database.prisma.membership.create({ data: { userId, organizationId: orgId, role: 'member' } })
  for (const name of ['a', 'b']) await company({ name, domain: `${name}.example` })
  await on.data('mutation ($input: SetAssignmentRuleInput!) { setAssignmentRule(input: $input) { kind } }', {
    input: { kind: 'ROUND_ROBIN', userIds: [userId] },
  })
  const rows = (count: number, person: string) =>
    Array.from({ length: count }, (_one, index) => ({ email: `${person}${index}@${['a', 'b', 'c'][index % 3]}.example` }))
  const { body } = await rest('POST', '/contacts/batch', { contacts: rows(30, 'x') })
  const { contacts } = await on.data('{ contacts(first: 50) { nodes { companyName ownerUserId } } }')

  expect(body.succeeded).toBe(30)
  expect(contacts.nodes.filter(({ companyName }: Json) => companyName === 'a')).toHaveLength(10)
  expect(contacts.nodes.filter(({ companyName }: Json) => companyName === null)).toHaveLength(10)
  expect(contacts.nodes.every(({ ownerUserId }: Json) => ownerUserId === userId)).toBe(true)
})

test('an administrator turns it off and on', async () => {
  const { add, company, on, session, orgId } = await owner(app)
  await company({ name: 'Engines', domain: 'engines.example' })
  const set = async (isOn: boolean) =>
    (await on.data('mutation ($isOn: Boolean!) { setContactLinking(input: { isOn: $isOn }) { linksContacts } }', { isOn }))
      .setContactLinking
  const before = (await on.data('{ organization { linksContacts } }')).organization
  const off = await set(false)
  const without = await add({ email: 'a@engines.example' })
  const onAgain = await set(true)
  const linked = await add({ email: 'b@engines.example' })
  const key = (await app.given.apiKey()).key
  const refused = await app.graphql('mutation { setContactLinking(input: { isOn: false }) { id } }', {}, { key })

  expect([before, off, onAgain].map(({ linksContacts }) => linksContacts)).toEqual([true, false, true])
  expect([wordsOf(without), wordsOf(linked)]).toEqual([
    [null, null, null],
    ['Engines', 'engines.example', 'Engines'],
  ])
  expect(refused.body.errors).toHaveLength(1)
  expect([session, orgId].every(Boolean)).toBe(true)
})

test('an address without a company costs no statement', async () => {
  const { add, company, on } = await owner(app)
  await company({ name: 'Engines', domain: 'engines.example' })
  await warm(app, on)
  const counted = async (email: string) => {
    app.statements()
    await on.create({ email }, 'id')
    return app.statements()
  }
  await counted('warm@looms.example')

  expect([await counted('a@looms.example'), await counted('a@engines.example')]).toEqual([1, 5])
  expect(wordsOf(await add({ email: 'c@engines.example' }))[0]).toBe('Engines')
})
