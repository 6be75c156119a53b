// What happens between a page and its server that neither has meant: a new release, lost answers, a session that has ended.

import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const noContacts = 'The people you call and write to are listed here.'

interface Sent {
  documentId?: string
  query?: string
}
const bodyOf = (request: Request) => (request.postDataJSON() ?? {}) as Sent

tell({
  'a part of the page that a new release has replaced is loaded with the page, once': async ({ open, person, expects }) => {
    const page = await open('/contacts', { as: await person() })
    await page.getByText(noContacts).waitFor()
    expects(page, /404|dynamically imported module|preload/i)
    // The page that is loaded again finds its parts.
    const loads = { count: 0 }
    page.on('request', request => {
      if (request.isNavigationRequest()) loads.count++
    })
    await page.route(/\/assets\/.*\.js$/, route => (loads.count > 0 ? route.fallback() : route.fulfill({ status: 404 })))
    // The palette is loaded at its first use.
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+k')])
    await page.getByText(noContacts).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find a contact, company, deal, call, note or agent, or go to a place').waitFor()
    assert.equal(loads.count, 1)
  },

  'a server that does not know the documents of the page is sent their text': async ({ open, person, ask, expects }) => {
    const owner = await person()
    const sent: Sent[] = []
    // The hashes are those of another release; the answers are the server's own.
    const ofAnotherRelease = async (page: Page) => {
      expects(page, /status of 404.*\/graphql/)
      await page.route('**/graphql', route => {
        const body = bodyOf(route.request())
        sent.push(body)
        if (!body.documentId) return route.fallback()
        return route.continue({ postData: JSON.stringify({ ...body, documentId: `sha256:${'0'.repeat(64)}` }) })
      })
    }
    const page = await open('/contacts?q=outside', { as: owner, prepare: ofAnotherRelease })
    await page.getByText('No contact matches these filters.').waitFor()
    await ask(owner, 'mutation { createContact(input: { firstName: "From", lastName: "Outside" }) { id } }')
    await page.getByText('From Outside').waitFor()
    assert.ok(sent.some(({ documentId }) => documentId) && sent.some(({ query }) => query))
  },

  'a write whose answer was lost is repeated with its key, and written once': async ({ open, person, ask, expects }) => {
    const owner = await person()
    const page = await open('/contacts', { as: owner })
    await page.getByText(noContacts).waitFor()
    expects(page, /ERR_FAILED|Failed to load resource/)
    const keys: (string | undefined)[] = []
    await page.route('**/graphql', async route => {
      if (!route.request().postData()?.includes('lost@example.com')) return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'New contact' }).first().click()
    const panel = page.getByRole('dialog', { name: 'New contact' })
    await panel.getByLabel('Email').fill('lost@example.com')
    const create = panel.getByRole('button', { name: 'Create contact' })
    await create.click()
    await panel.getByRole('alert').waitFor()
    assert.equal(await panel.getByLabel('Email').inputValue(), 'lost@example.com')
    await create.click()
    await panel.waitFor({ state: 'detached' })
    assert.deepEqual(keys, [keys[0], keys[0]])
    const count = async () => (await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts { totalCount } }')).contacts.totalCount
    await eventually(count, 1)
  },

  'a session that is ended elsewhere leads to the sign-in and back, and typed text is kept': async ({ open, person, ask, expects }) => {
    const owner = await person()
    const page = await open('/contacts', { as: owner })
    expects(page, /status of 401/)
    await page.getByText(noContacts).waitFor()
    await page.getByRole('button', { name: 'New contact' }).first().click()
    const panel = page.getByRole('dialog', { name: 'New contact' })
    await panel.getByLabel('Company').fill('Half typed')
    await ask(owner, 'mutation { endSession { id } }')
    await panel.getByRole('button', { name: 'Create contact' }).click()
    await page.waitForURL(url => url.pathname === '/sign-in')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/contacts?new=true')
    await eventually(() => panel.getByLabel('Company').inputValue(), 'Half typed')
  },
})
