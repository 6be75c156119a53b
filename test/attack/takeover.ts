// Account pre-hijacking: an attacker signs up with the email address of someone else. Checks which of the attacker's credentials still work
// after the owner has recovered the account, and which credentials still work after each kind of sign-out.

import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Figure, holds } from './report.ts'
import { type Attacked, startAttacked } from './server.ts'

const password = 'correct horse battery'
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
// A link that signs in asks in a browser that did not ask for it, by a form to its own address.
const openLink = (link: string, token?: string) =>
  fetch(link, {
    method: link.includes('/magic-link/') ? 'POST' : 'GET',
    redirect: 'manual',
    ...(token !== undefined && bearer(token)),
  })

export async function takeover(): Promise<Figure[]> {
  const server = await startAttacked({ LOG_LEVEL: 'info' })
  try {
    const figures: Figure[] = []
    for (const [how, recover] of Object.entries(recoveries)) {
      const email = `${how.replaceAll(' ', '-')}@example.com`
      const taken = await takeOver(server, email)
      const token = await recover(server, email)
      const left = await working(taken)
      figures.push(
        atMost(`${how}: of the attacker's ${credentials} credentials, those that still work`, left.length, 0),
        holds(`${how}: the owner is signed in and finds the data`, await ownsContact(server, token, taken.contactId)),
      )
      if (left.length > 0) console.log(`  ${how}: ${left.join(', ')}`)
    }

    const honest = await takeOver(server, 'honest@example.com')
    await openLink(await linkFor(server, 'honest@example.com', '/verify-email'), honest.token)
    figures.push(
      holds('an owner who signed up and verifies the address keeps all credentials', (await working(honest)).length === credentials),
    )

    for (const path of ['/sign-out', '/revoke-sessions', '/revoke-other-sessions', '/change-password']) {
      const email = `leaves-by${path.replaceAll('/', '-')}@example.com`
      const here = await signUp(server, email)
      const there = path === '/revoke-other-sessions' ? await signIn(server, email) : here
      const gone = [...(await opened(server, there))]
      const body = { currentPassword: password, newPassword: `${password}!`, revokeOtherSessions: true }
      await server.ask('POST', `/idp${path}`, { body: path === '/change-password' ? body : {}, ...bearer(here) })
      const alive = await Promise.all(gone.map(isAlive => isAlive()))
      figures.push(atMost(`${path}: of the 3 credentials that were signed out, those that still work`, alive.filter(Boolean).length, 0))
    }
    return figures
  } finally {
    await server.end()
  }
}

/** Ways for the owner to recover the account. Each resolves with the owner's session token of the identity provider. */
const recoveries: Record<string, (server: Attacked, email: string) => Promise<string>> = {
  'magic link': signInByLink,
  async 'new password'(server, email) {
    await server.ask('POST', '/idp/request-password-reset', { body: { email } })
    const [, token] = /reset-password\/([^?]+)/.exec(await linkFor(server, email, '/reset-password/')) ?? []
    await server.ask('POST', '/idp/reset-password', { body: { newPassword: 'chosen by its owner', token } })
    return await signIn(server, email, 'chosen by its owner')
  },
  async 'verification link'(server, email) {
    await openLink(await linkFor(server, email, '/verify-email'))
    return await signInByLink(server, email)
  },
}

async function signInByLink(server: Attacked, email: string): Promise<string> {
  await server.ask('POST', '/idp/sign-in/magic-link', { body: { email } })
  const { headers } = await openLink(await linkFor(server, email, '/magic-link/verify'))
  return headers.get('set-auth-token') ?? ''
}

const signUp = async (server: Attacked, email: string): Promise<string> =>
  (await server.ask('POST', '/idp/sign-up/email', { body: { email, password, name: 'Ada' } })).body.token
const signIn = async (server: Attacked, email: string, secret = password): Promise<string> =>
  (await server.ask('POST', '/idp/sign-in/email', { body: { email, password: secret } })).body.token
const jwtOf = async (server: Attacked, token: string): Promise<string> => (await server.ask('GET', '/idp/token', bearer(token))).body.token
const handshake = (server: Attacked, jwt: string) => server.ask('POST', '/api/auth/session', bearer(jwt))
const sessionOf = async (server: Attacked, token: string): Promise<string> =>
  (await handshake(server, await jwtOf(server, token))).body.session_token
const isLetIn = async (server: Attacked, token: string) =>
  (await server.ask('GET', '/api/crm/v1/contacts?limit=1', bearer(token))).status === 200

/** Returns checks whether the provider's session, its JWT and a session opened with it still work. */
async function opened(server: Attacked, token: string): Promise<(() => Promise<boolean>)[]> {
  const jwt = await jwtOf(server, token)
  const session = await sessionOf(server, token)
  if (!(await isLetIn(server, session))) throw new Error('a session that was just opened is not let in')
  return [
    async () => (await server.ask('GET', '/idp/token', bearer(token))).status === 200,
    async () => (await handshake(server, jwt)).status < 300,
    () => isLetIn(server, session),
  ]
}

interface Taken {
  email: string
  token: string
  contactId: string
  /** Checks by name of the credential whether it still works. */
  doors: Record<string, () => Promise<boolean>>
}
const credentials = 6

async function takeOver(server: Attacked, email: string): Promise<Taken> {
  const token = await signUp(server, email)
  const [signedIn, jwt, session] = await opened(server, token)
  const asker = await sessionOf(server, token)
  const graphql = async (query: string) => (await server.ask('POST', '/graphql', { body: { query }, ...bearer(asker) })).body.data
  const { createApiKey: made } = await graphql('mutation { createApiKey(input: { label: "CI" }) { key apiKey { id } } }')
  const { rotateApiKey: rotated } = await graphql(
    `mutation { rotateApiKey(input: { id: "${made.apiKey.id}", overlapSeconds: 3600 }) { key } }`,
  )
  const { body: contact } = await server.ask('POST', '/api/crm/v1/contacts', { body: { email: 'kept@example.com' }, ...bearer(asker) })
  if (!signedIn || !jwt || !session) throw new Error('nothing was opened')
  return {
    email,
    token,
    contactId: contact.id,
    doors: {
      'sign-in': signedIn,
      'token of it': jwt,
      session,
      key: () => isLetIn(server, made.key),
      'rotated key': () => isLetIn(server, rotated.key),
      password: async () => (await signIn(server, email)) !== undefined,
    },
  }
}

async function working({ doors }: Taken): Promise<string[]> {
  const works: string[] = []
  for (const [name, isOpen] of Object.entries(doors)) if (await isOpen()) works.push(name)
  return works
}

async function ownsContact(server: Attacked, token: string, contactId: string): Promise<boolean> {
  const session = await sessionOf(server, token)
  return (await server.ask('GET', `/api/crm/v1/contacts/${contactId}`, bearer(session))).body.email === 'kept@example.com'
}

/** The last link with this path that the server logged for the email address. */
async function linkFor(server: Attacked, email: string, path: string): Promise<string> {
  // The log line can appear after the response.
  for (let tries = 0; tries < 100; tries++) {
    const line = server
      .output()
      .split('\n')
      .findLast(text => text.includes(`"email":"${email}"`) && text.includes(path))
    if (line) return JSON.parse(line).url
    await sleep(50)
  }
  throw new Error(`no link with ${path} was printed for ${email}`)
}
