// Companies and deals in their tables, as contacts: changed together, which is taken back, and in saved views.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const createCompany = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
const createDeal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
const readViews = 'query ($noun: ViewNoun!) { savedViews(noun: $noun) { nodes { name isShared sort filter } } }'
interface Tagged {
  companies: { nodes: { tags: string[] }[] }
}
interface Saved {
  savedViews: { nodes: object[] }
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
    const tagged = async () => (await ask<Tagged>(owner, '{ companies(filter: { tag: "vip" }) { nodes { tags } } }', {})).companies.nodes
    assert.equal((await tagged()).length, 2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').getByText('2 companies changed back', { exact: true }).waitFor()
    assert.deepEqual(await tagged(), [])
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

  'a view of companies is saved, opened, changed, renamed and deleted': async ({ open, person, ask }, look) => {
    const owner = await person()
    for (const [name, country] of Object.entries({ Acme: 'DE', Bolt: 'GB' })) await ask(owner, createCompany, { input: { name, country } })
    const page = await open('/companies?country=DE', { as: owner })
    await page.getByRole('row', { name: /Acme/ }).waitFor()
    await look(page, 'companies to save as a view')
    await page.getByRole('button', { name: 'Save as a view' }).click()
    const saving = page.getByRole('dialog', { name: 'Save a view' })
    assert.equal(await saving.getByLabel('Name').inputValue(), 'Germany')
    await page.keyboard.press('Enter')
    const menu = page.getByRole('button', { name: 'Germany', exact: true })
    await menu.click()
    await page.getByRole('menuitem', { name: 'All companies', exact: true }).click()
    await page.getByRole('row', { name: /Bolt/ }).waitFor()
    await page.getByRole('button', { name: 'All companies', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Germany' }).click()
    await page.getByRole('row', { name: /Bolt/ }).waitFor({ state: 'detached' })
    await page.getByRole('columnheader', { name: 'Name' }).click()
    const save = page.getByRole('button', { name: 'Save changes' })
    await save.click()
    await save.waitFor({ state: 'detached' })
    const { savedViews } = await ask<Saved>(owner, readViews, { noun: 'COMPANIES' })
    assert.deepEqual(savedViews.nodes, [{ name: 'Germany', isShared: true, sort: 'NAME', filter: { countryIn: ['DE'] } }])
    await page.getByRole('button', { name: 'Change the view Germany' }).click()
    await page.getByRole('menuitem', { name: 'Rename and share' }).click()
    await page.getByRole('dialog', { name: 'Change the view' }).getByLabel('Name').fill('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Home', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Change the view Home' }).click()
    await page.getByRole('menuitem', { name: 'Delete the view' }).click()
    await page.getByText('The companies stay.').waitFor()
    await page.getByRole('button', { name: 'Delete view' }).click()
    await page.getByRole('button', { name: 'All companies', exact: true }).waitFor()
    assert.deepEqual((await ask<Saved>(owner, readViews, { noun: 'COMPANIES' })).savedViews.nodes, [])
  },

  'a view of deals has its filters and columns, and says what only the API can filter': async ({ open, person, ask }, look) => {
    const owner = await person()
    for (const title of ['Ten robots', 'A crane']) await ask(owner, createDeal, { input: { title } })
    const input = {
      ...{ noun: 'DEALS', name: 'Large robots', isDefault: true, columns: ['title', 'amount', 'stageId'] },
      conditions: { deals: { q: 'robots', currency: 'EUR', expectedSince: '2026-01-01' } },
    }
    await ask(owner, 'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id } }', { input })
    const page = await open('/deals', { as: owner })
    await page.waitForURL(url => url.searchParams.get('closes') === '2026-01-01..' && url.searchParams.get('q') === 'robots')
    await page.getByText('also filters by "Currency", which only the API can do').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('columnheader', { name: 'Amount' }).waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Owner' }).count(), 0)
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
    await look(page, 'deals of a changed view')
  },
})
