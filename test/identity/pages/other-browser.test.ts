// Links that sign in: at once in the browser that asked for them, and only after a question in any other.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { type Browser, browserOf, nameIn } from '../browser.ts'
import { linkFor, newEmail, password } from '../provider.ts'

const app = await openApp()

const browser = () => browserOf(app)

const callbackURL = '/sign-in/finish'
async function linkAskedFor(email: string, by: Browser): Promise<string> {
  expect((await by('POST', '/idp/sign-in/magic-link', { email, callbackURL })).status).toBe(200)
  return linkFor(app, email, '/magic-link/verify')
}
const signedUp = async (email: string) => {
  const one = browser()
  await one('POST', '/idp/sign-up/email', { email, password, name: 'Ada' })
  return one
}
const finished = { status: 302, location: expect.stringContaining(callbackURL) }

describe('a link to sign in', () => {
  test('signs in the browser that asked for it, also where an earlier link was asked for', async () => {
    const mine = browser()
    const email = newEmail()
    const first = await linkAskedFor(email, mine)
    await linkAskedFor(email, mine)

    expect(await mine('GET', first)).toMatchObject(finished)
    expect(await nameIn(mine)).toBe(email)
  })

  test("somebody else's does not replace the session of a person, who is asked and told both accounts", async () => {
    const email = newEmail('other')
    const other = await signedUp(email)
    const attacker = newEmail('attacker')
    const link = await linkAskedFor(attacker, browser())

    const asked = await other('GET', link)

    expect([asked.status, asked.location]).toEqual([200, null])
    expect(asked.text).toContain(`Sign in as ${attacker}?`)
    expect(asked.text).toContain(`signed in as <strong>${email}</strong>`)
    expect(await nameIn(other)).toBe(email)
  })

  test("asks in a browser that did not request it, without its parameter, and with another link's parameter", async () => {
    const email = newEmail()
    const link = new URL(await linkAskedFor(email, browser()))
    const other = browser()
    await linkAskedFor(newEmail(), other)
    const [without, foreign] = [new URL(link), new URL(link)]
    without.searchParams.delete('browser')
    foreign.searchParams.set('browser', '')

    for (const [one, url] of [
      [browser(), link],
      [other, link],
      [browser(), without],
      [other, foreign],
    ] as const) {
      expect(await one('GET', url.href)).toMatchObject({ status: 200, text: expect.stringContaining(`Sign in as ${email}?`) })
      expect(await nameIn(one)).toBe(null)
    }
  })

  test('asks the browser that requested it, when another user is signed in there', async () => {
    const [mine, other] = [newEmail(), newEmail()]
    const one = await signedUp(mine)
    const link = await linkAskedFor(other, one)

    expect((await one('GET', link)).text).toContain(`Sign in as ${other}?`)
    expect(await nameIn(one)).toBe(mine)

    // Agreed to, from the page's own form.
    expect(await one('POST', link)).toMatchObject(finished)
    expect(await nameIn(one)).toBe(other)
    expect(await one('GET', link)).toMatchObject({ status: 302, location: expect.stringContaining('INVALID_TOKEN') })
  })
})
