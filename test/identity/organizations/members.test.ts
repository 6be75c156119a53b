// Members of an organization: who they are, their roles, and who sees them.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { handshake, jwtOf, newEmail, signUp } from '../provider.ts'

const app = await openApp()

describe('members', () => {
  test('are listed in the order in which they joined, page by page, with role and inviter', async () => {
    const { session, orgId, userId } = await app.given.session()
    const admin = await app.given.member({ orgId, role: 'admin', invitedById: userId })
    const viewer = await app.given.member({ orgId, role: 'viewer', invitedById: `user-${uuid()}` })
    const query = `query ($first: Int!, $after: String) { organization { id role members(first: $first, after: $after) {
      nodes { id role since user { id name email } invitedBy { id } } pageInfo { hasNextPage endCursor } } } }`
    const pageOf = async (variables: Json) => (await app.graphql(query, variables, { session })).body.data.organization

    const first = await pageOf({ first: 2 })
    const second = await pageOf({ first: 2, after: first.members.pageInfo.endCursor })

    const user = (id: string, name: string) => ({ id, name, email: `${id}@example.com` })
    const common = { id: expect.any(String), since: expect.any(String) }
    expect([first.id, first.role, first.members.pageInfo.hasNextPage]).toEqual([orgId, 'OWNER', true])
    expect(first.members.nodes).toEqual([
      { ...common, role: 'OWNER', user: user(userId, 'Test User'), invitedBy: null },
      { ...common, role: 'ADMIN', user: user(admin.userId, 'The admin'), invitedBy: { id: userId } },
    ])
    expect(second.members).toEqual({
      nodes: [{ ...common, role: 'VIEWER', user: user(viewer.userId, 'The viewer'), invitedBy: null }],
      pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
    })
  })

  test('are marked where anybody may have typed the address', async () => {
    const { session, orgId, userId } = await app.given.session()
    const email = newEmail('unproved')
    const jwt = await jwtOf(app, await signUp(app, email))
    const { body: opened } = await handshake(app, jwt)
    const add = { userId: opened.user_id, organizationId: orgId, role: 'member' }
    await app.services.database.prisma.membership.create({ data: add })
    const marks = async () => {
      const query = '{ organization { members { nodes { user { id email isEmailVerified } } } } }'
      const { body } = await app.graphql(query, {}, { session, headers: { 'x-org-id': orgId } })
      return body.data.organization.members.nodes.map(({ user }: Json) => user)
    }

    // The other one is of an outside provider, which vouches for the address.
    const vouched = { id: userId, email: `${userId}@example.com`, isEmailVerified: null }
    expect(await marks()).toEqual([vouched, { id: opened.user_id, email, isEmailVerified: false }])

    await app.services.database.prisma.idpUser.updateMany({ where: { email }, data: { emailVerified: true } })
    expect(await marks()).toEqual([vouched, { id: opened.user_id, email, isEmailVerified: true }])
  })

  test('of several organizations with their users and inviters are read by one statement', async () => {
    const { session, orgId, userId } = await app.given.session()
    await app.given.member({ orgId, role: 'member', invitedById: userId })
    for (const name of ['Second', 'Third'])
      await app.graphql('mutation ($name: String!) { createOrganization(input: { name: $name }) { id } }', { name }, { session })
    const query = '{ me { organizations { members { nodes { user { id } invitedBy { id } } } } } }'
    await app.graphql(query, {}, { session })

    app.statements()
    const { body } = await app.graphql(query, {}, { session })

    expect(body.data.me.organizations.map((one: Json) => one.members.nodes.length)).toEqual([2, 1, 1])
    // Organizations and users are read by Prisma, which the count leaves out.
    expect(app.statements()).toBe(1)
  })

  test('are not shown to API keys, and nobody of another organization is found', async () => {
    const { key, userId } = await app.given.apiKey()
    const stranger = await app.given.session()

    const { body } = await app.graphql('{ organization { role members { nodes { id } } } }', {}, { key })
    const found = await app.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
      { ids: [userId, stranger.userId, stranger.orgId] },
      stranger,
    )

    expect(body).toMatchObject({
      data: { organization: { role: 'MEMBER', members: null } },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
    expect(found.body.data.nodes).toEqual([
      null,
      { __typename: 'User', id: stranger.userId },
      { __typename: 'Organization', id: stranger.orgId },
    ])
  })
})
