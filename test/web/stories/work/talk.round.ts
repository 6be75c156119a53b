// Talking to a voice agent in writing, on its page.

import assert from 'node:assert/strict'
import { tell } from '../../support/story.ts'

const createAgent = 'mutation ($input: CreateVoiceAgentInput!) { createVoiceAgent(input: $input) { id } }'

tell({
  'an agent is talked to beside its form, changed, and talked to again': async ({ open, person, ask }, look) => {
    const owner = await person()
    const extraction = { renewal: { type: 'string', format: 'date', title: 'Renewal', description: 'When does your contract end?' } }
    const { createVoiceAgent: agent } = await ask<{ createVoiceAgent: { id: string } }>(owner, createAgent, {
      input: { name: 'Renewal desk', firstMessage: 'Hello {{first_name}}, do you have a minute?', extraction },
    })
    const page = await open(`/agents/${agent.id}`, { as: owner })
    await page.getByRole('button', { name: 'Start talking' }).click()
    const log = page.getByRole('log', { name: 'Conversation' })
    await log.getByText('Hello Robin, do you have a minute?').waitFor()
    await page.getByText('No model is configured').waitFor()
    const words = page.getByRole('textbox', { name: 'Your words' })
    await words.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Yes')
    await page.keyboard.press('Enter')
    await log.getByText('When does your contract end?').waitFor()
    await look(page, 'agent talked to')
    await page.keyboard.type('15 March 2027')
    await page.keyboard.press('Enter')
    await log.getByText('Is that right?').waitFor()
    await page.keyboard.type('Yes')
    await page.getByRole('button', { name: 'Send' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('Mar 15, 2027').waitFor()
    await result.getByText('Goal met').waitFor()
    assert.equal(await words.count(), 0)
    await look(page, 'agent talked to with result')

    await page.getByLabel('First sentence').fill('Good evening.')
    await page.getByRole('button', { name: 'Save agent' }).click()
    await page.getByText('The agent was saved since.').waitFor()
    await page.getByRole('button', { name: 'Talk again' }).click()
    await log.getByText('Good evening.').waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await result.getByText('It has found out nothing.').waitFor()
    const { calls, contacts } = await ask<{ calls: { totalCount: number }; contacts: { totalCount: number } }>(
      owner,
      '{ calls(first: 1) { totalCount } contacts(first: 1) { totalCount } }',
    )
    assert.deepEqual([calls.totalCount, contacts.totalCount], [0, 0])
  },
})
