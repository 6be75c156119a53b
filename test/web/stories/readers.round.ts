// Those who may only read: what writes is disabled on every screen, and it is said why.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tell } from '../story.ts'

// The button that writes, as a viewer and as a guest sees it. Home is not here: its widgets are a viewer's own.
const screens = [
  ['/contacts', 'New contact', 'Sign up to add contacts'],
  ['/tasks', 'New task', 'Sign up to add tasks'],
  ['/calls', 'Place call', 'Sign up to place calls'],
  ['/agents', 'New agent', 'Sign up to make agents'],
  ['/suggestions', 'Decide by rule', 'Sign up to decide'],
  ['/gateway', 'Wake', 'Wake'],
  ['/settings/fields', 'New field', 'Sign up to add fields'],
] as const

async function areDisabled(page: Page, which: 1 | 2): Promise<void> {
  for (const screen of screens) {
    const [path] = screen
    await page.goto(new URL(path, page.url()).href)
    const button = page.getByRole('button', { name: screen[which], exact: true }).first()
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
    await areDisabled(page, 1)
  },

  'a guest reads every screen, and cannot write': async ({ open }) => {
    const page = await open('/contacts', { as: 'guest' })
    await areDisabled(page, 2)
  },
})
