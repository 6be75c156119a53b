// Calls: the list, placing one, and its page while it runs.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from 'playwright-core'
import { signatureHeaders } from '../../../../src/voice/providers/signed-message.ts'
import { eventually } from '../../support/eventually.ts'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

async function agentOf(ask: Fixture['ask'], owner: Person, name: string, extraction?: object): Promise<string> {
  const { createVoiceAgent } = await ask<{ createVoiceAgent: { id: string } }>(
    owner,
    'mutation ($input: CreateVoiceAgentInput!) { createVoiceAgent(input: $input) { id } }',
    { input: { name, provider: 'SIMULATOR', firstMessage: 'Hello, do you have a minute?', extraction } },
  )
  return createVoiceAgent.id
}

const newContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const grace = {
  ...{ firstName: 'Grace', lastName: 'Hopper', phone: '+4930123456' },
  phones: [
    { value: '+4930123456', label: 'work', isPrimary: true },
    { value: '+491701234567', label: 'mobile' },
  ],
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
    await untilActive(ask, owner, await agentOf(ask, owner, 'Other'))
    const page = await open('/calls', { as: owner })
    await page.getByText('Calls of your agents are listed here').waitFor()
    await look(page, 'calls empty')
    await page.getByRole('button', { name: 'Place call' }).first().click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: 'Place call' }).click()
    await panel.getByText('Choose who calls').waitFor()
    // The form has moved the focus there, and no list covers the problem.
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    assert.equal(await page.getByRole('option').count(), 0)
    await panel.getByLabel('Number').fill('12')
    await panel.getByRole('combobox', { name: 'Voice agent' }).click()
    await page.getByRole('option', { name: 'Surveyor (simulator)' }).click()
    await panel.getByRole('alert').waitFor()
    await panel.getByLabel('Number').fill('+999 555 0100')
    await panel.getByText('The simulator plays the call now. No phone rings.').waitFor()
    await look(page, 'call placing')
    await panel.getByRole('button', { name: 'Place call' }).click()
    await page.getByText('Hello, do you have a minute?').waitFor()
    const { calls: running } = await ask<{ calls: { nodes: { answeredAt: string | null }[] } }>(
      owner,
      '{ calls(first: 1) { nodes { answeredAt } } }',
    )
    const answeredAt = running.nodes[0]?.answeredAt
    await look(page, 'call live')
    await page.getByRole('list', { name: 'Progress' }).getByText('Completed').waitFor()
    await page.getByText('Goal met').waitFor()
    await page.getByText('Job title', { exact: true }).waitFor()
    await page.getByText('The simulator makes no sound, so it makes no recording.').waitFor()
    assert.equal(await page.locator('audio').count(), 0)
    await look(page, 'call over')
    // What the page showed while somebody talked stays.
    const times = '{ calls(first: 1) { nodes { answeredAt durationSeconds transcript { startMs } } } }'
    const [over] = (await ask<{ calls: { nodes: { answeredAt: string; durationSeconds: number; transcript: unknown[] }[] } }>(owner, times))
      .calls.nodes
    assert.equal(over?.answeredAt, answeredAt)
    assert.ok(over && over.durationSeconds >= over.transcript.length * 2, 'the time that people have talked jumps back at the end')
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

  'a contact is found by its name, and one of its numbers is called': async ({ open, person, ask }, look) => {
    const owner = await person()
    await untilActive(ask, owner, await agentOf(ask, owner, 'Surveyor'))
    const { createContact } = await ask<{ createContact: { id: string } }>(owner, newContact, { input: grace })
    const page = await open('/calls?place=true', { as: owner })
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Contact').fill('grac')
    await page.getByRole('option', { name: 'Grace Hopper' }).click()
    await panel.getByText('2 numbers are known.').waitFor()
    assert.equal(await panel.getByLabel('Number').inputValue(), '+4930123456')
    await panel.getByLabel('Number').click()
    await look(page, 'call numbers')
    await page.getByRole('option', { name: '+491701234567 mobile' }).click()
    await panel.getByRole('button', { name: 'Place call' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    const { calls } = await ask<{ calls: { nodes: unknown[] } }>(owner, '{ calls { nodes { toNumber contactId } } }')
    assert.deepEqual(calls.nodes, [{ toNumber: '+491701234567', contactId: createContact.id }])
  },

  'a call outside of calling hours says until when it is held, leads to the hours, and is dialed when they change': async (
    { open, person, ask, server },
    look,
  ) => {
    const owner = await person()
    await untilActive(ask, owner, await agentOf(ask, owner, 'Surveyor'))
    const { createContact } = await ask<{ createContact: { id: string } }>(owner, newContact, { input: grace })
    // A minute of a week, in which no test runs.
    const day = ((new Date().getUTCDay() + 3) % 7) + 1
    const hours = `{ callingHours: { from: "12:00", until: "12:01", days: [${day}] }, defaultTimezone: "Europe/Berlin" }`
    await ask(owner, `mutation { updateVoiceSettings(input: ${hours}) { concurrency } }`)

    const page = await open(`/contacts/${createContact.id}`, { as: owner, timezoneId: 'America/New_York' })
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/12:00 PM \(Europe\/Berlin\), .* 6:00 AM for you.*Calling hours begin then/).waitFor()
    await look(page, 'call dialog held')
    await dialog.getByRole('button', { name: 'Place call' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /Grace Hopper is called on .*12:00 PM \(Europe\/Berlin\)/ })
      .waitFor()
    await page.getByRole('link', { name: 'Open the call' }).click()

    await page.getByText(/^The call is held until .*12:00 PM \(Europe\/Berlin\)/).waitFor()
    await look(page, 'call held')
    await page.getByRole('link', { name: 'Go to the agent' }).waitFor()
    await page.getByRole('link', { name: 'Change calling hours' }).click()
    await page.waitForURL(`${server().url}/settings/calls`)
    await page.goBack()
    await page.getByText(/^The call is held until/).waitFor()
    await ask(owner, 'mutation { updateVoiceSettings(input: { callingHours: null }) { concurrency } }')
    await page.getByText('Hello, do you have a minute?').waitFor()
    assert.equal(await page.getByText(/^The call is held until/).count(), 0)
  },

  'on a phone the result of a call comes before its transcript, in the order and words of the agent': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const voiceAgentId = await agentOf(ask, owner, 'Surveyor', {
      zone: { type: 'string', title: 'Where they work', order: 0 },
      agreed: { type: 'string', format: 'date', title: 'Until when', order: 1 },
    })
    await untilActive(ask, owner, voiceAgentId)
    const { createCall } = await ask<{ createCall: { id: string } }>(
      owner,
      'mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }',
      { input: { voiceAgentId, toNumber: '+9995550107' } },
    )
    const page = await open(`/calls/${createCall.id}`, { as: owner, viewport: { width: 390, height: 844 } })
    await page.getByText('Goal met').waitFor({ timeout: 60_000 })
    assert.deepEqual(await page.locator('dl').first().locator('dt').allInnerTexts(), ['Where they work', 'Until when'])
    await page.getByText('Mar 15, 2027', { exact: true }).waitFor()
    const top = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN
    const transcript = page.getByRole('log', { name: 'Transcript' })
    assert.ok((await top(page.getByText('Goal met'))) < (await top(transcript)), 'the transcript comes first')
    await look(page, 'call result on a phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('complementary', { name: 'About this call' }).getByText('Goal met').waitFor()
  },

  'a denied number is refused before a phone rings': async ({ open, person, ask }, look) => {
    const owner = await person()
    await untilActive(ask, owner, await agentOf(ask, owner, 'Surveyor'))
    await ask(owner, 'mutation { denyNumber(input: { phone: "+9995550199" }) { phone } }')
    const page = await open('/calls?place=true', { as: owner })
    const panel = page.getByRole('dialog')
    // The only agent is chosen.
    assert.equal(await panel.getByRole('combobox', { name: 'Voice agent' }).inputValue(), 'Surveyor (Simulator)')
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
    { open, person, ask, server, expects },
    look,
  ) => {
    const owner = await person()
    const dialed = Promise.withResolvers<string>()
    const own = await ownProvider(dialed.resolve)
    try {
      const { createVoiceAgent } = await ask<{ createVoiceAgent: { id: string } }>(
        owner,
        'mutation ($input: CreateVoiceAgentInput!) { createVoiceAgent(input: $input) { id } }',
        { input: { name: 'Surveyor', provider: 'HTTP', dispatchUrl: own.url, phoneNumber: '+15550100001' } },
      )
      const { id: voiceAgentId } = createVoiceAgent
      await untilActive(ask, owner, voiceAgentId)
      const { rotateSigningSecret } = await ask<{ rotateSigningSecret: { secrets: string[] } }>(
        owner,
        'mutation ($id: ID!) { rotateSigningSecret(input: { id: $id }) { secrets } }',
        { id: voiceAgentId },
      )
      const { createCall } = await ask<{ createCall: { id: string } }>(
        owner,
        'mutation ($input: CreateCallInput!) { createCall(input: $input) { id } }',
        { input: { voiceAgentId, toNumber: '+15550100142', record: true } },
      )
      // Nothing answers at the address: what cannot be played is left to the link.
      const recordingUrl = 'https://recordings.invalid/1.mp3'
      const body = JSON.stringify({ call_id: await dialed.promise, status: 'completed', duration_seconds: 9, recording_url: recordingUrl })
      const headers = {
        'content-type': 'application/json',
        ...signatureHeaders(rotateSigningSecret.secrets, randomUUID(), body, new Date()),
      }
      const reported = await fetch(`${server().url}/api/voice/v1/providers/http/events`, { method: 'POST', headers, body })
      assert.equal(reported.status, 200)

      const page = await open('/credits?tab=ledger', { as: owner })
      await page.getByRole('grid', { name: 'Ledger' }).getByRole('link', { name: 'Call', exact: true }).first().click()
      await page.waitForURL(`**/calls/${createCall.id}`)
      await page.getByRole('heading', { name: '+15550100142' }).first().waitFor()
      const player = page.locator('audio[aria-label="Recording"]')
      await player.waitFor()
      await look(page, 'call recorded')
      expects(page, /recordings\.invalid/)
      await player.evaluate((audio: HTMLAudioElement) => audio.play().catch(() => undefined))
      await page.getByText('The recording cannot be played here').waitFor()
      await page.getByRole('link', { name: /^Listen at the provider/ }).waitFor()
    } finally {
      own.stop()
    }
  },
})

/** A server of one's own that takes calls. `onCall` gets the id of each. */
async function ownProvider(onCall: (id: string) => void): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += String(part)
    const { call_id: id } = JSON.parse(text || '{}') as { call_id?: string }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ provider_call_id: `own-${id}` }))
    if (id) onCall(id)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close() }
}
