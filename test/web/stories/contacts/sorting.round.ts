// Every column that the API can sort by sorts, in each table, and the address keeps the order.

import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { tell } from '../../support/story.ts'

tell({
  'a header that sorts sorts both ways, in the tables of each place, and no other header offers it': async ({ open, person }) => {
    const owner = await person({ demo: true })
    const page = await open('/jobs', { as: owner })
    const tables = [
      // With an order, or the demo's first view would be opened, which has other columns.
      ['/contacts?sort=CREATED_AT', ['Name', 'Email', 'Stage', 'Changed'], ['Company', 'Job title', 'Phone', 'Owner', 'Tags']],
      ['/calls', ['Placed'], ['Called', 'Status', 'Outcome', 'Agent', 'Duration', 'Cost', 'Number']],
      ['/jobs', ['Requested'], ['About', 'Status', 'Result', 'Source', 'Suggestions', 'Cost', 'Why it failed']],
      ['/agents', ['Name', 'Changed', 'Created'], ['Status', 'Provider', 'Calls from']],
      ['/deals?sort=CREATED_AT', ['Title', 'Amount', 'Expected close'], ['Company', 'Stage', 'Owner', 'Tags']],
      ['/tasks?show=open', ['Due'], ['Task', 'Contact', 'Assigned to', 'Reminder']],
      ['/credits?tab=ledger', ['When'], ['Type', 'Amount', 'Available after', 'For', 'By']],
    ] as const
    for (const [address, sorting, others] of tables) {
      await page.goto(new URL(address, page.url()).href)
      const table = page.getByRole('grid').or(page.getByRole('table')).first()
      await table.locator('tbody tr').first().waitFor()
      let last: Locator | undefined
      for (const name of sorting) {
        const header = table.getByRole('columnheader', { name, exact: true })
        const button = header.getByRole('button', { name, exact: true })
        await button.click()
        const [first] = [await header.getAttribute('aria-sort')]
        await page.waitForURL(/[?&]sort=/)
        await button.click()
        await page.waitForFunction(
          ([title, before]) => {
            const found = [...document.querySelectorAll('th')].find(th => th.textContent?.trim() === title)
            const now = found?.getAttribute('aria-sort')
            return now != null && now !== before
          },
          [name, first] as const,
        )
        last = header
      }
      await page.reload()
      await table.locator('tbody tr').first().waitFor()
      assert.notEqual(await last?.getAttribute('aria-sort'), null, `${address} keeps its order when the page is loaded again`)
      for (const name of others) {
        const header = table.getByRole('columnheader', { name, exact: true })
        assert.equal(await header.getByRole('button').count(), 0, `${address}: ${name} offers no order that there is none of`)
      }
    }
  },

  'jobs come oldest first by a click': async ({ open, person, ask }) => {
    const owner = await person()
    for (const fullName of ['Ada Lovelace', 'Grace Hopper']) {
      const { createContact } = await ask<{ createContact: { id: string } }>(
        owner,
        'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
        { input: { fullName } },
      )
      await ask(
        owner,
        'mutation ($id: ID!) { enqueueEnrichment(input: { target: { hostApp: "rolocom", kind: "contact", id: $id } }) { id } }',
        {
          id: createContact.id,
        },
      )
    }
    const page = await open('/jobs', { as: owner })
    const names = () => page.locator('tbody tr td:first-child').filter({ hasText: /\w/ }).allInnerTexts()
    await page.locator('tbody tr', { hasText: 'Ada Lovelace' }).waitFor()
    assert.deepEqual(
      (await names()).map(name => name.trim()),
      ['Grace Hopper', 'Ada Lovelace'],
    )
    await page.getByRole('button', { name: 'Requested' }).click()
    await page.waitForURL(url => url.searchParams.get('sort') === 'CREATED_AT')
    await page.locator('tbody tr', { hasText: 'Ada Lovelace' }).first().waitFor()
    await page.waitForFunction(() => document.querySelector('tbody tr td')?.textContent?.includes('Ada'))
    assert.deepEqual(
      (await names()).map(name => name.trim()),
      ['Ada Lovelace', 'Grace Hopper'],
    )
  },
})
