// Home and its widgets, and the credits.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

tell({
  'a guest looks at the widgets of the demo, and cannot arrange them': async ({ open }, look) => {
    const page = await open('/home', { as: 'guest' })
    await page.getByRole('region', { name: 'Recent contacts' }).getByRole('listitem').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign up to arrange' }).isDisabled(), true)
    await look(page, 'home of a guest')
  },

  'a widget is added, set, removed, brought back, and embedded with its key': async ({ open, person, server }, look) => {
    const page = await open('/home', { as: await person({ demo: true }) })
    await page.getByRole('region', { name: 'Calls over time' }).waitFor()
    await look(page, 'home')

    await page.getByRole('button', { name: 'Add widget' }).click()
    await page.getByRole('menuitem', { name: 'Recent calls' }).click()
    const added = page.getByRole('region', { name: 'Recent calls' })
    await added.waitFor()
    await page.getByRole('button', { name: 'Options of Calls over time' }).click()
    await page.getByRole('menuitem', { name: 'By outcome' }).click()
    await page.getByRole('region', { name: 'Calls over time by outcome' }).waitFor()
    await page.getByRole('button', { name: 'Options of Recent calls' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await added.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await added.waitFor()

    await page.getByRole('button', { name: 'Options of Calls over time by outcome' }).click()
    await page.getByRole('menuitem', { name: 'Embed elsewhere' }).click()
    await page.getByRole('button', { name: 'Make the address' }).click()
    const address = (await page.getByRole('dialog').locator('code').innerText()).trim()
    const elsewhere = await open(new URL(address).href.slice(server().url.length))
    await elsewhere.getByRole('heading', { name: 'Calls over time by outcome' }).waitFor()
    await look(elsewhere, 'widget embedded')

    await page.getByRole('link', { name: 'Settings, Embedding' }).click()
    const keys = page.getByRole('list', { name: 'Keys of widgets' })
    await look(page, 'embedding')
    await keys.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await keys.getByText(/^Revoked /).waitFor()
    await elsewhere.reload()
    await elsewhere.getByRole('alert').waitFor()
  },

  'the widgets of deals show each currency by itself, as charts and as tables': async ({ open, person }, look) => {
    const page = await open('/home', { as: await person({ demo: true }) })
    const forecast = page.getByRole('region', { name: 'Forecast by month' })
    await forecast.getByRole('figure', { name: /in USD/ }).waitFor()
    await forecast.getByRole('figure', { name: /in EUR/ }).waitFor()
    await page
      .getByRole('region', { name: 'Win rate' })
      .getByText(/^EUR: \d+% won$/)
      .waitFor()
    await page.getByRole('region', { name: 'Days in stage' }).getByRole('rowheader', { name: 'Negotiation' }).waitFor()
    await look(page, 'home with deals')

    for (const name of ['Forecast by month', 'Pipeline by stage', 'Win rate', 'Days in stage', 'Deal activity by owner']) {
      const widget = page.getByRole('region', { name, exact: true })
      await widget.getByRole('button', { name: `Options of ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Show as a table' }).click()
      await widget.getByRole('columnheader').first().waitFor()
    }
    await look(page, 'home with tables of deals')
  },

  'a new organization is set up from the checklist, which ticks itself off': async ({ open, person }, look) => {
    const owner = await person()
    const page = await open('/home', { as: owner })
    const done = page.getByRole('listitem').filter({ has: page.getByLabel('Done') })
    await page.getByRole('link', { name: 'Name, country, currency' }).waitFor()
    assert.equal(await done.count(), 0)
    await look(page, 'home of a new organization')

    await page.getByRole('link', { name: 'Name, country, currency' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Copperleaf')
    await page.getByRole('combobox', { name: 'Country' }).fill('Portu')
    await page.getByRole('option', { name: 'Portugal' }).click()
    await look(page, 'settings of the organization')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('combobox', { name: 'Currency' }).and(page.locator('[value^="EUR"]')).waitFor()
    await page.getByRole('button', { name: 'Copperleaf', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Invite a colleague' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('By a link').click()
    await dialog.getByRole('button', { name: 'Make link' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Home' }).click()
    await done.getByText('Name your organization').waitFor()
    await done.getByText('Invite a colleague').waitFor()

    await page.getByRole('link', { name: 'Add a contact' }).click()
    await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await page.getByRole('button', { name: 'Create contact' }).click()
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Ada', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    const steps = page.getByRole('region', { name: 'Set up Copperleaf' })
    await steps.getByText('3 of 5 steps done').waitFor()
    await page.getByRole('region', { name: 'Calls over time' }).getByText('Calls of your voice agents are counted here').waitFor()
    await look(page, 'home with the first contact')

    // Hidden steps stay hidden, and the header leads back to them.
    await steps.getByRole('button', { name: 'Hide the steps of the setup' }).click()
    await steps.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: '2 steps left in the setup' }).click()
    await page.getByRole('link', { name: 'Choose a template' }).waitFor()
    await page.getByRole('button', { name: 'Show the widgets' }).click()
    await page.getByRole('link', { name: '2 steps left in the setup' }).waitFor()
    assert.equal(await steps.count(), 0)
  },

  'the step to hear the agent starts the trial call, and the last step takes the setup off Home': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, 'mutation { setOrganizationCountry(input: { country: "PT" }) { id } }')
    await ask(owner, 'mutation { createContact(input: { firstName: "Ada" }) { id } }')
    await ask(owner, 'mutation { createVoiceAgent(input: { name: "Desk", firstMessage: "Hello from the desk." }) { id } }')
    // At night too: a trial is never held.
    await ask(
      owner,
      'mutation { updateVoiceSettings(input: { callingHours: { from: "03:00", until: "03:01", days: [1] } }) { concurrency } }',
    )
    const page = await open('/home', { as: owner })
    const steps = page.getByRole('region', { name: /^Set up / })
    await steps.getByRole('button', { name: 'Start a trial' }).waitFor()
    await look(page, 'home with steps left')
    await steps.getByRole('button', { name: 'Start a trial' }).click()
    await page.getByText('Hello from the desk.').waitFor()

    await ask(owner, `mutation { renameOrganization(input: { name: "Copperleaf" }) { id } }`)
    await ask(owner, 'mutation { inviteToOrganization(input: { role: MEMBER }) { id } }')
    await page.goto(`${new URL(page.url()).origin}/home`)
    await page.getByRole('region', { name: 'Recent contacts' }).waitFor()
    await page.getByRole('region', { name: 'Recent contacts' }).getByText('Ada').waitFor()
    assert.equal(await steps.count(), 0)
  },

  'sample data fills an empty organization in one click, and another one removes it': async ({ open, person }, look) => {
    const page = await open('/home', { as: await person() })
    await page.getByRole('button', { name: 'Try with sample data' }).click()
    await page.getByText('You are looking at sample data').waitFor()
    await page.getByRole('region', { name: 'Recent contacts' }).getByRole('listitem').first().waitFor()
    await page.getByRole('region', { name: 'Pipeline by stage' }).waitFor()
    await look(page, 'home with sample data')

    await page.getByRole('button', { name: 'Remove the sample data' }).click()
    await page.getByRole('button', { name: 'Try with sample data' }).waitFor()
    assert.equal(await page.getByText('You are looking at sample data').count(), 0)
  },

  'credits show the balance, usage by day and the ledger': async ({ open, person }, look) => {
    const page = await open('/credits', { as: await person({ demo: true }) })
    await page.getByText('Available', { exact: true }).first().waitFor()
    await page.getByRole('heading', { name: 'Grants' }).waitFor()
    await look(page, 'credits')
    await page.getByText('Ledger', { exact: true }).click()
    await page.waitForURL(url => url.searchParams.get('tab') === 'ledger')
    await page.getByRole('grid', { name: 'Ledger' }).waitFor()
    await look(page, 'credits ledger')
  },
})
