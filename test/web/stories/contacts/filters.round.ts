// Filters by keys: the menu of filters opens again and again, and the focus is never lost to nothing.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const createContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const createView = 'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id } }'

tell({
  'F opens the menu of filters after a filter was closed by Esc, which leaves the focus at its chip': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper', companyName: 'Navy Research', tags: ['pioneer'] } })
    await ask(owner, createContact, { input: { fullName: 'Mary Somerville' } })
    const page = await open('/contacts', { as: owner })
    await page.locator('td', { hasText: 'Grace Hopper' }).waitFor()
    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: 'Company name' }).click()
    await page.getByRole('combobox', { name: 'Company name' }).fill('AVY res')
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.searchParams.get('company') === 'AVY res')
    await page.locator('td', { hasText: 'Mary Somerville' }).waitFor({ state: 'detached' })
    await page.locator('td', { hasText: 'Grace Hopper' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Company'))
    await page.keyboard.press('f')
    await page.getByRole('menuitem', { name: 'Tags' }).click()
    await page.getByRole('dialog', { name: 'Tags' }).getByRole('combobox').fill('pion')
    await page.getByRole('option', { name: 'pioneer' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.searchParams.get('tag') === 'pioneer')
  },

  'a view that names its columns without the name is not taken for a changed one': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper' } })
    await ask(owner, createView, { input: { noun: 'CONTACTS', name: 'Short', columns: ['email'], isDefault: true } })
    const page = await open('/contacts', { as: owner })
    await page.getByRole('button', { name: 'Short', exact: true }).waitFor()
    await page.locator('td', { hasText: 'Grace Hopper' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0)
    await page.getByRole('button', { name: 'Email', exact: true }).click()
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
  },
})
