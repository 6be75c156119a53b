// Editors of fields: what somebody typed is written or refused with a sentence, however the editor is left.

import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { type Story, tell } from '../../support/story.ts'

type Fixture = Parameters<Story>[0]
type Person = Awaited<ReturnType<Fixture['person']>>

interface Contact {
  id: string
  companyName: string | null
  tags: string[]
  custom: Record<string, unknown>
}

const fields = [
  { key: 'seats', label: 'Seats', type: 'NUMBER' },
  { key: 'start', label: 'Start', type: 'DATE' },
  { key: 'plan', label: 'Plan', type: 'SELECT', options: ['Basic', 'Gold'] },
  { key: 'likes', label: 'Likes', type: 'MULTI_SELECT', options: ['Tea', 'Coffee'] },
]

/** A contact with a value in each kind of field. */
async function contactWithFields({ ask }: Fixture, owner: Person): Promise<string> {
  for (const input of fields)
    await ask(owner, 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }', { input })
  const custom = { seats: 12, start: '2026-03-14', plan: 'Basic', likes: ['Tea'] }
  const input = { fullName: 'Grace Hopper', companyName: 'Navy', tags: ['pioneer'], custom }
  const { createContact } = await ask<{ createContact: { id: string } }>(
    owner,
    'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
    { input },
  )
  return createContact.id
}

function reader({ ask }: Fixture, owner: Person, id: string) {
  const read = 'query ($id: ID!) { contact(id: $id) { id companyName tags custom } }'
  return async () => (await ask<{ contact: Contact }>(owner, read, { id })).contact
}

/** An input method that is composing: what it shows is not typed yet, and Enter chooses from what it offers. */
async function compose(page: Page, text: string): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  for (const type of ['rawKeyDown', 'keyUp'] as const)
    await session.send('Input.dispatchKeyEvent', { type, key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 })
  return session
}

