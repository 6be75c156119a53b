// The assignment rule: an owner of the organization chooses who gets new contacts, and the next contacts have owners.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

tell({
  'an owner lets members take new contacts in turn, then by country': async ({ open, person, ask }, look) => {
    const ada = await person()
    const page = await open('/settings/assignment', { as: ada })
    await page.getByRole('heading', { name: 'Owners of new contacts' }).waitFor()
    await page.getByText('New contacts have no owner until somebody chooses one.').waitFor()
    await page.getByText('In turn', { exact: true }).click()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('Choose at least one member').waitFor()
    await page.getByRole('combobox', { name: 'Members' }).click()
    await page.getByRole('option', { name: ada.name }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('The rule is saved').first().waitFor({ state: 'attached' })
    await look(page, 'assignment in turn', ['light'])
    const add = (country: string) =>
      ask<{ createContact: { owner: { name: string } | null } }>(
        ada,
        `mutation { createContact(input: { firstName: "New", country: "${country}" }) { owner { name } } }`,
      )
    assert.equal((await add('FR')).createContact.owner?.name, ada.name)

    await page.getByText('By country', { exact: true }).click()
    const line = page.getByRole('group', { name: 'Countries' })
    await line.getByRole('combobox', { name: 'Countries' }).fill('Germ')
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.keyboard.press('Escape')
    await line.getByRole('combobox', { name: 'Owner' }).click()
    await page.getByRole('option', { name: ada.name }).last().click()
    const others = page.getByRole('combobox', { name: 'All other contacts' })
    await others.click()
    await others.press('Backspace')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('The rule is saved').first().waitFor({ state: 'attached' })
    await look(page, 'assignment by country')
    await page.reload()
    await page.getByText('Germany').first().waitFor()
    assert.equal((await add('DE')).createContact.owner?.name, ada.name)
    assert.equal((await add('FR')).createContact.owner, null)
  },
})
