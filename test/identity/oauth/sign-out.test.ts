// OAuth clients that were let in from a session which somebody ends because it may not be theirs.

import { expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { bearer, idp, isLetIn, newEmail, openSession, password, signIn, signUp } from '../provider.ts'
import { connected } from './given.ts'

const app = await openApp()

const works = async (token: string) => {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
  const { status } = await app.rest('POST', '/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  return status === 200
}

/** A user who is signed in twice, and has let a client in from each. */
async function givenClients() {
  const email = newEmail()
  const [here, there] = [await signUp(app, email), (await signIn(app, email)).body.token as string]
  const [mine, theirs] = [await openSession(app, here), await openSession(app, there)]
  const clientOf = async (session: string) => (await (await connected(app, session)).exchange()).body.access_token as string
  return { email, here, there, mine, theirs, clients: [await clientOf(mine), await clientOf(theirs)] as const }
}
type Given = Awaited<ReturnType<typeof givenClients>>

const ask = (session: string, mutation: string) => app.graphql(`mutation { ${mutation} }`, {}, { session })
const change = { newPassword: 'another long password', currentPassword: password, revokeOtherSessions: true }

// By way: what it does to the client of the session that asks, and to that of the other session.
const endings: [string, (given: Given) => Promise<{ status: number }>, boolean[]][] = [
  ['revokeOtherSessions', ({ mine }) => ask(mine, 'revokeOtherSessions { id }'), [true, false]],
  [
    'revokeSession of the other session',
    async ({ mine }) => {
      const { body } = await app.graphql('{ sessions { id isCurrent } }', {}, { session: mine })
      const { id } = body.data.sessions.find((session: { isCurrent: boolean }) => !session.isCurrent)
      return ask(mine, `revokeSession(input: { id: "${id}" }) { id }`)
    },
    [true, false],
  ],
  ['revokeAllSessions', ({ mine }) => ask(mine, 'revokeAllSessions { id }'), [false, false]],
  [
    'POST /idp/revoke-other-sessions',
    ({ here }) => idp(app, 'POST', '/revoke-other-sessions', { body: {}, ...bearer(here) }),
    [true, false],
  ],
  ['POST /idp/revoke-sessions', ({ here }) => idp(app, 'POST', '/revoke-sessions', { body: {}, ...bearer(here) }), [false, false]],
  ['POST /idp/change-password', ({ here }) => idp(app, 'POST', '/change-password', { body: change, ...bearer(here) }), [false, false]],
  [
    'POST /idp/sign-out, which ends nothing that the user let in',
    ({ here }) => idp(app, 'POST', '/sign-out', { body: {}, ...bearer(here) }),
    [true, true],
  ],
]

test.for(endings)('%s', async ([, end, after]) => {
  const given = await givenClients()
  expect(await Promise.all(given.clients.map(works))).toEqual([true, true])

  expect((await end(given)).status).toBe(200)

  expect(await Promise.all(given.clients.map(works))).toEqual(after)
})

test('a device that was let in from the sign-in of a revoked session is out with it', async () => {
  const { mine, there, theirs } = await givenClients()
  const { body: device } = await app.rest('POST', '/api/auth/device', { body: { client_name: 'Tool' } })
  await ask(theirs, `approveDevice(input: { userCode: "${device.user_code}" }) { status }`)
  const { body: opened } = await app.rest('POST', '/api/auth/session', { body: { device_code: device.device_code } })
  expect(await isLetIn(app, { session: opened.session_token })).toBe(true)
  const { body } = await app.graphql('{ sessions { id isCurrent clientName } }', {}, { session: mine })
  const other = body.data.sessions.find(
    (one: { isCurrent: boolean; clientName: string | null }) => !one.isCurrent && one.clientName === null,
  )

  await ask(mine, `revokeSession(input: { id: "${other.id}" }) { id }`)

  expect(await isLetIn(app, { session: opened.session_token })).toBe(false)
  expect(await isLetIn(app, { session: theirs })).toBe(false)
  expect((await idp(app, 'GET', '/token', bearer(there))).status).toBe(401)
})
