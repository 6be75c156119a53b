// Which addresses have an account: where signing up takes an invitation, nobody is told who has neither an invitation nor the password.

import { describe, expect, test } from 'vitest'
import { openApp, startApp } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { bearer, idp, newEmail, password, signUp } from '../provider.ts'

const known = newEmail('known')
const database = await keepOpen(createTestDatabase())
const open = await startApp({ database })
await signUp(open, known)
const token = await signUp(open, newEmail('curious'))
await open.close()

describe.each(['closed', 'invited'])('with SIGN_UP=%s', async policy => {
  const app = await openApp({ database, env: { SIGN_UP: policy, MAIL_LINKS: '1' } })

  test.each([
    ['/sign-up/email', 403],
    ['/sign-in/email', 401],
    ['/sign-in/magic-link', 200],
    ['/request-password-reset', 200],
    ['/send-verification-email', 200],
    // By somebody who is signed in: addresses are not changed here.
    ['/change-email', 400],
  ])('%s answers the same for an address with an account and for one without', async (path, status) => {
    const ask = async (email: string) => {
      const body = { email, newEmail: email, password: `${password}, but wrong`, name: 'Ada' }
      const answer = await idp(app, 'POST', path, { body, ...(path === '/change-email' && bearer(token)) })
      return { status: answer.status, body: answer.body }
    }
    const [first, second, other] = [await ask(known), await ask(known.toUpperCase()), await ask(newEmail('nobody'))]

    expect([first, second]).toEqual([other, other])
    expect(other.status).toBe(status)
  })
})
