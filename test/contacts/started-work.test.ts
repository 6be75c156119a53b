// Work in the background ends with the permission of who started it: imports and bulk changes.

import { afterAll, expect, test } from 'vitest'
import { openApp, startApp, type TestApp } from '../support/app.ts'
import { imports, importsIn } from './imports/files.ts'

// Without a worker: work that is started waits until `worker` comes.
const app = await openApp()
let worker: TestApp | undefined
afterAll(() => worker?.close())
const { uploaded } = importsIn(app)

test('an import and a bulk change of who has left, is a viewer now, or whose key is revoked, change nothing', async () => {
  const graphql = async (text: string, variables: object, session: string) =>
    (await app.graphql(text, { ...variables }, { session })).body.data
  const bulk = 'mutation { updateContactsInBulk(input: { filter: {}, addTags: ["late"] }) { id } }'

  const started = []
  for (const how of ['left', 'viewer', 'revoked', 'stays']) {
    const owner = await app.given.session()
    const { orgId } = owner
    const { key } = await app.given.apiKey({ orgId, userId: owner.userId })
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com' } })
    const member = await app.given.member({ orgId, role: 'member' })
    const { key: own, id: keyId } = await app.given.apiKey({ orgId, userId: member.userId })
    const file = await uploaded(own, 'email\ngrace@example.com\n')
    const asked = how === 'revoked' ? { key: own } : { session: member.session }
    expect((await app.rest('POST', `${imports}/${file.id}/start`, { ...asked, body: {} })).status).toBe(202)
    const changed = (await app.graphql(bulk, undefined, asked)).body.data.updateContactsInBulk
    const { userId } = member
    if (how === 'left')
      await graphql('mutation ($userId: ID!) { removeMember(input: { userId: $userId }) { id } }', { userId }, owner.session)
    if (how === 'viewer')
      await graphql(
        'mutation ($userId: ID!) { changeMemberRole(input: { userId: $userId, role: VIEWER }) { id } }',
        { userId },
        owner.session,
      )
    if (how === 'revoked') await graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id: keyId }, owner.session)
    started.push({ how, key, session: owner.session, importId: file.id, changeId: changed.id })
  }
  worker = await startApp({ database: app.database, env: { ROLES: 'worker' } })

  const forbidden = 'The member who started it may no longer change contacts here.'
  for (const { how, key, session, importId, changeId } of started) {
    const read = async () => {
      const { body } = await app.rest('GET', `${imports}/${importId}`, { key })
      const { contactBulkChange } = await graphql(`{ contactBulkChange(id: "${changeId}") { status statusReason } }`, {}, session)
      return [body.status, body.status_reason, contactBulkChange.status, contactBulkChange.statusReason]
    }
    await expect
      .poll(read, { timeout: 20_000 })
      .toEqual(
        how === 'stays'
          ? ['completed', null, 'COMPLETED', null]
          : ['failed', `${forbidden} The rows so far are imported`, 'FAILED', `${forbidden} Earlier changes stay`],
      )
    const { body } = await app.rest('GET', '/api/crm/v1/contacts?sort=email', { key })
    const emails = body.data.map((one: { email: string; tags: string[] }) => [one.email, ...(one.email[0] === 'a' ? one.tags : [])])
    expect(emails).toEqual(how === 'stays' ? [['ada@example.com', 'late'], ['grace@example.com']] : [['ada@example.com']])
  }
})
