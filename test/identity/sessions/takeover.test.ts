// Accounts created with somebody else's address: what they have created ends when the owner of the address verifies it, and only then.
// The attacks are those of "Pre-hijacked accounts" (Sudhodanan and Paverd, USENIX Security 2022).

import { describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
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
  open,
  openSession,
  password,
  signIn,
  signInByLink,
  signUp,
} from '../provider.ts'
import { startTwoProcesses } from '../two-processes.ts'

const { database, first, second } = await keepOpen(startTwoProcesses())

const createKey = `mutation { createApiKey(input: { label: "CI", scopes: [CONTACTS_READ, CONTACTS_WRITE] }) { key apiKey { id } } }`
const rotateKey = 'mutation ($id: ID!) { rotateApiKey(input: { id: $id, overlapSeconds: 3600 }) { key } }'
const agents = '/api/voice/v1/agents'

/** An attacker signs up with the address, without access to its mailbox, and creates everything that could be useful later. */
async function takeOver(email: string) {
  const token = await signUp(first, email)
  const jwt = await jwtOf(first, token)
  const session = await openSession(first, token)
  const { body: made } = await first.graphql(createKey, undefined, { session })
  const { key, apiKey } = made.data.createApiKey
  const { body: rotated } = await first.graphql(rotateKey, { id: apiKey.id }, { session })
  const keys: string[] = [key, rotated.data.rotateApiKey.key]
  const { body: agent } = await first.rest('POST', agents, { session, body: { name: 'CallFixture' } })
  const { body: waiting } = await first.rest('POST', '/api/voice/v1/calls', {
    session,
    body: { agent_id: agent.id, to_number: '+15550123456', schedule: { earliest_at: new Date(Date.now() + 3_600_000).toISOString() } },
  })
  // For a day after a rotation the previous secret is valid as well.
  await first.rest('POST', `${agents}/${agent.id}/signing-secret/rotate`, { session })
  const { body: secret } = await first.rest('POST', `${agents}/${agent.id}/signing-secret`, { session })
  const { body: contact } = await first.rest('POST', '/api/crm/v1/contacts', { session, body: { email: 'kept@example.com' } })
  return { email, token, jwt, session, keys, agent, waiting, secrets: secretsIn(secret), contact }
}
const secretsIn = (answer: unknown) => JSON.stringify(answer).match(/whsec_[^"]+/g) ?? []
type Taken = Awaited<ReturnType<typeof takeOver>>

/** Which of the attacker's credentials are still valid, in either process. */
async function whatWorks({ email, token, jwt, session, keys }: Taken) {
  const both = async (isIn: (app: TestApp) => Promise<boolean>) => (await Promise.all([first, second].map(isIn))).some(Boolean)
  return {
    session: await both(app => isLetIn(app, { session })),
    keys: await both(async app => (await Promise.all(keys.map(key => isLetIn(app, { key })))).some(Boolean)),
    signIn: await both(app => isSignedIn(app, token)),
    jwt: await both(async app => (await handshake(app, jwt)).status < 300),
    password: (await signIn(first, email)).status === 200,
  }
}
const nothing = { session: false, keys: false, signIn: false, jwt: false, password: false }
const everything = { session: true, keys: true, signIn: true, jwt: true, password: true }

const invite = async (session: string, orgId: string): Promise<string> =>
  (
    await first.graphql('mutation { inviteToOrganization(input: { role: OWNER }) { token } }', undefined, {
      session,
      headers: { 'x-org-id': orgId },
    })
  ).body.data.inviteToOrganization.token
const join = async (session: string, token: string) =>
  (await first.graphql('mutation ($token: String!) { claimOrganization(input: { token: $token }) { id } }', { token }, { session })).body
async function onlyOrganizationOf(session: string): Promise<string> {
  const { body } = await first.graphql('{ me { organizations { id } } }', undefined, { session })
  expect(body.data.me.organizations).toHaveLength(1)
  return body.data.me.organizations[0].id
}

describe("an account created with somebody else's address", () => {
  test('works immediately: signing up by password opens a session', async () => {
    expect(await whatWorks(await takeOver(newEmail()))).toEqual(everything)
  })

  test("belongs to the address's owner alone after a sign-in by magic link; contacts stay", async () => {
    const taken = await takeOver(newEmail())

    const session = await openSession(second, await signInByLink(second, taken.email))

    expect(await whatWorks(taken)).toEqual(nothing)
    const { body } = await second.rest('GET', `/api/crm/v1/contacts/${taken.contact.id}`, { session })
    expect(body.email).toBe('kept@example.com')
  })

  test("belongs to the address's owner alone after a new password is chosen by link", async () => {
    const taken = await takeOver(newEmail())

    await idp(first, 'POST', '/request-password-reset', { body: { email: taken.email } })
    const [, link] = /reset-password\/([^?]+)/.exec(linkFor(first, taken.email, '/reset-password/')) ?? []
    const reset = await idp(second, 'POST', '/reset-password', { body: { newPassword: 'an owner chose this', token: link } })

    expect(reset.status).toBe(200)
    expect(await whatWorks(taken)).toEqual(nothing)
    const { status, body } = await signIn(first, taken.email, 'an owner chose this')
    expect([status, body.user.emailVerified]).toEqual([200, true])
    expect(await isLetIn(second, { session: await openSession(second, body.token) })).toBe(true)
  })

  test("belongs to the address's owner alone after the verification link is opened", async () => {
    const taken = await takeOver(newEmail())

    await open(linkFor(first, taken.email, '/verify-email'))

    expect(await whatWorks(taken)).toEqual(nothing)
  })

  test('has its agents paused with new secrets until the owner resumes them', async () => {
    const taken = await takeOver(newEmail())

    const session = await openSession(second, await signInByLink(second, taken.email))

    const { body: agent } = await second.rest('GET', `${agents}/${taken.agent.id}`, { session })
    expect(agent).toMatchObject({ status: 'paused', status_reason: expect.stringContaining('resume it') })
    const { body: secret } = await second.rest('POST', `${agents}/${taken.agent.id}/signing-secret`, { session })
    expect([taken.secrets.length, secretsIn(secret).length]).toEqual([2, 1])
    expect(taken.secrets).not.toContain(secretsIn(secret)[0])
    const { body: call } = await second.rest('GET', `/api/voice/v1/calls/${taken.waiting.id}`, { session })
    expect([taken.waiting.dispatch_state, call.dispatch_state, call.ended_reason]).toEqual(['scheduled', 'canceled', 'agent_stopped'])
    const { body: resumed } = await second.rest('POST', `${agents}/${taken.agent.id}/resume`, { session })
    expect(resumed).toMatchObject({ status: 'active', status_reason: null })
  })

  test('is unchanged if the address is verified with the session of the sign-up', async () => {
    const taken = await takeOver(newEmail())

    await open(linkFor(first, taken.email, '/verify-email'), taken.token)

    expect(await whatWorks(taken)).toEqual(everything)
    await signInByLink(first, taken.email)
    expect(await whatWorks(taken)).toEqual(everything)
  })

  test('is unchanged if the password is given before the link is opened in another browser', async () => {
    const taken = await takeOver(newEmail())
    const { body } = await signIn(first, taken.email)

    await open(linkFor(first, taken.email, '/verify-email'), body.token)

    expect(await whatWorks(taken)).toEqual(everything)
  })

  test('loses its access too if the link is opened with a session of another account', async () => {
    const taken = await takeOver(newEmail())
    const other = await signUp(first, newEmail('other'))

    await open(linkFor(first, taken.email, '/verify-email'), other)

    expect(await whatWorks(taken)).toEqual(nothing)
  })

  test("loses its own keys in other organizations; the members' keys and agents there stay", async () => {
    const taken = await takeOver(newEmail())
    const { orgId, session: colleague } = await first.given.session()
    const [user] = await query<{ id: string }>(database.url, 'select id from users where email = $1', [taken.email])
    await query(database.url, 'insert into memberships (user_id, organization_id) values ($1, $2)', [user?.id, orgId])
    const there = { session: taken.session, headers: { 'x-org-id': orgId } }
    await expect.poll(async () => (await first.graphql('{ organization { id } }', undefined, there)).body.errors).toBeUndefined()
    const { body: made } = await first.graphql(createKey, undefined, there)
    const { body: agent } = await first.rest('POST', agents, { session: colleague, body: { name: 'Shared desk' } })
    const { body: theirs } = await first.graphql(createKey, undefined, { session: colleague })

    await signInByLink(first, taken.email)

    expect(await isLetIn(second, { key: made.data.createApiKey.key })).toBe(false)
    expect(await isLetIn(second, { key: theirs.data.createApiKey.key })).toBe(true)
    expect((await first.rest('GET', `${agents}/${agent.id}`, { session: colleague })).body.status).toBe('active')
  })

  test('loses the members it invited, and those they invited, with their access', async () => {
    const taken = await takeOver(newEmail())
    const orgId = await onlyOrganizationOf(taken.session)
    const inThere = { headers: { 'x-org-id': orgId } }
    const accomplice = await openSession(first, await signUp(first, newEmail('accomplice')))
    await join(accomplice, await invite(taken.session, orgId))
    const another = await openSession(first, await signUp(first, newEmail('another')))
    await join(another, await invite(accomplice, orgId))
    const unused = await invite(another, orgId)
    const keys: string[] = []
    for (const session of [accomplice, another])
      keys.push((await first.graphql(createKey, undefined, { session, ...inThere })).body.data.createApiKey.key)
    const contact = `/api/crm/v1/contacts/${taken.contact.id}`
    const seen = async () => {
      const statuses: number[] = []
      for (const app of [first, second]) {
        for (const session of [accomplice, another]) statuses.push((await app.rest('GET', contact, { session, ...inThere })).status)
        for (const key of keys) statuses.push((await app.rest('GET', contact, { key })).status)
      }
      return statuses
    }
    expect(await seen()).toEqual(Array(8).fill(200))

    const session = await openSession(second, await signInByLink(second, taken.email))

    expect(await seen()).toEqual([403, 403, 401, 401, 403, 403, 401, 401])
    const late = await openSession(first, await signUp(first, newEmail('late')))
    expect((await join(late, unused)).errors[0].extensions.code).toBe('NOT_FOUND')
    expect((await second.rest('GET', contact, { session })).status).toBe(200)
    expect((await second.rest('GET', `${agents}/${taken.agent.id}`, { session })).body.status).toBe('paused')
    expect(await isLetIn(first, { session: accomplice })).toBe(true)
    expect(await onlyOrganizationOf(accomplice)).not.toBe(orgId)
  })

  test("keeps members who joined by the operator's invitation, or were invited by such members", async () => {
    const taken = await takeOver(newEmail())
    const orgId = await onlyOrganizationOf(taken.session)
    const [given, guest, both] = await Promise.all(
      ['given', 'guest', 'both'].map(async name => openSession(first, await signUp(first, newEmail(name)))),
    )
    if (!given || !guest || !both) throw new Error('three signed up')
    await join(given, await first.given.claim(orgId))
    await join(guest, await invite(given, orgId))
    await join(both, await invite(taken.session, orgId))
    await join(both, await first.given.claim(orgId))
    const { body: made } = await first.graphql(createKey, undefined, { session: given, headers: { 'x-org-id': orgId } })

    await signInByLink(second, taken.email)

    const statuses: number[] = []
    for (const session of [given, guest, both])
      statuses.push((await second.rest('GET', '/api/crm/v1/contacts', { session, headers: { 'x-org-id': orgId } })).status)
    expect(statuses).toEqual([200, 200, 200])
    expect(await isLetIn(second, { key: made.data.createApiKey.key })).toBe(true)
  })

  test('loses a member it invited even if another such member invites them again', async () => {
    const taken = await takeOver(newEmail())
    const orgId = await onlyOrganizationOf(taken.session)
    const accomplice = await openSession(first, await signUp(first, newEmail('accomplice')))
    const another = await openSession(first, await signUp(first, newEmail('another')))
    await join(accomplice, await invite(taken.session, orgId))
    await join(another, await invite(accomplice, orgId))
    await join(accomplice, await invite(another, orgId))

    await signInByLink(second, taken.email)

    expect(await query(database.url, 'select count(*)::int as members from memberships where organization_id = $1', [orgId])).toEqual([
      { members: 1 },
    ])
  })

  test('keeps its organization if it has left it and a member it invited has invited it again', async () => {
    const taken = await takeOver(newEmail())
    const orgId = await onlyOrganizationOf(taken.session)
    const accomplice = await openSession(first, await signUp(first, newEmail('accomplice')))
    await join(accomplice, await invite(taken.session, orgId))
    const leave = 'mutation ($id: ID!) { leaveOrganization(input: { id: $id }) { id } }'
    expect((await first.graphql(leave, { id: orgId }, { session: taken.session })).body.errors).toBeUndefined()
    expect((await join(taken.session, await invite(accomplice, orgId))).errors).toBeUndefined()

    const session = await openSession(second, await signInByLink(second, taken.email))

    expect(await query(database.url, 'select count(*)::int as members from memberships where organization_id = $1', [orgId])).toEqual([
      { members: 1 },
    ])
    const inThere = { session, headers: { 'x-org-id': orgId } }
    expect((await second.rest('GET', `${agents}/${taken.agent.id}`, inThere)).body.status).toBe('paused')
  })

  test('cannot mark its own address as verified', async () => {
    const email = newEmail()
    await idp(first, 'POST', '/sign-up/email', { body: { email, password, name: 'Ada', emailVerified: true } })
    const { body } = await signIn(first, email)

    await idp(first, 'POST', '/update-user', { body: { name: 'Ada', emailVerified: true }, ...bearer(body.token) })

    expect((await signIn(first, email)).body.user.emailVerified).toBe(false)
  })

  test('cannot change its address, neither directly nor by a link that is opened later', async () => {
    const taken = await takeOver(newEmail())

    const asked = await idp(first, 'POST', '/change-email', { body: { newEmail: newEmail('intruder') }, ...bearer(taken.token) })

    expect([asked.status, asked.body.message]).toEqual([400, expect.any(String)])
    expect(first.log.filter(line => line.includes('intruder-'))).toEqual([])
  })
})
