// Jobs, recipes, and the palette that finds everything.

import { tell } from '../../support/story.ts'

tell({
  'jobs are listed, and one is opened by its address with its steps': async ({ open, person }, look) => {
    const page = await open('/jobs', { as: await person({ demo: true }) })
    const rows = page.getByRole('grid', { name: 'Runs' }).getByRole('row')
    await rows.nth(3).waitFor()
    await look(page, 'jobs')
    await rows.nth(1).getByRole('gridcell').first().click()
    await page.waitForURL(url => url.searchParams.has('open'))
    await page.getByRole('heading', { name: 'Steps' }).waitFor()
    await look(page, 'job')
  },

  'recipes show their price and their missing setup': async ({ open }, look) => {
    const page = await open('/recipes', { as: 'guest' })
    await page.getByRole('article').first().waitFor()
    await look(page, 'recipes')
  },

  'the palette finds a contact by its name and goes to a place, by keys alone': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const { contacts } = await ask<{ contacts: { nodes: { id: string; fullName: string }[] } }>(
      owner,
      '{ contacts(first: 1, filter: { notEmpty: [FULL_NAME] }) { nodes { id fullName } } }',
    )
    const wanted = contacts.nodes[0]
    const page = await open('/recipes', { as: owner })
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('Control+k')
    const search = page.getByPlaceholder('Find a contact, company, deal, call, note or agent, or go to a place')
    await search.fill(wanted?.fullName ?? '')
    await page.getByRole('dialog').getByText('Contact', { exact: true }).first().waitFor()
    await look(page, 'palette')
    await search.fill('credits')
    await page.getByRole('dialog').getByText('Credits', { exact: true }).waitFor()
    // The first entry is selected while somebody types.
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/credits$/)
  },

  'the palette runs verbs: it adds a contact, calls somebody, and does what the page can do': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, 'mutation { createContact(input: { fullName: "Grace Hopper", phone: "+14155550123" }) { id } }')
    await ask(owner, 'mutation { createVoiceAgent(input: { name: "Desk" }) { id } }')
    const page = await open('/jobs', { as: owner })
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    const palette = page.getByRole('dialog', { name: 'Search and go to' })
    const run = async (typed: string, entry: string) => {
      await page.keyboard.press('Control+k')
      await palette.locator('input').fill(typed)
      await palette.getByText(entry).waitFor()
      await page.keyboard.press('Enter')
    }
    await run('new con', 'New contact')
    await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
    await page.keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Contacts' }).getByText('Ada', { exact: true }).waitFor()

    await run('filt', 'Filter the list')
    await page.getByRole('dialog', { name: 'Filters' }).or(page.getByRole('menu')).first().waitFor()
    await page.keyboard.press('Escape')

    await run('call grace', 'Call Grace Hopper')
    const call = page.getByRole('dialog', { name: 'Call Grace Hopper' })
    // It says when the number is dialed, now or when calling hours begin. Every field has a value, so Enter places the call.
    await call.getByText(/^The simulator plays the call/).waitFor()
    await call.getByRole('button', { name: 'Place call' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await call.waitFor({ state: 'detached' })
    await page.getByText('Calling Grace Hopper').first().waitFor()
    await run('settings: key', 'Settings: API keys')
    await page.waitForURL('**/settings/keys')
  },

  'what the palette finds and a timeline tells of is opened itself': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const { calls, voiceAgents } = await ask<{
      calls: { nodes: { contactId: string; extracted: object }[] }
      voiceAgents: { nodes: { id: string }[] }
    }>(
      owner,
      '{ calls(first: 50, filter: { status: COMPLETED, notEmpty: [CONTACT_ID] }) { nodes { contactId extracted } } voiceAgents(first: 1) { nodes { id } } }',
    )
    const { contactId = '' } = calls.nodes.find(({ extracted }) => Object.keys(extracted).length > 0) ?? {}
    await ask(owner, 'mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', {
      input: { contactId, text: 'Zanzibarclause' },
    })
    await ask(owner, 'mutation ($input: UpdateVoiceAgentInput!) { updateVoiceAgent(input: $input) { id } }', {
      input: { id: voiceAgents.nodes[0]?.id, name: 'Cartographer' },
    })

    const page = await open('/recipes', { as: owner })
    await page.getByRole('article').first().waitFor()
    const search = page.getByPlaceholder('Find a contact, company, deal, call, note or agent, or go to a place')
    const find = async (text: string, kind: string) => {
      await page.keyboard.press('Control+k')
      await search.fill(text)
      await page
        .getByRole('dialog')
        .getByRole('button')
        .filter({ hasText: new RegExp(`${kind}$`) })
        .first()
        .click()
    }
    await find('Cartographer', 'Voice agent')
    await page.waitForURL(`**/agents/${voiceAgents.nodes[0]?.id}`)
    await page.getByRole('heading', { name: 'Cartographer' }).waitFor()
    await find('Zanzibarclause', 'Note')
    await page.waitForURL(url => url.pathname === `/contacts/${contactId}` && url.searchParams.get('tab') === 'notes')
    await page.getByText('Zanzibarclause', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('link', { name: 'a note' }).first().click()
    await page.waitForURL(url => url.searchParams.get('tab') === 'notes')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page
      .getByText(/^Learned: |Learned: /)
      .first()
      .waitFor()
    await look(page, 'timeline')
    await page
      .getByRole('link', { name: /^(a call|[\d ]+(s|min.*))$/ })
      .first()
      .click()
    await page.waitForURL(url => /^\/calls\/[\da-f-]{36}$/.test(url.pathname))
    await page.getByRole('list', { name: 'Progress' }).waitFor()
  },

  'a timeline leads to the suggestion that waits': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact } = await ask<{ createContact: { id: string } }>(
      owner,
      'mutation { createContact(input: { fullName: "Grace Hopper", phone: "+442079460958" }) { id } }',
    )
    const contactId = createContact.id
    await ask(owner, 'mutation ($input: EnqueueEnrichmentInput!) { enqueueEnrichment(input: $input) { id } }', {
      input: { target: { hostApp: 'rolocom', kind: 'contact', id: contactId } },
    })
    const page = await open(`/contacts/${contactId}?tab=timeline`, { as: owner })
    await page.getByRole('link', { name: 'Review', exact: true }).first().click()
    await page.waitForURL(url => url.pathname === '/suggestions' && url.searchParams.get('contact') === contactId)
    await page
      .getByRole('button', { name: /^Accept/ })
      .first()
      .waitFor()
  },
})
