// Invitations by mail: made, listed, sent again and revoked, and used by nobody but the person who has the address.

import { describe, expect, test } from 'vitest'
import { type Json, openApp, startApp } from '../../support/app.ts'
import { startMailServer } from '../../support/servers/mail.ts'
import { linkFor, newEmail, openSession, password, signInByLink, signUp } from '../provider.ts'

const app = await openApp({ env: { SIGN_UP: 'open' } })

const ask = async (session: string, field: string): Promise<Json> => {
  const { body } = await app.graphql(`mutation { done: ${field} }`, {}, { session })
  return body.errors?.[0].extensions.code ?? body.data.done
}
const invite = (session: string, email: string, role = 'MEMBER') =>
  ask(session, `inviteMember(input: { email: "${email}", role: ${role} }) { id email role token address expiresAt invitedBy { name } }`)
const listed = async (session: string) => (await app.graphql('{ invitations { email role } }', {}, { session })).body.data.invitations
const claimPath = (email: string) => new URL(linkFor(app, email, '/claim/')).pathname
const tokenIn = (path: string) => path.split('/').at(-1)
const use = (path: string, body: Json) => app.rest('POST', path, { body: { action: 'sign_up', password, name: 'Ada', ...body } })
const claim = (session: string, path: string) => ask(session, `claimOrganization(input: { token: "${tokenIn(path)}" }) { id role }`)
const members = async (orgId: string) =>
  (await app.services.database.prisma.membership.findMany({ where: { organizationId: orgId, invitedById: { not: null } } })).map(
    ({ userId, role }) => ({ userId, role }),
  )

