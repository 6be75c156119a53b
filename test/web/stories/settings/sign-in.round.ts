// Signing in, up and out.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { startMailServer } from '../../../support/servers/mail.ts'
import { tell } from '../../support/story.ts'

tell({
  'a stranger signs up, and is led to what they came for': async ({ open }, look) => {
    const page = await open('/contacts')
    await page.waitForURL('**/sign-in?*')
    await page.getByText('Sign up', { exact: true }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    // Every problem stands at its field, and the first has the focus.
    await page.getByText('Enter your name').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('autocomplete')), 'name')
    await look(page, 'sign up with problems')

    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill(`ada-${randomUUID().slice(0, 8)}@example.com`)
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/contacts')
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  },

  'where mail can be sent, a stranger verifies the address first': async ({ open, tab, restart, claimAddress, expects }, look) => {
    const mailServer = await startMailServer()
    await restart({ environment: { SMTP_URL: mailServer.url } })
    const linkTo = (email: string) =>
      vi.waitFor(
        () => {
          const mail = mailServer.mails.find(({ to }) => to === email)?.text ?? ''
          return new URL(/https?:\S+/.exec(mail.slice(mail.indexOf('\r\n\r\n')))?.[0] ?? 'none')
        },
        { timeout: 10_000 },
      )
    const password = 'correct horse battery'
    const email = `ada-${randomUUID().slice(0, 8)}@example.com`
    const page = await open('/sign-in?mode=sign-up&back=%2Fcontacts')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await look(page, 'check your mail')
    const { pathname, search } = await linkTo(email)

    // On another device the page asks for the password.
    const other = await open(pathname + search)
    await other.getByRole('heading', { name: `Sign in as ${email}?` }).waitFor()
    await look(other, 'verify elsewhere')
    expects(other, /status of 400/)
    await other.getByLabel('Password').fill('wrong horse battery')
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.getByRole('alert').waitFor()
    await look(other, 'verify elsewhere refused')

    const second = await tab(page, pathname + search)
    await second.waitForURL('**/contacts')
    await second.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()

    // By the one-use address of an invitation.
    const address = await claimAddress()
    const invited = `bob-${randomUUID().slice(0, 8)}@example.com`
    const claim = await open(address)
    await claim.getByLabel('Name').fill('Bob Kahn')
    await claim.getByLabel('Email').fill(invited)
    await claim.getByRole('textbox', { name: 'Password' }).fill(password)
    await claim.getByRole('button', { name: 'Create account and join' }).click()
    await claim.getByText(/A mail is on its way/).waitFor()
    await look(claim, 'claim, check your mail')
    const verify = await linkTo(invited)
    const verified = await tab(claim, verify.pathname + verify.search)
    await verified.getByRole('heading', { name: 'Your address is verified' }).waitFor()
    await look(verified, 'claim, verified')
    await claim.getByRole('button', { name: 'Sign in and join' }).click()
    await claim.waitForURL('**/home')

    await Promise.all([page, other, claim].map(one => one.context().close()))
    await mailServer.close()
    await restart()
  },

  'a wrong password says so, the right one signs in, in all tabs': async ({ open, tab, person, expects }, look) => {
    const ada = await person()
    const page = await open('/sign-in')
    expects(page, /status of 401.*\/idp\/sign-in/)
    const other = await tab(page, '/sign-in')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong horse battery')
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })
    await submit.click()
    await page.getByRole('alert').waitFor()
    await look(page, 'sign in refused')

    await page.getByRole('textbox', { name: 'Password' }).fill(ada.password)
    await submit.click()
    await page.waitForURL('**/home')
    await other.waitForURL('**/home')
  },

  'who signs out is led back after signing in again, and Back goes on where they were': async ({ open, person }) => {
    const ada = await person()
    const page = await open('/contacts', { as: ada })
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    // Gone where the document is loaded again.
    await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
    await page.getByRole('link', { name: 'Tasks' }).click()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await page.getByRole('button', { name: ada.name, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Rolocom' }).waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)

    // What is before in the history belongs to somebody who is signed in.
    await page.goBack()
    await page.waitForURL('**/sign-in?back=%2Fcontacts')
    await page.goForward()
    await page.waitForURL('**/sign-in?back=%2Ftasks')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ada.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/tasks')
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await page.goBack()
    await page.waitForURL('**/contacts')
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    assert.equal(await page.evaluate(() => 'isSameDocument' in globalThis), true)
  },

  'a guest signs up from the demo, and the pages before the app are in the history': async ({ open }) => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in to Rolocom' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await page.waitForURL('**/home')
    await page.getByRole('note').getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    assert.equal(new URL(page.url()).search, '?mode=sign-up')

    await page.goto(new URL('/contacts?nothing=like-this', page.url()).href)
    await page.waitForURL('**/sign-in?back=%2Fcontacts%3Fnothing%3Dlike-this')
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await page.waitForURL('**/contacts')
    await page.getByText(/does not know them: nothing=like-this/).waitFor()
  },

  'a link to a new password is asked for, and a used one says so': async ({ open }, look) => {
    const page = await open('/sign-in')
    await page.getByRole('button', { name: 'Forgot the password?' }).click()
    await look(page, 'forgotten password')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(/If nobody@example.com has an account/).waitFor()
    await look(page, 'password link sent')

    await page.goto(new URL('/reset-password?token=abcdefghijklmnop', page.url()).href)
    await look(page, 'new password')
    await page.goto(new URL('/reset-password?error=INVALID_TOKEN', page.url()).href)
    await page.getByText(/used already/).waitFor()
  },

  'a link by mail signs in, once': async ({ open, person, mailedLink }, look) => {
    const ada = await person()
    const page = await open('/sign-in?back=%2Fcontacts')
    await page.getByRole('button', { name: 'Send me a link by mail' }).click()
    await page.getByLabel('Email').fill(ada.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    const link = await mailedLink(ada.email)
    await page.goto(link)
    await page.waitForURL('**/contacts')
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()

    const other = await open(new URL(link).pathname + new URL(link).search)
    await other.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await look(other, 'link used')
  },

  'the end of a sign-in asks before it replaces the session of another user': async ({ open, person, tab }, look) => {
    const [ada, bob] = [await person(), await person()]
    const home = await open('/home', { as: bob })
    await home.getByRole('heading', { level: 1 }).waitFor()
    // The cookie of the identity provider is Ada's, as a link of somebody else's mail leaves it.
    const origin = new URL(home.url()).origin
    const signedIn = await home.context().request.post(`${origin}/idp/sign-in/email`, {
      headers: { origin },
      data: { email: ada.email, password: ada.password },
    })
    assert.equal(signedIn.status(), 200)

    const page = await tab(home, '/sign-in/finish?back=%2Fcontacts')
    await page.getByRole('heading', { name: `Sign in as ${ada.email}?` }).waitFor()
    await look(page, 'finish with another session')
    await page.getByRole('link', { name: 'Stay as you are' }).click()
    await page.waitForURL('**/home')

    const again = await tab(home, '/sign-in/finish?back=%2Fcontacts')
    await again.getByRole('button', { name: `Sign in as ${ada.email}` }).click()
    await again.waitForURL('**/contacts')
    await again.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()

    const refused = await open('/sign-in/finish?error=INVALID_TOKEN')
    await refused.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await refused.getByRole('link', { name: 'Sign in another way' }).click()
    await refused.waitForURL('**/sign-in?back=*')
  },

  'the first organization is claimed by its address, once': async ({ open, claimAddress, expects }, look) => {
    const address = await claimAddress()
    const page = await open(address)
    await page.getByLabel('Name').fill('Grace Hopper')
    await look(page, 'claim')
    await page.getByLabel('Email').fill(`grace-${randomUUID().slice(0, 8)}@example.com`)
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.waitForURL('**/home')
    await page.getByRole('button', { name: /My organization/ }).waitFor()

    const other = await open('/sign-in')
    expects(other, /status of 4\d\d/)
    await other.goto(new URL(address, other.url()).href)
    await other.getByText(/used|no longer/).waitFor()
  },

  'a device is signed in by its code': async ({ open, person, server }, look) => {
    const started = await fetch(`${server().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation { startDeviceAuthorization(input: { clientName: "rolocom-cli" }) { userCode deviceCode } }',
      }),
    })
    const { data } = (await started.json()) as { data: { startDeviceAuthorization: { userCode: string; deviceCode: string } } }
    const { userCode } = data.startDeviceAuthorization
    const page = await open('/device', { as: await person() })
    await look(page, 'device code')
    await page.getByLabel('Code').fill(userCode.toLowerCase())
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('heading', { name: 'Sign in rolocom-cli?' }).waitFor()
    await look(page, 'device')
    await page.getByRole('button', { name: 'Sign it in' }).click()
    await page.getByRole('heading', { name: 'rolocom-cli is signed in' }).waitFor()
  },

  'a desktop application asks, and is given a code that is good once': async ({ open, person, server }, look) => {
    const redirectUri = 'http://127.0.0.1:9/callback'
    // The pair of RFC 7636, appendix B.
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const asked = new URLSearchParams({
      redirect_uri: redirectUri,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      state: 'xyz',
      client_name: 'Desk',
    })
    const page = await open(`/sign-in?${asked}`, { as: await person() })
    await page.getByRole('heading', { name: 'Let Desk use your account?' }).waitFor()
    await look(page, 'application')
    const sent = page.waitForRequest(/127\.0\.0\.1:9\/callback/)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    const { searchParams } = new URL((await sent).url())
    assert.deepEqual([searchParams.get('state'), searchParams.has('code')], ['xyz', true])

    const exchange = () =>
      fetch(`${server().url}/api/auth/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: searchParams.get('code'), code_verifier: verifier, redirect_uri: redirectUri }),
      })
    assert.equal((await exchange()).status, 201)
    const second = await exchange()
    assert.deepEqual([second.status, ((await second.json()) as { code: string }).code], [400, 'invalid_grant'])
  },
})
