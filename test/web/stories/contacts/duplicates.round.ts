// Pairs of contacts that may be the same person: merged field by field, taken back, and dismissed.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const names = '{ contacts(sort: CREATED_AT) { nodes { fullName jobTitle } } }'

interface Names {
  contacts: { nodes: { fullName: string; jobTitle: string | null }[] }
}

tell({
  'two contacts are merged by the values that were chosen, and the merge is undone': async ({ open, person, ask }, look) => {
    const owner = await person()
    const shared = { fullName: 'Grace Hopper', companyName: 'Navy' }
    await ask(owner, create, { input: { ...shared, email: 'grace@example.com', jobTitle: 'Admiral', tags: ['cobol'], city: 'New York' } })
    const emails = [{ value: 'grace+navy@example.com' }, { value: 'hopper@navy.example' }]
    await ask(owner, create, { input: { ...shared, emails, jobTitle: 'Captain 👩🏽‍✈️', tags: ['مهم'] } })
    const page = await open('/duplicates', { as: owner })
    await page.getByRole('radio', { name: 'Captain' }).check()
    await page.getByText('hopper@navy.example').waitFor()
    assert.equal(await page.getByText('From both').count(), 2)
    await look(page, 'duplicates')

    await page.getByRole('button', { name: 'Merge contacts' }).click()
    await page.getByText('Contacts merged into Grace Hopper').first().waitFor()
    await page.getByText('No two contacts look like the same person.').waitFor()
    assert.deepEqual(await ask<Names>(owner, names), { contacts: { nodes: [{ fullName: 'Grace Hopper', jobTitle: 'Captain 👩🏽‍✈️' }] } })

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('radio', { name: 'Captain' }).waitFor()
    assert.equal((await ask<Names>(owner, names)).contacts.nodes.length, 2)
  },

  'a pair that is not the same person is dismissed, and both stay': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, create, { input: { fullName: 'Ada King', email: 'ada@example.com', phone: '+493012345678' } })
    await ask(owner, create, { input: { fullName: `Ada ${'Byron '.repeat(30)}`, email: 'byron@example.com', phone: '+493012345678' } })
    const page = await open('/duplicates', { as: owner, viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: /Ada King/ }).click()
    await page.getByRole('button', { name: 'Not the same person' }).waitFor()
    await look(page, 'duplicates on a phone')
    await page.getByRole('button', { name: 'Not the same person' }).click()
    await page.getByRole('button', { name: 'Keep both' }).click()
    await page.getByText('No two contacts look like the same person.').waitFor()
    assert.equal((await ask<Names>(owner, names)).contacts.nodes.length, 2)
    assert.deepEqual(await ask(owner, '{ findDuplicates { nodes { score } } }'), { findDuplicates: { nodes: [] } })
    await look(page, 'duplicates empty')
  },

  'a guest sees the pairs of the demo, and cannot merge': async ({ open }, look) => {
    const page = await open('/duplicates', { as: 'guest' })
    await page.getByRole('button', { name: 'Sign up to merge' }).or(page.getByText('No two contacts look like the same person.')).waitFor()
    await look(page, 'duplicates of a guest')
  },
})
