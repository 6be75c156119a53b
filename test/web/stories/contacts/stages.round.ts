// Contacts in as few steps as there can be: the stage of one or many, a task for many, a tag for many, a shared view.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { eventually } from '../../support/eventually.ts'
import type { Fixture, Person } from '../../support/fixture.ts'
import { Steps } from '../../support/steps.ts'
import { tell } from '../../support/story.ts'

async function contacts({ ask }: Fixture, owner: Person, count: number, host = 'example'): Promise<void> {
  const inputs = Array.from({ length: count }, (_, index) => ({ email: `c${String(index).padStart(2, '0')}@${host}.com` }))
  const batch = 'mutation ($contacts: [CreateContactInput!]!) { batchContacts(input: { contacts: $contacts }) { results { contactId } } }'
  await ask(owner, batch, { contacts: inputs })
}

const stages = async ({ ask }: Fixture, owner: Person) =>
  (
    await ask<{ contacts: { nodes: { lifecycleStage: string }[] } }>(owner, '{ contacts(sort: EMAIL) { nodes { lifecycleStage } } }')
  ).contacts.nodes.map(({ lifecycleStage }) => lifecycleStage)

const tagged =
  ({ ask }: Fixture, owner: Person, name: string) =>
  async () =>
    (await ask<{ contacts: { totalCount: number } }>(owner, `{ contacts(first: 1, filter: { tag: "${name}" }) { totalCount } }`)).contacts
      .totalCount

