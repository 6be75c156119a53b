// The queue of suggestions: decided by keys, taken back, and decided by a rule.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const pending = '{ suggestions(filter: { status: PENDING }, first: 1) { totalCount } }'

interface Pending {
  suggestions: { totalCount: number }
}

tell({
  'a guest reads the queue, and cannot decide': async ({ open }, look) => {
    const page = await open('/suggestions', { as: 'guest' })
    await page.getByRole('article').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign up to accept' }).isDisabled(), true)
    await look(page, 'suggestions of a guest')
  },

  'suggestions are walked through and decided by keys, and a decision is taken back': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const before = (await ask<Pending>(owner, pending)).suggestions.totalCount
    const page = await open('/suggestions', { as: owner })
    await page.getByRole('article').waitFor()
    await look(page, 'suggestions')
    const first = await page.getByRole('article').innerText()

    await page.keyboard.press('j')
    await page.waitForURL(url => url.searchParams.has('open'))
    assert.notEqual(await page.getByRole('article').innerText(), first)
    await page.keyboard.press('k')
    await page
      .getByRole('article')
      .filter({ hasText: first.split('\n')[0] ?? '' })
      .waitFor()

    await page.keyboard.press('d')
    await page
      .getByText(/declined$/)
      .first()
      .waitFor()
    await page.keyboard.press('u')
    await page.getByText('1 decided').waitFor({ state: 'detached' })
    assert.equal((await ask<Pending>(owner, pending)).suggestions.totalCount, before)

    await page.getByRole('link', { name: new RegExp(`^Suggestions ?${before} to review`) }).waitFor()
    await page.keyboard.press('d')
    await page.getByText('1 decided').waitFor()
    // Leaving the place sends what was decided.
    const sent = page.waitForResponse(response => response.request().postData()?.includes('"input":{"id"') === true)
    await page.getByRole('link', { name: 'Contacts', exact: true }).click()
    await sent
    await page.getByRole('link', { name: new RegExp(`^Suggestions ?${before - 1} to review`) }).waitFor()
    assert.equal((await ask<Pending>(owner, pending)).suggestions.totalCount, before - 1)
  },

  'decisions are written when their page is left: by reloading, for another organization, by signing out': async ({
    open,
    person,
    ask,
  }) => {
    const owner = await person({ demo: true })
    const waiting = async () => (await ask<Pending>(owner, pending)).suggestions.totalCount
    await ask(owner, 'mutation { createOrganization(input: { name: "Another one" }) { id } }')
    const before = await waiting()
    const inDemo = (page: Page) => page.addInitScript(id => localStorage.setItem('rolocom.organization', id), owner.orgId)
    const page = await open('/suggestions', { as: owner, prepare: async one => void (await inDemo(one)) })
    const decline = async () => {
      await page.getByRole('article').waitFor()
      await page.keyboard.press('d')
      await page.getByText('1 decided').waitFor()
    }
    await decline()
    await page.reload()
    await eventually(waiting, before - 1)

    await decline()
    await page.getByRole('button', { name: 'Rolocom demo' }).click()
    await page.getByRole('menuitem', { name: 'Another one' }).click()
    await eventually(waiting, before - 2)

    await page.reload()
    await decline()
    await page.getByRole('button', { name: owner.name }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(url => url.pathname === '/sign-in' || url.pathname === '/')
    const other = await person({ demo: true })
    await eventually(async () => (await ask<Pending>(other, pending)).suggestions.totalCount, before - 3)
  },

  'a rule shows what it would decide before it decides': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const before = (await ask<Pending>(owner, pending)).suggestions.totalCount
    const page = await open('/suggestions', { as: owner })
    await page.getByRole('button', { name: 'Decide by rule' }).click()
    const panel = page.getByRole('dialog', { name: 'Decide by rule' })
    await panel.getByText('Decline', { exact: true }).click()
    await panel.getByLabel('Only where the contact has no value yet').uncheck()
    await panel.getByRole('button', { name: 'Preview' }).click()
    await panel.getByText(/^It would decline|^No suggestion/).waitFor()
    await look(page, 'suggestions by rule')
    assert.equal((await ask<Pending>(owner, pending)).suggestions.totalCount, before)
  },
})
