// Contacts, their record and their tasks: editing, undoing, and two people at once.

import assert from 'node:assert/strict'
import type { Stories } from '../story.ts'

const createContact = `mutation Create($input: CreateContactInput!) { createContact(input: $input) { id } }`
const readContact = `query Read($id: ID!) { contact(id: $id) { companyName tags } }`

export const stories: Stories = {
  'a cell is edited with Enter, and the change is undone': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper', companyName: 'Navy' } })
    const page = await open('/contacts', { as: owner })
    const cell = page.getByRole('gridcell', { name: 'Navy', exact: true }).or(page.locator('td', { hasText: /^Navy$/ }))
    await cell.first().dblclick()
    await page.getByRole('textbox', { name: 'Company' }).fill('Eckert-Mauchly')
    await page.keyboard.press('Enter')
    await page.getByText('Company changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('td', { hasText: /^Navy$/ }).waitFor()
  },

  'of two people on one field each sees whose value stands': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', companyName: 'Navy' },
    })
    const page = await open(`/contacts/${grace.id}`, { as: owner })
    await page.getByRole('button', { name: 'Edit Company' }).click()
    await page.getByRole('textbox', { name: 'Company' }).fill('Mine')
    // The page is away when the other one writes, so that it still names the version it has read.
    await page.context().setOffline(true)
    await ask(owner, 'mutation Change($input: UpdateContactInput!) { updateContact(input: $input) { id } }', {
      input: { id: grace.id, companyName: 'Theirs' },
    })
    await page.context().setOffline(false)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog').filter({ hasText: 'Company was changed meanwhile' })
    const written = page.getByText('Company changed', { exact: true })
    await dialog.or(written).first().waitFor()
    if (await dialog.isVisible()) {
      await look(page, 'contact conflict')
      await page.getByRole('button', { name: 'Keep yours' }).click()
    }
    await written.waitFor()
    const { contact } = await ask<{ contact: { companyName: string } }>(owner, readContact, { id: grace.id })
    assert.equal(contact.companyName, 'Mine')
  },

  'contacts are filtered by chips that the address keeps, and what it cannot mean is named': async ({ open, person }, look) => {
    const owner = await person({ demo: true })
    const page = await open('/contacts?stage=LEAD&stage=NONSENSE&custom=plan~is~gold', { as: owner })
    await page.getByText(/left out.*NONSENSE/).waitFor()
    await page.getByRole('button', { name: /^Stage/ }).waitFor()
    await look(page, 'contacts filtered')
    await page.getByRole('button', { name: 'Clear the filter Stage' }).click()
    await page.waitForURL(url => !url.searchParams.has('stage'))
  },

  'all contacts that match are tagged, and untagged by its undo': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper' },
    })
    const page = await open('/contacts', { as: owner })
    await page.getByRole('checkbox', { name: 'Select the row' }).click()
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByRole('combobox', { name: 'Add tags' }).fill('pioneer')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Change tags' }).click()
    await page.getByText('1 contact changed').first().waitFor()
    const tagsOf = async () => (await ask<{ contact: { tags: string[] } }>(owner, readContact, { id: grace.id })).contact.tags
    assert.deepEqual(await tagsOf(), ['pioneer'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 contact restored').first().waitFor()
    assert.deepEqual(await tagsOf(), [])
  },

  'the record takes a note, and a deleted contact is read and restored': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', email: 'grace@example.com' },
    })
    const page = await open(`/contacts/${grace.id}`, { as: owner })
    await page.getByRole('textbox', { name: 'Note' }).fill('Asked for the compiler')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('wrote a note').waitFor()
    await look(page, 'contact')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete the contact' }).click()
    await page.getByText(/Nothing of it is lost/).waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(/Nothing of it is lost/).waitFor({ state: 'detached' })
  },

  'the id of no contact says so, and leads back to the contacts': async ({ open, person }) => {
    const page = await open('/contacts/01a2048e-0000-7506-af34-ba2776c62176', { as: await person() })
    await page.getByRole('heading', { name: 'This contact was not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to the contacts' }).click()
    await page.getByText('The people you call and write to are listed here.').waitFor()
  },

  'a task is completed by its key, and leaves the list': async ({ open, person }, look) => {
    const page = await open('/tasks?show=open', { as: await person({ demo: true }) })
    const task = page.locator('td', { hasText: 'Ask for a reference' })
    await task.waitFor()
    await look(page, 'tasks')
    await page.locator('td', { hasText: 'Ask for a reference' }).focus()
    await page.keyboard.press('d')
    await page.getByText('"Ask for a reference" is done', { exact: true }).waitFor()
    await task.waitFor({ state: 'detached' })
  },
}
