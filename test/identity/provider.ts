// Requests of tests to the embedded identity provider: signing up and in, links from the log, handshakes, keys.

import type { Asked, TestApp } from '../support/app.ts'

export const password = 'correct horse battery'

let addresses = 0
export const newEmail = (name = 'user') => `${name}-${++addresses}@example.com`

export const idp = (app: TestApp, method: string, path: string, { headers = {}, ...asked }: Pick<Asked, 'body' | 'headers'> = {}) =>
  app.rest(method, `/idp${path}`, { ...asked, headers: { origin: app.url, ...headers } })

export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** Resolves with the token of the provider's session. */
export async function signUp(app: TestApp, email: string, secret = password): Promise<string> {
  const { status, body } = await idp(app, 'POST', '/sign-up/email', { body: { email, password: secret, name: 'Ada' } })
  if (status !== 200) throw new Error(`sign-up: ${status} ${JSON.stringify(body)}`)
  return body.token
}

export const signIn = (app: TestApp, email: string, secret = password) =>
  idp(app, 'POST', '/sign-in/email', { body: { email, password: secret } })

export const jwtOf = async (app: TestApp, token: string): Promise<string> => (await idp(app, 'GET', '/token', bearer(token))).body.token

export const handshake = (app: TestApp, jwt: string) => app.rest('POST', '/api/auth/session', bearer(jwt))

/** An application session, opened from a session of the provider's. */
export async function openSession(app: TestApp, token: string): Promise<string> {
  const { status, body } = await handshake(app, await jwtOf(app, token))
  if (status >= 300) throw new Error(`handshake: ${status} ${JSON.stringify(body)}`)
  return body.session_token
}

/** The last link of a kind that was printed for the address. */
export function linkFor(app: TestApp, email: string, path: string): string {
  const line = app.log.map(text => JSON.parse(text)).findLast(({ email: to, url }) => to === email && url?.includes(path))
  if (!line) throw new Error(`no link with ${path} was printed for ${email}`)
  return line.url
}

/**
 * Opens a link; `token` is a session of the provider's that the browser has. A link that signs in is opened in another browser than the one that
 * asked, and the page that asks about it is agreed to.
 */
export const open = (url: string, token?: string) =>
  fetch(url, {
    method: url.includes('/magic-link/verify') ? 'POST' : 'GET',
    redirect: 'manual',
    ...(token !== undefined && bearer(token)),
  })

/** Signs in by a link; resolves with the token of the provider's session. */
export async function signInByLink(app: TestApp, email: string): Promise<string> {
  await idp(app, 'POST', '/sign-in/magic-link', { body: { email } })
  const { headers } = await open(linkFor(app, email, '/magic-link/verify'))
  return headers.get('set-auth-token') ?? ''
}

export const isLetIn = async (app: TestApp, asked: { key?: string; session?: string }) =>
  (await app.graphql('{ __typename }', undefined, asked)).body.data !== undefined

export const isSignedIn = async (app: TestApp, token: string) => (await idp(app, 'GET', '/token', bearer(token))).status === 200
