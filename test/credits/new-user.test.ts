// New users: the account and its first grant come with the user, in one transaction.

import { describe, expect, test } from 'vitest'
import { createSession } from '../../src/identity/sessions/session.ts'
import { createContext } from '../../src/kernel/context.ts'
import { type Json, openApp, type TestApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'

const app = await openApp()
const other = await openApp({ database: app.database, env: { CREDITS_NEW_USER_GRANT: '12.5' } })

async function signUp(at: TestApp, name: string): Promise<string> {
  const user = { email: `${name}@example.com`, password: 'correct horse battery', name }
  const { body } = await at.rest('POST', '/idp/sign-up/email', { body: user, headers: { origin: at.url } })
  const token = await at.rest('GET', '/idp/token', { session: body.token })
  const { body: opened } = await at.rest('POST', '/api/auth/session', { session: token.body.token })
  return opened.session_token
}
const balance = async (at: TestApp, session: string): Promise<Json> => (await at.rest('GET', '/api/credits/balance', { session })).body
const entriesOf = (userId: string) =>
  query<Json>(app.database.url, `select type, amount_micro, actor_name from credit_entries where user_id = '${userId}'`)

describe('the handshake of a new user', () => {
  test('opens an account with 1,000 credits at once', async () => {
    const session = await signUp(app, 'grace')
    const [{ id: userId }] = await query<Json>(app.database.url, "select id from users where email = 'grace@example.com'")

    expect(await entriesOf(userId)).toEqual([{ type: 'grant', amount_micro: '1000000000', actor_name: 'credits' }])
    expect(await query<Json>(app.database.url, "select entity_id from events where type = 'credits.granted'")).toEqual([
      { entity_id: userId },
    ])
    expect(await balance(app, session)).toMatchObject({ user_id: userId, available: 1000, grants: [{ category: 'promotional' }] })
  })

  test('the amount is CREDITS_NEW_USER_GRANT', async () => {
    expect(await balance(other, await signUp(other, 'ada'))).toMatchObject({ available: 12.5 })
  })

  test('a second handshake gives no further credits', async () => {
    const identity = {
      kind: 'identity',
      userId: 'twice',
      email: null,
      isVerified: false,
      name: null,
      signInId: null,
      device: { userAgent: null, ipAddress: null },
    } as const
    const context = () => createContext(app.services, { principal: identity, requestId: 'test', door: 'rest' })

    await Promise.all([createSession(context()), createSession(context()), createSession(context())])
    await createSession(context())

    expect(await entriesOf('twice')).toHaveLength(1)
  })

  test('user, organization and account are created together or not at all', async () => {
    const identity = {
      kind: 'identity',
      userId: 'never',
      email: null,
      isVerified: false,
      name: null,
      signInId: null,
      device: { userAgent: null, ipAddress: null },
    } as const
    const services = {
      ...app.services,
      money: {
        ...app.services.money,
        openAccount: async () => {
          throw new Error('no account today')
        },
      },
    }

    await expect(createSession(createContext(services, { principal: identity, requestId: 'test', door: 'rest' }))).rejects.toThrow(
      'no account today',
    )

    expect(await query(app.database.url, "select id from users where id = 'never'")).toEqual([])
  })
})
