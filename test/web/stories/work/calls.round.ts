// Calls: the list, placing one, and its page while it runs.

import assert from 'node:assert/strict'
import { eventually } from '../../support/eventually.ts'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

async function agentOf(ask: Fixture['ask'], owner: Person, name: string): Promise<string> {
  const { createVoiceAgent } = await ask<{ createVoiceAgent: { id: string } }>(
    owner,
    'mutation ($name: String!) { createVoiceAgent(input: { name: $name, provider: SIMULATOR, firstMessage: "Hello, do you have a minute?" }) { id } }',
    { name },
  )
  return createVoiceAgent.id
}

async function untilActive(ask: Fixture['ask'], owner: Person, id: string): Promise<void> {
  for (;;) {
    const { voiceAgent } = await ask<{ voiceAgent: { status: string } }>(owner, 'query ($id: ID!) { voiceAgent(id: $id) { status } }', {
      id,
    })
    if (voiceAgent.status === 'ACTIVE') return
  }
}

tell({
  'calls of the demo organization are listed, filtered by the address, and opened': async ({ open, person }, look) => {
    const page = await open('/calls?status=COMPLETED&status=SINGING', { as: await person({ demo: true }) })
    await page.getByText('status=COMPLETED, SINGING').waitFor()
    const rows = page.getByRole('grid', { name: 'Calls' }).getByRole('row')
    await rows.nth(3).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await look(page, 'calls')
    await page.getByRole('button', { name: 'Any day' }).click()
    await page.getByLabel('Placed until').fill('2000-01-01')
    await page.waitForURL(url => url.searchParams.get('placed') === '..2000-01-01')
    await page.getByText('No call matches these filters.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Clear the filter/ }).click()
    await rows.nth(1).getByRole('gridcell').first().click()
    await page.getByRole('log', { name: 'Transcript' }).waitFor()
    await look(page, 'call')
  },

  'a guest reads calls, and may not place one': async ({ open }) => {
    const page = await open('/calls', { as: 'guest' })
    await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(3).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign up to place calls' }).isDisabled(), true)
  },

  'an unknown call is not found, and leads back': async ({ open, person }) => {
    const page = await open('/calls/01890000-0000-7000-8000-000000000000', { as: await person() })
    await page.getByText('This call was not found').waitFor()
  },

  'a call is tried, placed, and followed to its end': async ({ open, person, ask }, look) => {
    const owner = await person()
    const agentId = await agentOf(ask, owner, 'Surveyor')
    await untilActive(ask, owner, agentId)
    const page = await open('/calls', { as: owner })
    await page.getByText('Calls of your agents are listed here').waitFor()
    await look(page, 'calls empty')
    await page.getByRole('button', { name: 'Place call' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Place call' }).click()
    await panel.getByText('Choose who calls').waitFor()
    await panel.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Surveyor (simulator)' }).click()
    await panel.getByLabel('Number').fill('12')
    await panel.getByRole('alert').waitFor()
    await panel.getByLabel('Number').fill('+999 555 0100')
    await panel.getByText('The phone rings at once').waitFor()
    await look(page, 'call placing')
    await panel.getByRole('button', { name: 'Place call' }).click()
    await page.getByText('Hello, do you have a minute?').waitFor()
    await look(page, 'call live')
    await page.getByRole('list', { name: 'Progress' }).getByText('Completed').waitFor()
    await page.getByText('Goal met').waitFor()
    await page.getByText('Job title', { exact: true }).waitFor()
    await look(page, 'call over')
    // The page shows the end, so that no toast tells of it, and its item is done.
    await eventually(async () => await ask(owner, '{ inboxCount inbox(state: DONE) { nodes { kind } } }'), {
      inboxCount: 0,
      inbox: { nodes: [{ kind: 'CALL_ENDED' }] },
    })
    assert.equal(await page.getByRole('alert').count(), 0)
    const { calls } = await ask<{ calls: { nodes: { transcript: { role: string; text: string }[] }[] } }>(
      owner,
      '{ calls(first: 1) { nodes { transcript { role text } } } }',
    )
    const said = calls.nodes[0]?.transcript ?? []
    assert.deepEqual([...new Set(said.map(({ role }) => role))].toSorted(), ['AGENT', 'USER'])
    assert.deepEqual(
      await page.getByRole('log', { name: 'Transcript' }).locator('p[dir=auto]').allInnerTexts(),
      said.map(({ text }) => text),
    )
  },

  'a denied number is refused before a phone rings': async ({ open, person, ask }, look) => {
    const owner = await person()
    await untilActive(ask, owner, await agentOf(ask, owner, 'Surveyor'))
    await ask(owner, 'mutation { denyNumber(input: { phone: "+9995550199" }) { phone } }')
    const page = await open('/calls?place=true', { as: owner })
    const panel = page.getByRole('dialog')
    await panel.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Surveyor (simulator)' }).click()
    await panel.getByLabel('Number').fill('+9995550199')
    await panel.getByText('This number is on your deny list.').waitFor()
    await look(page, 'call refused')
  },

  'a call that rings is canceled on its page, after asking': async ({ open, person, ask }) => {
    const owner = await person()
    const voiceAgentId = await agentOf(ask, owner, 'Surveyor')
    await untilActive(ask, owner, voiceAgentId)
    const { createCall } = await ask<{ createCall: { id: string } }>(
      owner,
      'mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }',
      { input: { voiceAgentId, toNumber: '+9990000002' } },
    )
    const page = await open(`/calls/${createCall.id}`, { as: owner })
    await page.getByRole('button', { name: 'Cancel call' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel call' }).click()
    await page.getByRole('list', { name: 'Progress' }).getByText('Canceled').waitFor()
  },

  'calls that wait because no worker runs: the list says so, until one dials them': async (
    { open, person, ask, restart, expects },
    look,
  ) => {
    const owner = await person()
    const voiceAgentId = await agentOf(ask, owner, 'Surveyor')
    await untilActive(ask, owner, voiceAgentId)
    await restart({ roles: 'web,api,session' })
    try {
      const input = { voiceAgentId, toNumber: '+9990000002', schedule: { earliestAt: new Date(Date.now() + 1000).toISOString() } }
      const place = 'mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }'
      await ask(owner, place, { input })
      const page = await open('/calls', { as: owner, prepare: page => page.clock.install() })
      expects(page, /ERR_|Failed to load|network error/i)
      await page.getByRole('grid', { name: 'Calls' }).getByText('+9990000002').first().waitFor()
      const notice = page.getByRole('status').filter({ hasText: 'Calls are delayed: none is being dialed' })
      assert.equal(await notice.count(), 0)
      await page.clock.fastForward('01:30')
      await notice.waitFor()
      await look(page, 'calls wait')

      await restart()
      await page.getByRole('grid', { name: 'Calls' }).getByText('Ringing').waitFor({ timeout: 60_000 })
      await notice.waitFor({ state: 'detached' })
    } catch (error) {
      // Other stories need the worker.
      await restart()
      throw error
    }
  },

  'the ledger leads from the credits of a call to the call, whose recording is played or linked': async (
    { open, person, ask, expects },
    look,
  ) => {
    const owner = await person()
    const agentId = await agentOf(ask, owner, 'Surveyor')
    await untilActive(ask, owner, agentId)
    const { createCall } = await ask<{ createCall: { id: string } }>(
      owner,
      'mutation ($agentId: ID!) { createCall(input: { voiceAgentId: $agentId, toNumber: "+15550100142", record: true }) { id } }',
      { agentId },
    )
    const page = await open('/credits?tab=ledger', { as: owner })
    await page.getByRole('grid', { name: 'Ledger' }).getByRole('link', { name: 'Call', exact: true }).first().click()
    await page.waitForURL(`**/calls/${createCall.id}`)
    await page.getByRole('heading', { name: '+15550100142' }).first().waitFor()
    const player = page.locator('audio[aria-label="Recording"]')
    await player.waitFor({ timeout: 120_000 })
    await look(page, 'call recorded')
    // The simulator's host does not exist: what cannot be played is left to the link.
    expects(page, /simulator\.invalid/)
    await player.evaluate((audio: HTMLAudioElement) => audio.play().catch(() => undefined))
    await page.getByText('The recording cannot be played here').waitFor()
    await page.getByRole('link', { name: /^Listen at the provider/ }).waitFor()
  },
})
