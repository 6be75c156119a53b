// The list of contacts.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

tell({
  'a guest sees the demo organization, and what writes is disabled': async ({ open }, look) => {
    const page = await open('/contacts', { as: 'guest' })
    await page.getByRole('grid', { name: 'Contacts' }).getByRole('row').nth(10).waitFor()
    // The owners of the demo's contacts.
    await page.getByText('Mara Lindqvist').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign up to add contacts' }).isDisabled(), true)
    await look(page, 'contacts of a guest')
  },

  'an owner finds a contact by typing, and the address keeps the search': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    // The demo organization's list begins with its default view, and the search is within that.
    const { contacts } = await ask<{ contacts: { nodes: { fullName: string }[] } }>(
      owner,
      '{ contacts(first: 1, filter: { lifecycleStageIn: [OPPORTUNITY], doNotCall: false }) { nodes { fullName } } }',
    )
    const wanted = contacts.nodes[0]?.fullName ?? ''
    // The filters of the lists that are read.
    const read: object[] = []
    const note = async (page: Page) => {
      page.on('request', request => {
        const { filter, first } = (request.postDataJSON() as { variables?: { filter?: object; first?: number } } | null)?.variables ?? {}
        if (filter && first) read.push(filter)
      })
    }
    const page = await open('/contacts', { as: owner, prepare: note })
    const rows = page.getByRole('grid', { name: 'Contacts' }).getByRole('row')
    await page.waitForURL(url => url.searchParams.has('view'))
    await rows.nth(10).waitFor()
    // Not all contacts first, and then those of the view.
    assert.ok(read.length > 0 && read.every(filter => Object.keys(filter).length > 0), JSON.stringify(read))
    await look(page, 'contacts')

    await page.getByLabel('Search contacts').fill(wanted)
    await page.waitForURL(url => url.searchParams.get('q') === wanted)
    await page.getByRole('grid', { name: 'Contacts' }).getByText(wanted).first().waitFor()
    await rows.nth(10).waitFor({ state: 'detached' })

    await page.reload()
    await page.getByRole('grid', { name: 'Contacts' }).getByText(wanted).first().waitFor()
    assert.equal(await page.getByLabel('Search contacts').inputValue(), wanted)
  },

  'contacts are selected on a phone, by their cards': async ({ open, person }, look) => {
    const page = await open('/contacts', { as: await person({ demo: true }), viewport: { width: 390, height: 844 } })
    const ticks = page.getByRole('list', { name: 'Contacts' }).getByRole('checkbox')
    await ticks.nth(0).check()
    await ticks.nth(1).check()
    await page.getByRole('toolbar', { name: 'Selected rows' }).getByText('2 contacts').waitFor()
    await look(page, 'contacts selected')
  },

  'contacts are sorted on a phone, and their columns chosen': async ({ open, person, ask }, look) => {
    const owner = await person()
    for (const email of ['zoe@example.com', 'abe@example.com'])
      await ask(owner, 'mutation ($email: String!) { createContact(input: { email: $email, companyName: "Navy" }) { id } }', { email })
    const page = await open('/contacts?sort=EMAIL_DESC', { as: owner, viewport: { width: 390, height: 844 } })
    const first = page.getByRole('list', { name: 'Contacts' }).getByRole('listitem').first()
    await first.getByText('zoe@example.com').first().waitFor()
    await page.getByRole('button', { name: 'Sorted by Email' }).click()
    await page.getByRole('menuitem', { name: 'Email, ascending' }).click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'EMAIL')
    await first.getByText('abe@example.com').first().waitFor()
    await look(page, 'contacts sorted')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Company', exact: true }).click()
    await first.getByText('Navy').waitFor({ state: 'detached' })
  },

  'a changed view is saved on a phone, and its title stays whole': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const page = await open('/contacts', { as: owner, viewport: { width: 390, height: 844 } })
    await page.waitForURL(url => url.searchParams.has('view'))
    const view = new URL(page.url()).searchParams.get('view')
    await page.getByRole('button', { name: /^Sorted by/ }).click()
    await page.getByRole('menuitem', { name: 'Email, ascending' }).click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'EMAIL')
    const title = page.getByRole('heading', { name: 'Contacts' })
    assert.ok(await title.evaluate(element => element.scrollWidth <= element.clientWidth), 'the title is cut')
    await look(page, 'contacts of a changed view')
    const views = page.getByRole('button', { name: 'Opportunities', exact: true })
    await views.click()
    await page.getByRole('menuitem', { name: 'Save changes' }).click()
    const saved = 'query ($id: ID!) { savedView(id: $id) { sort } }'
    await eventually(async () => (await ask<{ savedView: { sort: string } }>(owner, saved, { id: view })).savedView.sort, 'EMAIL')
    await views.click()
    await page.getByRole('menuitem', { name: 'Rename and share' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Save changes' }).count(), 0)
  },

  'a new organization has no contacts, and says how the first comes': async ({ open, person }, look) => {
    const page = await open('/contacts', { as: await person() })
    await page.getByText('The people you call and write to are listed here.').waitFor()
    await look(page, 'contacts empty')
  },

  'what somebody else writes is seen without loading again': async ({ open, person, ask }) => {
    const owner = await person()
    const page = await open('/contacts', { as: owner })
    await page.getByText('The people you call and write to are listed here.').waitFor()
    await ask(owner, 'mutation { createContact(input: { email: "grace@example.com", firstName: "Grace", lastName: "Hopper" }) { id } }')
    await page.getByText('Grace Hopper').waitFor()
  },
})
