// Panels over lists, the palette, and filters: the way back, what is highlighted, and days that are the same for everybody.

import assert from 'node:assert/strict'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const createContact = `mutation Create($input: CreateContactInput!) { createContact(input: $input) { id } }`
const longName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(6)

tell({
  'Back closes a panel and stays in its list, in each place that has one': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper' },
    })
    await ask(owner, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', {
      input: { contactId: grace.id, title: 'Write to her' },
    })
    const page = await open('/', { as: owner })
    const places = [
      ['Contacts', 'Grace Hopper', /Open the page/],
      ['Tasks', 'Write to her', /Save task/],
    ] as const
    for (const [place, row, inside] of places) {
      await page.getByRole('link', { name: place, exact: true }).click()
      if (place === 'Tasks') await page.getByText('All open').click()
      const address = () => `${new URL(page.url()).pathname}${new URL(page.url()).search}`
      await page.locator('td', { hasText: row }).first().waitFor()
      const before = address()
      const panel = page.getByRole('dialog').filter({ hasText: inside })
      await page.locator('td', { hasText: row }).first().click()
      await panel.waitFor()
      await page.goBack()
      await panel.waitFor({ state: 'detached' })
      assert.equal(address(), before)
      await page.goForward()
      await panel.waitFor()
      // Closed by its button it is behind nobody: Back leaves the list.
      await panel.getByRole('button', { name: 'Close the panel' }).click()
      await panel.waitFor({ state: 'detached' })
      assert.equal(address(), before)
    }
    await page.goBack()
    await page.waitForURL('**/contacts')

    // What has no address of its own.
    await page.getByRole('button', { name: 'New contact' }).click()
    const making = page.getByRole('dialog', { name: 'New contact' })
    await making.getByLabel('Company').fill('Navy')
    await page.goBack()
    await making.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/contacts')
    await page.getByRole('button', { name: 'New contact' }).click()
    assert.equal(await making.getByLabel('Company').inputValue(), 'Navy')
  },

  'a long name leaves the buttons of a panel and of a dialog on the page': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: one } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: longName, phone: '+4930901820' },
    })
    const page = await open(`/contacts?open=${one.id}`, { as: owner, viewport: { width: 390, height: 844 } })
    const close = page.getByRole('button', { name: 'Close the panel' })
    await page.getByRole('link', { name: 'Open the page' }).waitFor()
    const isInside = async () => {
      const box = await close.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0)
    }
    assert.ok(await isInside(), 'the panel cannot be closed')
    await look(page, 'panel of a long name')
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.ok(await isInside(), 'the panel cannot be closed')
    await close.click()
    await page.goto(`${page.url().split('/contacts')[0]}/contacts/${one.id}`)
    await page.getByRole('button', { name: 'More actions' }).waitFor()
    await look(page, 'record of a long name')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Call/ })
    await look(page, 'dialog of a long name')
    await dialog.getByRole('button', { name: 'Close' }).click()
  },

  'a date filter has the same rows for two viewers in different zones': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper' } })
    const { contacts } = await ask<{ contacts: { nodes: { createdAt: string }[] } }>(owner, '{ contacts { nodes { createdAt } } }')
    const day = contacts.nodes[0]?.createdAt.slice(0, 10) ?? ''
    await ask(owner, 'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id } }', {
      input: { noun: 'CONTACTS', name: 'Of the day', filter: { createdSince: `${day}T00:00:00Z`, createdUntil: `${day}T23:59:59.999Z` } },
    })
    const asked = new Map<string, Set<string>>()
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const page = await open('/contacts', { as: owner, timezoneId })
      page.on('request', request => {
        const { filter } = (request.postDataJSON() as { variables?: { filter?: Record<string, string> } } | null)?.variables ?? {}
        if (filter?.createdSince) asked.set(timezoneId, (asked.get(timezoneId) ?? new Set()).add(JSON.stringify(filter)))
      })
      await page.goto(`${page.url().split('/contacts')[0]}/contacts?added=${day}..${day}`)
      await page.getByText('Grace Hopper').first().waitFor()
      await page.getByRole('button', { name: /^Added/ }).click()
      await page.getByText(/^Days begin at midnight in Greenwich/).waitFor()
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: 'All contacts' })
        .or(page.getByRole('button', { name: /^View/ }))
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'Of the day' }).click()
      await page.waitForURL(url => url.searchParams.get('added') === `${day}..${day}`)
    }
    const [first, second] = [...asked.values()].map(filters => [...filters].toSorted())
    assert.deepEqual(first, second)
  },

  'the task of a deleted contact rests, and comes back with the contact': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper' },
    })
    await ask(owner, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', {
      input: { contactId: grace.id, title: 'Write to her' },
    })
    const page = await open('/tasks?show=open', { as: owner })
    const task = page.locator('td', { hasText: 'Write to her' })
    await task.waitFor()
    await ask(owner, 'mutation ($id: ID!) { deleteContact(input: { id: $id }) { id } }', { id: grace.id })
    await task.waitFor({ state: 'detached' })
    await page.getByText('There is nothing to do.').waitFor()
    await ask(owner, 'mutation ($id: ID!) { restoreContact(input: { id: $id }) { id } }', { id: grace.id })
    await task.waitFor()
  },

  'a place that cannot be loaded while the server is away is there when the server is': async ({ open, person, expects }) => {
    const page = await open('/contacts', { as: await person() })
    expects(page, /ERR_FAILED|Failed to (load|fetch)/)
    const empty = page.getByText('The people you call and write to are listed here.')
    await empty.waitFor()
    const loads = { count: 0 }
    page.on('request', request => {
      if (request.isNavigationRequest()) loads.count++
    })
    const isAway = (url: URL) => url.pathname.startsWith('/assets/') || url.pathname === '/'
    await page.route(isAway, route => route.abort())
    // A form whose part is not loaded yet.
    await page.getByRole('button', { name: 'New contact' }).first().click()
    await page.waitForRequest(request => request.method() === 'HEAD')
    await empty.waitFor()
    await page.unroute(isAway)
    const form = page.getByRole('dialog', { name: 'New contact' })
    await form.getByLabel('Company').fill('Navy')
    await form.getByRole('button', { name: 'Close the panel' }).click()
    await form.waitFor({ state: 'detached' })

    await page.route(isAway, route => route.abort())
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await page.waitForRequest(request => request.method() === 'HEAD')
    await empty.waitFor()
    await page.unroute(isAway)
    await page.getByRole('heading', { name: 'Sources', exact: true }).waitFor()
    assert.equal(loads.count, 0)
  },

  'the palette always has its first hit selected': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper' },
    })
    await ask(owner, createContact, { input: { fullName: 'Grace Kelly' } })
    const page = await open('/contacts', { as: owner })
    await page.getByText('Grace Hopper').waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and go to' })
    const input = palette.getByRole('textbox', { name: 'Search and go to' })
    const selected = palette.locator('[data-action][data-selected]')
    const isFirst = async () => {
      assert.equal(await selected.count(), 1)
      return (await palette.locator('[data-action]').first().getAttribute('data-selected')) === 'true'
    }
    await input.waitFor()
    await eventually(isFirst, true)
    await input.fill('Grace Hop')
    await palette.getByText('Grace Hopper').waitFor()
    await eventually(isFirst, true)
    await look(page, 'palette with a hit')
    await input.fill('Grace')
    await palette.getByText('Kelly').waitFor()
    await eventually(isFirst, true)
    await page.keyboard.press('ArrowDown')
    await eventually(async () => (await selected.count()) === 1 && !(await isFirst()), true)
    await input.fill('Grace Hopper')
    await palette.getByText('Kelly').waitFor({ state: 'detached' })
    await eventually(isFirst, true)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contacts/${grace.id}`)

    // Enter before the answer is there opens the hit that comes.
    await page.goto(`${page.url().split('/contacts')[0]}/contacts`)
    await page.getByText('Grace Hopper').first().waitFor()
    await page.keyboard.press('Control+k')
    await input.waitFor()
    await input.pressSequentially('grace hopper')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contacts/${grace.id}`)
  },

  'a filter takes the option that is highlighted, by Enter and by Tab': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper', tags: ['visionary', 'pioneer'] } })
    const page = await open('/contacts?tag=pioneer', { as: owner })
    await page.getByRole('button', { name: /^Tags/ }).click()
    const tags = page.getByRole('combobox', { name: 'Tags' })
    const filtered = async (name: string) => new URL(page.url()).searchParams.getAll(name)
    await tags.pressSequentially('visi')
    await page.locator('[data-combobox-selected]', { hasText: 'visionary' }).waitFor()
    await look(page, 'filter with an option')
    await page.keyboard.press('Enter')
    await eventually(() => filtered('tag'), ['pioneer', 'visionary'])
    await page.keyboard.press('Backspace')
    await eventually(() => filtered('tag'), ['pioneer'])
    await tags.pressSequentially('vis')
    await page.locator('[data-combobox-selected]', { hasText: 'visionary' }).waitFor()
    await page.keyboard.press('Tab')
    await eventually(() => filtered('tag'), ['pioneer', 'visionary'])
    await page.keyboard.press('Escape')

    await page.goto(`${page.url().split('/contacts')[0]}/contacts?filled=EMAIL`)
    await page.getByRole('button', { name: /^With a value/ }).click()
    const filled = page.getByRole('combobox', { name: 'With a value in each of' })
    await filled.pressSequentially('job')
    await page.keyboard.press('Tab')
    await eventually(() => filtered('filled'), ['EMAIL', 'JOB_TITLE'])

    await page.goto(`${page.url().split('/contacts')[0]}/calls`)
    await page.getByRole('combobox', { name: 'Status' }).pressSequentially('no an')
    await page.keyboard.press('Enter')
    await eventually(() => filtered('status'), ['NO_ANSWER'])
    // Nothing is typed any more, so nothing more is meant.
    await page.keyboard.press('Tab')
    assert.deepEqual(await filtered('status'), ['NO_ANSWER'])
  },
})
