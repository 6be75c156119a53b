// Who may sign up with SIGN_UP open, invited and closed, and the limits of users and organizations.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'

const database = await keepOpen(createTestDatabase())

const password = 'correct horse battery'
const apps: TestApp[] = []
async function appWith(env: Record<string, string>): Promise<TestApp> {
  const app = await startApp({ database, env })
  apps.push(app)
  return app
}
afterAll(() => Promise.all(apps.map(app => app.close())))

const signUp = (app: TestApp, email: string, headers: Record<string, string> = {}) =>
  app.rest('POST', '/idp/sign-up/email', { body: { email, password, name: 'Ada' }, headers: { origin: app.url, ...headers } })
const jwtOf = async (app: TestApp, token: string) => (await app.rest('GET', '/idp/token', { session: token })).body.token
const identities = (email: string) => query(database.url, 'select email from idp_users where email = $1', [email])

describe.each(['closed', 'invited'])('with SIGN_UP=%s', mode => {
  let app: TestApp
  beforeAll(async () => {
    app = await appWith({ SIGN_UP: mode })
  })

  test('a sign-up by password is refused', async () => {
    const email = `password-${mode}@example.com`
    const { status, body } = await signUp(app, email)

    expect([status, body.message]).toEqual([403, expect.stringContaining('SIGN_UP')])
    expect(await identities(email)).toEqual([])
  })

  test('a magic link is not sent to an unknown address, and creates no user', async () => {
    const email = `link-${mode}@example.com`
    const { status } = await app.rest('POST', '/idp/sign-in/magic-link', { body: { email }, headers: { origin: app.url } })

    expect(status).toBe(200)
    expect(app.log.filter(line => line.includes(email) && line.includes('/magic-link/verify'))).toEqual([])
    expect(await identities(email)).toEqual([])
  })

  test('a link that was sent while sign-up was open creates no user', async () => {
    const email = `late-${mode}@example.com`
    const open = await appWith({ SIGN_UP: 'open' })
    await open.rest('POST', '/idp/sign-in/magic-link', { body: { email }, headers: { origin: open.url } })
    const line = open.log.find(line => line.includes(email) && line.includes('/magic-link/verify'))
    const link = new URL(/https?:[^"\\\s]+/.exec(line ?? '')?.[0] ?? '')

    // Posted, as the page does that asks in another browser.
    const answer = await fetch(`${app.url}${link.pathname}${link.search}`, { method: 'POST', redirect: 'manual' })

    const location = new URL(answer.headers.get('location') ?? '')
    expect([location.searchParams.get('error'), answer.headers.getSetCookie()]).toEqual(['SIGN_UP_CLOSED', []])
    expect(await identities(email)).toEqual([])
  })

  test('a user of the provider without an account gets no session', async () => {
    const open = await appWith({ SIGN_UP: 'open' })
    const { body } = await signUp(open, `identity-${mode}@example.com`)
    const jwt = await jwtOf(app, body.token)

    const refused = await app.rest('POST', '/api/auth/session', { session: jwt })

    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('SIGN_UP')])
  })

  test('an existing user signs in', async () => {
    const open = await appWith({ SIGN_UP: 'open' })
    const email = `before-${mode}@example.com`
    const { body } = await signUp(open, email)
    await open.rest('POST', '/api/auth/session', { session: await jwtOf(open, body.token) })

    const signedIn = await app.rest('POST', '/idp/sign-in/email', { body: { email, password }, headers: { origin: app.url } })
    const session = await app.rest('POST', '/api/auth/session', { session: await jwtOf(app, signedIn.body.token) })

    expect([signedIn.status, session.status]).toEqual([200, 201])
  })
})

test('signInOptions tells who is not signed in what the server offers', async () => {
  const query = '{ signInOptions { password magicLink google issuer signUp guest mail } }'
  const open = await appWith({ SIGN_UP: 'open', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', MAIL_LINKS: '0' })
  const outside = await appWith({
    ...{ IDENTITY_ISSUER: 'https://id.example.com', IDENTITY_AUDIENCE: 'rolocom', SIGN_UP: 'invited' },
    SMTP_URL: 'smtp://127.0.0.1:2525',
  })

  const own = { password: true, magicLink: false, google: true, issuer: null, signUp: 'OPEN', guest: false, mail: false }
  expect((await open.graphql(query)).body).toEqual({ data: { signInOptions: own } })
  const others = {
    password: false,
    magicLink: false,
    google: false,
    issuer: 'https://id.example.com',
    signUp: 'INVITED',
    guest: false,
    mail: true,
  }
  expect((await outside.graphql(query)).body).toEqual({ data: { signInOptions: others } })
})

describe('with SIGN_UP=open', () => {
  test('429: more than SIGN_UPS_PER_HOUR new users from one IP address', async () => {
    const app = await appWith({ SIGN_UP: 'open', RATE_LIMIT: '1', SIGN_UPS_PER_HOUR: '2' })
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) statuses.push((await signUp(app, `many-${n}@example.com`)).status)

    expect(statuses).toEqual([200, 200, 429])
    expect(await identities('many-2@example.com')).toEqual([])
  })

  test('FORBIDDEN: more than ORGANIZATIONS_PER_USER organizations, also by concurrent requests', async () => {
    const app = await appWith({ SIGN_UP: 'open', ORGANIZATIONS_PER_USER: '3' })
    const { session } = await app.given.session()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        app.graphql('mutation ($name: String!) { createOrganization(input: { name: $name }) { id } }', { name: `No. ${n}` }, { session }),
      ),
    )

    expect(answers.filter(({ body }) => body.data)).toHaveLength(2)
    const [refusal] = answers.flatMap(({ body }) => body.errors ?? [])
    expect([refusal.extensions.code, refusal.message]).toEqual(['FORBIDDEN', expect.stringContaining('ORGANIZATIONS_PER_USER')])
  })
})
