// Those who may only read: what writes is disabled on every screen, and it is said why.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tell } from '../../support/story.ts'

// By screen, the button that writes. Home is not here: its widgets are a viewer's own.
const ofViewers = {
  '/contacts': 'New contact',
  '/tasks': 'New task',
  '/calls': 'Place call',
  '/agents': 'New agent',
  '/suggestions': 'Decide by rule',
  '/gateway': 'Wake',
  '/settings/fields': 'New field',
}
const ofGuests = {
  '/contacts': 'Sign up to add contacts',
  '/tasks': 'Sign up to add tasks',
  '/calls': 'Sign up to place calls',
  '/agents': 'Sign up to make agents',
  '/suggestions': 'Sign up to decide',
  '/settings/fields': 'Sign up to add fields',
}

async function areDisabled(page: Page, buttons: Record<string, string>): Promise<void> {
  for (const [path, name] of Object.entries(buttons)) {
    await page.goto(new URL(path, page.url()).href)
    const button = page.getByRole('button', { name, exact: true }).first()
    await button.waitFor()
    await page.getByRole('note').waitFor()
    assert.equal(await button.isDisabled(), true, path)
  }
}

tell({
  'a viewer reads every screen, and cannot write': async ({ open, person }, look) => {
    const page = await open('/contacts', { as: await person({ demo: true, role: 'viewer' }) })
    await page.getByText('You are a viewer of Rolocom demo').waitFor()
    await look(page, 'contacts of a viewer')
    await areDisabled(page, ofViewers)
  },

  'a guest reads every screen, and cannot write': async ({ open }) => {
    const page = await open('/contacts', { as: 'guest' })
    await areDisabled(page, ofGuests)
    // Runs and hooks are never shown to guests.
    await page.goto(new URL('/gateway', page.url()).href)
    await page.getByText('belong to an account').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Wake' }).count(), 0)
  },
})
