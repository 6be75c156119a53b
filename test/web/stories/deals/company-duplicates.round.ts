// Pairs of companies that may be the same: merged field by field, taken back, dismissed, and chosen on the page of a company.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const create = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
const names = '{ companies(sort: CREATED_AT) { nodes { name industry } } }'

interface Created {
  createCompany: { id: string }
}
interface Names {
  companies: { nodes: { name: string; industry: string | null }[] }
}

tell({
  'two companies are merged by the values that were chosen, and the merge is undone': async ({ open, person, ask }, look) => {
    const owner = await person()
    const one = { name: 'Analytical Engines GmbH', domain: 'engines.example', industry: 'Machines', tags: ['steam'], country: 'DE' }
    const other = { name: 'Analytical Engines', website: 'https://www.engines.example/de', industry: 'Computing', city: 'Berlin' }
    await ask(owner, create, { input: { ...one, annualRevenue: '1250000', annualRevenueCurrency: 'EUR', employeeCount: 120 } })
    await ask(owner, create, { input: { ...other, tags: ['مهم'], country: 'DE', annualRevenue: '900000', annualRevenueCurrency: 'USD' } })
    const page = await open('/duplicates', { as: owner })
    await page.getByText('Companies', { exact: true }).last().click()
    await page.getByRole('button', { name: /Same website/ }).waitFor()
    await page.getByRole('radio', { name: 'Computing' }).check()
    await look(page, 'duplicates of companies')

    await page.getByRole('button', { name: 'Merge companies' }).click()
    await page.getByText('Companies merged into Analytical Engines GmbH').first().waitFor()
    await page.getByText('No two companies look like the same one.').waitFor()
    const merged = { name: 'Analytical Engines GmbH', industry: 'Computing' }
    assert.deepEqual(await ask<Names>(owner, names), { companies: { nodes: [merged] } })

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('radio', { name: 'Computing' }).waitFor()
    assert.equal((await ask<Names>(owner, names)).companies.nodes.length, 2)
  },

  'a pair that is not the same company is dismissed on a phone, and both stay': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, create, { input: { name: 'Acme', phone: '+493012345678' } })
    await ask(owner, create, { input: { name: `Bolt ${'and Sons '.repeat(20)}`, phone: '+493012345678', domain: 'bolt.example' } })
    const page = await open('/duplicates?of=companies', { as: owner, viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: /Acme/ }).waitFor()
    await look(page, 'pairs of companies on a phone')
    await page.getByRole('button', { name: /Acme/ }).click()
    await page.getByRole('button', { name: 'Not the same company' }).waitFor()
    await look(page, 'duplicates of companies on a phone')
    await page.getByRole('button', { name: 'Not the same company' }).click()
    await page.getByRole('button', { name: 'Keep both' }).click()
    await page.getByText('No two companies look like the same one.').waitFor()
    assert.equal((await ask<Names>(owner, names)).companies.nodes.length, 2)
    assert.deepEqual(await ask(owner, '{ findCompanyDuplicates { nodes { score } } }'), { findCompanyDuplicates: { nodes: [] } })
  },

  'from the page of a company, a likely duplicate or any other company is merged into it': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createCompany: acme } = await ask<Created>(owner, create, { input: { name: 'Acme', domain: 'acme.example', city: 'Bonn' } })
    await ask(owner, create, { input: { name: 'ACME Ltd', industry: 'Tools' } })
    await ask(owner, create, { input: { name: 'Entirely different' } })
    const page = await open(`/companies/${acme.id}`, { as: owner })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Merge with another company' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge Acme with' })
    await dialog.getByRole('button', { name: /ACME Ltd/ }).waitFor()
    await look(page, 'choosing a company to merge')
    await dialog.getByRole('combobox', { name: 'Another company' }).fill('Enti')
    await page.getByRole('option', { name: 'Entirely different' }).click()
    await page.getByRole('button', { name: 'Merge companies' }).click()
    await page.getByText('Companies merged into Acme').first().waitFor()
    await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor()
    assert.deepEqual(
      (await ask<Names>(owner, names)).companies.nodes.map(({ name }) => name),
      ['Acme', 'ACME Ltd'],
    )
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Merge with another company' }).click()
    await dialog.getByRole('button', { name: /ACME Ltd/ }).click()
    await page.getByRole('button', { name: 'Swap' }).click()
    await page.getByRole('button', { name: 'Merge companies' }).click()
    await page.getByRole('heading', { name: 'ACME Ltd', level: 1 }).waitFor()
    assert.deepEqual(await ask<Names>(owner, names), { companies: { nodes: [{ name: 'ACME Ltd', industry: 'Tools' }] } })
  },
})
