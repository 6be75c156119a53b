// Signing out at the identity provider, in each way: sessions opened from the sign-in end with it, in every process.

import { describe, expect, test } from 'vitest'
import { query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import {
  bearer,
  handshake,
  idp,
  isLetIn,
  isSignedIn,
  jwtOf,
  linkFor,
  newEmail,
  openSession,
  password,
  signIn,
  signUp,
} from '../provider.ts'
import { startTwoProcesses } from '../two-processes.ts'

const { database, first, second } = await keepOpen(startTwoProcesses())

/** A sign-in with a token of its own, and an application session that both processes know. */
async function device(token: string) {
  const jwt = await jwtOf(first, token)
  const session = await openSession(first, token)
  for (const app of [first, second]) expect(await isLetIn(app, { session })).toBe(true)
  return { token, jwt, session }
}
type Device = Awaited<ReturnType<typeof device>>

/** A user who is signed in on two devices. */
async function givenDevices() {
  const email = newEmail()
  const here = await device(await signUp(first, email))
  const there = await device((await signIn(first, email)).body.token)
  return { email, here, there }
}

async function isUsable({ token, jwt, session }: Device) {
  return {
    signIn: await isSignedIn(second, token),
    session: (await isLetIn(second, { session })) || (await isLetIn(first, { session })),
    jwt: (await handshake(second, jwt)).status < 300,
  }
}
const usable = { signIn: true, session: true, jwt: true }
const ended = { signIn: false, session: false, jwt: false }

const endings: [name: string, end: (here: Device) => ReturnType<typeof idp>, here: object, there: object][] = [
  ['POST /idp/sign-out', ({ token }) => idp(first, 'POST', '/sign-out', { body: {}, ...bearer(token) }), ended, usable],
  ['POST /idp/revoke-sessions', ({ token }) => idp(first, 'POST', '/revoke-sessions', { body: {}, ...bearer(token) }), ended, ended],
  [
    'POST /idp/revoke-other-sessions',
    ({ token }) => idp(first, 'POST', '/revoke-other-sessions', { body: {}, ...bearer(token) }),
    usable,
    ended,
  ],
  [
    'POST /idp/change-password that revokes other sessions',
    ({ token }) =>
      idp(first, 'POST', '/change-password', {
        body: { currentPassword: password, newPassword: `${password}!`, revokeOtherSessions: true },
        ...bearer(token),
      }),
    ended,
    ended,
  ],
]

describe('sessions opened from a sign-in', () => {
  test.each(endings)('%s', async (_name, end, hereAfter, thereAfter) => {
    const { here, there } = await givenDevices()
    const { here: stranger } = await givenDevices()

    const { status } = await end(here)

    expect(status).toBe(200)
    expect({ here: await isUsable(here), there: await isUsable(there) }).toEqual({ here: hereAfter, there: thereAfter })
    expect(await isUsable(stranger)).toEqual(usable)
  })

  test('a changed password that revokes the others answers with a sign-in that works', async () => {
    const { here } = await givenDevices()
    const body = { currentPassword: password, newPassword: `${password}!`, revokeOtherSessions: true }

    const { body: changed } = await idp(first, 'POST', '/change-password', { body, ...bearer(here.token) })

    expect(await isUsable(await device(changed.token))).toEqual(usable)
  })

  test('a password chosen by a link ends all sessions, once, also of a verified user', async () => {
    const { email, here, there } = await givenDevices()
    await fetch(linkFor(first, email, '/verify-email'), bearer(here.token))
    const { body: made } = await first.graphql('mutation { createApiKey(input: { label: "CI" }) { key } }', undefined, {
      session: here.session,
    })
    await idp(first, 'POST', '/request-password-reset', { body: { email } })
    const links = [linkFor(first, email, '/reset-password/')]
    await idp(first, 'POST', '/request-password-reset', { body: { email } })
    links.push(linkFor(first, email, '/reset-password/'))
    const reset = (link = '', newPassword = '') =>
      idp(second, 'POST', '/reset-password', { body: { newPassword, token: /reset-password\/([^?]+)/.exec(link)?.[1] } })

    const answers = [
      await reset(links[1], 'a new password 1'),
      await reset(links[1], 'a new password 2'),
      await reset(links[0], 'a new password 3'),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
    expect([await isUsable(here), await isUsable(there)]).toEqual([ended, ended])
    expect(await isLetIn(second, { key: made.data.createApiKey.key })).toBe(true)
    const passwords = [password, 'a new password 1', 'a new password 2', 'a new password 3']
    expect(await Promise.all(passwords.map(async tried => (await signIn(first, email, tried)).status))).toEqual([401, 200, 401, 401])
  })

  test('a link to a new password is valid for an hour', async () => {
    const { email } = await givenDevices()
    await idp(first, 'POST', '/request-password-reset', { body: { email } })
    const [, token] = /reset-password\/([^?]+)/.exec(linkFor(first, email, '/reset-password/')) ?? []
    const [{ minutes } = { minutes: 0 }] = await query<{ minutes: number }>(
      database.url,
      'select extract(epoch from max(expires_at) - now())::float8 / 60 as minutes from idp_verifications',
    )
    await query(database.url, `update idp_verifications set expires_at = now() - interval '1 second'`)

    const { status } = await idp(second, 'POST', '/reset-password', { body: { newPassword: 'a new password 1', token } })

    expect([status, minutes > 58 && minutes <= 60]).toEqual([400, true])
  })

  test('a sign-in that expires ends no other session', async () => {
    const { here } = await givenDevices()
    await query(database.url, `update idp_sessions set expires_at = now() - interval '1 second'`)

    expect(await isSignedIn(first, here.token)).toBe(false)

    expect(await isLetIn(second, { session: here.session })).toBe(true)
  })
})

describe('sessions revoked by their user', () => {
  test('cannot be opened again from the sign-ins of the other devices', async () => {
    const { here, there } = await givenDevices()

    const { body } = await first.graphql('mutation { revokeOtherSessions { isCurrent } }', undefined, { session: here.session })

    expect(body).toEqual({ data: { revokeOtherSessions: [{ isCurrent: false }] } })
    expect({ here: await isUsable(here), there: await isUsable(there) }).toEqual({ here: usable, there: ended })
  })

  test('cannot be opened again when revoked one by one; others of the current sign-in stay valid', async () => {
    const { here, there } = await givenDevices()
    const sibling = await openSession(first, here.token)
    const { body } = await first.graphql('{ sessions { id isCurrent } }', undefined, { session: there.session })
    const id = body.data.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id

    await first.graphql('mutation ($id: ID!) { revokeSession(input: { id: $id }) { id } }', { id }, { session: here.session })

    expect({ here: await isUsable(here), there: await isUsable(there) }).toEqual({ here: usable, there: ended })
    expect(await isLetIn(second, { session: sibling })).toBe(true)
  })
})
