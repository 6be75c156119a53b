// The user's own profile and preferences.

import { describe, expect, test } from 'vitest'
import { type Json, openApp, startApp } from '../support/app.ts'
import { handshake, jwtOf, newEmail, signUp } from './provider.ts'

const app = await openApp()

const ask = async (text: string, asked: Json, on = app): Promise<Json> => {
  const { body } = await on.graphql(text, {}, asked)
  return body.errors ? body.errors[0].extensions : body.data
}

describe('updateProfile', () => {
  test('renames the user, also for the next sign-in, and tells the members', async () => {
    const signIn = await signUp(app, newEmail())
    const { session_token: session } = (await handshake(app, await jwtOf(app, signIn))).body

    const { headers } = await app.graphql('mutation { updateProfile(input: { name: " Grace H. " }) { id } }', {}, { session })

    expect((await ask('{ me { name } }', { session })).me.name).toBe('Grace H.')
    const { session_token: next } = (await handshake(app, await jwtOf(app, signIn))).body
    expect((await ask('{ me { name } }', { session: next })).me.name).toBe('Grace H.')
    const { operation } = await ask(`{ operation(id: "${headers.get('x-request-id')}") { events { nodes { type } } } }`, { session })
    expect(operation.events.nodes).toEqual([{ type: 'USER_UPDATED' }])
    const { organization } = await ask('{ organization { members { nodes { user { name } } } } }', { session })
    expect(organization.members.nodes).toEqual([{ user: { name: 'Grace H.' } }])
  })

  test.each(['', '   ', 'x'.repeat(201)])('%j is refused', async name => {
    const { session } = await app.given.session()

    expect(await ask(`mutation { updateProfile(input: { name: "${name}" }) { id } }`, { session })).toMatchObject({
      code: 'INVALID',
      problems: [{ path: ['name'] }],
    })
  })

  test('is CONFLICT where another provider knows the names', async () => {
    const other = await startApp({ env: { IDENTITY_ISSUER: 'https://id.example.com', IDENTITY_AUDIENCE: 'rolocom' } })
    try {
      const { session } = await other.given.session()
      expect(await ask('mutation { updateProfile(input: { name: "x" }) { id } }', { session }, other)).toMatchObject({ code: 'CONFLICT' })
    } finally {
      await other.close()
    }
  })
})

describe('preferences', () => {
  const all = 'colorScheme timezone tableDensity language'

  test('are the defaults until the first change, and the same in every organization', async () => {
    const { session, userId } = await app.given.session()
    const second = await app.given.session({ userId })
    expect((await ask(`{ me { preferences { ${all} } } }`, { session })).me.preferences).toEqual({
      ...{ colorScheme: 'SYSTEM', timezone: null, tableDensity: 'COMFORTABLE', language: null },
    })

    await ask('mutation { updatePreferences(input: { colorScheme: DARK, timezone: "europe/berlin", language: DE }) { timezone } }', {
      session,
    })
    const { updatePreferences } = await ask(
      `mutation { updatePreferences(input: { colorScheme: null, tableDensity: COMPACT }) { ${all} } }`,
      {
        session: second.session,
      },
    )

    expect(updatePreferences).toEqual({ colorScheme: 'SYSTEM', timezone: 'Europe/Berlin', tableDensity: 'COMPACT', language: 'DE' })
    expect((await ask(`{ me { preferences { ${all} } } }`, { session })).me.preferences).toEqual(updatePreferences)
  })

  test('have a language, or none again', async () => {
    const { session } = await app.given.session()
    const choose = async (language: string): Promise<Json> =>
      (await ask(`mutation { updatePreferences(input: { language: ${language} }) { language } }`, { session })).updatePreferences

    expect([await choose('DE'), await choose('EN'), await choose('null')]).toEqual([
      { language: 'DE' },
      { language: 'EN' },
      { language: null },
    ])
  })

  test('have a time zone that exists', async () => {
    const { session } = await app.given.session()

    expect(await ask('mutation { updatePreferences(input: { timezone: "Mars/Base" }) { timezone } }', { session })).toMatchObject({
      problems: [{ path: ['timezone'] }],
    })
  })

  test('belong to users', async () => {
    const { key } = await app.given.apiKey()

    expect((await ask('{ me { preferences { timezone } } }', { key })).me.preferences).toBeNull()
  })
})
