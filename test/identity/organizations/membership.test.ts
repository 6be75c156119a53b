// Managing an organization: roles, removal, leaving, ownership, and what ends with a membership, on two processes.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { Json, TestApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { startTwoProcesses } from '../two-processes.ts'

const { first: app, second } = await keepOpen(startTwoProcesses())

const ask = async (session: string, mutation: string, headers: Record<string, string> = {}): Promise<Json> => {
  const { body } = await app.graphql(`mutation { done: ${mutation} }`, {}, { session, headers })
  return body.errors?.[0].extensions.code ?? body.data.done
}
const changeRole = (userId: string, role: string) => `changeMemberRole(input: { userId: "${userId}", role: ${role} }) { role user { id } }`
const remove = (userId: string) => `removeMember(input: { userId: "${userId}" }) { user { id name } }`
const leave = (id: string) => `leaveOrganization(input: { id: "${id}" }) { id }`
const transfer = (userId: string) => `transferOwnership(input: { userId: "${userId}" }) { id role }`
const rolesIn = async (organizationId: string) => {
  const found = await app.services.database.prisma.membership.findMany({ where: { organizationId } })
  return Object.fromEntries(found.map(({ userId, role }) => [userId, role]))
}
const eventsOf = async (orgId: string) => {
  const events = await app.services.database.prisma.event.findMany({ where: { orgId }, orderBy: { id: 'asc' } })
  return events.map(({ type }) => type).filter(type => type.startsWith('organization.') || type === 'api_key.revoked')
}
const write = (one: TestApp, asked: { key?: string; session?: string; headers?: Record<string, string> }) =>
  one.rest('POST', '/api/crm/v1/contacts', { ...asked, body: { email: `${uuid()}@example.com` } }).then(({ status }) => status)
const everywhere = (asked: Parameters<typeof write>[1]) => Promise.all([write(app, asked), write(second, asked)])

describe('changeMemberRole', () => {
  test('counts in every process from the next request on, for sessions and for keys made before', async () => {
    const { session: owner, orgId } = await app.given.session()
    const { session, userId } = await app.given.member({ orgId, role: 'member' })
    const { key } = (await ask(session, 'createApiKey(input: { label: "CI" }) { key }')) as { key: string }
    expect([await everywhere({ session }), await everywhere({ key })]).toEqual([
      [201, 201],
      [201, 201],
    ])

    expect(await ask(owner, changeRole(userId, 'VIEWER'))).toEqual({ role: 'VIEWER', user: { id: userId } })

    expect([await everywhere({ session }), await everywhere({ key })]).toEqual([
      [403, 403],
      [403, 403],
    ])
    expect(await ask(session, changeRole(userId, 'OWNER'))).toBe('FORBIDDEN')
    expect(await eventsOf(orgId)).toEqual(['organization.created', 'organization.role_changed'])
  })

  test('an admin changes and removes no owner, makes none, and takes nothing over', async () => {
    const { orgId, userId: ownerId } = await app.given.session()
    const { session, userId } = await app.given.member({ orgId, role: 'admin' })
    const { userId: accomplice } = await app.given.member({ orgId, role: 'admin' })
    const before = await rolesIn(orgId)

    for (const attempt of [
      changeRole(ownerId, 'VIEWER'),
      changeRole(accomplice, 'OWNER'),
      changeRole(userId, 'OWNER'),
      remove(ownerId),
      transfer(userId),
      'inviteToOrganization(input: { role: OWNER }) { token }',
    ])
      expect([attempt, await ask(session, attempt)]).toEqual([attempt, 'FORBIDDEN'])

    expect(await rolesIn(orgId)).toEqual(before)
    expect(await ask(session, changeRole(accomplice, 'MEMBER'))).toMatchObject({ role: 'MEMBER' })
  })

  test('NOT_FOUND: a user of another organization', async () => {
    const { session } = await app.given.session()
    const stranger = await app.given.session()

    expect(await ask(session, changeRole(stranger.userId, 'VIEWER'))).toBe('NOT_FOUND')
    expect(await ask(session, remove(stranger.userId))).toBe('NOT_FOUND')
    expect(await ask(session, leave(stranger.orgId))).toBe('NOT_FOUND')
    expect(await rolesIn(stranger.orgId)).toEqual({ [stranger.userId]: 'owner' })
  })
})

