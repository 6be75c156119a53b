// Assignment rules: who becomes the owner of new contacts, through every door that adds some.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type Person, personWith } from '../inbox/members.ts'
import { type Json, openApp } from '../support/app.ts'
import { importsIn } from './imports/files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const fields = 'kind entries { values userId user { name } } userIds'
const set = `mutation ($input: SetAssignmentRuleInput!) { setAssignmentRule(input: $input) { ${fields} } }`
const owners = async (person: Person): Promise<Record<string, number>> => {
  const { rows } = await app.services.database.pool.query(
    `select coalesce(owner_user_id, 'nobody') as owner, count(*)::int as number from contacts
     where org_id = (select organization_id from memberships where user_id = $1 limit 1) group by 1`,
    [person.userId],
  )
  return Object.fromEntries(rows.map(({ owner, number }: Json) => [owner, number]))
}

/** An owner, and two members. */
async function team() {
  const { session, userId, orgId } = await app.given.session()
  const member = async () => personWith(app, await app.given.member({ orgId, role: 'member' }))
  return { orgId, ada: personWith(app, { session, userId, orgId }), grace: await member(), kim: await member() }
}
const add = async (person: Person, input: Json): Promise<Json> =>
  (await person.data('mutation ($input: CreateContactInput!) { createContact(input: $input) { id ownerUserId } }', { input })).createContact

describe('a rule', () => {
  test('gives new contacts to the chosen members in turn, and leaves a given owner', async () => {
    const { ada, grace, kim } = await team()
    const { setAssignmentRule } = await ada.data(set, { input: { kind: 'ROUND_ROBIN', userIds: [grace.userId, kim.userId] } })
    const given = []
    for (let count = 0; count < 4; count++) given.push((await add(ada, { firstName: `C${count}` })).ownerUserId)
    const own = await add(ada, { firstName: 'Own', ownerUserId: ada.userId })

    expect(setAssignmentRule).toEqual({ kind: 'ROUND_ROBIN', entries: [], userIds: [grace.userId, kim.userId] })
    expect(given).toEqual([grace.userId, kim.userId, grace.userId, kim.userId])
    expect(own.ownerUserId).toBe(ada.userId)
    expect(await grace.receives(2)).toEqual([
      expect.objectContaining({ kind: 'ASSIGNED', subjectType: 'contact' }),
      expect.objectContaining({ kind: 'ASSIGNED', subjectType: 'contact' }),
    ])
  })

  test('goes by country, and gives the others in turn', async () => {
    const { ada, grace, kim } = await team()
    const entries = [{ values: ['DE', 'AT'], userId: grace.userId }]
    await ada.data(set, { input: { kind: 'BY_COUNTRY', entries, userIds: [kim.userId] } })
    const ownerOf = async (country: string | null) => (await add(ada, { firstName: 'A', country })).ownerUserId

    expect([await ownerOf('AT'), await ownerOf('FR'), await ownerOf(null)]).toEqual([grace.userId, kim.userId, kim.userId])
    await ada.data(set, { input: { kind: 'BY_COUNTRY', entries } })
    expect([await ownerOf('DE'), await ownerOf('FR')]).toEqual([grace.userId, null])
  })

  test('goes by source', async () => {
    const { ada, grace, orgId } = await team()
    await ada.data(set, { input: { kind: 'BY_SOURCE', entries: [{ values: ['api'], userId: grace.userId }] } })
    const { key } = await app.given.apiKey({ orgId, userId: ada.userId })
    const byKey = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com' } })
    const bySession = await add(ada, { firstName: 'B' })

    expect([byKey.body.owner_user_id, bySession.ownerUserId]).toEqual([grace.userId, null])
  })

  test('counts at every door: upserts, batches and imports; an existing contact keeps its owner, and takes no turn', async () => {
    const { ada, grace, kim, orgId } = await team()
    await ada.data(set, { input: { kind: 'ROUND_ROBIN', userIds: [grace.userId, kim.userId] } })
    const { key } = await app.given.apiKey({ orgId, userId: ada.userId })
    const put = (email: string) => app.rest('PUT', '/api/crm/v1/contacts?match=email', { key, body: { email } })
    const first = await put('first@example.com')
    for (let count = 0; count < 3; count++) await put('first@example.com')
    const second = await put('second@example.com')
    const contacts = Array.from({ length: 20 }, (_, n) => ({ email: `b${n}@example.com` }))
    await app.rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts } })
    await app.rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts, on_conflict: 'update', atomic: true } })
    await importsIn(app).imported(ada.session, `email\n${Array.from({ length: 10 }, (_, n) => `i${n}@example.com`).join('\n')}\n`)

    expect([first.body.owner_user_id, second.body.owner_user_id]).toEqual([grace.userId, kim.userId])
    expect(await owners(ada)).toEqual({ [grace.userId]: 16, [kim.userId]: 16 })
  })

  test('skips members who have left', async () => {
    const { ada, grace, kim } = await team()
    await ada.data(set, { input: { kind: 'ROUND_ROBIN', userIds: [grace.userId, kim.userId] } })
    await ada.data('mutation ($id: ID!) { removeMember(input: { userId: $id }) { id } }', { id: grace.userId })
    const given = [await add(ada, { firstName: 'A' }), await add(ada, { firstName: 'B' })]
    await ada.data('mutation ($id: ID!) { removeMember(input: { userId: $id }) { id } }', { id: kim.userId })

    expect(given.map(({ ownerUserId }) => ownerUserId)).toEqual([kim.userId, kim.userId])
    expect((await add(ada, { firstName: 'C' })).ownerUserId).toBe(null)
    expect((await ada.data(`{ assignmentRule { ${fields} } }`)).assignmentRule.userIds).toEqual([])
  })

  test('ends with NONE', async () => {
    const { ada, grace } = await team()
    await ada.data(set, { input: { kind: 'ROUND_ROBIN', userIds: [grace.userId] } })
    await ada.data(set, { input: { kind: 'NONE' } })

    expect((await add(ada, { firstName: 'A' })).ownerUserId).toBe(null)
  })

  test('is set by owners and admins, for members and known values alone', async () => {
    const { ada, grace } = await team()
    const refused = async (input: Json) => JSON.stringify(await ada.error(set, { input }))

    expect(await grace.error(set, { input: { kind: 'NONE' } })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refused({ kind: 'ROUND_ROBIN', userIds: [uuid()] })).toContain('no member of the organization')
    expect(await refused({ kind: 'ROUND_ROBIN' })).toContain('userIds')
    expect(await refused({ kind: 'BY_COUNTRY', entries: [{ values: ['XX'], userId: ada.userId }] })).toContain('country code')
    const twice = [
      { values: ['DE'], userId: ada.userId },
      { values: ['DE'], userId: grace.userId },
    ]
    expect(await refused({ kind: 'BY_COUNTRY', entries: twice })).toContain('two members')
  })
})

