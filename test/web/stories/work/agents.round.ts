// Voice agents: made, tried, paused, and their secret.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

tell({
  'a guest reads agents, and may not make one': async ({ open }, look) => {
    const page = await open('/agents', { as: 'guest' })
    await page.getByRole('grid', { name: 'Voice agents' }).getByRole('row').nth(1).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign up to make agents' }).isDisabled(), true)
    await look(page, 'agents')
  },

  'the form names values that the provider needs, and typed text stays': async ({ open, person }, look) => {
    const page = await open('/agents', { as: await person() })
    await page.getByText('An agent speaks on the phone by your instructions.').waitFor()
    await page.getByRole('button', { name: 'New agent' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Appointment reminder' }).waitFor()
    await look(page, 'agent templates')
    await panel.getByRole('button', { name: 'Start from scratch' }).click()
    await panel.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor()
    await panel.getByRole('button', { name: 'Create agent' }).click()
    await panel.getByText('Enter a name').waitFor()
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Renewals')
    await panel.getByLabel('First sentence').fill('Hello, it is about your contract.')
    await panel.getByRole('combobox', { name: 'Phone provider' }).click()
    await page.getByRole('option', { name: 'Own server' }).click()
    await panel.getByRole('button', { name: 'Create agent' }).click()
    await panel.getByText('needs the address its calls are sent to').waitFor()
    assert.equal(await panel.getByLabel('First sentence').inputValue(), 'Hello, it is about your contract.')
    await look(page, 'agent refused')
  },

  'unsaved text of an agent says that it is back, and is discarded': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createVoiceAgent } = await ask<{ createVoiceAgent: { id: string } }>(
      owner,
      'mutation { createVoiceAgent(input: { name: "Desk", firstMessage: "Hello from the desk.", extraction: { size: { type: "string", title: "Size" } } }) { id } }',
    )
    const page = await open(`/agents/${createVoiceAgent.id}`, { as: owner })
    const first = page.getByRole('textbox', { name: 'First sentence' })
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    const back = page.getByText('Your unsaved text from before is back.')
    await first.waitFor()
    // What must have a value is marked, and nothing else.
    assert.deepEqual(await Promise.all([name, first].map(input => input.evaluate(one => (one as HTMLInputElement).required))), [
      true,
      false,
    ])
    assert.equal(await back.count(), 0)
    await first.fill('Half a thought')
    await page.getByRole('group', { name: 'Size' }).getByLabel('Name of the value').fill('Shoe size')
    await page.reload()
    await back.waitFor()
    assert.equal(await first.inputValue(), 'Half a thought')
    await page.getByRole('group', { name: 'Shoe size' }).waitFor()
    await look(page, 'agent with a draft')

    await page.getByRole('button', { name: 'Discard it' }).click()
    await back.waitFor({ state: 'detached' })
    assert.equal(await first.inputValue(), 'Hello from the desk.')
    await page.getByRole('group', { name: 'Size', exact: true }).waitFor()
    await page.reload()
    await first.waitFor()
    assert.equal(await first.inputValue(), 'Hello from the desk.')
    assert.equal(await back.count(), 0)
  },

  'an agent is made from a template without JSON, is heard on the simulator, and its trial leaves no trace': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    await ask(owner, 'mutation { createCustomField(input: { key: "renewal", label: "Renewal date", type: DATE }) { id } }')
    // Two clicks: the template's address is a link of other pages, such as the checklist.
    const page = await open('/agents?new=appointment-reminder', { as: owner })
    const panel = page.getByRole('dialog')
    assert.equal(
      await panel.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).inputValue(),
      'Appointment reminder',
    )
    await panel.getByText('Robin Meyer hears').waitFor()
    await panel.getByText('Hello Robin, I am calling about your appointment').waitFor()

    // A value of a custom field by its suggestion, one of our own, and another order by the keyboard.
    await panel.getByRole('button', { name: 'Add a value' }).click()
    await page.getByRole('menuitem', { name: 'Renewal date' }).click()
    const renewal = panel.getByRole('group', { name: 'Renewal date' })
    assert.equal(await renewal.getByRole('combobox', { name: 'Kind' }).inputValue(), 'Date')
    assert.equal(await renewal.getByRole('combobox', { name: 'Goes to' }).inputValue(), 'Renewal date')
    await renewal.getByLabel('How it asks').fill('When does your contract end?')
    await renewal.getByLabel('Name of the value').press('Alt+ArrowUp')
    await panel.getByRole('button', { name: 'Add a value' }).click()
    await page.getByRole('menuitem', { name: 'Something else' }).click()
    await panel.getByRole('group', { name: 'Value 5' }).getByLabel('Name of the value').fill('Comes by car')
    await panel.getByRole('group', { name: 'Comes by car' }).getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Yes or no' }).click()
    await panel.getByRole('button', { name: 'Remove Better time' }).click()

    // A field of the contact where the caret is, and a misspelt one.
    const greeting = panel.getByLabel('First sentence')
    await greeting.fill('Good day ')
    await panel.getByRole('button', { name: 'Insert a field' }).nth(1).click()
    await page.getByRole('menuitem', { name: 'Full name' }).click()
    await panel.getByText('Good day Robin Meyer').waitFor()
    await panel.getByLabel('Instructions').fill('You call {{frist_name}}.')
    await panel.getByText('No field of a contact fills {{frist_name}}.').waitFor()
    await look(page, 'agent from template')
    await panel.getByRole('button', { name: 'Create agent' }).click()

    await page.getByRole('heading', { name: 'Appointment reminder' }).waitFor()
    await page.getByText('{{frist_name}} is not known; did you mean {{first_name}}?').waitFor()
    await page.getByText('Phones ring on weekdays from 9 to 18').waitFor()
    // In the order of the form.
    const names = page.getByRole('group').getByLabel('Name of the value')
    assert.deepEqual(await names.evaluateAll(all => all.map(one => (one as HTMLInputElement).value)), [
      ...['Appointment', 'Renewal date', 'Email', 'Comes by car'],
    ])
    await look(page, 'agent page')
    const { voiceAgents } = await ask<{ voiceAgents: { nodes: { id: string; extraction: object }[] } }>(
      owner,
      '{ voiceAgents(first: 1) { nodes { id extraction } } }',
    )
    assert.deepEqual(voiceAgents.nodes[0]?.extraction, {
      appointment: {
        type: 'string',
        title: 'Appointment',
        description: 'Does the appointment still suit you?',
        enum: ['Confirmed', 'Wants another time', 'Canceled'],
        field: null,
        order: 0,
      },
      renewal_date: {
        type: 'string',
        title: 'Renewal date',
        description: 'When does your contract end?',
        format: 'date',
        field: 'custom.renewal',
        order: 1,
      },
      email: {
        type: 'string',
        title: 'Email',
        description: 'To which email address may we send the confirmation?',
        field: 'email',
        order: 2,
      },
      comes_by_car: { type: 'boolean', title: 'Comes by car', field: null, order: 3 },
    })

    await page.getByRole('button', { name: 'Start trial' }).click()
    await page.waitForURL('**/calls/*')
    const transcript = page.getByRole('log', { name: 'Transcript' })
    await transcript.getByText(/Calling the simulator|It is ringing/).waitFor()
    await transcript.getByText('Good day Robin Meyer').waitFor()
    // Line by line, as somebody would hear it.
    assert.equal(await transcript.getByText('Goodbye').count(), 0)
    await transcript.getByText('When does your contract end?').waitFor()
    await page.getByRole('status').getByText('Trial').waitFor()
    const facts = page.getByRole('complementary', { name: 'About this call' })
    await facts.getByText('Confirmed').waitFor({ timeout: 60_000 })
    await facts.getByText('robin.meyer@northwind.example').waitFor()
    await look(page, 'trial')

    const left = await ask(
      owner,
      '{ contacts(first: 1) { totalCount } suggestions(first: 1) { totalCount } calls(first: 1) { totalCount } stats { calls { total } } voiceSettings { callingHours { from until days } } }',
    )
    assert.deepEqual(left, {
      contacts: { totalCount: 0 },
      suggestions: { totalCount: 0 },
      calls: { totalCount: 0 },
      stats: { calls: { total: 0 } },
      voiceSettings: { callingHours: { from: '09:00', until: '18:00', days: [1, 2, 3, 4, 5] } },
    })
    await page.getByRole('link', { name: 'All calls' }).click()
    await page.getByText('Calls of your agents are listed here').waitFor()
    await page.getByRole('switch', { name: 'Trials' }).check({ force: true })
    await page.getByRole('grid', { name: 'Calls' }).getByText('Goal met').waitFor()
  },

  'an agent that its provider has accepted before its page opens is shown active': async ({ open, person, server }) => {
    const page = await open('/agents', { as: await person() })
    // Created, provisioned and seen in the list behind the form before the form has its answer, which says "provisioning" still.
    await page.route('**/graphql', async route => {
      if (!route.request().postData()?.includes('"dispatchUrl":"http')) return route.fallback()
      const response = await route.fetch()
      const body = await response.text()
      await page.getByRole('grid', { name: 'Voice agents', includeHidden: true }).getByText('Active').waitFor()
      await route.fulfill({ response, body: body.replace('"status":"ACTIVE"', '"status":"PROVISIONING"') })
    })
    await page.getByRole('button', { name: 'New agent' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Start from scratch' }).click()
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Own server')
    await panel.getByRole('combobox', { name: 'Phone provider' }).click()
    await page.getByRole('option', { name: 'Own server' }).click()
    await panel.getByLabel('Address of your server').fill(`${server().url}/dispatch`)
    await panel.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { name: 'Own server' }).waitFor()
    await page.getByRole('status').getByText('Active').waitFor()
  },

  'an agent is edited, paused and resumed, and its secret is shown and rotated': async ({ open, person, ask }) => {
    const owner = await person()
    const { createVoiceAgent } = await ask<{ createVoiceAgent: { id: string } }>(
      owner,
      'mutation { createVoiceAgent(input: { name: "Surveyor", provider: SIMULATOR }) { id } }',
    )
    const page = await open(`/agents/${createVoiceAgent.id}`, { as: owner })
    const status = async () =>
      (
        await ask<{ voiceAgent: { status: string } }>(owner, 'query ($id: ID!) { voiceAgent(id: $id) { status } }', {
          id: createVoiceAgent.id,
        })
      ).voiceAgent.status
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    assert.equal(await status(), 'PAUSED')
    await page.getByText('An agent has to be active for a trial.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    assert.equal(await status(), 'ACTIVE')

    await page.getByRole('button', { name: 'Reveal' }).click()
    const secrets = page.getByText(/^whsec_/)
    await secrets.waitFor()
    const before = await secrets.textContent()
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await secrets.nth(1).waitFor()
    assert.notEqual(await secrets.first().textContent(), before)

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Interviewer')
    await page.getByRole('button', { name: 'Save agent' }).click()
    await page.getByRole('heading', { name: 'Interviewer' }).waitFor()

    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    const archive = page.getByRole('dialog').getByRole('button', { name: 'Archive agent' })
    assert.equal(await archive.isDisabled(), true)
    await page.getByRole('dialog').getByRole('textbox').fill('Interviewer')
    await archive.click()
    await page.getByText('This agent is archived.').waitFor()
    assert.equal(await status(), 'ARCHIVED')
    assert.equal(await page.getByRole('button', { name: 'Save agent' }).count(), 0)
  },

  "another person's change of an agent appears beside the typed text, and neither is lost": async ({ open, person, ask }, look) => {
    const owner = await person()
    const change = (input: object) =>
      ask(owner, 'mutation ($input: UpdateVoiceAgentInput!) { updateVoiceAgent(input: $input) { id } }', { input })
    const { createVoiceAgent: agent } = await ask<{ createVoiceAgent: { id: string } }>(
      owner,
      'mutation { createVoiceAgent(input: { name: "Surveyor", provider: SIMULATOR, instructions: "Ask." }) { id } }',
    )
    const page = await open(`/agents/${agent.id}`, { as: owner })
    const greeting = page.getByLabel('First sentence')
    await greeting.pressSequentially('Hello')
    await change({ id: agent.id, name: 'Interviewer', instructions: 'Ask twice.' })
    await page.getByRole('heading', { name: 'Interviewer' }).waitFor()
    await page.getByLabel('Instructions').getByText('Ask twice.').waitFor()
    // The focus stays where somebody types.
    await page.keyboard.type(', it is me')
    assert.equal(await greeting.inputValue(), 'Hello, it is me')
    await page.getByRole('button', { name: 'Save agent' }).click()
    await page.getByText('Agent saved').waitFor()
    const standing = async () => {
      const read = 'query ($id: ID!) { voiceAgent(id: $id) { name firstMessage instructions } }'
      return (await ask<{ voiceAgent: object }>(owner, read, { id: agent.id })).voiceAgent
    }
    assert.deepEqual(await standing(), { name: 'Interviewer', firstMessage: 'Hello, it is me', instructions: 'Ask twice.' })

    await page.getByLabel('Instructions').fill('Mine')
    await change({ id: agent.id, instructions: 'Theirs' })
    await page.getByText('Changed meanwhile: Instructions').waitFor()
    await look(page, 'agent conflict')
    // Not before it is decided.
    assert.equal(await page.getByRole('button', { name: 'Save agent' }).isDisabled(), true)
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByText('Changed meanwhile: Instructions').waitFor({ state: 'detached' })
    await page.getByLabel('Instructions').getByText('Theirs').waitFor()
    assert.deepEqual(await standing(), { name: 'Interviewer', firstMessage: 'Hello, it is me', instructions: 'Theirs' })
  },

  'a trial of an agent with a server of its own is played by the simulator': async ({ open, person, ask, server }) => {
    const owner = await person()
    const { createVoiceAgent } = await ask<{ createVoiceAgent: { id: string } }>(
      owner,
      'mutation ($input: CreateVoiceAgentInput!) { createVoiceAgent(input: $input) { id } }',
      // Nothing at this address places calls: a call that was sent there would fail.
      { input: { name: 'Own server', dispatchUrl: `${server().url}/nothing`, firstMessage: 'Hello from my own server.' } },
    )
    const page = await open(`/agents/${createVoiceAgent.id}`, { as: owner })
    const { provider } = (
      await ask<{ voiceAgent: { provider: string } }>(owner, 'query ($id: ID!) { voiceAgent(id: $id) { provider } }', {
        id: createVoiceAgent.id,
      })
    ).voiceAgent
    assert.equal(provider, 'HTTP')
    await page.getByRole('button', { name: 'Start trial' }).click()
    await page.waitForURL('**/calls/*')
    await page.getByRole('log', { name: 'Transcript' }).getByText('Hello from my own server.').waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const { call } = await ask<{ call: object }>(owner, 'query ($id: ID!) { call(id: $id) { provider } }', { id })
    assert.deepEqual(call, { provider: 'SIMULATOR' })
  },
})