describe('removeMember', () => {
  test("ends the member's access, keys, open invitations and subscriptions in every process", async () => {
    const { session: owner, orgId } = await app.given.session()
    const { session, userId } = await app.given.member({ orgId, role: 'admin' })
    const { key } = (await ask(session, 'createApiKey(input: { label: "CI" }) { key }')) as { key: string }
    const { token } = (await ask(session, 'inviteToOrganization(input: { role: ADMIN }) { token }')) as { token: string }
    expect(await everywhere({ key })).toEqual([201, 201])
    const streams = await Promise.all(
      [app, second].map(({ url }) =>
        fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${session}` },
          body: JSON.stringify({ query: 'subscription { changes { type } }' }),
        }),
      ),
    )

    expect(await ask(owner, remove(userId))).toEqual({ user: { id: userId, name: 'The admin' } })

    expect(await everywhere({ key })).toEqual([401, 401])
    expect(await everywhere({ session })).toEqual([403, 403])
    expect(await ask(session, `claimOrganization(input: { token: "${token}" }) { id }`)).toBe('NOT_FOUND')
    // The event of the removal, or the next check of the credential, ends each stream.
    for (const stream of streams) expect(await stream.text()).toMatch(/"code":"FORBIDDEN"/)
    expect(await eventsOf(orgId)).toEqual(['organization.created', 'api_key.revoked', 'organization.left'])
  })

  test('leaves a key of several organizations the others', async () => {
    const { session: owner, orgId } = await app.given.session()
    const { session, userId } = await app.given.member({ orgId, role: 'member' })
    const own = (await ask(session, 'createOrganization(input: { name: "Own" }) { id }')) as { id: string }
    const create = `createApiKey(input: { label: "Both", organizationIds: ["${orgId}", "${own.id}"] }) { key }`
    const { key } = (await ask(session, create)) as { key: string }
    expect(await everywhere({ key, headers: { 'x-org-id': orgId } })).toEqual([201, 201])

    await ask(owner, remove(userId))
    await app.services.database.prisma.membership.create({ data: { userId, organizationId: orgId, role: 'member' } })

    expect(await everywhere({ key, headers: { 'x-org-id': own.id } })).toEqual([201, 201])
    expect(await everywhere({ key, headers: { 'x-org-id': orgId } })).toEqual([403, 403])
  })
})

describe('owners', () => {
  test('the last one neither leaves nor steps down', async () => {
    const { session, userId, orgId } = await app.given.session()
    await app.given.member({ orgId, role: 'admin' })
    // As the first start makes one.
    const owner = { id: `owner-${uuid()}`, name: 'Owner' }
    await app.services.database.prisma.user.create({
      data: { ...owner, memberships: { create: { organizationId: orgId, role: 'owner' } } },
    })

    const { body } = await app.graphql(`mutation { ${leave(orgId)} }`, {}, { session })

    expect([body.errors[0].extensions.code, body.errors[0].message]).toEqual(['CONFLICT', expect.stringContaining('transferOwnership')])
    expect(await ask(session, changeRole(userId, 'ADMIN'))).toBe('CONFLICT')
    expect(await ask(session, remove(userId))).toBe('CONFLICT')
    expect((await rolesIn(orgId))[userId]).toBe('owner')
  })

  test('of two who leave at once, in two processes, one stays', async () => {
    for (let round = 0; round < 5; round++) {
      const { session, orgId } = await app.given.session()
      const { session: other } = await app.given.member({ orgId, role: 'owner' })

      const answers = await Promise.all([
        app.graphql(`mutation { ${leave(orgId)} }`, {}, { session }),
        second.graphql(`mutation { ${leave(orgId)} }`, {}, { session: other }),
      ])

      expect(answers.map(({ body }) => body.errors?.[0].extensions.code ?? 'left').toSorted()).toEqual(['CONFLICT', 'left'])
      expect(Object.values(await rolesIn(orgId))).toEqual(['owner'])
    }
  })

  test('two who demote each other at once do not both succeed', async () => {
    const one = await app.given.session()
    const two = await app.given.member({ orgId: one.orgId, role: 'owner' })

    await Promise.all([ask(one.session, changeRole(two.userId, 'VIEWER')), ask(two.session, changeRole(one.userId, 'VIEWER'))])

    expect(Object.values(await rolesIn(one.orgId)).toSorted()).toEqual(['owner', 'viewer'])
  })

  test('transferOwnership makes the member an owner and the owner an admin, at once when the member accepts', async () => {
    const { session, userId, orgId } = await app.given.session()
    const heir = await app.given.member({ orgId, role: 'viewer' })

    expect(await ask(session, transfer(userId))).toBe('CONFLICT')
    expect(await ask(session, transfer(heir.userId))).toEqual({ id: orgId, role: 'OWNER' })
    const { body } = await app.graphql('{ me { ownershipOffers { id } } }', {}, { session: heir.session })
    const [{ id }] = body.data.me.ownershipOffers
    expect(await ask(heir.session, `acceptOwnership(input: { id: "${id}" }) { id role }`)).toEqual({ id: orgId, role: 'OWNER' })

    expect(await rolesIn(orgId)).toEqual({ [userId]: 'admin', [heir.userId]: 'owner' })
    expect(await ask(session, remove(heir.userId))).toBe('FORBIDDEN')
    expect(await ask(heir.session, remove(userId))).toMatchObject({ user: { id: userId } })
    expect(await eventsOf(orgId)).toEqual([
      'organization.created',
      'organization.ownership_offered',
      'organization.payer_changed',
      'organization.transferred',
      'organization.left',
    ])
  })
})

test('renameOrganization is for admins and tells both names', async () => {
  const { session, orgId } = await app.given.session()
  const member = await app.given.member({ orgId, role: 'member' })
  const rename = (name: string) => `renameOrganization(input: { name: "${name}" }) { id name }`

  expect(await ask(member.session, rename('Mine'))).toBe('FORBIDDEN')
  expect(await ask(session, rename('   '))).toBe('INVALID')
  expect(await ask(session, rename(' Somerville '))).toEqual({ id: orgId, name: 'Somerville' })
  const [event] = await app.services.database.prisma.event.findMany({ where: { orgId, type: 'organization.updated' } })
  expect(event?.changes).toEqual({ name: ['Test organization', 'Somerville'] })
})

test('switchOrganization chooses the organization of requests without X-Org-Id, until the user has left it', async () => {
  const { session, orgId: own } = await app.given.session()
  const other = await app.given.session()
  const { userId } = (await app.graphql('{ me { userId } }', {}, { session })).body.data.me
  await ask(session, 'createOrganization(input: { name: "Second" }) { id }')
  await app.services.database.prisma.membership.create({ data: { userId, organizationId: other.orgId, role: 'viewer' } })
  const current = async (one: TestApp, headers = {}) => {
    const { body } = await one.graphql('{ organization { id role } }', {}, { session, headers })
    return body.data && [body.data.organization.id, body.data.organization.role]
  }
  const switchTo = (id: string) => ask(session, `switchOrganization(input: { id: "${id}" }) { organizationId isCurrent }`)
  expect(await current(second)).toBeNull()

  expect(await switchTo(other.orgId)).toEqual({ organizationId: other.orgId, isCurrent: true })
  expect([await current(app), await current(second)]).toEqual([
    [other.orgId, 'VIEWER'],
    [other.orgId, 'VIEWER'],
  ])
  expect(await current(second, { 'x-org-id': own })).toEqual([own, 'OWNER'])
  expect(await everywhere({ session })).toEqual([403, 403])

  await switchTo(own)
  expect(await everywhere({ session })).toEqual([201, 201])
  expect(await switchTo(uuid())).toBe('NOT_FOUND')
  await switchTo(other.orgId)
  await ask(other.session, remove(userId))
  expect([await current(app), await current(second)]).toEqual([null, null])
})
