// The app on a phone, and in a window that shows everything at twice its size.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const createContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'

/** Texts of which a part is out of sight, in a box or above and below its lines. Names that end with dots are as they should be. */
const cut = (list: Locator) =>
  list.evaluate(box => {
    const frame = (box.parentElement ?? box).getBoundingClientRect()
    const found: string[] = []
    for (const element of box.querySelectorAll<HTMLElement>('*')) {
      const own = [...element.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim())
      const { top, bottom, left, right } = element.getBoundingClientRect()
      if (!own || bottom > frame.bottom) continue
      let above = element.parentElement
      let isCut = left < frame.left || right > frame.right + 1
      while (above && above !== box) {
        const outer = above.getBoundingClientRect()
        if (getComputedStyle(above).overflowY === 'hidden' && (top < outer.top - 0.5 || bottom > outer.bottom + 0.5)) isCut = true
        above = above.parentElement
      }
      if (isCut) found.push(element.textContent ?? '')
    }
    return found
  })

const rowsInSight = (page: Page, name: string) =>
  page.getByRole('list', { name, exact: true }).evaluate(list => {
    const frame = (list.parentElement ?? list).getBoundingClientRect()
    return [...list.children].filter(row => {
      const { top, bottom } = row.getBoundingClientRect()
      return top >= frame.top - 1 && bottom <= frame.bottom + 1
    }).length
  })

tell({
  'a card of a contact has number and stage, and no letter of it is cut': async ({ open, person, ask }, look) => {
    const owner = await person()
    const input = {
      fullName: 'Grace Gyjpq Hopper',
      companyName: 'Navy',
      phone: '+4930901820',
      lifecycleStage: 'CUSTOMER',
      tags: ['gypsy', 'vip'],
    }
    await ask(owner, createContact, { input })
    const page = await open('/contacts', { as: owner, ...phone })
    const list = page.getByRole('list', { name: 'Contacts', exact: true })
    const card = list.getByRole('listitem')
    for (const text of ['Grace Gyjpq Hopper', '+4930901820', 'Customer', 'Navy']) await card.getByText(text, { exact: true }).waitFor()
    assert.deepEqual(await cut(list), [])
    await look(page, 'contacts on a phone')
  },

  'at 200 % zoom ten rows are in sight, and nothing is cut': async ({ open, person }, look) => {
    // A window of 1440 by 900.
    const page = await open('/contacts?sort=LAST_NAME', { as: await person({ demo: true }), viewport: { width: 720, height: 450 } })
    for (const [path, name] of [
      ['/contacts?sort=LAST_NAME', 'Contacts'],
      ['/calls', 'Calls'],
    ] as const) {
      await page.goto(`${new URL(page.url()).origin}${path}`)
      const list = page.getByRole('list', { name, exact: true })
      await list.getByRole('listitem').nth(11).waitFor()
      const count = await rowsInSight(page, name)
      assert.ok(count >= 10, `${name}: ${count} rows`)
      assert.deepEqual(await cut(list), [])
      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth,
        clientWidth: document.documentElement.clientWidth,
      }))
      assert.ok(scrollWidth <= clientWidth, `${name} is ${scrollWidth} px wide`)
    }
    await look(page, 'calls at a zoom')
  },

  'Back closes what stands over a screen of a phone, and stays on the screen': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', phone: '+4930901820' },
    })
    await ask(owner, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', {
      input: { contactId: grace.id, title: 'Write to her', assigneeUserId: owner.userId },
    })
    const page = await open('/home', { as: owner, ...phone })
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor()
    const places: [path: string, opens: (page: Page) => Locator, over: RegExp | string][] = [
      ['/contacts', at => at.getByRole('listitem').getByText('Grace Hopper'), /Open the page/],
      ['/contacts', at => at.getByRole('button', { name: 'New', exact: true }), /Create contact/],
      ['/tasks', at => at.getByRole('listitem').getByText('Write to her'), /Save task/],
      ['/calls', at => at.locator('header').getByRole('button', { name: 'Place call' }), /Place call/],
      [`/contacts/${grace.id}`, at => at.getByRole('button', { name: 'Call', exact: true }), /Call Grace Hopper/],
      ['/settings/members', at => at.getByRole('button', { name: 'Invite', exact: true }), /Invite somebody/],
      ['/suggestions', at => at.getByRole('button', { name: 'More', exact: true }), /Settings/],
    ]
    for (const [path, opens, inside] of places) {
      await page.goto(`${new URL(page.url()).origin}${path}`)
      const before = page.url()
      await opens(page).tap()
      const over = page.getByRole('dialog').filter({ hasText: inside })
      await over.waitFor()
      await page.goBack()
      await over.waitFor({ state: 'detached' })
      await eventually(async () => page.url(), before)
    }
  },

  'the main actions of a call are below, within the reach of a thumb': async ({ open, person, ask }, look) => {
    const owner = await person({ demo: true })
    const { calls } = await ask<{ calls: { nodes: { id: string; contact: { id: string } | null }[] } }>(
      owner,
      '{ calls(first: 20, filter: { statusIn: [COMPLETED] }) { nodes { id contact { id } } } }',
    )
    const call = calls.nodes.find(({ contact }) => contact !== null)
    assert.ok(call)
    const page = await open(`/calls/${call.id}`, { as: owner, ...phone })
    const actions = page.getByRole('group', { name: 'Actions' })
    for (const name of ['Open contact', 'All calls']) {
      const box = await actions.getByRole('link', { name }).boundingBox()
      assert.ok(box && box.height >= 44 && box.width >= 120, `${name} is too small`)
      assert.ok(box.y > (844 * 2) / 3 && box.y + box.height <= 844, `${name} is out of reach`)
    }
    await look(page, 'call on a phone')
    await actions.getByRole('link', { name: 'Open contact' }).tap()
    await page.waitForURL(`**/contacts/${call.contact?.id}`)
    await page.goBack()
    await actions.getByRole('link', { name: 'All calls' }).tap()
    await page.waitForURL('**/calls')
  },
})