tell({
  'a new tag is kept after Enter, a comma, Tab and a click elsewhere': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    const page = await open(`/contacts/${id}`, { as: owner })
    const tags = page.getByRole('combobox', { name: 'Tags' })
    const edit = () => page.getByRole('button', { name: 'Edit Tags' }).click()

    await edit()
    await tags.pressSequentially('ada')
    await page.keyboard.press('Enter')
    await tags.pressSequentially('bob,cyn')
    await look(page, 'tags edited')
    await page.keyboard.press('Tab')
    await eventually(async () => (await contact()).tags, ['pioneer', 'ada', 'bob', 'cyn'])

    await edit()
    await tags.pressSequentially('dee')
    await page.getByRole('heading').first().click()
    await eventually(async () => (await contact()).tags, ['pioneer', 'ada', 'bob', 'cyn', 'dee'])

    await edit()
    await tags.pressSequentially('eve')
    await page.keyboard.press('Escape')
    await tags.waitFor({ state: 'detached' })
    assert.deepEqual((await contact()).tags, ['pioneer', 'ada', 'bob', 'cyn', 'dee'])

    // An option that is highlighted is meant, not the letters that led to it.
    await ask(owner, 'mutation { createContact(input: { fullName: "Alan", tags: ["visionary"] }) { id } }')
    await edit()
    await tags.pressSequentially('visi')
    await page.getByRole('option', { name: 'visionary' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await eventually(async () => (await contact()).tags.at(-1), 'visionary')
  },

  'a list of fixed values says which word it does not take': async fixture => {
    const { open, person } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    const page = await open(`/contacts/${id}`, { as: owner })
    const likes = page.getByRole('combobox', { name: 'Likes' })
    await page.getByRole('button', { name: 'Edit Likes' }).click()
    await likes.pressSequentially('water')
    await page.keyboard.press('Enter')
    await page.getByText('"water" is not one of the values of Likes').first().waitFor()
    await likes.fill('coffee')
    await page.keyboard.press('Tab')
    await eventually(async () => (await contact()).custom.likes, ['Tea', 'Coffee'])
    await page.getByRole('button', { name: 'Edit Likes' }).click()
    await likes.pressSequentially('milk')
    await page.getByRole('heading').first().click()
    await page.getByText('"milk" is not one of the values of Likes').first().waitFor()
    assert.deepEqual((await contact()).custom.likes, ['Tea', 'Coffee'])
  },

  'a text in place of a number and half a date are refused, and the value stays': async (fixture, look) => {
    const { open, person } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    const page = await open(`/contacts/${id}`, { as: owner })
    const seats = page.getByRole('textbox', { name: 'Seats' })
    for (const text of ['1-2', 'twelve', '1e999', '12345678901234567890']) {
      await page.getByRole('button', { name: 'Edit Seats' }).click()
      await seats.fill(text)
      await page.keyboard.press('Enter')
      await page
        .getByRole('paragraph')
        .filter({ hasText: /^Seats takes a number/ })
        .waitFor()
      assert.equal(await seats.inputValue(), text)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Edit Seats' }).click()
    await seats.fill('1-2')
    await page.keyboard.press('Enter')
    await look(page, 'no number')
    // Left by a click: there is no editor any more that could say it.
    await page.getByRole('heading').first().click()
    await page.getByText('Seats was not changed', { exact: true }).first().waitFor()

    await page.getByRole('button', { name: 'Edit Start' }).click()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page
      .getByRole('paragraph')
      .filter({ hasText: /^Start takes a whole date/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Start' }).click()
    await page.keyboard.press('Backspace')
    await page.getByRole('heading').first().click()
    await page.getByText('Start was not changed', { exact: true }).first().waitFor()
    assert.deepEqual((await contact()).custom, { seats: 12, start: '2026-03-14', plan: 'Basic', likes: ['Tea'] })

    await page.getByRole('button', { name: 'Edit Seats' }).click()
    await seats.fill('13,5')
    await page.keyboard.press('Tab')
    await eventually(async () => (await contact()).custom.seats, 13.5)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Seats' }).click()
    await seats.fill('')
    await page.keyboard.press('Enter')
    await eventually(async () => (await contact()).custom.seats, undefined)
  },

  'a cell keeps typed text while rows arrive above it, and when its panel or page is left': async (fixture, look) => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    await ask(
      owner,
      'mutation { createSavedView(input: { noun: CONTACTS, name: "All", isDefault: true, columns: ["companyName", "custom.seats"] }) { id } }',
    )
    const page = await open('/contacts', { as: owner })
    const cell = page.locator('td', { hasText: /^Navy$/ })
    await cell.dblclick()
    const company = page.getByRole('combobox', { name: 'Company' })
    await company.fill('Eckert')
    await ask(owner, 'mutation { createContact(input: { fullName: "Alan Turing", companyName: "Bletchley" }) { id } }')
    await page.locator('td', { hasText: /^Bletchley$/ }).waitFor()
    assert.equal(await company.inputValue(), 'Eckert')
    await page.keyboard.press('Enter')
    await eventually(async () => (await contact()).companyName, 'Eckert')

    await page.locator('td', { hasText: 'Grace Hopper' }).click()
    const panel = page.getByRole('dialog').filter({ hasText: 'Open the page' })
    await panel.getByRole('button', { name: 'Edit Company' }).click()
    await company.fill('Mauchly')
    await panel.getByRole('button', { name: 'Close the panel' }).click()
    await eventually(async () => (await contact()).companyName, 'Mauchly')

    await page.locator('td', { hasText: /^12$/ }).dblclick()
    await page.getByRole('textbox', { name: 'Seats' }).fill('12,345')
    await page.keyboard.press('Enter')
    await page
      .getByRole('paragraph')
      .filter({ hasText: /^Seats takes a number/ })
      .waitFor()
    await look(page, 'no number in a cell')
    await page.keyboard.press('Escape')
    await page.locator('td', { hasText: /^Mauchly$/ }).dblclick()
    await company.fill('Univac')
    await page.goBack()
    await eventually(async () => (await contact()).companyName, 'Univac')
  },

  'a value with line ends stays as it is until somebody types another': async fixture => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    const lines = 'Navy\nBureau of Ships'
    await ask(owner, 'mutation ($input: UpdateContactInput!) { updateContact(input: $input) { id } }', {
      input: { id, companyName: lines },
    })
    const page = await open(`/contacts/${id}`, { as: owner })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const paste = async (text: string) => {
      await page.evaluate(given => navigator.clipboard.writeText(given), text)
      await page.keyboard.press('Control+v')
    }
    const company = page.getByRole('combobox', { name: 'Company' })
    const edit = () => page.getByRole('button', { name: 'Edit Company' }).click()

    for (const leave of ['Enter', 'Tab', 'click']) {
      await edit()
      await company.waitFor()
      if (leave === 'click') await page.getByRole('heading').first().click()
      else await page.keyboard.press(leave)
      await company.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
    }
    assert.equal((await contact()).companyName, lines)
    await edit()
    await company.waitFor()
    await paste('Eckert\nMauchly')
    await page.keyboard.press('Enter')
    await eventually(async () => (await contact()).companyName, 'Eckert Mauchly')

    await page.getByRole('button', { name: 'Edit Tags' }).click()
    await page.getByRole('combobox', { name: 'Tags' }).focus()
    await paste('ada, bob\ncyn')
    await page.keyboard.press('Tab')
    await eventually(async () => (await contact()).tags, ['pioneer', 'ada', 'bob', 'cyn'])
  },

  'choices of a field are pasted from a column': async fixture => {
    const { open, person, ask } = fixture
    const owner = await person()
    const page = await open('/settings/fields', { as: owner })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'New field' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Size')
    await page.getByRole('combobox', { name: 'Holds' }).click()
    await page.getByRole('option', { name: 'One of a list' }).click()
    await page.getByRole('combobox', { name: 'Choices' }).focus()
    await page.evaluate(given => navigator.clipboard.writeText(given), 'Small\nMedium\r\nLarge')
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: 'Create field' }).click()
    const fields = async () => (await ask<{ customFields: { options: string[] }[] }>(owner, '{ customFields { options } }')).customFields
    await eventually(fields, [{ options: ['Small', 'Medium', 'Large'] }])
  },

  'a choice that is highlighted is taken by Tab': async fixture => {
    const { open, person } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    const page = await open(`/contacts/${id}`, { as: owner })
    await page.getByRole('button', { name: 'Edit Plan' }).click()
    await page.getByRole('option', { name: 'Gold' }).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Tab']) await page.keyboard.press(key)
    await eventually(async () => (await contact()).custom.plan, 'Gold')
  },

  'Enter that belongs to an input method saves no half word': async fixture => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    const contact = reader(fixture, owner, id)
    const page = await open(`/contacts/${id}`, { as: owner })
    const half = 'ぐれ'
    const whole = 'グレース'

    await page.getByRole('button', { name: 'Edit Company' }).click()
    const company = page.getByRole('combobox', { name: 'Company' })
    await company.fill('')
    await (await compose(page, half)).send('Input.insertText', { text: whole })
    assert.equal(await company.inputValue(), whole)
    await page.keyboard.press('Enter')
    await eventually(async () => (await contact()).companyName, whole)

    await page.getByRole('button', { name: 'Edit Tags' }).click()
    await page.getByRole('combobox', { name: 'Tags' }).focus()
    await (await compose(page, half)).send('Input.insertText', { text: whole })
    assert.equal(await page.getByRole('combobox', { name: 'Tags' }).inputValue(), whole)
    await page.keyboard.press('Tab')
    await eventually(async () => (await contact()).tags, ['pioneer', whole])

    // A form, a search and the palette.
    await page.goto(`${fixture.server().url}/contacts`)
    await page.getByRole('button', { name: 'New contact' }).click()
    const panel = page.getByRole('dialog', { name: 'New contact' })
    await panel.getByLabel('First name').focus()
    await (await compose(page, half)).send('Input.insertText', { text: whole })
    assert.equal(await panel.getByLabel('First name').inputValue(), whole)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    const all = async () => (await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts { totalCount } }')).contacts.totalCount
    assert.equal(await all(), 1)

    await page.keyboard.press('Control+k')
    const palette = page.getByRole('textbox', { name: 'Search and go to' })
    await palette.fill('Ta')
    await (await compose(page, 'sk')).send('Input.insertText', { text: 'sks' })
    assert.equal(await palette.inputValue(), 'Tasks')
    assert.equal(new URL(page.url()).pathname, '/contacts')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/tasks**')
  },

  'half a date in a form and in a filter is refused, and nothing else is lost': async fixture => {
    const { open, person, ask } = fixture
    const owner = await person()
    const id = await contactWithFields(fixture, owner)
    await ask(owner, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }', {
      input: { contactId: id, title: 'Write to her', dueAt: '2026-12-24T10:00:00Z' },
    })
    const page = await open('/tasks?show=open', { as: owner })
    await page.locator('td', { hasText: 'Write to her' }).click()
    const form = page.getByRole('dialog', { name: 'Task' })
    await form.getByLabel('Due', { exact: true }).focus()
    await page.keyboard.press('Backspace')
    await form.getByRole('button', { name: 'Save task' }).click()
    await form.getByText('Complete the date and the time, or clear both').waitFor()
    const due = async () => (await ask<{ tasks: { nodes: { dueAt: string }[] } }>(owner, '{ tasks { nodes { dueAt } } }')).tasks.nodes
    assert.deepEqual(await due(), [{ dueAt: '2026-12-24T10:00:00.000Z' }])

    await page.goto(`${fixture.server().url}/contacts?added=2026-01-01..2026-12-31`)
    await page.getByRole('button', { name: /^Added/ }).click()
    await page.getByLabel('Added from').focus()
    await page.keyboard.press('Backspace')
    await page.getByLabel('Added until').focus()
    await page.getByText('Complete the date, or clear it').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('added'), '2026-01-01..2026-12-31')
  },
})
