// The people of a company: the way between a contact and its company, another company for a contact, and the list of one company's contacts.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

interface Made {
  createCompany: { id: string }
  createContact: { id: string }
}

const createCompany = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
const createContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const readCompany = 'query ($id: ID!) { contact(id: $id) { companyName company { id name } } }'

interface Read {
  contact: { companyName: string | null; company: { id: string; name: string } | null }
}

tell({
  'a contact leads to its company, gets another one, a new one and none': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createCompany: acme } = await ask<Made>(owner, createCompany, { input: { name: 'Acme Robotics', domain: 'acme.example' } })
    const { createCompany: zenith } = await ask<Made>(owner, createCompany, { input: { name: 'Zenith', domain: 'zenith.example' } })
    const { createContact: ada } = await ask<Made>(owner, createContact, {
      input: { fullName: 'Ada Lovelace', jobTitle: 'Head of Sales', companyId: acme.id },
    })
    const companyOf = async () => (await ask<Read>(owner, readCompany, { id: ada.id })).contact.company
    const page = await open(`/contacts/${ada.id}`, { as: owner })
    const side = page.getByRole('complementary', { name: 'Fields' })
    const link = (name: string) => side.getByRole('link', { name, exact: true })
    await link('Acme Robotics').waitFor()
    await look(page, 'contact with a company')

    const edit = async () => {
      await side.getByRole('button', { name: 'Edit Company', exact: true }).click()
      return page.getByRole('combobox', { name: 'Company', exact: true })
    }
    await (await edit()).fill('zen')
    await page.getByRole('option', { name: 'Zenith' }).click()
    await link('Zenith').waitFor()
    await page.getByText('Company changed', { exact: true }).first().waitFor()
    assert.equal((await companyOf())?.id, zenith.id)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await link('Acme Robotics').waitFor()

    await (await edit()).fill('Analytical Engines')
    await page.keyboard.press('Enter')
    await link('Analytical Engines').waitFor()
    assert.equal((await companyOf())?.name, 'Analytical Engines')
    await (await edit()).waitFor()
    await page.getByRole('option', { name: 'No company' }).click()
    await side.getByRole('button', { name: 'Edit Company', exact: true }).filter({ hasText: 'Add' }).waitFor()
    assert.equal(await companyOf(), null)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await link('Analytical Engines').click()
    await page.waitForURL(`**/companies/${(await companyOf())?.id}`)
    await page.getByRole('region', { name: 'People' }).getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.waitForURL(`**/contacts/${ada.id}`)
  },

  'a company shows its people, gets another one, and leads to the list of all': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createCompany: acme } = await ask<Made>(owner, createCompany, { input: { name: 'Acme Robotics', domain: 'acme.example' } })
    for (const lastName of ['Ames', 'Bell', 'Curie', 'Dirac', 'Euler', 'Fermi', 'Gauss', 'Hertz', 'Ising', 'Joule', 'Kelvin'])
      await ask(owner, createContact, { input: { firstName: 'Jo', lastName, jobTitle: 'Engineer', companyId: acme.id } })
    await ask(owner, createContact, { input: { fullName: 'Mary Somerville' } })
    const page = await open(`/companies/${acme.id}`, { as: owner })
    const people = page.getByRole('region', { name: 'People' })
    await people.getByRole('link', { name: 'Jo Joule' }).waitFor()
    assert.equal(await people.getByRole('link', { name: /^Jo / }).count(), 10)
    await people.getByRole('button', { name: 'Add a person' }).click()
    const form = page.getByRole('dialog', { name: 'New contact' })
    await form.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await form.getByRole('textbox', { name: 'Last name' }).fill('Abel')
    assert.equal(await form.getByRole('textbox', { name: 'Company' }).inputValue(), 'Acme Robotics')
    await form.getByRole('button', { name: 'Create contact' }).click()
    await people.getByRole('link', { name: 'Ada Abel' }).waitFor()
    await look(page, 'company with people')
    await people.getByRole('link', { name: 'Show all' }).click()
    await page.waitForURL(`**/contacts?companyId=${acme.id}`)
    await page.getByText('12 contacts').waitFor()
    await page.getByRole('button', { name: 'Company Acme Robotics' }).click()
    await page.getByRole('combobox', { name: 'Company' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Company' }).inputValue(), 'Acme Robotics')
  },
})
