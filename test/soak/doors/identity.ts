// Users who sign in and out, and keys that are made and revoked.

import type { SoakClient, Target } from '../client.ts'
import type { Door } from '../load.ts'

const password = 'correct horse battery'
const emails = Array.from({ length: 12 }, (_, index) => `soak-${index}@soak.example`)

export async function identityDoors({ url }: Target, { ask, graphql }: SoakClient): Promise<Door[]> {
  const idp = { credential: null, headers: { origin: url } }
  for (const email of emails) await ask('POST', '/idp/sign-up/email', { ...idp, body: { email, password, name: 'Soak' } })
  const sessionOf = async (email: string | undefined) => {
    const { token } = await ask('POST', '/idp/sign-in/email', { ...idp, body: { email, password } })
    const { token: jwt } = await ask('GET', '/idp/token', { ...idp, credential: token })
    const { session_token: session } = await ask('POST', '/api/auth/session', { credential: jwt, status: 201 })
    return { token, session }
  }
  const owner = { credential: (await sessionOf(emails[0])).session }
  const signInAndOut = async (turn: number) => {
    const email = emails[turn % emails.length]
    const { token, session } = await sessionOf(email)
    await graphql('{ me { userId } organization { id } }', {}, { credential: session })
    await ask('POST', '/idp/sign-out', { ...idp, credential: token, body: {} })
    await ask('GET', '/api/crm/v1/contacts', { credential: session, status: 401 })
  }
  const keys = async () => {
    const made = await graphql(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }',
      {
        input: { label: 'Soak', scopes: ['CONTACTS_READ'] },
      },
      owner,
    )
    const { key, apiKey } = made.createApiKey
    await ask('GET', '/api/crm/v1/contacts?limit=1', { credential: key })
    await graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id: apiKey.id }, owner)
    await ask('GET', '/api/crm/v1/contacts?limit=1', { credential: key, status: 401 })
  }
  return [
    // 20 a minute and address are let in, and 20 in 15 minutes and account.
    { name: 'sign-in', everyMs: 5000, act: signInAndOut },
    { name: 'API keys', everyMs: 2000, act: keys },
  ]
}