describe('two processes at once', () => {
  test('give everybody a fair part, and none fails', async () => {
    const other = await openApp({ database: app.database })
    const { ada, grace, kim, orgId } = await team()
    await ada.data(set, { input: { kind: 'ROUND_ROBIN', userIds: [ada.userId, grace.userId, kim.userId] } })
    const { key } = await app.given.apiKey({ orgId, userId: ada.userId })
    const write = async (on: typeof app, name: string, atomic: boolean) => {
      for (let count = 0; count < 20; count++) {
        const contacts = Array.from({ length: 5 }, (_, n) => ({ email: `${name}-${count}-${n}@example.com` }))
        const { status } = await on.rest('POST', '/api/crm/v1/contacts/batch', { key, body: { contacts, atomic } })
        expect(status).toBe(200)
      }
    }
    await Promise.all([write(app, 'a', true), write(other, 'b', true), write(app, 'c', false), write(other, 'd', false)])
    const found = await owners(ada)

    expect(Object.values(found).reduce((sum, one) => sum + one, 0)).toBe(400)
    for (const { userId } of [ada, grace, kim]) expect(found[userId]).toBeGreaterThan(100)
  })
})

test('a contact costs no statement more without a rule', async () => {
  // Without a worker, whose statements would be counted.
  const quiet = await openApp({ database: app.database })
  const { ada, grace, orgId } = await team()
  const { key } = await app.given.apiKey({ orgId, userId: ada.userId })
  const countOf = async () => {
    quiet.statements()
    await quiet.rest('POST', '/api/crm/v1/contacts', { key, body: { email: `${uuid()}@example.com` } })
    return quiet.statements()
  }
  // The use of the key is recorded later, which is a statement too.
  await expect.poll(countOf).toBe(1)
  await ada.data(set, { input: { kind: 'ROUND_ROBIN', userIds: [ada.userId, grace.userId] } })

  await expect.poll(countOf).toBe(4)
})
