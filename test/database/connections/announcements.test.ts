// Notifications of the database about changed credentials, so that no process keeps a revoked one in its cache.

import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'

let received: string[] = []

const database = await keepOpen(createTestDatabase())
const listener = await keepOpen(new pg.Client({ connectionString: database.url }))
await listener.connect()
await listener.query('listen rolocom_credentials')
listener.on('notification', ({ payload = '' }) => void received.push(payload))

let userId: string
let orgId: string
let keyId: string
let keyHash: string
let sessionId: string
let tokenHash: string

const send = (text: string, ...values: unknown[]) => query(database.url, text, values)

/** The notifications that the statement sent. They arrive with the answer to the listener's next statement, in order. */
async function announced(text: string, ...values: unknown[]): Promise<string[]> {
  await listener.query('select 1')
  received = []
  await send(text, ...values)
  await listener.query('select 1')
  return received
}

beforeEach(async () => {
  userId = `user-${randomUUID()}`
  ;[orgId, keyId, sessionId] = [randomUUID(), randomUUID(), randomUUID()] as [string, string, string]
  ;[keyHash, tokenHash] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as [string, string]
  await send('insert into users (id, email) values ($1, $2)', userId, 'ada@example.com')
  await send(`insert into organizations (id, name) values ($1, 'Org')`, orgId)
  await send('insert into memberships (user_id, organization_id) values ($1, $2)', userId, orgId)
  await send(
    `insert into api_keys (id, hash, start, last4, label, scopes, created_by_id) values ($1, decode($2, 'hex'), 'rcm_', 'last', 'Key', '{*}', $3)`,
    keyId,
    keyHash,
    userId,
  )
  await send('insert into api_key_organizations (api_key_id, organization_id) values ($1, $2)', keyId, orgId)
  await send(
    `insert into sessions (id, token_hash, user_id, last_used_at, expires_at) values ($1, decode($2, 'hex'), $3, now(), now() + interval '30 days')`,
    sessionId,
    tokenHash,
    userId,
  )
})

describe('an API key', () => {
  test.each([
    ['revoked', 'revoked_at = now()'],
    ['given an end', `expires_at = now() + interval '1 day'`],
    ['given other scopes', `scopes = '{contacts:read}'`],
    ['renamed', `label = 'Other'`],
  ])('%s is announced by its hash', async (_what, change) => {
    expect(await announced(`update api_keys set ${change} where id = $1`, keyId)).toEqual([keyHash])
  })

  test('used, or updated without a change, is not announced', async () => {
    expect(await announced(`update api_keys set last_used_at = now(), scopes = '{*}', revoked_at = null where id = $1`, keyId)).toEqual([])
  })

  test('added to or removed from an organization is announced', async () => {
    const other = randomUUID()
    await send(`insert into organizations (id, name) values ($1, 'Other')`, other)

    expect(await announced('insert into api_key_organizations (api_key_id, organization_id) values ($1, $2)', keyId, other)).toEqual([
      keyHash,
    ])
    expect(await announced('delete from api_key_organizations where organization_id = $1', other)).toEqual([keyHash])
    expect(await announced('delete from organizations where id = $1', orgId)).toContain(keyHash)
  })

  test('deleted is announced', async () => {
    expect(await announced('delete from api_keys where id = $1', keyId)).toEqual([keyHash])
  })
})

describe('a session', () => {
  test('revoked or deleted is announced by its hash', async () => {
    expect(await announced('update sessions set revoked_at = now() where id = $1', sessionId)).toEqual([tokenHash])
    expect(await announced('delete from sessions where id = $1', sessionId)).toEqual([tokenHash])
  })

  test('used is not announced', async () => {
    expect(
      await announced(`update sessions set last_used_at = now(), expires_at = now() + interval '31 days' where id = $1`, sessionId),
    ).toEqual([])
  })
})

describe('a user', () => {
  test('joining, changing role or leaving an organization is announced', async () => {
    const other = randomUUID()
    await send(`insert into organizations (id, name) values ($1, 'Other')`, other)

    expect(await announced('insert into memberships (user_id, organization_id) values ($1, $2)', userId, other)).toEqual([`user:${userId}`])
    expect(await announced(`update memberships set role = 'owner' where organization_id = $1`, other)).toEqual([`user:${userId}`])
    expect(await announced('delete from memberships where organization_id = $1', other)).toEqual([`user:${userId}`])
  })

  test('with a new name or address is announced, with the same ones is not', async () => {
    expect(await announced(`update users set name = 'Ada' where id = $1`, userId)).toEqual([`user:${userId}`])
    expect(await announced(`update users set name = 'Ada', email = 'ada@example.com' where id = $1`, userId)).toEqual([])
  })
})

test('a change that is rolled back is not announced', async () => {
  expect(
    await announced(`do $$ begin update api_keys set revoked_at = now(); raise exception 'x'; exception when others then null; end $$`),
  ).toEqual([])
})
