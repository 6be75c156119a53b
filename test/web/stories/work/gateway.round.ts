// The gateway, as its owner and other organizations see it.

import { randomUUID } from 'node:crypto'
import { tell } from '../../support/story.ts'

tell({
  'no conversation is there before an agent was woken': async ({ open, person }, look) => {
    const page = await open('/gateway', { as: await person() })
    await page.getByText('No assistant was woken yet.').waitFor()
    await look(page, 'gateway empty')
  },

  'the main session is woken, and sees what it was told': async ({ open, person }, look) => {
    const page = await open('/gateway', { as: await person({ gateway: true }) })
    const told = `The shipment ${randomUUID().slice(0, 8)} arrived`
    await page.getByRole('button', { name: 'Wake', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Event').fill(told)
    await page.getByRole('dialog').getByRole('button', { name: 'Wake' }).click()
    await page.getByRole('tab', { name: 'Events' }).click()
    const row = page.getByRole('row').filter({ hasText: told })
    await row.getByText('Read', { exact: true }).waitFor()
    await look(page, 'gateway events')
  },

  'a run is asked for, seen at work, and read as a conversation': async ({ open, person }, look) => {
    const page = await open('/gateway', { as: await person({ gateway: true }) })
    // Turns of a conversation have a button of this name too.
    await page.locator('header').getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Instructions').fill('Count the contacts of this week')
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
    await page.getByRole('dialog').getByText('Completed').waitFor()
    await look(page, 'gateway run')
    await page.getByRole('button', { name: 'Open conversation' }).click()
    await page.getByRole('region', { name: 'Conversation' }).getByText('Count the contacts of this week', { exact: true }).waitFor()
  },

  'a hook is tried with a sample, which must be JSON': async ({ open, person }, look) => {
    const page = await open('/gateway?tab=hooks', { as: await person({ gateway: true }) })
    await page
      .getByRole('combobox', { name: 'Hook' })
      .or(page.getByRole('textbox', { name: 'Hook' }))
      .first()
      .fill('unmapped')
    const payload = page.getByRole('textbox', { name: 'Payload' })
    await payload.fill('{"text": ')
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('This is not JSON').waitFor()
    await payload.fill('{"text": "A shipment arrived"}')
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('This is not JSON').waitFor({ state: 'detached' })
    await page.getByRole('status').filter({ hasText: '404' }).waitFor()
    await look(page, 'gateway hooks')
  },

  'a mapped hook is tried with a sample, and shows the message that an agent would get': async ({ open, person }, look) => {
    const page = await open('/gateway?tab=hooks', { as: await person({ gateway: true }) })
    await page.getByText('shipments', { exact: true }).first().waitFor()
    await page.getByRole('combobox', { name: 'Hook' }).fill('shipments')
    await page.getByRole('textbox', { name: 'Payload' }).fill('{"customer": {"name": "Ada"}, "parcel": "PX-7"}')
    await page.getByRole('button', { name: 'Send test' }).click()
    const answer = page.getByRole('status').filter({ hasText: 'mapped by shipments' })
    await answer.getByText('Tell Ada that PX-7 arrived').waitFor()
    await look(page, 'gateway hook tried')
  },
})
