// Labels: added, changed and deleted, here and by others.

import assert from 'node:assert/strict'
import { tell } from '../story.ts'

tell({
  'a label is added, changed and deleted, and what others add appears by itself': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/labels', { as: owner })
    const grid = page.getByRole('grid', { name: 'Labels' })
    const panel = page.getByRole('dialog')
    await page.getByText("Labels are your organization's own words").waitFor()
    await look(page, 'no labels')
    await page.getByRole('button', { name: 'New label' }).first().click()
    await panel.getByRole('button', { name: 'Add label' }).click()
    await panel.getByText('Enter a name').waitFor()
    await panel.getByLabel('Name').fill('Renewal')
    await panel.getByRole('combobox', { name: 'Color' }).click()
    await page.getByRole('option', { name: 'Green' }).click()
    await look(page, 'new label')
    await panel.getByRole('button', { name: 'Add label' }).click()
    await grid.getByText('Renewal').waitFor()

    await ask(owner, 'mutation { createLabel(input: { name: "Partner", color: BLUE }) { id } }')
    await grid.getByText('Partner').waitFor()
    await look(page, 'labels')

    await grid.getByText('Renewal').click()
    await panel.getByLabel('Name').fill('PARTNER')
    await panel.getByRole('button', { name: 'Save label' }).click()
    await panel.getByText('A label PARTNER exists already').waitFor()
    await panel.getByLabel('Name').fill('Renewals')
    await panel.getByRole('button', { name: 'Save label' }).click()
    await grid.getByText('Renewals').click()
    await panel.getByRole('button', { name: 'Delete label' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await grid.getByText('Renewals').waitFor({ state: 'detached' })
    const { labels } = await ask<{ labels: { nodes: object[] } }>(owner, '{ labels { nodes { name color } } }')
    assert.deepEqual(labels.nodes, [{ name: 'Partner', color: 'BLUE' }])
  },

  'a guest reads labels, and may not add one': async ({ open }) => {
    const page = await open('/labels', { as: 'guest' })
    assert.equal(await page.getByRole('button', { name: 'Sign up to add labels' }).first().isDisabled(), true)
  },
})
