// The limit of password attempts for one account, counted over all IP addresses.

import { describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { query } from '../../support/database/database.ts'
import { keepOpen } from '../../support/open.ts'
import { idp, isSignedIn, linkFor, newEmail, password, signInByLink, signUp } from '../provider.ts'
import { startTwoProcesses } from '../two-processes.ts'

const { database, first, second } = await keepOpen(startTwoProcesses({ RATE_LIMIT: '1', TRUST_PROXY: '1' }))

let addresses = 0
const tryPassword = (app: TestApp, email: string, secret: string) => {
  const n = ++addresses
  return idp(app, 'POST', '/sign-in/email', {
    body: { email, password: secret },
    headers: { 'x-forwarded-for': `10.1.${n >> 8}.${n & 255}` },
  })
}
/** Sends wrong passwords, five at a time. Resolves with the sorted statuses. */
async function guess(email: string, count: number): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < count) {
    const left = Math.min(5, count - statuses.length)
    const answers = Array.from({ length: left }, (_, n) => tryPassword(n % 2 ? first : second, email, `wrong password ${n}`))
    statuses.push(...(await Promise.all(answers)).map(({ status }) => status))
  }
  return statuses.sort()
}

describe('after twenty wrong passwords for an account', () => {
  test('no password is accepted for a while, in any process and from any address; other accounts are not affected', async () => {
    const email = newEmail()
    await signUp(first, email)
    const other = newEmail()
    await signUp(first, other)

    const guessed = await guess(email, 25)

    expect(guessed).toEqual([...Array(20).fill(401), ...Array(5).fill(429)])
    for (const app of [first, second]) {
      const { status, headers, body } = await tryPassword(app, email.toUpperCase(), password)
      expect({ status, body }).toEqual({
        status: 429,
        body: { code: 'TOO_MANY_ATTEMPTS', message: expect.stringContaining('sign in with a link') },
      })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(800)
    }
    expect((await tryPassword(first, other, password)).status).toBe(200)
    expect((await tryPassword(first, newEmail('nobody'), password)).status).toBe(401)
  })

  test('who is signed in cannot try others by changing the password, and changing it resets the count', async () => {
    const email = newEmail()
    const token = await signUp(first, email)
    const change = (currentPassword: string) =>
      idp(second, 'POST', '/change-password', {
        // The address of somebody else changes nothing.
        body: { currentPassword, newPassword: 'a new password', email: newEmail('else') },
        headers: { authorization: `Bearer ${token}` },
      })
    const statuses = []
    for (let n = 0; n < 10; n++) statuses.push((await change(`wrong password ${n}`)).status)
    statuses.push(...(await guess(email, 9)))

    expect(statuses).toEqual([...Array(10).fill(400), ...Array(9).fill(401)])
    expect((await change(password)).status).toBe(200)
    for (let n = 0; n < 20; n++) await change(`wrong password ${n}`)
    expect(await change('a new password')).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } })
    expect((await tryPassword(first, email, 'a new password')).status).toBe(429)
  })

  test('its owner can sign in by a link, or with a new password', async () => {
    const email = newEmail()
    await signUp(first, email)
    await guess(email, 21)

    expect(await isSignedIn(first, await signInByLink(first, email))).toBe(true)
    await idp(first, 'POST', '/request-password-reset', { body: { email } })
    const [, token] = /reset-password\/([^?]+)/.exec(linkFor(first, email, '/reset-password/')) ?? []
    await idp(first, 'POST', '/reset-password', { body: { newPassword: 'a new password', token } })

    expect((await tryPassword(second, email, 'a new password')).status).toBe(200)
  })

  test('after 15 minutes passwords are accepted again, and a correct one resets the count', async () => {
    const email = newEmail()
    await signUp(first, email)
    await guess(email, 21)
    await query(database.url, `update idp_sign_in_attempts set began_at = began_at - interval '15 minutes'`)

    const statuses = []
    for (const secret of ['wrong password', password]) statuses.push((await tryPassword(first, email, secret)).status)

    expect(statuses).toEqual([401, 200])
    expect(await guess(email, 20)).toEqual(Array(20).fill(401))
  })
})
