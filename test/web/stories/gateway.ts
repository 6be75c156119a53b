// The gateway, as its owner and other organizations see it.

import type { Stories } from '../story.ts'

export const stories: Stories = {
  'no conversation is there before an agent was woken': async ({ open, person }, look) => {
    const page = await open('/gateway', { as: await person() })
    await page.getByText('No agent was woken yet.').waitFor()
    await look(page, 'gateway empty')
  },

  'a run is asked for, seen at work, and read as a conversation': async ({ open, person }, look) => {
    const page = await open('/gateway', { as: await person({ gateway: true }) })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('dialog').getByLabel('What it is to do').fill('Count the contacts of this week')
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
    await page.getByRole('dialog').getByText('Completed').waitFor()
    await look(page, 'gateway run')
    await page.getByRole('button', { name: 'Open conversation' }).click()
    await page.getByRole('region', { name: 'Conversation' }).getByText('Count the contacts of this week', { exact: true }).waitFor()
  },
}
