// Filters by keys: the menu of filters opens again and again, and the focus is never lost to nothing.

import assert from 'node:assert/strict'
import { eventually } from '../../support/eventually.ts'
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

  'conditions of a view that only the API sets are shown in words, kept by a save, and removed by their chip': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const lists = [
      {
        path: '/contacts',
        noun: 'CONTACTS',
        make: [
          'createContact(input: { fullName: "Grace Hopper", externalId: "A-1", tags: ["vip"] }) { id }',
          'createContact(input: { fullName: "Mary Somerville", tags: ["vip"] }) { id }',
        ],
        conditions: { contacts: { externalIdIn: ['A-1'], tagIn: ['vip'] } },
        read: 'contacts { tagIn externalIdIn }',
        label: 'External ID',
        found: 'Grace Hopper',
        other: 'Mary Somerville',
        kept: { externalIdIn: ['A-1'] },
      },
      {
        path: '/companies',
        noun: 'COMPANIES',
        make: [
          'createCompany(input: { name: "Acme", employeeCount: 50, tags: ["vip"] }) { id }',
          'createCompany(input: { name: "Zoo", employeeCount: 5, tags: ["vip"] }) { id }',
        ],
        conditions: { companies: { employeesMin: 10, tagIn: ['vip'] } },
        read: 'companies { tagIn employeesMin }',
        label: 'Employees',
        found: 'Acme',
        other: 'Zoo',
        kept: { employeesMin: 10 },
      },
      {
        path: '/deals',
        noun: 'DEALS',
        make: [
          'createDeal(input: { title: "Renewal of seats", tags: ["vip"] }) { id }',
          'createDeal(input: { title: "Pilot", tags: ["vip"] }) { id }',
        ],
        conditions: { deals: { titleContains: 'seats', tagIn: ['vip'] } },
        read: 'deals { tagIn titleContains }',
        label: 'Title',
        found: 'Renewal of seats',
        other: 'Pilot',
        kept: { titleContains: ['seats'] },
      },
    ]
    for (const { path, noun, make, conditions, read, label, found, other, kept } of lists) {
      for (const one of make) await ask(owner, `mutation { ${one} }`)
      const made = await ask<{ createSavedView: { id: string } }>(owner, createView, {
        input: { noun, name: 'By the API', conditions, isDefault: true },
      })
      const stored = async () => {
        const query = `query ($id: ID!) { savedView(id: $id) { conditions { ${read.replace(/^(\w+)/, (_all, list: string) => `... on ${{ contacts: 'Contact', companies: 'Company', deals: 'Deal' }[list]}Conditions`)} } } }`
        const { savedView } = await ask<{ savedView: { conditions: object } }>(owner, query, { id: made.createSavedView.id })
        return Object.fromEntries(Object.entries(savedView.conditions).filter(([, value]) => value !== null))
      }
      const page = await open(path, { as: owner })
      const filters = page.getByRole('toolbar', { name: 'Filters' })
      await page.locator('td', { hasText: found }).waitFor()
      await filters.getByRole('button', { name: `Remove the condition on ${label}` }).waitFor()
      assert.equal(await page.locator('td', { hasText: other }).count(), 0)
      assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0)
      await look(page, `${noun.toLowerCase()} of a view of the API`)

      await filters.getByRole('button', { name: 'Clear all' }).click()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await eventually(stored, kept)
      await filters.getByRole('button', { name: `Remove the condition on ${label}` }).click()
      await page.locator('td', { hasText: other }).waitFor()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await eventually(stored, {})
    }
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
