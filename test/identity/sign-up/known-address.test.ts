// Signing up where mail can be sent: nobody is told whether an address has an account, but the owner of the address.

import { beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { browserOf, nameIn } from '../browser.ts'
import { handshake, idp, jwtOf, newEmail, openSession, password, signIn, signInByLink, signUp } from '../provider.ts'
import { linkIn, startWithMail } from '../with-mail.ts'

const mails = await keepOpen(startWithMail())
const { app, before } = mails

const browser = () => browserOf(app)
/** An answer as it came, without what differs from one request to the next: ids, times and secrets. */
async function answerOf(path: string, body: object, accept = 'application/json') {
  const response = await fetch(app.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app.url, 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  })
  const { email = '' } = body as { email?: string }
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).map(pair => pair.join(': '))
  const neutral = (text: string) =>
    text
      .replaceAll(email.toLowerCase(), '<email>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '<id>')
      .replace(/"createdAt":"([^"]+)","updatedAt":"\1"/g, '"createdAt":"<time>","updatedAt":"<time>"')
      .replace(/(rcm\.signed-up=|rcm\.asked=)[\w-]{22,43};/, '$1<secret>;')
  return neutral([response.status, ...headers, await response.text()].join('\n'))
}

// The same length, because Content-Length is compared as well.
const ofEqualLength = (name: string) => newEmail(name.padEnd(12, '-')).padStart(40, 'x')
const accounts: [kind: string, make: (email: string) => Promise<unknown>][] = [
  ['that is verified', email => signInByLink(before, email)],
  ['that is in use and not verified', async email => openSession(before, await signUp(before, email))],
  ['that waits for its address to be verified', email => answerOf('/idp/sign-up/email', { email, password, name: 'Ada' })],
]

describe.each(accounts)('an address with an account %s', (_kind, make) => {
  let known: string
  beforeAll(async () => {
    known = ofEqualLength('known')
    await make(known)
  })

  test.each([
    ['/idp/sign-up/email', { password: `${password}, another`, name: 'Ada' }, 200],
    ['/idp/sign-up/email', { password: 'short', name: 'Ada' }, 400],
    ['/idp/sign-in/email', { password: `${password}, wrong` }, 401],
    ['/idp/sign-in/magic-link', {}, 200],
    ['/idp/request-password-reset', {}, 200],
    ['/idp/send-verification-email', {}, 200],
  ])('%s %o: is answered as one without', async (path, body, status) => {
    const unknown = ofEqualLength('nobody')
    const first = await answerOf(path, { email: unknown, ...body })

    expect(await answerOf(path, { email: known, ...body })).toBe(first)
    expect(first.split('\n')[0]).toBe(`${status}`)
  })

  test('signing up, and then in, are answered as for one without', async () => {
    const unknown = ofEqualLength('nobody')
    const both = async (email: string) => {
      const secret = `${password}, a third`
      return [
        await answerOf('/idp/sign-up/email', { email, password: secret, name: 'Ada' }),
        await answerOf('/idp/sign-in/email', { email, password: secret }),
        await answerOf('/idp/sign-in/email', { email, password: 'wrong' }),
      ]
    }
    const answers = await both(unknown)

    expect(await both(known)).toEqual(answers)
    expect(answers[1]).toBe(answers[2])
  })

  test('several sign-ups at once are answered as for one without', async () => {
    const many = async (email: string) => {
      const ask = () => answerOf('/idp/sign-up/email', { email, password, name: 'Ada' })
      return new Set(await Promise.all(Array.from({ length: 8 }, ask)))
    }
    const answers = await many(ofEqualLength('nobody'))

    expect(await many(known)).toEqual(answers)
    expect(answers.size).toBe(1)
  })

  test.each(['application/json', 'text/html'])('the one-use address of an invitation answers as for one without, in %s', async accept => {
    const { orgId } = await app.given.organization()
    const path = `/claim/${await mails.app.given.claim(orgId)}`
    const body = { action: 'sign_up', password, name: 'Ada' }
    const first = await answerOf(path, { email: ofEqualLength('nobody'), ...body }, accept)

    expect(await answerOf(path, { email: known, ...body }, accept)).toBe(first)
    expect([first.split('\n')[0], first]).toEqual(['202', expect.stringContaining('mail')])
  })
})

test('the owner of an address with an account is told that somebody tried to sign up, and keeps everything', async () => {
  const email = newEmail('owner')
  const session = await openSession(before, await signUp(before, email))
  await mails.signedUp(email.toUpperCase(), 'an attacker chose this')

  const text = await mails.mailed(email)

  expect(text).toMatch(/tried to sign up/)
  expect(linkIn(text)).toBe(`${app.url}/sign-in`)
  expect([(await signIn(app, email)).status, (await signIn(app, email, 'an attacker chose this')).status]).toEqual([200, 401])
  expect((await app.graphql('{ me { email } }', {}, { session })).body.data.me.email).toBe(email)
})

