// Emails with links: as tasks in the queue, and as delivered.

import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { createTestDatabase, query } from '../../support/database/database.ts'
import { startMailServer } from '../../support/servers/mail.ts'
import { idp, newEmail, open, openSession, password, signIn, signUp } from '../provider.ts'

test('links are encrypted in the queue, are delivered, and work', async () => {
  const database = await createTestDatabase()
  const server = await startMailServer()
  const env = { SMTP_URL: server.url }
  const web = await startApp({ database, env })
  const email = newEmail()
  await signUp(web, email)
  await idp(web, 'POST', '/sign-in/magic-link', { body: { email } })
  await idp(web, 'POST', '/request-password-reset', { body: { email } })
  const queued = async () => JSON.stringify(await query(database.url, 'select j::text as text from pgboss.job j where name = $1', ['mail']))
  const waiting = await queued()

  const worker = await startApp({ database, env: { ...env, ROLES: 'worker' } })
  await expect.poll(() => server.mails.length).toBe(3)

  const linkWith = (path: string) => {
    const mail = server.mails.find(({ to, text }) => to === email && text.includes(path))
    return /https?:\S+/.exec(mail?.text.slice(mail.text.indexOf('\r\n\r\n')) ?? '')?.[0] ?? ''
  }
  const [magic, verify, reset] = [linkWith('/magic-link/verify'), linkWith('/verify-email'), linkWith('/reset-password/')]
  const tokens = [magic, verify].map(link => new URL(link).searchParams.get('token'))
  const [, resetToken] = /reset-password\/([^?]+)/.exec(reset) ?? []
  const kept = waiting + (await queued()) + JSON.stringify(await query(database.url, 'select v::text as text from idp_verifications v'))
  expect(waiting.split(email)).toHaveLength(4)
  for (const token of [...tokens, resetToken]) {
    expect(token).toMatch(/.{20}/)
    expect(kept).not.toContain(token)
  }
  expect(web.log.filter(line => tokens.some(token => token && line.includes(token)))).toEqual([])

  // In another browser than the one that signed up, without its password.
  expect((await fetch(verify, { method: 'POST', redirect: 'manual' })).status).toBe(302)
  expect((await open(magic)).headers.get('set-auth-token')).toMatch(/.{20}/)
  await idp(web, 'POST', '/reset-password', { body: { newPassword: 'a new password', token: resetToken } })
  // Opened without the password, the first link has ended the last one as well.
  expect((await signIn(web, email, 'a new password')).status).toBe(401)

  await worker.close()
  await web.close()
  await server.close()
  await database.drop()
})

test('an invitation, a sign-in link and a password reset arrive, and who follows them gets in', async () => {
  const server = await startMailServer()
  const app = await startApp({ env: { SMTP_URL: server.url, ROLES: 'web,api,session,worker' } })
  const linkTo = async (to: string, path: string) => {
    const bodies = () => server.mails.filter(mail => mail.to === to).map(({ text }) => text.slice(text.indexOf('\r\n\r\n')))
    const links = () => bodies().flatMap(body => body.match(/https?:\S+/g) ?? [])
    await expect.poll(() => links().some(link => link.includes(path))).toBe(true)
    return links().find(link => link.includes(path)) ?? ''
  }
  const { session, orgId } = await app.given.session()
  const email = newEmail('invited')

  await app.graphql(`mutation { inviteMember(input: { email: "${email}", role: ADMIN }) { id } }`, {}, { session })
  const invitation = await linkTo(email, '/claim/')
  const page = await fetch(invitation, { headers: { accept: 'text/html' } })
  const joined = await app.rest('POST', new URL(invitation).pathname, { body: { action: 'sign_up', email, password, name: 'Ada' } })

  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Test organization')])
  expect([joined.status, joined.body.organization]).toEqual([201, { id: orgId, name: 'Test organization', role: 'admin' }])
  const { from, text } = server.mails.find(({ to }) => to === email) ?? { from: '', text: '' }
  expect([from, text]).toEqual([expect.stringMatching(/@/), expect.stringContaining('Subject: An invitation to Rolocom')])

  await idp(app, 'POST', '/sign-in/magic-link', { body: { email } })
  const signedIn = (await open(await linkTo(email, '/magic-link/verify'))).headers.get('set-auth-token') ?? ''
  const member = await openSession(app, signedIn)
  expect((await app.graphql('{ organization { id role } }', {}, { session: member })).body.data.organization).toEqual({
    id: orgId,
    role: 'ADMIN',
  })

  await idp(app, 'POST', '/request-password-reset', { body: { email } })
  const [, token] = /reset-password\/([^?]+)/.exec(await linkTo(email, '/reset-password/')) ?? []
  await idp(app, 'POST', '/reset-password', { body: { newPassword: 'a new password', token } })
  expect([(await signIn(app, email)).status, (await signIn(app, email, 'a new password')).status]).toEqual([401, 200])

  await app.close()
  await server.close()
})
