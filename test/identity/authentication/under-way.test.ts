// A request whose credential is revoked while it runs creates nothing that would survive the revocation.

import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type Answer, openApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { isLetIn, newEmail, openSession, signIn, signUp } from '../provider.ts'

const app = await openApp()

const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Sends a request while another transaction holds uncommitted statements; commits once the request waits for it, or is answered. */
async function during(statements: [text: string, values: unknown[]][], ask: () => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  try {
    await client.query('begin')
    for (const [text, values] of statements) await client.query(text, values)
    let isAnswered = false
    const asked = ask().finally(() => {
      isAnswered = true
    })
    await expect.poll(async () => isAnswered || (await query(app.database.url, waiting)).length > 0).toBe(true)
    await client.query('commit')
    return await asked
  } finally {
    await client.end()
  }
}

const endSessions = (userId: string): [string, unknown[]] => ['update sessions set revoked_at = now() where user_id = $1', [userId]]
const refused = { errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: 'UNAUTHENTICATED' }) })] }

describe('while the session of the request is revoked', () => {
  test('no key is created', async () => {
    const { session, userId } = await app.given.session()
    expect(await isLetIn(app, { session })).toBe(true)

    const { body } = await during([endSessions(userId)], () =>
      app.graphql('mutation { createApiKey(input: { label: "CI" }) { key } }', undefined, { session }),
    )

    expect(body).toMatchObject(refused)
    expect(await query(app.database.url, 'select 1 from api_keys where created_by_id = $1', [userId])).toEqual([])
  })

  test('no key is rotated', async () => {
    const { session, userId, orgId } = await app.given.session()
    const { id, key } = await app.given.apiKey({ orgId })

    const { body } = await during([endSessions(userId)], () =>
      app.graphql('mutation ($id: ID!) { rotateApiKey(input: { id: $id, overlapSeconds: 60 }) { key } }', { id }, { session }),
    )

    expect(body).toMatchObject(refused)
    expect(await isLetIn(app, { key })).toBe(true)
  })

  test.each([
    ['resumed', (id: string) => `resumeVoiceAgent(input: { id: "${id}" }) { id }`],
    ['made', () => 'createVoiceAgent(input: { name: "Other desk" }) { id }'],
  ])('no agent is %s', async (_name, mutation) => {
    const { session, userId, orgId } = await app.given.session()
    const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { session, body: { name: 'CallFixture' } })
    await app.rest('POST', `/api/voice/v1/agents/${agent.id}/pause`, { session })

    const { body } = await during([endSessions(userId)], () => app.graphql(`mutation { ${mutation(agent.id)} }`, undefined, { session }))

    expect(body).toMatchObject(refused)
    expect(await query(app.database.url, 'select status from voice_agents where org_id = $1', [orgId])).toEqual([{ status: 'paused' }])
  })
})

test.each([
  ['key', 'createApiKey(input: { label: "CI" }) { key }', 'select 1 from api_keys where created_by_id = $1'],
  ['invitation', 'inviteToOrganization(input: {}) { token }', 'select 1 from invitations where invited_by_id = $1'],
])('while the user who asks loses the organization no %s is made', async (_name, mutation, made) => {
  const { session, userId } = await app.given.session()
  expect(await isLetIn(app, { session })).toBe(true)

  const { body } = await during([['delete from memberships where user_id = $1', [userId]]], () =>
    app.graphql(`mutation { ${mutation} }`, undefined, { session }),
  )

  expect(body).toMatchObject(refused)
  expect(await query(app.database.url, made, [userId])).toEqual([])
})

test('while the key of the request is revoked, no agent is created', async () => {
  const { key, id, orgId } = await app.given.apiKey()

  const { status } = await during([['update api_keys set revoked_at = now() where id = $1', [id]]], () =>
    app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'CallFixture' } }),
  )

  expect(status).toBe(401)
  expect(await query(app.database.url, 'select 1 from voice_agents where org_id = $1', [orgId])).toEqual([])
})

test('while the sign-in that it comes from ends, no session is opened', async () => {
  const token = await signUp(app, newEmail())
  await openSession(app, token)
  const { headers } = { headers: { authorization: `Bearer ${token}` } }
  const { body } = await app.rest('GET', '/idp/token', { headers })

  const { status } = await during([['delete from idp_sessions', []]], () =>
    app.rest('POST', '/api/auth/session', { headers: { authorization: `Bearer ${body.token}` } }),
  )

  expect(status).toBe(401)
})

test('while a password is changed, the old one signs nobody in', async () => {
  const email = newEmail()
  await signUp(app, email)
  const [user] = await query<{ id: string }>(app.database.url, 'select id from idp_users where email = $1', [email])
  await query(app.database.url, 'delete from idp_sessions where user_id = $1', [user?.id])

  const { status, body } = await during([['update idp_users set sign_outs = sign_outs + 1 where id = $1', [user?.id]]], () =>
    signIn(app, email),
  )

  expect([status, body.code]).toEqual([401, 'SIGNED_OUT'])
  expect(await query(app.database.url, 'select 1 from idp_sessions where user_id = $1', [user?.id])).toEqual([])
  const again = await signIn(app, email)
  expect([again.status, Object.keys(again.body.user).sort()]).toEqual([
    200,
    ['createdAt', 'email', 'emailVerified', 'id', 'image', 'name', 'updatedAt'],
  ])
})
