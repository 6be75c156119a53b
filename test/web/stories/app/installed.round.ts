// The app on a home screen: what makes it one that can be installed, and what it shows where there is no connection.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tell } from '../../support/story.ts'

const noContacts = 'The people you call and write to are listed here.'
const away =
  /ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|Failed to load resource|status of 503/

/** The worker answers for pages that are loaded from now on. */
const worker = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

const stored = (page: Page) =>
  page.evaluate(async () => ({ workers: (await navigator.serviceWorker.getRegistrations()).length, caches: await caches.keys() }))

tell({
  'Chromium finds nothing that keeps the app from being installed': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person(), serviceWorkers: 'allow' })
    await page.getByText(noContacts).waitFor()
    const browser = await page.context().newCDPSession(page)
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
    // A browser without windows knows no places to install an app to.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter(id => id !== 'in-incognito'),
      [],
    )
    const { errors, data } = await browser.send('Page.getAppManifest')
    assert.deepEqual(errors, [])
    const { icons } = JSON.parse(data ?? '') as { icons: { src: string; sizes: string }[] }
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(address => {
        const image = new Image()
        image.src = address
        return image.decode().then(() => `${image.naturalWidth}x${image.naturalHeight}`)
      }, src)
      if (sizes !== 'any') assert.equal(size, sizes, src)
    }
  },

  'a page that is loaded while the server is away says so, and goes on by itself': async (fixture, look) => {
    const { open, person, restart, expects } = fixture
    const page = await open('/contacts', { as: await person(), serviceWorkers: 'allow' })
    expects(page, away)
    await page.getByText(noContacts).waitFor()
    await worker(page)
    const address = page.url()
    await restart({
      async meanwhile() {
        await page.reload()
        await page.getByRole('heading', { name: 'Rolocom cannot be reached' }).waitFor()
        await look(page, 'server away')
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { name: 'Rolocom cannot be reached' }).waitFor()
      },
    })
    await page.getByText(noContacts).waitFor({ timeout: 60_000 })
    assert.equal(page.url(), address)

    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await page.evaluate(() => localStorage.setItem('rolocom.language', 'de'))
    await page.reload()
    await page.getByRole('heading', { name: 'Sie sind offline' }).waitFor()
    await page.evaluate(() => localStorage.removeItem('rolocom.language'))
    await page.context().setOffline(false)
    await page.getByText(noContacts).waitFor()
  },

  'the worker stores nothing, takes a new page of the server at once, and is gone with the session': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person(), serviceWorkers: 'allow' })
    await page.getByText(noContacts).waitFor()
    await worker(page)
    const nonces = new Set<string | null>()
    for (const _ of [1, 2]) {
      await page.reload()
      await page.getByText(noContacts).waitFor()
      nonces.add(await page.evaluate(() => document.querySelector('script')?.nonce ?? null))
    }
    assert.equal(nonces.size, 2)
    assert.deepEqual(await stored(page), { workers: 1, caches: [] })

    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in**')
    await page.getByLabel('Email').waitFor()
    assert.deepEqual(await stored(page), { workers: 0, caches: [] })
    assert.equal(await page.evaluate(() => localStorage.getItem('rolocom.caller')), null)
  },
})
