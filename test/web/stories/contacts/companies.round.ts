// Companies: added, found, edited, deleted and restored; two people at once; a domain that another company has.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

interface Made {
  createCompany: { id: string }
}

const createCompany = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
const updateCompany = 'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { id } }'
const readCompany = `query ($id: ID!) {
  company(id: $id) { name domain domains employeeCount annualRevenue annualRevenueCurrency country tags custom }
}`
const acme = {
  name: 'Acme Robotics',
  domain: 'acme.example',
  industry: 'Industrial automation',
  employeeCount: 1250,
  annualRevenue: '48500000.50',
  annualRevenueCurrency: 'EUR',
  city: 'Berlin',
  country: 'DE',
  website: 'https://acme.example/about',
  tags: ['key account', 'robotics'],
}

tell({
  'a company and a deal have notes and tasks, which lead to them': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createCompany: company } = await ask<Made>(owner, createCompany, { input: { name: 'Acme Robotics' } })
    const createDeal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
    const { createDeal: deal } = await ask<{ createDeal: { id: string } }>(owner, createDeal, {
      input: { title: 'Ten robots', companyId: company.id },
    })
    const records = [
      { path: `/companies/${company.id}`, name: 'Acme Robotics', noun: 'company' },
      { path: `/deals/${deal.id}`, name: 'Ten robots', noun: 'deal' },
    ]
    for (const { path, name, noun } of records) {
      const page = await open(path, { as: owner })
      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.getByRole('textbox', { name: 'Note' }).fill(`They need it in May: ${noun}`)
      await page.getByRole('button', { name: 'Add note' }).click()
      await page.getByText(`They need it in May: ${noun}`, { exact: true }).waitFor()
      await look(page, `notes of a ${noun}`)
      await page.getByRole('tab', { name: 'Tasks' }).click()
      await page.getByRole('textbox', { name: 'New task' }).fill(`Call about ${name}`)
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: `"Call about ${name}" is done` }).waitFor()
      await look(page, `tasks of a ${noun}`)
      await page.getByRole('tab', { name: 'Timeline' }).click()
      await page
        .getByRole('link', { name: `Call about ${name}` })
        .first()
        .waitFor()
      await page.getByRole('link', { name: 'a note' }).first().click()
      await page.getByText(`They need it in May: ${noun}`, { exact: true }).waitFor()
      assert.match(page.url(), new RegExp(`${path}\\?tab=notes#note-`))
    }
    const tasks = await open('/tasks', { as: owner })
    for (const { path, name } of records) {
      await tasks.getByText(`Call about ${name}`, { exact: true }).click()
      const panel = tasks.getByRole('dialog')
      assert.equal(await panel.getByRole('link', { name }).getAttribute('href'), path)
      await look(tasks, `task of ${name}`)
      await tasks.keyboard.press('Escape')
    }
  },

  'a company is added, found, edited in its place, deleted, and brought back': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/companies', { as: owner })
    await page.getByText('The companies you sell to are listed here.').waitFor()
    await look(page, 'companies empty')
    await page.getByRole('textbox', { name: 'Search companies' }).waitFor()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New company' })
    await form.getByRole('button', { name: 'Create company' }).click()
    await form.getByText('Enter a name or a domain').waitFor()
    await form.getByRole('textbox', { name: 'Name' }).fill('Acme Robotics')
    await form.getByRole('textbox', { name: 'Domain' }).fill('https://www.acme.example/about')
    await form.getByRole('textbox', { name: 'Employees' }).fill('1250')
    await look(page, 'company new')
    await form.getByRole('button', { name: 'Create company' }).click()
    await page.waitForURL(/companies\/[\da-f-]{36}$/)
    const id = page.url().slice(-36)

    const edit = async (field: string, value: string) => {
      await page.getByRole('button', { name: `Edit ${field}` }).click()
      await page.getByRole('textbox', { name: field }).fill(value)
      await page.keyboard.press('Enter')
      await page.getByText(`${field} changed`, { exact: true }).first().waitFor()
    }
    const choose = async (field: string, typed: string, option: string) => {
      await page.getByRole('button', { name: `Edit ${field}` }).click()
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: option }).first().click()
      await page.getByText(`${field} changed`, { exact: true }).first().waitFor()
    }
    await edit('Revenue', '48500000.5 eur')
    await page.getByRole('button', { name: /^Edit Revenue: .*48,500,000\.50/ }).waitFor()
    await choose('Country', 'Germ', 'Germany')
    await edit('Employees', '1300')
    await page.getByRole('button', { name: 'Edit Employees' }).filter({ hasText: '1,300' }).waitFor()
    await page
      .getByText(/changed this company/)
      .first()
      .waitFor()
    await look(page, 'company')
    const { company } = await ask<{ company: Record<string, unknown> }>(owner, readCompany, { id })
    assert.deepEqual([company.domain, company.annualRevenue, company.country], ['acme.example', '48500000.50', 'DE'])
    assert.equal(company.employeeCount, 1300)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete the company' }).click()
    await page.getByText('Acme Robotics deleted', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await look(page, 'company deleted')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('button', { name: 'More actions' }).waitFor()
    await ask(owner, 'mutation ($input: DeleteCompanyInput!) { deleteCompany(input: $input) { id } }', { input: { id } })
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'More actions' }).waitFor()

    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and go to' })
    await palette.getByRole('textbox', { name: 'Search and go to' }).fill('New comp')
    await palette.getByText('New company').first().waitFor()
    await palette.getByRole('textbox', { name: 'Search and go to' }).fill('Acme Rob')
    await palette.getByText('Acme Robotics').waitFor()
    await look(page, 'palette with a company')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/companies/${id}`)
  },

  'the list of companies is searched, filtered, sorted and edited, and shows what somebody else does': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const { createCompany: first } = await ask<Made>(owner, createCompany, { input: acme })
    await ask(owner, createCompany, { input: { name: 'Zenith', domain: 'zenith.example', country: 'FR', employeeCount: 4 } })
    const page = await open('/companies', { as: owner })
    await page.getByText('2 companies').waitFor()
    const names = async () =>
      (await page.locator('tbody tr td:nth-of-type(2)').allInnerTexts()).map(text => text.replace(/^\w\w\s/, '').trim())
    await look(page, 'companies')
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').first().click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'NAME')
    await page.getByText('Zenith', { exact: true }).waitFor()
    assert.deepEqual(await names(), ['Acme Robotics', 'Zenith'])

    const other = await open('/companies', { as: owner })
    await other.getByText('Zenith', { exact: true }).waitFor()
    const cell = page.locator('td', { hasText: /^Industrial automation$/ })
    await cell.dblclick()
    await page.getByRole('textbox', { name: 'Industry' }).fill('Robots')
    await page.keyboard.press('Enter')
    await other.locator('td', { hasText: /^Robots$/ }).waitFor()
    await other.getByText('Acme Robotics').click()
    await other.waitForURL(`**/companies/${first.id}`)
    await ask(owner, updateCompany, { input: { id: first.id, city: 'Potsdam' } })
    await other.getByRole('button', { name: 'Edit City' }).filter({ hasText: 'Potsdam' }).waitFor()
    await page.locator('td', { hasText: /^Potsdam$/ }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('zenith')
    await page.getByText('1 company').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page
      .getByRole('combobox', { name: 'Country' })
      .or(page.getByRole('textbox', { name: 'Country' }))
      .first()
      .click()
    await page.keyboard.type('France')
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.searchParams.get('country') === 'FR')
    await page.getByText('1 company').waitFor()
    await page.keyboard.press('Escape')
    await look(page, 'companies filtered')
  },

  'on a phone companies are rows with their domain and number, as contacts are': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, createCompany, { input: { ...acme, phone: '+49 30 901820' } })
    await ask(owner, createCompany, {
      input: { name: 'Zenith Works for Industrial Machines of Every Kind', domain: 'zenith-of-all-works.example' },
    })
    const page = await open('/companies', { as: owner, viewport: { width: 390, height: 844 } })
    const rows = page.getByRole('list', { name: 'Companies' }).getByRole('listitem')
    const first = rows.filter({ hasText: 'Acme Robotics' })
    await first.waitFor()
    const [title, , domain, phone] = (await first.innerText()).split('\n').filter(line => line.trim() !== '')
    assert.deepEqual([await rows.count(), [title, domain, phone].join(' ').includes('+4930901820')], [2, true])
    await look(page, 'companies on a phone')
    await first.getByRole('button').click()
    await page.waitForURL(/\/companies\/[\da-f-]{36}/)
  },

  'a domain that another company has leads to that company': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createCompany: first } = await ask<Made>(owner, createCompany, { input: acme })
    const page = await open('/companies?new=true', { as: owner })
    const form = page.getByRole('dialog', { name: 'New company' })
    await form.getByRole('textbox', { name: 'Domain' }).fill('www.acme.example')
    await form.getByRole('button', { name: 'Create company' }).click()
    const link = form.getByRole('link', { name: 'Open Acme Robotics' })
    await link.waitFor()
    await look(page, 'company domain taken')
    await link.click()
    await page.waitForURL(`**/companies/${first.id}`)
    await page.getByRole('heading', { name: 'Acme Robotics' }).waitFor()
  },
})
