// Webhooks: an endpoint from its first test to its end, against a receiver that verifies what it gets.

import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '../../../webhooks/receiver.ts'
import { tell } from '../../support/story.ts'

tell({
  'an endpoint is added, tested, fails, is replayed, gets another secret, is disabled and deleted': async (fixture, look) => {
    const ada = await fixture.person()
    const receiver = await startReceiver()
    try {
      const page = await fixture.open('/settings/webhooks', { as: ada })
      await page.getByText('An endpoint tells your server').waitFor()
      await look(page, 'no webhooks')
      await page.getByRole('button', { name: 'New endpoint' }).click()
      await page.getByRole('button', { name: 'Create endpoint' }).click()
      await page.getByText(/Enter an address/).waitFor()
      await page.getByLabel('Address').fill(`${receiver.url}/rolocom`)
      await page.getByLabel('Purpose').fill('Keeps the warehouse current')
      await page.getByRole('combobox', { name: 'Events' }).fill('contact.updated')
      await page.getByRole('option', { name: 'contact.updated', exact: true }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Add condition' }).click()
      await page.getByRole('combobox', { name: 'Field of condition 1' }).fill('lifecycle_stage')
      await page.locator('input[aria-label="Values of condition 1"]').fill('customer')
      await page.keyboard.press('Enter')
      await look(page, 'new webhook endpoint')
      await page.getByRole('button', { name: 'Create endpoint' }).click()
      const secret = (await page.getByRole('region', { name: 'The secret' }).textContent()) ?? ''
      await look(page, 'webhook secret shown once')

      await page.getByRole('link', { name: receiver.url }).click()
      await page.getByRole('button', { name: 'Send test' }).click()
      const [test] = await receiver.received(1)
      assert.deepEqual(
        Object(new Webhook(secret).verify(test?.raw ?? '', test?.headers as Record<string, string>)).type,
        'webhook_endpoint.tested',
      )
      const log = page.getByRole('list', { name: 'Deliveries' })
      await log.getByText('Answered 204').waitFor()

      receiver.answer(() => ({ status: 500, body: 'The warehouse is closed' }))
      const created = await fixture.ask<{ createContact: { id: string } }>(
        ada,
        'mutation { createContact(input: { email: "grace@example.com" }) { id } }',
      )
      const stage = `mutation ($id: ID!, $stage: LifecycleStage!) { updateContact(input: { id: $id, lifecycleStage: $stage }) { id } }`
      for (const next of ['QUALIFIED', 'CUSTOMER']) await fixture.ask(ada, stage, { id: created.createContact.id, stage: next })
      await log.getByText('The endpoint answered 500').waitFor()
      assert.equal(receiver.sent[1]?.body.data.changes.lifecycle_stage[1], 'customer')
      await look(page, 'webhook endpoint')
      await log.getByRole('button', { name: 'contact.updated' }).click()
      await page.getByText('The warehouse is closed').first().waitFor()
      await look(page, 'webhook delivery')
      await page.getByRole('button', { name: 'Close the panel' }).click()

      // What waits is canceled, and can be replayed once the endpoint is enabled again.
      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByRole('button', { name: 'Disable endpoint' }).click()
      await page.getByText(/somebody on the team disabled it/).waitFor()
      await look(page, 'webhook endpoint disabled')
      receiver.answer(() => ({}))
      await page.getByRole('button', { name: 'Enable' }).click()
      await log.getByText('Canceled').waitFor()
      await page.getByRole('button', { name: 'Replay a range' }).click()
      await look(page, 'replay webhook deliveries')
      await page.getByRole('button', { name: 'Replay deliveries' }).click()
      await page.getByText('1 delivery sent again').waitFor()
      await log.getByText('Replay', { exact: true }).waitFor()
      await log.getByText('Answered 204').nth(1).waitFor()
      const ids = receiver.sent.map(({ headers }) => headers['webhook-id'])
      assert.equal(ids.at(-1), ids[1])

      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
      await page.getByRole('button', { name: 'Rotate secret' }).click()
      const next = (await page.getByRole('region', { name: 'The secret' }).textContent()) ?? ''
      assert.notEqual(next, secret)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete endpoint' }).click()
      await page.getByText('An endpoint tells your server').waitFor()
    } finally {
      await receiver.close()
    }
  },

  'text typed into an endpoint stays when the endpoint is disabled meanwhile': async ({ open, person, ask }) => {
    const ada = await person()
    const { createWebhookEndpoint: made } = await ask<{ createWebhookEndpoint: { endpoint: { id: string } } }>(
      ada,
      'mutation { createWebhookEndpoint(input: { url: "https://example.com/webhooks", eventTypes: ["contact.created"] }) { endpoint { id } } }',
    )
    const id = made.endpoint.id
    const change = (input: object) =>
      ask(ada, 'mutation ($input: UpdateWebhookEndpointInput!) { updateWebhookEndpoint(input: $input) { id } }', { input })
    const page = await open(`/settings/webhooks/${id}`, { as: ada })
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Edit webhook endpoint' })
    await panel.getByLabel('Purpose').fill('Keeps the warehouse current')
    await change({ id, isEnabled: false, filter: [{ field: 'email', values: null }] })
    await panel.getByRole('combobox', { name: 'Field of condition 1' }).waitFor()
    await panel.getByRole('button', { name: 'Save endpoint' }).click()
    await panel.waitFor({ state: 'detached' })
    const { webhookEndpoint } = await ask<{ webhookEndpoint: object }>(
      ada,
      'query ($id: ID!) { webhookEndpoint(id: $id) { description state filter { field } eventTypes } }',
      { id },
    )
    assert.deepEqual(webhookEndpoint, {
      description: 'Keeps the warehouse current',
      state: 'DISABLED',
      filter: [{ field: 'email' }],
      eventTypes: ['contact.created'],
    })
  },
})
