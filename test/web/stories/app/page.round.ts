// The page itself, whatever the app shows on it.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tell } from '../../support/story.ts'

tell({
  'a stranger gets a page at /, without an error and within its policy': async ({ open }, look) => {
    const page = await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await look(page, 'welcome')
    await page.getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('region', { name: 'The answer' }).getByText('lifecycleStage').first().waitFor()
    await look(page, 'welcome with an answer')
  },

  'an address that nothing is at says so, and leads back': async ({ open }, look) => {
    const page = await open('/nothing/here')
    await page
      .getByText(/not found/i)
      .first()
      .waitFor()
    await look(page, 'not found')
    const back = page.getByRole('link', { name: 'Go to the start page' })
    await Promise.all([page.waitForResponse(/\/assets\/frame-.*\.js$/), back.hover()])
    assert.equal(new URL(page.url()).pathname, '/nothing/here')
    await back.click()
    await page.waitForURL('**/sign-in?back=%2Fhome')
    await page.getByLabel('Email').waitFor()
  },

  'a page names all scripts and styles that its screen waits for': async ({ open, person, server }) => {
    const html = await (await fetch(`${server().url}/contacts`, { headers: { accept: 'text/html' } })).text()
    const named = new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path))
    // Nothing else is ever answered.
    const prepare = async (page: Page) => {
      await page.route(/\/assets\/.*\.(js|css)$/, route =>
        named.has(new URL(route.request().url()).pathname) ? route.fallback() : undefined,
      )
    }
    const page = await open('/contacts', { as: await person(), prepare })
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  },

  'every asset of the page is kept for a year, and its page is not': async ({ open }) => {
    const page = await open('/')
    const assets = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const files = assets.filter(name => name.includes('/assets/'))
    assert.ok(files.length > 0)
    for (const file of files) {
      const { headers } = await fetch(file)
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable', file)
    }
    const { headers } = await fetch(page.url(), { headers: { accept: 'text/html' } })
    assert.equal(headers.get('cache-control'), 'no-store')
  },
})
