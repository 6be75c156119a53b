// Dialogs over the page: Back closes them and stays on the page, and what they lead to is one step away from it.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tell } from '../../support/story.ts'

const createContact = `mutation Create($input: CreateContactInput!) { createContact(input: $input) { id } }`

/** Opens it twice: Back closes it, and after its own closing Back leaves the page. */
async function closesByBack(page: Page, name: string | RegExp, open: () => Promise<unknown>, before: string) {
  const dialog = page.getByRole('dialog', { name })
  const here = page.url()
  await open()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(page.url(), here, `${name}: Back stays on the page`)

  await open()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // The entry of the dialog is taken away a moment after it.
  await page.waitForFunction(() => !window.history.state?.panel)
  await page.goBack()
  await page.waitForURL(`**${before}`)
  await page.goForward()
  await page.waitForURL(here)
}

tell({
  'keys before the palette has opened are its search, and no shortcut of the page': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { firstName: 'Coral', email: 'coral@example.com' } })
    const page = await open('/contacts', { as: owner })
    await page.getByRole('grid', { name: 'Contacts' }).getByText('coral@example.com').waitFor()
    await page.keyboard.press('Control+k')
    // `c` alone would open the form of a new contact.
    await page.keyboard.type('coral')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/contacts\/[0-9a-f-]{36}/)
  },

  'Back closes each dialog and stays on the page': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', phone: '+14155550100' },
    })
    const page = await open('/jobs', { as: owner })
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    const row = page.locator('td', { hasText: 'Grace Hopper' })
    await row.waitFor()
    await closesByBack(page, 'Search and go to', () => page.keyboard.press('Control+k'), '/jobs')
    await row.waitFor()
    await closesByBack(page, 'Keyboard shortcuts', () => page.keyboard.press('?'), '/jobs')
    await row.waitFor()
    const saving = async () => {
      await page.getByRole('button', { name: 'All contacts' }).click()
      await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    }
    await closesByBack(page, 'Save a view', saving, '/jobs')
    await row.waitFor()
    await page.getByRole('checkbox', { name: 'Select the row' }).first().click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('1 contact deleted').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
    await page.goBack()
    await page.waitForURL('**/jobs')

    await page.goForward()
    await row.first().click()
    const record = page.getByRole('dialog').filter({ hasText: /Open the page/ })
    await record.getByRole('link', { name: /Open the page/ }).click()
    await page.waitForURL(`**/contacts/${grace.id}*`)
    const address = page.url()
    await page.getByRole('tab', { name: 'Tasks' }).click()
    await page.getByRole('button', { name: 'Add task' }).click()
    const task = page.getByRole('dialog', { name: 'New task' })
    await task.waitFor()
    await page.goBack()
    await task.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, new URL(address).pathname)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const call = page.getByRole('dialog', { name: 'Call Grace Hopper' })
    await call.waitFor()
    await page.goBack()
    await call.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, new URL(address).pathname)
  },

  'where the palette leads, Back leads to where it was opened, at once': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper' } })
    const page = await open('/jobs', { as: owner })
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    for (const [typed, leadsTo] of [
      ['agen', '**/agents'],
      ['Grace', '**/contacts/*'],
    ] as const) {
      await page.keyboard.press('Control+k')
      const input = page.getByRole('dialog', { name: 'Search and go to' }).locator('input')
      await input.fill(typed)
      await page
        .getByText(typed === 'agen' ? 'Voice agents' : 'Grace Hopper')
        .last()
        .waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(leadsTo)
      await page.goBack()
      await page.waitForURL('**/jobs')
      await page.getByRole('heading', { name: 'Runs' }).waitFor()
    }
  },

  'what a dialog leads to is reached, however late the browser goes back': async ({ open, person, ask }) => {
    const owner = await person()
    const { createWebhookEndpoint: made } = await ask<{ createWebhookEndpoint: { endpoint: { id: string } } }>(
      owner,
      'mutation { createWebhookEndpoint(input: { url: "https://example.com/webhooks", eventTypes: ["contact.created"] }) { endpoint { id } } }',
    )
    const page = await open(`/settings/webhooks/${made.endpoint.id}`, {
      as: owner,
      prepare: async page => {
        await page.addInitScript(() => {
          const back = history.back.bind(history)
          history.back = () => setTimeout(back, 1000)
        })
      },
    })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const wentBack = page.evaluate(() => new Promise(resolve => addEventListener('popstate', resolve, { once: true })))
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await wentBack
    await page.getByText('An endpoint tells your server').waitFor()
    assert.equal(new URL(page.url()).pathname, '/settings/webhooks')
  },

  'on a phone Back closes the drawer of places, and what it leads to is one step away': async ({ open, person }) => {
    const page = await open('/contacts', { as: await person(), viewport: { width: 390, height: 800 } })
    const drawer = page.getByRole('dialog', { name: 'More' })
    const more = page.getByRole('button', { name: 'More', exact: true })
    await more.click()
    await drawer.waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/contacts')
    await more.click()
    await drawer.getByRole('link', { name: 'Runs' }).click()
    await page.waitForURL('**/jobs')
    await page.goBack()
    await page.waitForURL('**/contacts')
    await more.click()
    await drawer.getByRole('button', { name: 'Search' }).click()
    const palette = page.getByRole('dialog', { name: 'Search and go to' })
    await palette.waitFor()
    await page.goBack()
    await palette.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/contacts')
  },

  'fields that must have a value are marked, in the forms of each place': async ({ open, person, ask, server }) => {
    const owner = await person()
    await ask(owner, 'mutation { createVoiceAgent(input: { name: "Desk" }) { id } }')
    const page = await open('/home', { as: owner })
    const marked = {
      '/deals?new=true': ['Title'],
      // A name or a domain is enough.
      '/companies?new=true': [],
      '/contacts?new=true': [],
      '/tasks?new=true': ['Title', 'About'],
      '/calls?place=true': ['Number', 'Voice agent'],
      '/agents?new=scratch': ['Name'],
    }
    const found: Record<string, string[]> = {}
    for (const path of Object.keys(marked)) {
      await page.goto(server().url + path)
      const form = page.getByRole('dialog')
      await form.locator('form button[type=submit]').waitFor()
      const labels = await form.locator('label:has([aria-hidden=true])').allInnerTexts()
      found[path] = labels.filter(label => label.endsWith('*')).map(label => label.replace(/\s*\*$/, ''))
    }
    assert.deepEqual(found, marked)
  },
})
