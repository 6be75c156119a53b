// Voice agents: made, tried, paused, and their secret.

import assert from 'node:assert/strict'
import { tell } from '../story.ts'

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
    await panel.getByRole('button', { name: 'Create agent' }).click()
    await panel.getByText('Enter a name').waitFor()
    await panel.getByLabel('Name').fill('Renewals')
    await panel.getByLabel('First message').fill('Hello, it is about your contract.')
    await panel.getByRole('button', { name: 'Add an answer' }).click()
    await panel.getByLabel('Name of answer 1').fill('Job title')
    await panel.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Own server' }).click()
    await panel.getByRole('button', { name: 'Create agent' }).click()
    await panel.getByText('needs the address its calls are sent to').waitFor()
    await look(page, 'agent refused')
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
    await panel.getByLabel('Name').fill('Own server')
    await panel.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Own server' }).click()
    await panel.getByLabel('Dispatch address').fill(`${server().url}/dispatch`)
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

    await page.getByLabel('Name').fill('Interviewer')
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
    const greeting = page.getByLabel('First message')
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