/** The contrast of two colours as WCAG defines it. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const light = (colour: readonly number[]) =>
    colour
      .map(value => value / 255)
      .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0)
  const [bright = 0, dim = 0] = [light(one), light(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

tell({
  'the stage changes by two clicks in the list, and by one key there and on the record': async fixture => {
    const { open, person } = fixture
    const owner = await person()
    await contacts(fixture, owner, 2)
    const page = await open('/contacts?sort=EMAIL', { as: owner })
    const clicks = new Steps(page)
    await clicks.click(page.locator('td', { hasText: 'Subscriber' }).first())
    await clicks.click(page.getByRole('option', { name: 'Qualified' }))
    await eventually(() => stages(fixture, owner), ['QUALIFIED', 'SUBSCRIBER'])
    assert.equal(clicks.count, 2)

    // The focus is in the row still.
    await page.locator('[data-cell="1 0"]').focus()
    const keys = new Steps(page)
    await keys.press('s')
    await page.getByRole('option', { name: 'Customer' }).waitFor()
    await keys.press('c')
    await eventually(() => stages(fixture, owner), ['QUALIFIED', 'CUSTOMER'])
    assert.equal(keys.count, 2)
    // Two stages begin with O: each has a letter of its own, which its option shows.
    for (const [letter, stage] of [
      ['O', 'OPPORTUNITY'],
      ['T', 'OTHER'],
      ['C', 'CUSTOMER'],
    ] as const) {
      await page.locator('[data-cell="1 0"]').press('s')
      await page.getByRole('option').getByText(letter, { exact: true }).waitFor()
      await page.keyboard.press(letter.toLowerCase())
      await eventually(() => stages(fixture, owner), ['QUALIFIED', stage])
    }

    await page.locator('[data-cell="1 0"]').press('Enter')
    await page.getByRole('link', { name: /Open the page/ }).click()
    await page.getByRole('tab', { name: 'Timeline' }).waitFor()
    await page.locator('body').press('s')
    await page.getByRole('option', { name: 'Advocate' }).click()
    await eventually(() => stages(fixture, owner), ['QUALIFIED', 'EVANGELIST'])
  },

  'all 37 contacts get a stage, a task and a tag from the bar': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    await contacts(fixture, owner, 37)
    const page = await open('/contacts', { as: owner })
    const all = page.getByRole('checkbox', { name: 'Select all rows that are loaded' })
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await page.getByText('c36@example.com').first().waitFor()
    await all.click()
    await bar.getByText('37 contacts').waitFor()
    await look(page, 'bar of selected contacts')
    const downloading = page.waitForEvent('download')
    await bar.getByRole('button', { name: 'Export' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    assert.equal(file.split('\r\n').filter(Boolean).length, 1 + 37)
    await bar.getByRole('button', { name: 'Stage' }).click()
    await page.getByRole('menuitem', { name: 'Lead' }).click()
    await eventually(async () => (await stages(fixture, owner)).filter(stage => stage === 'LEAD').length, 37)

    await all.click()
    await bar.getByRole('button', { name: 'Task' }).click()
    await page.getByLabel('Title').fill('Send the offer')
    await page.getByRole('textbox', { name: 'Due', exact: true }).fill('tomorrow 9')
    await page.getByRole('button', { name: 'Add tasks' }).click()
    const tasks = async () => (await ask<{ tasks: { totalCount: number } }>(owner, '{ tasks(first: 1) { totalCount } }')).tasks.totalCount
    await eventually(tasks, 37)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually(tasks, 0)

    // No button promises calls: this one marks who is not to be called.
    await all.click()
    assert.equal(await bar.getByRole('button', { name: 'Calls' }).count(), 0)
    await bar.getByRole('button', { name: 'Do not call' }).click()
    await page.getByRole('menuitem', { name: 'Do not call' }).click()
    const spared = async () =>
      (await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts(first: 1, filter: { doNotCall: true }) { totalCount } }'))
        .contacts.totalCount
    await eventually(spared, 37)

    // The message about the tasks does not cover the bar.
    const tag = async (typed: string) => {
      const steps = new Steps(page)
      await steps.click(all)
      await steps.click(bar.getByRole('button', { name: 'Tag', exact: true }))
      await page.getByRole('combobox', { name: 'Add tags' }).and(page.locator(':focus')).waitFor()
      await steps.type(typed)
      return steps
    }
    const byPointer = await tag('Spring fair')
    await byPointer.press('Enter')
    await eventually(tagged(fixture, owner, 'Spring fair'), 37)
    assert.equal(byPointer.count, 4)
    // A tag that exists is the first hit for its first letters.
    await ask(owner, 'mutation { createContact(input: { fullName: "Ada", tags: ["Autumn fair"] }) { id } }')
    const steps = await tag('autu')
    await page.getByRole('option', { name: 'Autumn fair' }).waitFor()
    await steps.press('Enter')
    await eventually(tagged(fixture, owner, 'Autumn fair'), 38)
  },

  'contacts that match, loaded or not, and a range of rows are tagged in four and five steps': async fixture => {
    const { open, person } = fixture
    const owner = await person()
    // Two pages of the list.
    for (const _batch of [1, 2]) await contacts(fixture, owner, 70, `${_batch}`)
    const page = await open('/contacts?sort=EMAIL', { as: owner })
    await page.getByText('140 contacts', { exact: true }).waitFor()
    await page.locator('[data-cell="0 0"]').waitFor()
    const field = page.getByRole('combobox', { name: 'Add tags' }).and(page.locator(':focus'))

    const all = new Steps(page)
    await all.press('Control+a')
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await bar.getByText('140 contacts').waitFor()
    await bar.getByRole('button', { name: 'Tag', exact: true }).waitFor()
    await all.press('t')
    await field.waitFor()
    await all.type('All')
    await all.press('Enter')
    await eventually(tagged(fixture, owner, 'All'), 140)
    assert.equal(all.count, 4)

    // From a selected row to the one that is clicked with Shift, wherever in the row. Its page stays closed.
    const range = new Steps(page)
    await range.click(page.getByRole('checkbox', { name: 'Select the row' }).nth(0))
    await range.click(page.locator('[data-cell="4 0"]'), { modifiers: ['Shift'] })
    await bar.getByText('5 contacts').waitFor()
    await bar.getByRole('button', { name: 'Tag', exact: true }).waitFor()
    assert.equal(await page.evaluate(() => getSelection()?.toString()), '')
    await range.press('t')
    await field.waitFor()
    await range.type('Few')
    await range.press('Enter')
    await eventually(tagged(fixture, owner, 'Few'), 5)
    assert.equal(range.count, 5)
    assert.equal(new URL(page.url()).searchParams.get('open'), null)

    // Without a selected row the range begins at the focus.
    await page.locator('[data-cell="2 1"]').click()
    await page.locator('[data-cell="4 1"]').click({ modifiers: ['Shift'] })
    await bar.getByText('3 contacts').waitFor()
    // In a field the key selects its text.
    await page.getByLabel('Search contacts').fill('c01')
    await page.getByLabel('Search contacts').press('Control+a')
    await page.getByText('2 contacts', { exact: true }).waitFor()
    assert.equal(await bar.count(), 0)
  },

  'the palette acts on the selected contacts, its first hit selected': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    await contacts(fixture, owner, 4)
    const page = await open('/contacts?sort=EMAIL', { as: owner })
    const select = async () => {
      for (const row of [0, 1, 2]) await page.getByRole('checkbox', { name: 'Select the row' }).nth(row).click()
    }
    const verb = async (typed: string, name: string) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(/^Find a contact/).waitFor()
      await page.keyboard.type(typed)
      await page.locator('[data-action][data-selected]', { hasText: name }).waitFor()
    }
    await page.getByText('c03@example.com').first().waitFor()
    await select()
    await verb('stage', 'Change the stage of 3 contacts')
    await look(page, 'palette with a selection')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Qualified' }).click()
    await eventually(() => stages(fixture, owner), ['QUALIFIED', 'QUALIFIED', 'QUALIFIED', 'SUBSCRIBER'])

    await select()
    await verb('tag', 'Tag 3 contacts')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Add tags' }).fill('Fair')
    await page.getByRole('button', { name: 'Change tags' }).click()
    const tagged = '{ contacts(first: 1, filter: { tag: "Fair" }) { totalCount } }'
    await eventually(async () => (await ask<{ contacts: { totalCount: number } }>(owner, tagged)).contacts.totalCount, 3)

    await select()
    await verb('delete', 'Delete 3 contacts')
    await page.keyboard.press('Enter')
    await page.getByText('3 contacts deleted').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually(async () => (await stages(fixture, owner)).length, 4)
  },

  'on a phone the bar is one row, with the other actions in a menu': async fixture => {
    const { open, person, ask } = fixture
    const owner = await person()
    await contacts(fixture, owner, 2)
    const page = await open('/contacts', { as: owner })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const card of [0, 1]) await page.getByRole('checkbox', { name: 'Select the card' }).nth(card).click()
    const bar = page.getByRole('toolbar', { name: 'Selected rows' })
    await bar.getByText('2 contacts').waitFor()
    assert.ok(((await bar.boundingBox())?.height ?? 0) < 70, 'the bar is one row')
    const more = bar.getByRole('button', { name: 'More' })
    await more.click()
    await page.getByRole('menuitem', { name: 'Change the stage of 2 contacts' }).click()
    await page.getByRole('menuitem', { name: 'Lead' }).click()
    await eventually(() => stages(fixture, owner), ['LEAD', 'LEAD'])

    for (const card of [0, 1]) await page.getByRole('checkbox', { name: 'Select the card' }).nth(card).click()
    await more.click()
    await page.getByRole('menuitem', { name: 'New task for 2 contacts' }).click()
    await page.getByRole('dialog', { name: 'New task for 2 contacts' }).getByLabel('Title').fill('Send the offer')
    await page.getByRole('button', { name: 'Add tasks' }).click()
    const tasks = async () => (await ask<{ tasks: { totalCount: number } }>(owner, '{ tasks(first: 1) { totalCount } }')).tasks.totalCount
    await eventually(tasks, 2)
  },

  'each stage has a colour of its own that is seen in light and dark, and marks of origin are seen at the field in hand': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const all = ['SUBSCRIBER', 'LEAD', 'QUALIFIED', 'OPPORTUNITY', 'CUSTOMER', 'EVANGELIST']
    const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
    for (const lifecycleStage of all) await ask(owner, create, { input: { fullName: `Ada ${lifecycleStage}`, lifecycleStage } })
    const page = await open('/contacts?sort=STAGE', { as: owner })
    await page.locator('[data-stage]').nth(5).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const colours = await page.locator('[data-stage]').evaluateAll(stages =>
        stages.map(stage => {
          const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
          const layers = [getComputedStyle(document.body).getPropertyValue('--rc-surface'), getComputedStyle(stage).backgroundColor]
          const painted = (colour: string) => {
            if (canvas) canvas.fillStyle = colour
            canvas?.fillRect(0, 0, 1, 1)
            return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
          }
          const pill = layers.map(painted).at(-1) ?? []
          const dot = stage.firstElementChild
          return { pill, dot: dot ? painted(getComputedStyle(dot).backgroundColor) : [] }
        }),
      )
      assert.equal(new Set(colours.map(({ dot }) => dot.join())).size, all.length)
      for (const { dot, pill } of colours) assert.ok(contrast(dot, pill) >= 3, `${dot} on ${pill} in ${colorScheme}`)
    }
    await page.emulateMedia({ colorScheme: null })
    await look(page, 'stages in their colours')

    await page.getByText('Ada LEAD').first().click()
    const mark = page.getByRole('button', { name: /^Where Stage comes from/ })
    const opacity = () => mark.evaluate(one => getComputedStyle(one).opacity)
    await mark.waitFor()
    await eventually(opacity, '0')
    await mark.hover()
    await eventually(opacity, '1')
  },

  'a shared view is saved by two steps, and its name says its filters': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    await contacts(fixture, owner, 1)
    const views = async (noun: string) =>
      (await ask<{ savedViews: { nodes: object[] } }>(owner, `{ savedViews(noun: ${noun}) { nodes { name isShared } } }`)).savedViews.nodes
    const page = await open('/contacts', { as: owner })
    const lists = [
      ['CONTACTS', '/contacts?stage=SUBSCRIBER', 'Subscriber'],
      ['CONTACTS', `/contacts?owner=${owner.userId}&added=2026-01-01..`, `${owner.name}, Added: since Jan 1, 2026`],
      ['CONTACTS', '/contacts?sort=EMAIL', 'New view of contacts'],
      ['COMPANIES', `/companies?owner=${owner.userId}&country=DE`, `${owner.name}, Germany`],
      ['DEALS', `/deals?state=OPEN&owner=${owner.userId}&closes=..2027-01-01`, `${owner.name}, Open, Expected close: until Jan 1, 2027`],
    ] as const
    for (const [index, [noun, path, suggested]] of lists.entries()) {
      await page.goto(new URL(path, page.url()).href)
      const button = page.getByRole('button', { name: 'Save as a view' })
      await button.waitFor()
      if (suggested.startsWith(owner.name)) await page.getByRole('toolbar', { name: 'Filters' }).getByText(owner.name).waitFor()
      const steps = new Steps(page)
      await steps.click(button)
      const name = page.getByRole('dialog', { name: 'Save a view' }).getByLabel('Name')
      await name.and(page.locator(':focus')).waitFor()
      // Typing replaces the suggested name.
      await eventually(() => name.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]), [0, suggested.length])
      if (index === 0) await look(page, 'view with a name by its filters')
      await steps.press('Enter')
      await page.waitForURL(url => url.searchParams.has('view'))
      assert.deepEqual(
        (await views(noun)).find(view => JSON.stringify(view).includes(suggested)),
        { name: suggested, isShared: true },
      )
      assert.equal(steps.count, 2)
    }
  },
})
