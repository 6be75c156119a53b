// Signing in, up and out.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stories } from '../story.ts'

export const stories: Stories = {
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
    await page.getByLabel('E-mail').fill(`ada-${randomUUID().slice(0, 8)}@example.com`)
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/contacts')
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  },

  'a wrong password says so, the right one signs in, in all tabs': async ({ open, tab, person, expects }, look) => {
    const ada = await person()
    const page = await open('/sign-in')
    expects(page, /status of 401.*\/idp\/sign-in/)
    const other = await tab(page, '/sign-in')
    await page.getByLabel('E-mail').fill(ada.email)
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

  'a link to a new password is asked for, and a used one says so': async ({ open }, look) => {
    const page = await open('/sign-in')
    await page.getByRole('button', { name: 'Forgot the password?' }).click()
    await look(page, 'forgotten password')
    await page.getByLabel('E-mail').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(/If nobody@example.com has an account/).waitFor()
    await look(page, 'password link sent')

    await page.goto(new URL('/reset-password?token=abcdefghijklmnop', page.url()).href)
    await look(page, 'new password')
    await page.goto(new URL('/reset-password?error=INVALID_TOKEN', page.url()).href)
    await page.getByText(/used already/).waitFor()
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

  'a desktop application asks, and is given a code': async ({ open, person }, look) => {
    const asked = new URLSearchParams({
      redirect_uri: 'http://127.0.0.1:9/callback',
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
  },
}