describe('an invitation by mail', () => {
  test('is used by signing up with its address, which is verified by that; nobody is shown its token', async () => {
    const { session, orgId } = await app.given.session()
    const email = newEmail('Invited')

    expect(await invite(session, ` ${email} `, 'VIEWER')).toEqual({
      ...{ id: expect.any(String), email: email.toLowerCase(), role: 'VIEWER', token: null, address: null },
      ...{ expiresAt: expect.any(String), invitedBy: { name: 'Test User' } },
    })
    expect(await listed(session)).toEqual([{ email: email.toLowerCase(), role: 'VIEWER' }])
    const path = claimPath(email.toLowerCase())
    const elsewhere = await use(path, { email: newEmail() })
    const { status, body } = await use(path, { email })

    expect([elsewhere.status, elsewhere.body.detail]).toEqual([403, expect.stringContaining(email.toLowerCase())])
    expect([status, body.organization]).toEqual([201, { id: orgId, name: 'Test organization', role: 'viewer' }])
    expect(await members(orgId)).toEqual([{ userId: body.user_id, role: 'viewer' }])
    expect(
      await app.services.database.prisma.idpUser.findMany({ where: { email: email.toLowerCase() }, select: { emailVerified: true } }),
    ).toEqual([{ emailVerified: true }])
    expect(await listed(session)).toEqual([])
    expect((await use(path, { email })).status).toBe(404)
    const events = await app.services.database.prisma.event.findMany({ where: { orgId }, orderBy: { id: 'asc' } })
    expect(events.map(({ type }) => type).filter(type => !type.startsWith('session.'))).toEqual([
      'organization.created',
      'invitation.created',
      'organization.joined',
    ])
  })

  test('is refused to other users, and to who has not verified the address, without being used up', async () => {
    const { session, orgId } = await app.given.session()
    const email = newEmail()
    await invite(session, email, 'ADMIN')
    const path = claimPath(email)
    const stranger = await openSession(app, await signInByLink(app, newEmail('stranger')))
    const squatter = await openSession(app, await signUp(app, email, 'another password'))

    expect(await claim(stranger, path)).toBe('FORBIDDEN')
    expect(await claim(squatter, path)).toBe('FORBIDDEN')
    expect((await use(path, { action: 'sign_in', email })).status).toBe(401)
    expect(await members(orgId)).toEqual([])

    // The owner of the address signs in by a link, which ends what the squatter has made.
    const real = await openSession(app, await signInByLink(app, email))
    expect(await claim(real, path)).toEqual({ id: orgId, role: 'ADMIN' })
    expect((await app.graphql('{ me { userId } }', {}, { session: squatter })).body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  test('is sent again with a new link, at most once a minute, and can be taken back', async () => {
    const { session } = await app.given.session()
    const email = newEmail()
    const { id } = await invite(session, email)
    const first = claimPath(email)
    const resend = `resendInvitation(input: { id: "${id}" }) { email }`

    expect(await ask(session, resend)).toBe('RATE_LIMITED')
    app.setNow(new Date(Date.now() + 61_000))
    expect(await ask(session, resend)).toEqual({ email })
    app.setNow(null)

    const again = claimPath(email)
    expect((await app.rest('GET', first)).status).toBe(404)
    expect((await app.rest('GET', again)).body).toMatchObject({ organization: { name: 'Test organization' }, role: 'member' })
    expect(await ask(session, `revokeInvitation(input: { id: "${id}" }) { email revokedAt }`)).toEqual({
      email,
      revokedAt: expect.any(String),
    })
    expect((await use(again, { email })).status).toBe(404)
    expect([await ask(session, resend), await ask(session, `revokeInvitation(input: { id: "${id}" }) { id }`)]).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ])
  })

  test('that is taken back cannot be made again for a minute, so that nobody is sent one mail after the other', async () => {
    const { session } = await app.given.session()
    const email = newEmail()
    const { id } = await invite(session, email)
    await ask(session, `revokeInvitation(input: { id: "${id}" }) { id }`)

    expect(await invite(session, email.toUpperCase())).toBe('RATE_LIMITED')
    expect(await invite(session, newEmail())).toMatchObject({ role: 'MEMBER' })
    app.setNow(new Date(Date.now() + 61_000))
    expect(await invite(session, email)).toMatchObject({ role: 'MEMBER' })
    app.setNow(null)
  })

  test('is refused for members, invited and malformed addresses, and for an owner if an admin invites', async () => {
    const { session, orgId, userId } = await app.given.session()
    const { session: admin } = await app.given.member({ orgId, role: 'admin' })
    const stranger = await app.given.session()
    const { id } = await invite(session, 'heir@example.com', 'OWNER')

    expect(await invite(session, 'HEIR@example.com')).toBe('CONFLICT')
    expect(await invite(session, `${userId}@example.com`.toUpperCase())).toBe('CONFLICT')
    expect(await invite(session, 'nobody')).toBe('INVALID')
    expect(await invite(admin, newEmail(), 'OWNER')).toBe('FORBIDDEN')
    expect(await ask(admin, `revokeInvitation(input: { id: "${id}" }) { id }`)).toBe('FORBIDDEN')
    expect(await ask(stranger.session, `revokeInvitation(input: { id: "${id}" }) { id }`)).toBe('NOT_FOUND')
    expect(await listed(admin)).toEqual([{ email: 'heir@example.com', role: 'OWNER' }])
  })

  test('ends with the membership of who made it', async () => {
    const { session, orgId } = await app.given.session()
    const { session: admin, userId } = await app.given.member({ orgId, role: 'admin' })
    const email = newEmail()
    await invite(admin, email)

    await ask(session, `changeMemberRole(input: { userId: "${userId}", role: MEMBER }) { id }`)

    expect(await listed(session)).toEqual([])
    expect((await use(claimPath(email), { email })).status).toBe(404)
  })
})

describe('mails of invitations within 24 hours', async () => {
  const limited = await openApp({ env: { INVITATION_MAILS_PER_DAY: '4', INVITATION_MAILS_PER_ADDRESS: '3' } })

  const send = async (session: string, field: string, to = limited) => {
    const { body } = await to.graphql(`mutation { done: ${field} { id } }`, {}, { session })
    const [error] = body.errors ?? []
    return error ? [error.extensions.code, error.message, error.extensions.retryAfter] : body.data.done.id
  }
  const inviting = (email: string) => `inviteMember(input: { email: "${email}" })`
  const hour = 3_600_000

  test('are limited for an organization, reminders and revoked ones included, by all processes together', async () => {
    const other = await startApp({ database: limited.database, env: { INVITATION_MAILS_PER_DAY: '4', INVITATION_MAILS_PER_ADDRESS: '3' } })
    const setNow = (time: Date | null) => {
      for (const app of [limited, other]) app.setNow(time)
    }
    const { session } = await limited.given.session()
    const begin = Date.now()
    const id = await send(session, inviting(newEmail()))
    setNow(new Date(begin + hour + 60_000))
    await send(session, `resendInvitation(input: { id: "${id}" })`)
    await send(session, `revokeInvitation(input: { id: "${id}" })`)
    await send(session, inviting(newEmail()))

    const both = await Promise.all([send(session, inviting(newEmail())), send(session, inviting(newEmail()), other)])

    expect(both.filter(answer => typeof answer === 'string')).toHaveLength(1)
    expect(both.find(answer => typeof answer !== 'string')).toEqual([
      'RATE_LIMITED',
      "The organization sent 4 mails of invitations within 24 hours (the operator's setting INVITATION_MAILS_PER_DAY); try again in 23 h",
      expect.closeTo(23 * 3600 - 60, -2),
    ])
    expect(await send((await limited.given.session()).session, inviting(newEmail()))).toEqual(expect.any(String))
    setNow(new Date(begin + 24 * hour + 60_000))
    expect(await send(session, inviting(newEmail()))).toEqual(expect.any(String))
    setNow(null)
    await other.close()
  })

  test('are limited for an address, whichever organizations send them, at once too', async () => {
    const email = newEmail()
    const owners = await Promise.all(Array.from({ length: 5 }, () => limited.given.session()))

    const answers = await Promise.all(owners.map(({ session }) => send(session, inviting(email))))

    expect(answers.filter(answer => typeof answer === 'string')).toHaveLength(3)
    const sentence = `${email} was sent 3 invitations within 24 hours (the operator's setting INVITATION_MAILS_PER_ADDRESS); try again in 24 h`
    const refusal = ['RATE_LIMITED', sentence, expect.closeTo(24 * 3600, -2)]
    expect(answers.filter(answer => typeof answer !== 'string')).toEqual([refusal, refusal])
  })

  test('are limited for a mailbox, however its address is written', async () => {
    const name = newEmail().split('@')[0]
    const owners = await Promise.all(Array.from({ length: 5 }, () => limited.given.session()))

    const answers = await Promise.all(owners.map(({ session }, n) => send(session, inviting(`${name}+${n}@example.com`))))

    expect(answers.filter(answer => typeof answer === 'string')).toHaveLength(3)
  })
})

test('a mail says who invites by a name without links, or by an address that is verified', async () => {
  const server = await startMailServer()
  const mailing = await startApp({ database: app.database, env: { SMTP_URL: server.url, ROLES: 'web,api,session,worker' } })
  const { prisma } = app.services.database
  const invited = async (name: string | null, isVerified: boolean, organization: string) => {
    const { session, orgId, userId } = await app.given.session()
    const from = `${userId}@boss.example`
    await prisma.user.update({ where: { id: userId }, data: { name, email: from } })
    const times = { createdAt: new Date(), updatedAt: new Date() }
    await prisma.idpUser.create({ data: { id: userId, email: from, name: '', emailVerified: isVerified, ...times } })
    await prisma.organization.update({ where: { id: orgId }, data: { name: organization } })
    const to = newEmail().toLowerCase()
    await mailing.graphql('mutation ($email: String!) { inviteMember(input: { email: $email }) { id } }', { email: to }, { session })
    await expect.poll(() => server.mails.some(mail => mail.to === to), { timeout: 10_000 }).toBe(true)
    const [, line] = /\r\n\r\n(.*?)\r\n\r\n/s.exec(server.mails.find(mail => mail.to === to)?.text ?? '') ?? []
    return Buffer.from(line ?? '', 'latin1')
      .toString()
      .replace(from, 'FROM')
      .replaceAll('\r\n', ' ')
  }

  expect(await invited(null, false, 'A')).toMatch(/^Somebody invites you to "A"/)
  expect(await invited(null, true, 'A')).toMatch(/^FROM invites you to "A"/)
  expect(await invited('Ada\u202e\n', false, 'Pay at evil.example/now or http://evil.example\u0085')).toMatch(
    /^Ada invites you to "Pay at evil\.\u2060example\/now or http: \/\/evil\.\u2060example" on Rolocom/,
  )
  await mailing.close()
  await server.close()
})
