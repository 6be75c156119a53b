// Two processes on one database, one of which sends mail, and the mails that it has sent.

import { expect } from 'vitest'
import { startApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { startMailServer } from '../support/servers/mail.ts'
import { type Browser, browserOf } from './browser.ts'
import { password } from './provider.ts'

export async function startWithMail() {
  const database = await createTestDatabase()
  const mailServer = await startMailServer()
  /** Without a mail server, as before SMTP_URL was set. */
  const before = await startApp({ database })
  const app = await startApp({ database, env: { SMTP_URL: mailServer.url, ROLES: 'web,api,session,worker' } })
  // Loads the provider, which takes seconds on a busy machine.
  await Promise.all([before, app].map(one => one.rest('GET', '/idp/ok')))

  const bodiesTo = (email: string) =>
    mailServer.mails.filter(({ to }) => to === email).map(({ text }) => text.slice(text.indexOf('\r\n\r\n')))
  return {
    app,
    before,
    database,
    smtpUrl: mailServer.url,
    bodiesTo,
    /** The text of the last mail to the address, once there are `n` of them. */
    async mailed(email: string, n = 1): Promise<string> {
      await expect.poll(() => bodiesTo(email).length, { timeout: 10_000 }).toBe(n)
      return bodiesTo(email).at(-1) ?? ''
    },
    /** A browser that has signed up. */
    async signedUp(email: string, secret = password): Promise<Browser> {
      const mine = browserOf(app)
      await mine('POST', '/idp/sign-up/email', { email, password: secret, name: 'Ada', callbackURL: '/sign-in/finish' })
      return mine
    },
    async close(): Promise<void> {
      await app.close()
      await before.close()
      await mailServer.close()
      await database.drop()
    },
  }
}

export const linkIn = (text: string) => /https?:\S+/.exec(text)?.[0] ?? ''
