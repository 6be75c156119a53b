// E-mails with links: as tasks in the queue, and as delivered.

import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { createTestDatabase, query } from '../../support/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { idp, newEmail, open, signIn, signUp } from '../provider.ts'

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

  expect((await open(verify)).status).toBe(302)
  expect((await open(magic)).headers.get('set-auth-token')).toMatch(/.{20}/)
  await idp(web, 'POST', '/reset-password', { body: { newPassword: 'a new password', token: resetToken } })
  // Opened without the session that signed up, the first link has ended the last one as well.
  expect((await signIn(web, email, 'a new password')).status).toBe(401)

  await worker.close()
  await web.close()
  await server.close()
  await database.drop()
})
