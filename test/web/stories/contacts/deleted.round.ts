// Deleted contacts: listed by themselves, and restored together.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

interface Made {
  createContact: { id: string }
}

const createContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const deleteContact = 'mutation ($input: DeleteContactInput!) { deleteContact(input: $input) { id } }'
const mergeContacts = 'mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { mergeId } }'

tell({
  'on a phone each card of a deleted contact has a button that restores it, for fingers': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: made } = await ask<Made>(owner, createContact, { input: { fullName: 'Grace Hopper', phone: '+12025550142' } })
    await ask(owner, deleteContact, { input: { id: made.id } })
    const page = await open('/contacts?deleted=only', { as: owner, viewport: { width: 390, height: 844 }, hasTouch: true })
    const restore = page.getByRole('button', { name: 'Restore Grace Hopper', exact: true })
    await restore.waitFor()
    assert.ok(((await restore.boundingBox())?.height ?? 0) >= 24, 'the button is large enough for a finger')
    await look(page, 'deleted contacts on a phone')
    await restore.click()
    await page.getByText('Grace Hopper restored').first().waitFor()
    await restore.waitFor({ state: 'detached' })
  },

  'deleted contacts are chosen, and restored one by one or all that match; who was refused is named with the reason': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const add = async (fullName: string, email?: string) =>
      (await ask<Made>(owner, createContact, { input: { fullName, email, companyName: 'Navy' } })).createContact.id
    const gone: string[] = []
    for (let number = 1; number <= 110; number++) gone.push(await add(`Seaman ${number}`, `seaman${number}@example.com`))
    const grace = await add('Grace Hopper', 'grace@example.com')
    const twin = await add('Grace Twin')
    await ask(owner, mergeContacts, { input: { winnerId: grace, loserId: twin } })
    for (const id of gone) await ask(owner, deleteContact, { input: { id } })
    await add('Somebody Else', 'seaman1@example.com')

    const page = await open('/contacts', { as: owner })
    await page.getByRole('button', { name: 'All contacts' }).click()
    await page.getByRole('menuitem', { name: 'Deleted contacts' }).click()
    await page.waitForURL(url => url.searchParams.get('deleted') === 'only')
    await page.getByText('110 contacts').waitFor()
    await page.getByRole('button', { name: 'Deleted contacts' }).waitFor()
    assert.equal(await page.getByText('Grace').count(), 0)
    await page.getByRole('columnheader', { name: 'Deleted' }).waitFor()
    await page.getByRole('button', { name: 'Restore Seaman 110', exact: true }).click()
    await page.getByText('Seaman 110 restored').first().waitFor()
    await page.getByText('109 contacts').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('110 contacts').waitFor()
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await page.getByRole('checkbox', { name: 'Select the row' }).first().click()
    assert.equal(await bar.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
    await look(page, 'deleted contacts')
    await bar.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 contact restored').first().waitFor()
    await page.getByText('109 contacts').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 contact deleted again').first().waitFor()
    await page.getByText('110 contacts').waitFor()

    await page.getByRole('checkbox', { name: 'Select the row' }).first().click()
    await page.getByRole('button', { name: 'Select all 110 that match' }).click()
    await bar.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('109 contacts restored, 1 could not be').first().waitFor()
    await page.getByText(/Seaman 1 stays deleted, because another contact has its email/).waitFor()
    await look(page, 'deleted contact refused')
    await page.getByRole('link', { name: 'show that one' }).click()
    await page.getByRole('heading', { name: 'Somebody Else' }).waitFor()
  },

  'a list that has deleted contacts as well tags and deletes the live ones, restores the deleted ones, and counts them apart': async ({
    open,
    person,
    ask,
  }) => {
    const owner = await person()
    const add = async (fullName: string) => (await ask<Made>(owner, createContact, { input: { fullName } })).createContact.id
    const ids = [await add('Ada Lovelace'), await add('Grace Hopper'), await add('Mary Somerville')]
    await ask(owner, deleteContact, { input: { id: ids[0] } })

    const page = await open('/contacts?deleted=true', { as: owner })
    await page.getByText('3 contacts').waitFor()
    const all = page.getByRole('checkbox', { name: 'Select all rows that are loaded' })
    await all.click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('2 contacts deleted').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 contacts restored').first().waitFor()

    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByRole('checkbox')
      .click()
    assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 contact restored').first().waitFor()
    await page.getByRole('button', { name: 'Clear the filter Deleted' }).click()
    await page.getByText('3 contacts').waitFor()
  },
})
