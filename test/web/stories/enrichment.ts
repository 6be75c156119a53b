// Jobs, recipes, and the palette that finds everything.

import type { Stories } from '../story.ts'

export const stories: Stories = {
  'jobs are listed, and one is opened by its address with its steps': async ({ open, person }, look) => {
    const page = await open('/jobs', { as: await person({ demo: true }) })
    const rows = page.getByRole('grid', { name: 'Jobs' }).getByRole('row')
    await rows.nth(3).waitFor()
    await look(page, 'jobs')
    await rows.nth(1).getByRole('gridcell').first().click()
    await page.waitForURL(url => url.searchParams.has('open'))
    await page.getByRole('heading', { name: 'Steps' }).waitFor()
    await look(page, 'job')
  },

  'recipes say what they cost and what is not set up': async ({ open }, look) => {
    const page = await open('/recipes', { as: 'guest' })
    await page.getByRole('article').first().waitFor()
    await look(page, 'recipes')
  },

  'the palette finds a contact by its name and goes to a place, by keys alone': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const { contacts } = await ask<{ contacts: { nodes: { id: string; fullName: string }[] } }>(
      owner,
      '{ contacts(first: 1) { nodes { id fullName } } }',
    )
    const wanted = contacts.nodes[0]
    const page = await open('/recipes', { as: owner })
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('Control+k')
    const search = page.getByPlaceholder('Find a contact, call, note or agent, or go to a place')
    await search.fill(wanted?.fullName ?? '')
    await page.getByRole('dialog').getByText('Contact', { exact: true }).first().waitFor()
    await look(page, 'palette')
    await search.fill('credits')
    await page.getByRole('dialog').getByText('Credits', { exact: true }).waitFor()
    // The first entry is selected while somebody types.
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/credits$/)
  },
}
