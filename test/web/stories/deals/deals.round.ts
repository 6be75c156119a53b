// Deals: added, found, edited, won and lost with a reason, deleted and restored; the people of a deal; two people at once.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

interface Made {
  createDeal: { id: string }
}
type Ask = <Data>(person: Person, query: string, variables?: Record<string, unknown>) => Promise<Data>

const createDeal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
const createCompany = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }'
const createContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const moveDeal = 'mutation ($input: MoveDealInput!) { moveDeal(input: $input) { id } }'
const setReasons = 'mutation ($input: DealSettingsInput!) { updateDealSettings(input: $input) { lostReasons } }'
const readDeal = `query ($id: ID!) {
  deal(id: $id) { title amount currency expectedClose lostReason wonAt lostAt stage { name } company { name } contacts { role contact { fullName } } }
}`

async function stagesOf(ask: Ask, person: Person): Promise<ReadonlyMap<string, string>> {
  const { pipelines } = await ask<{ pipelines: { stages: { id: string; name: string }[] }[] }>(
    person,
    '{ pipelines { stages { id name } } }',
  )
  return new Map(pipelines.flatMap(({ stages }) => stages.map(({ id, name }) => [name, id] as const)))
}

tell({
  'the calls about a deal stand on its page, and a task of it is made on the page of tasks': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: ada } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { firstName: 'Ada', lastName: 'Lovelace', phone: '+15550123456' },
    })
    const contacts = [{ contactId: ada.id }]
    const { createDeal: deal } = await ask<Made>(owner, createDeal, { input: { title: 'Engines of the north', contacts } })
    const { createVoiceAgent: agent } = await ask<{ createVoiceAgent: { id: string } }>(
      owner,
      'mutation { createVoiceAgent(input: { name: "Desk", phoneNumber: "+15550100001" }) { id } }',
    )
    await ask(owner, 'mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }', {
      input: { voiceAgentId: agent.id, contactId: ada.id, toNumber: '+15550123456', dealId: deal.id },
    })
    const page = await open(`/deals/${deal.id}`, { as: owner })
    const calls = page.getByRole('region', { name: 'Calls' })
    await calls.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await look(page, 'deal with a call')

    await page.getByRole('link', { name: 'Tasks' }).first().click()
    await page.getByRole('button', { name: 'New task' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('textbox', { name: 'Title' }).fill('Send the offer')
    await panel.getByRole('combobox', { name: 'About' }).fill('north')
    await page.getByRole('option', { name: 'Engines of the north' }).waitFor()
    await look(page, 'new task about a deal')
    await page.getByRole('option', { name: 'Engines of the north' }).click()
    await panel.getByRole('button', { name: 'Add task', exact: true }).click()
    await page.getByRole('grid', { name: 'Tasks' }).getByText('Engines of the north').waitFor()
  },

  'the lists of deals and of companies are downloaded as files': async ({ open, person }, look) => {
    const page = await open('/deals?state=OPEN', { as: await person({ demo: true }) })
    for (const [place, button] of [
      ['deals', 'Export matching deals'],
      ['companies', 'Export all companies'],
    ] as const) {
      await page
        .getByRole('link', { name: place === 'deals' ? 'Deals' : 'Companies', exact: true })
        .first()
        .waitFor()
      if (place === 'companies') await page.getByRole('link', { name: 'Companies', exact: true }).first().click()
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).click()
      assert.match((await coming).suggestedFilename(), new RegExp(`^${place}-[0-9-]+\\.csv$`))
      await look(page, `${place} with an export`)
    }
  },

  'a view of deals or companies is exported with its columns, or with all fields': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createCompany, { input: { name: 'Acme', city: 'Bonn', annualRevenue: '1000', annualRevenueCurrency: 'EUR' } })
    await ask(owner, createDeal, { input: { title: 'Renewal', amount: '9.50', currency: 'EUR' } })
    const createView = 'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id } }'
    const lists = [
      ['/companies', 'COMPANIES', ['city', 'annualRevenue', 'externalId'], 'name,city,annual_revenue,annual_revenue_currency,external_id'],
      ['/deals', 'DEALS', ['stageId', 'amount', 'companyId'], 'title,stage_name,amount,currency,company_name'],
    ] as const
    for (const [path, noun, columns, headers] of lists) {
      await ask(owner, createView, { input: { noun, name: 'Short', columns, isDefault: true } })
      const page = await open(path, { as: owner })
      await page.getByRole('button', { name: 'Short', exact: true }).waitFor()
      await page.locator('td', { hasText: noun === 'DEALS' ? 'Renewal' : 'Acme' }).waitFor()
      const header = async (entry: string) => {
        await page.getByRole('button', { name: 'Export', exact: true }).click()
        const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: entry, exact: true }).click()])
        return (
          readFileSync(await file.path(), 'utf8')
            .replace('\u{feff}', '')
            .split('\r\n')[0] ?? ''
        )
      }
      assert.equal(await header('Export this view'), headers)
      assert.ok((await header('Export this view with all fields')).startsWith('id,'))
    }
  },

  'the form for a new deal shows what holds without a choice, and typing replaces it': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, 'mutation { setOrganizationCurrency(input: { currency: "EUR" }) { currency } }')
    const page = await open('/deals?new=true', { as: owner })
    const form = page.getByRole('dialog', { name: 'New deal' })
    const chosen = (label: string) => form.getByLabel(label, { exact: true }).first()
    await form.getByRole('textbox', { name: 'Title' }).fill('Forty seats')
    assert.match(await chosen('Currency').inputValue(), /EUR/)
    assert.equal(await chosen('Stage').inputValue(), 'Lead')
    assert.equal(await chosen('Owner').inputValue(), owner.name)
    await look(page, 'new deal')

    await form.getByRole('textbox', { name: 'Amount' }).fill('100')
    // By the pointer, which would put the caret into the name of the euro; and without it.
    await chosen('Currency').click()
    await page.waitForTimeout(100)
    await page.keyboard.type('usd')
    assert.equal(await chosen('Currency').inputValue(), 'usd')
    await page.getByRole('option', { name: /USD/ }).waitFor()
    await page.keyboard.press('Tab')
    await chosen('Stage').focus()
    await page.keyboard.type('prop')
    await page.getByRole('option', { name: 'Proposal' }).waitFor()
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Create deal' }).click()
    await page.waitForURL(/\/deals\/[\da-f-]{36}$/)
    const { deals } = await ask<{ deals: { nodes: object[] } }>(
      owner,
      '{ deals { nodes { title amount currency ownerUserId stage { name } } } }',
    )
    assert.deepEqual(deals.nodes, [
      { title: 'Forty seats', amount: '100.00', currency: 'USD', ownerUserId: owner.userId, stage: { name: 'Proposal' } },
    ])
  },

  'a deal is added, edited in its place, lost for a reason, reopened and won': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, createCompany, { input: { name: 'Acme Robotics', domain: 'acme.example' } })
    await ask(owner, createContact, {
      input: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@acme.example', jobTitle: 'Head of Sales' },
    })
    await ask(owner, setReasons, { input: { lostReasons: ['Price', 'Timing', 'Competitor'] } })
    const page = await open('/deals', { as: owner })
    await page.getByText('The deals you hope to win are listed here.').waitFor()
    await look(page, 'deals empty')
    await page.getByRole('textbox', { name: 'Search deals' }).waitFor()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New deal' })
    await form.getByRole('button', { name: 'Create deal' }).click()
    await form.getByText('Enter a title').waitFor()
    await form.getByRole('textbox', { name: 'Title' }).fill('Renewal of 40 seats')
    await form
      .getByRole('combobox', { name: 'Company' })
      .or(form.getByRole('textbox', { name: 'Company' }))
      .first()
      .click()
    await page.keyboard.type('acme')
    const option = page.getByRole('option', { name: 'Acme Robotics' })
    await option.waitFor()
    assert.equal(await page.locator('input:focus').inputValue(), 'acme')
    await option.click()
    await form.getByRole('textbox', { name: 'Amount' }).fill('12.500')
    await form.getByRole('button', { name: 'Create deal' }).click()
    await form.getByText('Write an amount, such as').waitFor()
    await form.getByRole('textbox', { name: 'Amount' }).fill('12.500,50')
    await form
      .getByRole('combobox', { name: 'Currency' })
      .or(form.getByRole('textbox', { name: 'Currency' }))
      .first()
      .click()
    await page.keyboard.type('EUR')
    await page.getByRole('option', { name: /^EUR/ }).click()
    await form.getByLabel('Expected close').fill('2027-03-31')
    await look(page, 'deal new')
    await form.getByRole('button', { name: 'Create deal' }).click()
    await page.waitForURL(/deals\/[\da-f-]{36}$/)
    const id = page.url().slice(-36)
    const steps = page.getByRole('list', { name: 'Stages' })
    await steps.locator('[aria-current=step]', { hasText: 'Lead' }).waitFor()

    await page.getByRole('button', { name: 'Edit Amount' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('9000 eur')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Edit Amount: .*9,000/ }).waitFor()
    await page.getByPlaceholder('Add a person').click()
    await page.keyboard.type('ada')
    await page.getByRole('option', { name: 'Ada Lovelace' }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('textbox', { name: 'Role of Ada Lovelace' }).fill('Decides')
    await page.keyboard.press('Enter')
    await page.getByText('People Ada Lovelace').first().waitFor()
    await steps.getByRole('button', { name: 'Proposal' }).click()
    await steps.locator('[aria-current=step]', { hasText: 'Proposal' }).waitFor()
    await page
      .getByText(/moved this deal/)
      .first()
      .waitFor()
    await look(page, 'deal')
    const { deal } = await ask<{ deal: Record<string, unknown> }>(owner, readDeal, { id })
    assert.deepEqual(deal, {
      ...{ title: 'Renewal of 40 seats', amount: '9000.00', currency: 'EUR', expectedClose: '2027-03-31', lostReason: null },
      ...{ wonAt: null, lostAt: null, stage: { name: 'Proposal' }, company: { name: 'Acme Robotics' } },
      contacts: [{ role: 'Decides', contact: { fullName: 'Ada Lovelace' } }],
    })

    await page.getByRole('button', { name: 'Lost', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Why was Renewal of 40 seats lost?' })
    await dialog.getByRole('button', { name: 'Mark as lost' }).click()
    await dialog.getByText('Choose or enter a reason').waitFor()
    await look(page, 'deal lost reason')
    await dialog.getByRole('radio', { name: 'Timing' }).check()
    await dialog.getByRole('button', { name: 'Mark as lost' }).click()
    await page.getByRole('button', { name: 'Edit Reason for the loss: Timing' }).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await steps.locator('[aria-current=step]', { hasText: 'Lead' }).waitFor()
    await page.getByRole('button', { name: 'Won', exact: true }).click()
    await steps.locator('[aria-current=step]', { hasText: 'Won' }).waitFor()
    await look(page, 'deal won')

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete the deal' }).click()
    await page.getByText('Renewal of 40 seats deleted', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('button', { name: 'More actions' }).waitFor()

    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and go to' })
    await palette.getByRole('textbox', { name: 'Search and go to' }).fill('Renewal of')
    await palette.getByText('Renewal of 40 seats').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/deals/${id}`)
  },

  'the list of deals is searched, filtered and edited, and shows what somebody else does': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createCompany: acme } = await ask<{ createCompany: { id: string } }>(owner, createCompany, { input: { name: 'Acme Robotics' } })
    const stages = await stagesOf(ask, owner)
    const { createDeal: first } = await ask<Made>(owner, createDeal, {
      input: { title: 'Renewal', companyId: acme.id, amount: '1500.50', currency: 'EUR', expectedClose: '2027-01-31', tags: ['key'] },
    })
    await ask(owner, createDeal, { input: { title: 'New seats', amount: '900', currency: 'USD', stageId: stages.get('Negotiation') } })
    const page = await open('/deals', { as: owner })
    await page.getByText('2 deals').waitFor()
    await look(page, 'deals')
    const company = await open(`/companies/${acme.id}`, { as: owner })
    await company.getByRole('region', { name: 'Deals' }).getByRole('link', { name: 'Renewal' }).waitFor()
    await look(company, 'company with deals')
    await company.getByRole('link', { name: 'Add a deal' }).click()
    await company.getByRole('dialog', { name: 'New deal' }).getByRole('textbox', { name: 'Title' }).fill('Workshop')
    await company.getByRole('button', { name: 'Create deal' }).click()
    await company.waitForURL(/deals\/[\da-f-]{36}$/)
    await company.getByRole('link', { name: 'Acme Robotics' }).waitFor()
    await ask(owner, 'mutation ($input: DeleteDealInput!) { deleteDeal(input: $input) { id } }', {
      input: { id: company.url().slice(-36) },
    })
    await page.getByText('2 deals').waitFor()
    await ask(owner, moveDeal, { input: { id: first.id, stageId: stages.get('Qualified') } })
    await page.locator('td', { hasText: /^Qualified$/ }).waitFor()

    await page.locator('td', { hasText: /^Qualified$/ }).dblclick()
    await page.getByRole('option', { name: 'Won' }).click()
    await page.getByText('Renewal is now in Won').first().waitFor()
    await page.locator('td', { hasText: /^Won$/ }).waitFor()
    await page.locator('td', { hasText: /^Acme Robotics$/ }).dblclick()
    await page.getByRole('option', { name: 'No company' }).click()
    await page.locator('td', { hasText: /^Acme Robotics$/ }).waitFor({ state: 'detached' })

    await page
      .getByRole('combobox', { name: 'State' })
      .or(page.getByRole('textbox', { name: 'State' }))
      .first()
      .click()
    await page.getByRole('option', { name: 'Open', exact: true }).click()
    await page.waitForURL(url => url.searchParams.get('state') === 'OPEN')
    await page.getByText('1 deal', { exact: true }).waitFor()
    await look(page, 'deals filtered')
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('2 deals').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('renew')
    await page.getByText('1 deal', { exact: true }).waitFor()
  },

  'somebody who moves a deal that another person has moved is asked which stage stands': async ({ open, person, ask }, look) => {
    const owner = await person()
    const stages = await stagesOf(ask, owner)
    const { createDeal: made } = await ask<Made>(owner, createDeal, { input: { title: 'Renewal' } })
    const page = await open(`/deals/${made.id}`, { as: owner })
    const steps = page.getByRole('list', { name: 'Stages' })
    await steps.locator('[aria-current=step]', { hasText: 'Lead' }).waitFor()
    // The page has not heard of the other move yet.
    let isHeld = true
    await page.route('**/graphql', async route => {
      const body = route.request().postData() ?? ''
      if (isHeld && body.includes('"stageId"')) {
        isHeld = false
        await ask(owner, moveDeal, { input: { id: made.id, stageId: stages.get('Negotiation') } })
      }
      await route.continue()
    })
    await steps.getByRole('button', { name: 'Qualified' }).click()
    const question = page.getByRole('dialog', { name: `${owner.name} has moved Renewal` })
    await question.getByText('Negotiation').waitFor()
    await look(page, 'deal moved by two')
    await question.getByRole('button', { name: 'Keep yours' }).click()
    await steps.locator('[aria-current=step]', { hasText: 'Qualified' }).waitFor()
    const { deal } = await ask<{ deal: { stage: { name: string } } }>(owner, readDeal, { id: made.id })
    assert.equal(deal.stage.name, 'Qualified')
  },
})
