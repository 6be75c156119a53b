// What a role allows: sessions, and the keys that they made, are limited to the role in the organization of the request.

import { describe, expect, test } from 'vitest'
import { type Asked, openApp } from '../../support/app.ts'

const app = await openApp()

const contacts = '/api/crm/v1/contacts'
const create = 'mutation { createContact(input: { email: "ada@example.com" }) { id } }'
const statusesOf = async (asked: Omit<Asked, 'body'>) => ({
  read: (await app.rest('GET', contacts, asked)).status,
  write: (await app.rest('POST', contacts, { ...asked, body: {} })).status,
  graphql: (await app.graphql(create, {}, asked)).body.errors?.[0].extensions.code ?? 'done',
})
const readsOnly = { read: 200, write: 403, graphql: 'FORBIDDEN' }
const membership = (userId: string, organizationId: string) => ({ userId_organizationId: { userId, organizationId } })

describe('a viewer', () => {
  test('reads, and writes nothing through REST or GraphQL; the refusal names the role', async () => {
    const { orgId } = await app.given.organization()
    const { session } = await app.given.member({ orgId, role: 'viewer' })

    expect(await statusesOf({ session })).toEqual(readsOnly)
    const { body } = await app.rest('POST', contacts, { session, body: {} })
    expect(body.detail).toBe('Your role in the organization (viewer) does not allow this; its owners and admins can change the role')
    expect(await app.services.database.prisma.contact.count({ where: { orgId } })).toBe(0)
  })

  test('of one organization and owner of another is what the organization of the request says', async () => {
    const { session, userId, orgId: own } = await app.given.session()
    const { orgId: other } = await app.given.organization()
    await app.services.database.prisma.membership.create({ data: { userId, organizationId: other, role: 'viewer' } })
    const keyFor = (...organizationIds: string[]) =>
      app.graphql(
        'mutation ($ids: [ID!]) { createApiKey(input: { label: "CI", organizationIds: $ids }) { apiKey { organizationIds } } }',
        { ids: organizationIds },
        { session },
      )
    await expect.poll(async () => (await app.rest('GET', contacts, { session })).status).toBe(422)

    expect(await statusesOf({ session, headers: { 'x-org-id': other } })).toEqual(readsOnly)
    expect(await statusesOf({ session, headers: { 'x-org-id': other.toUpperCase() } })).toEqual(readsOnly)
    expect(await statusesOf({ session, headers: { 'x-org-id': own } })).toMatchObject({ read: 200, graphql: 'done' })
    expect(await statusesOf({ session })).toEqual({ read: 422, write: 422, graphql: 'INVALID' })
    expect((await keyFor(own, other)).body.errors[0].extensions).toMatchObject({
      code: 'INVALID',
      problems: [{ path: ['organizationIds', 1] }],
    })
    expect((await keyFor(own)).body.data.createApiKey.apiKey).toEqual({ organizationIds: [own] })
  })
})

describe('an API key', () => {
  test('of a member who has become a viewer only reads, and writes again when the viewer is a member again', async () => {
    const { orgId } = await app.given.organization()
    const { userId } = await app.given.member({ orgId, role: 'member' })
    const { key } = await app.given.apiKey({ orgId, userId })
    const { key: writer } = await app.given.apiKey({ orgId, userId, scopes: ['contacts:write'] })
    const become = (role: string) => app.services.database.prisma.membership.update({ where: membership(userId, orgId), data: { role } })
    const statuses = () => statusesOf({ key })
    expect(await statuses()).toMatchObject({ read: 200, graphql: 'done' })

    await become('viewer')
    await expect.poll(statuses).toEqual(readsOnly)
    expect(await statusesOf({ key: writer })).toEqual({ read: 403, write: 403, graphql: 'FORBIDDEN' })

    await become('member')
    await expect.poll(statuses).toMatchObject({ read: 200, graphql: 'ALREADY_EXISTS' })
  })

  test('opens no organization that its maker has left', async () => {
    const { orgId } = await app.given.organization()
    const { userId } = await app.given.member({ orgId, role: 'admin' })
    const { key } = await app.given.apiKey({ orgId, userId })
    expect((await app.rest('GET', contacts, { key })).status).toBe(200)

    await app.services.database.prisma.membership.delete({ where: membership(userId, orgId) })

    await expect.poll(() => statusesOf({ key })).toEqual({ read: 403, write: 403, graphql: 'FORBIDDEN' })
  })
})
