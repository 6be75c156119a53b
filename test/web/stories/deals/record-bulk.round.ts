// Companies and deals changed together: selected in their tables, with the bar of contacts, and taken back.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const createCompany = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
const createDeal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
interface Tagged {
  companies: { nodes: { tags: string[] }[] }
}
interface Staged {
  deals: { nodes: { stage: { name: string } }[] }
}

tell({
  'companies are tagged together, and that is taken back': async ({ open, person, ask }, look) => {
    const owner = await person()
    for (const name of ['Acme', 'Bolt', 'Cogs']) await ask(owner, createCompany, { input: { name } })
    const page = await open('/companies', { as: owner })
    await page.getByRole('row', { name: /Acme/ }).waitFor()
    for (const name of [/Acme/, /Bolt/]) await page.getByRole('row', { name }).getByRole('checkbox').check()
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await bar.getByText('2 companies').waitFor()
    await look(page, 'companies selected')
    await bar.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByRole('combobox', { name: 'Add tags' }).fill('vip')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('2 companies changed', { exact: true }).waitFor()
    const { companies } = await ask<Tagged>(owner, '{ companies(filter: { tag: "vip" }) { nodes { tags } } }', {})
    assert.equal(companies.nodes.length, 2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').getByText('2 companies changed back', { exact: true }).waitFor()
  },

  'deals move to a stage together': async ({ open, person, ask }, look) => {
    const owner = await person()
    for (const title of ['Ten robots', 'A crane']) await ask(owner, createDeal, { input: { title } })
    const page = await open('/deals', { as: owner })
    await page.getByRole('row', { name: /Ten robots/ }).waitFor()
    for (const name of [/Ten robots/, /A crane/]) await page.getByRole('row', { name }).getByRole('checkbox').check()
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await look(page, 'deals selected')
    await bar.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Proposal' }).click()
    await page.getByRole('alert').getByText('2 deals moved', { exact: true }).waitFor()
    const { deals } = await ask<Staged>(owner, '{ deals { nodes { stage { name } } } }', {})
    assert.deepEqual(new Set(deals.nodes.map(({ stage }) => stage.name)), new Set(['Proposal']))
  },
})