describe('the link that verifies an address', () => {
  test('signs in the browser that signed up, once, and leaves the password', async () => {
    const email = newEmail()
    const mine = await mails.signedUp(email)
    expect([await nameIn(mine), (await signIn(app, email)).status]).toEqual([null, 401])
    const link = linkIn(await mails.mailed(email))

    expect(await mine('GET', link)).toMatchObject({ status: 302, location: '/sign-in/finish' })
    expect([await nameIn(mine), (await signIn(app, email)).body.user.emailVerified]).toEqual([email, true])
    const again = browser()
    await again('GET', link)
    expect(await nameIn(again)).toBe(null)
  })

  test('leaves the password also where the mail was sent again', async () => {
    const email = newEmail()
    const mine = await mails.signedUp(email)
    await mine('POST', '/idp/send-verification-email', { email, callbackURL: '/sign-in/finish' })
    const link = linkIn(await mails.mailed(email, 2))

    expect(await mine('GET', link)).toMatchObject({ status: 302 })
    expect((await signIn(app, email)).status).toBe(200)
  })

  test('asks for the password in any other browser, which leaves it and signs in', async () => {
    const email = newEmail()
    await mails.signedUp(email)
    const link = linkIn(await mails.mailed(email))
    const other = browser()

    // Programs that look at mails ask by HEAD, or by GET.
    await other('HEAD', link)
    const asked = await other('GET', link)
    expect((await signIn(app, email)).status).toBe(401)
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining(`Sign in as ${email}?`)])
    const wrong = await other('POST', link, new URLSearchParams({ way: 'password', password: 'wrong horse battery' }))
    expect([wrong.status, wrong.text, await nameIn(other)]).toEqual([400, expect.stringContaining('role="alert"'), null])

    expect(await other('POST', link, new URLSearchParams({ way: 'password', password }))).toMatchObject({ status: 302 })
    expect([await nameIn(other), (await signIn(app, email)).status]).toEqual([email, 200])
  })

  test('ends a password that the owner of the address does not know', async () => {
    const email = newEmail()
    const attacker = await mails.signedUp(email, 'an attacker chose this')
    const owner = browser()
    const link = linkIn(await mails.mailed(email))

    expect((await owner('GET', link)).text).toContain(`Sign in as ${email}?`)
    expect(await owner('POST', link, new URLSearchParams({ way: 'link' }))).toMatchObject({ status: 302 })

    expect([await nameIn(owner), await nameIn(attacker)]).toEqual([email, null])
    expect((await signIn(app, email, 'an attacker chose this')).status).toBe(401)
  })

  test('asks where somebody else is signed in', async () => {
    const [mine, other] = [newEmail(), newEmail('other')]
    const one = await mails.signedUp(mine)
    await one('GET', linkIn(await mails.mailed(mine)))
    await one('POST', '/idp/sign-up/email', { email: other, password, name: 'Ada' })

    const asked = await one('GET', linkIn(await mails.mailed(other)))

    expect(asked.text).toContain(`signed in as <strong>${mine}</strong>`)
    expect(await nameIn(one)).toBe(mine)
  })

  test('of an earlier sign-up does not leave the password of a later one, by somebody else', async () => {
    const email = newEmail()
    const mine = await mails.signedUp(email)
    const link = linkIn(await mails.mailed(email))
    await mails.signedUp(email, 'an attacker chose this')

    expect((await mine('GET', link)).text).toContain(`Sign in as ${email}?`)
    await mine('POST', link, new URLSearchParams({ way: 'link' }))

    expect((await signIn(app, email, 'an attacker chose this')).status).toBe(401)
  })
})

test('who signs up again before verifying is sent another link, and has the password chosen last', async () => {
  const email = newEmail()
  await mails.signedUp(email, 'an earlier password')
  await mails.mailed(email)
  await idp(app, 'POST', '/request-password-reset', { body: { email } })
  const [, reset] = /reset-password\/([^?]+)/.exec(await mails.mailed(email, 2)) ?? []
  const mine = await mails.signedUp(email)

  await mine('GET', linkIn(await mails.mailed(email, 3)))

  expect([(await signIn(app, email)).status, (await signIn(app, email, 'an earlier password')).status]).toEqual([200, 401])
  expect((await idp(app, 'POST', '/reset-password', { body: { newPassword: 'a new password', token: reset } })).status).toBe(400)
})

test('429: attempts with an address that has an account count as new users', async () => {
  const limited = await startApp({ database: mails.database, env: { SMTP_URL: mails.smtpUrl, RATE_LIMIT: '1', SIGN_UPS_PER_HOUR: '3' } })
  const known = newEmail('known')
  await signInByLink(before, known)
  const ask = async (email: string, secret = password) =>
    (await idp(limited, 'POST', '/sign-up/email', { body: { email, password: secret, name: 'Ada' } })).status

  // What is refused for its form is not counted.
  expect(await ask(known, 'short')).toBe(400)
  const statuses = [await ask(known), await ask(newEmail()), await ask(known), await ask(known), await ask(newEmail())]
  await limited.close()

  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test('an account that was in use before mail could be sent goes on by its password', async () => {
  const email = newEmail('earlier')
  await openSession(before, await signUp(before, email))

  const { status, body } = await signIn(app, email)

  expect([status, (await handshake(app, await jwtOf(app, body.token))).status]).toEqual([200, 201])
})
