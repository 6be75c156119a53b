// The server's page for choosing a new password, opened by a link in an email.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { idp, isSignedIn, linkFor, newEmail, open, password, signIn, signUp } from '../provider.ts'

const app = await openApp()

async function givenLink(body: object = {}) {
  const email = newEmail()
  const token = await signUp(app, email)
  await idp(app, 'POST', '/request-password-reset', { body: { email, ...body } })
  return { email, token, link: linkFor(app, email, '/reset-password/') }
}
const send = (page: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(page, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: app.url, ...headers } })
const shown = async (link: string) => {
  const response = await fetch(link)
  return { response, html: await response.text() }
}
const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''

describe('a link to a new password', () => {
  test('opens a form that changes the password once and ends all sessions', async () => {
    const { email, token, link } = await givenLink()

    const { response, html } = await shown(link)
    const fields = { token: tokenIn(html), newPassword: 'chosen in a form' }
    const [sent, again] = [await send(response.url, fields), await send(response.url, fields)]

    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect([sent.status, again.status]).toEqual([200, 400])
    expect(await sent.text()).toContain('Your password is changed')
    expect(await again.text()).toContain('used already')
    expect(await isSignedIn(app, token)).toBe(false)
    expect([(await signIn(app, email, 'chosen in a form')).status, (await signIn(app, email, password)).status]).toEqual([200, 401])
  })

  test('refuses a short password, and accepts another one afterwards', async () => {
    const { email, link } = await givenLink()
    const { response, html } = await shown(link)

    const short = await send(response.url, { token: tokenIn(html), newPassword: 'short' })

    expect([short.status, tokenIn(await short.text())]).toEqual([400, tokenIn(html)])
    await send(response.url, { token: tokenIn(html), newPassword: 'long enough now' })
    expect((await signIn(app, email, 'long enough now')).status).toBe(200)
  })

  test("opens the frontend's page if the request named one", async () => {
    const { link } = await givenLink({ redirectTo: '/new-password' })

    expect((await open(link)).headers.get('location')).toMatch(/\/new-password\?token=\w+$/)
  })

  test.each([
    '/choose-password',
    '/choose-password?token=%22%3E%3Cscript%3E',
    '/reset-password/nonsense?callbackURL=/idp/choose-password',
  ])('with an invalid token is refused: %s', async path => {
    const { response, html } = await shown(`${app.url}/idp${path}`)

    expect([response.status, html.includes('used already'), html.includes('<script')]).toEqual([400, true, false])
  })

  test('is refused if the form is sent from another origin', async () => {
    const { link } = await givenLink()
    const { response, html } = await shown(link)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie: 'a=b' }

    expect((await send(response.url, { token: tokenIn(html), newPassword: 'chosen by a page' }, foreign)).status).toBe(403)
  })
})
