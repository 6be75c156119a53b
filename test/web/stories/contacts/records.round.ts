// Contacts, their record and their tasks: editing, undoing, and two people at once.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import { tell } from '../../support/story.ts'

const createContact = `mutation Create($input: CreateContactInput!) { createContact(input: $input) { id } }`
const readContact = `query Read($id: ID!) { contact(id: $id) { companyName } }`

tell({
  'a cell is edited with Enter, and the change is undone': async ({ open, person, ask }) => {
    const owner = await person()
    await ask(owner, createContact, { input: { fullName: 'Grace Hopper', companyName: 'Navy' } })
    const page = await open('/contacts', { as: owner })
    const cell = page.getByRole('gridcell', { name: 'Navy', exact: true }).or(page.locator('td', { hasText: /^Navy$/ }))
    await cell.first().dblclick()
    await page.getByRole('combobox', { name: 'Company' }).fill('Eckert-Mauchly')
    await page.keyboard.press('Enter')
    await page.getByText('Company changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('td', { hasText: /^Navy$/ }).waitFor()
  },

  'a contact gets another email, which becomes the main one, and the former one is removed; a taken one is refused': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    await ask(owner, createContact, { input: { email: 'taken@example.com' } })
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', email: 'grace@example.com' },
    })
    const emails = async () => {
      const read = 'query Emails($id: ID!) { contact(id: $id) { emails { value } } }'
      const { contact } = await ask<{ contact: { emails: { value: string }[] } }>(owner, read, { id: grace.id })
      return contact.emails.map(({ value }) => value)
    }
    const page = await open(`/contacts/${grace.id}`, { as: owner })
    const further = page.getByRole('group', { name: 'Further emails' })
    await further.getByRole('button', { name: 'Add another email' }).click()
    await page.getByRole('textbox', { name: 'Another email' }).fill('taken@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('A contact with this email exists already').first().waitFor()
    await page.getByRole('textbox', { name: 'Another email' }).fill('grace@navy.example')
    await page.keyboard.press('Enter')
    await further.getByText('grace@navy.example').waitFor()
    await look(page, 'contact with two emails')
    await further.getByRole('button', { name: 'Actions for grace@navy.example' }).click()
    await page.getByRole('menuitem', { name: 'Use as the main one' }).click()
    await eventually(emails, ['grace@navy.example', 'grace@example.com'])
    await further.getByRole('button', { name: 'Actions for grace@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await eventually(emails, ['grace@navy.example'])
  },

  'of two people on one field each sees whose value stands': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', companyName: 'Navy' },
    })
    // Changes do not reach this page, so it names the version that it has read.
    const withoutChanges = async (one: Page) => {
      await one.route('**/graphql', route => (route.request().headers().accept === 'text/event-stream' ? undefined : route.fallback()))
    }
    const page = await open(`/contacts/${grace.id}`, { as: owner, prepare: withoutChanges })
    const other = 'mutation Change($input: UpdateContactInput!) { updateContact(input: $input) { id } }'
    const dialog = page.getByRole('dialog').filter({ hasText: 'Changed meanwhile: Company' })
    const edit = async (mine: string, theirs: string) => {
      await page.getByRole('button', { name: 'Edit Company' }).click()
      await page.getByRole('combobox', { name: 'Company' }).fill(mine)
      await ask(owner, other, { input: { id: grace.id, companyName: theirs } })
      await page.keyboard.press('Enter')
      for (const value of [mine, theirs]) await dialog.getByRole('cell', { name: value, exact: true }).waitFor()
    }
    const standing = async () => (await ask<{ contact: { companyName: string } }>(owner, readContact, { id: grace.id })).contact.companyName

    await edit('Mine', 'Theirs')
    await look(page, 'contact conflict')
    await page.getByRole('button', { name: 'Keep yours' }).click()
    await page.getByText('Company changed', { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await standing(), 'Mine')

    await edit('Mine again', 'Theirs again')
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('complementary').getByRole('link', { name: 'Theirs again', exact: true }).waitFor()
    assert.equal(await standing(), 'Theirs again')
  },

  'a change of somebody else that arrives while a field is edited is not overwritten unseen': async ({ open, person, ask }) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', companyName: 'Navy' },
    })
    const page = await open(`/contacts/${grace.id}`, { as: owner })
    await page.getByRole('button', { name: 'Edit Company' }).click()
    await page.getByRole('combobox', { name: 'Company' }).fill('Mine')
    const other = 'mutation Change($input: UpdateContactInput!) { updateContact(input: $input) { id } }'
    await ask(owner, other, { input: { id: grace.id, companyName: 'Theirs', jobTitle: 'Rear admiral' } })
    await page.getByRole('button', { name: 'Edit Job title' }).filter({ hasText: 'Rear admiral' }).waitFor()
    await page.keyboard.press('Enter')

    const dialog = page.getByRole('dialog').filter({ hasText: 'Changed meanwhile: Company' })
    for (const value of ['Mine', 'Theirs']) await dialog.getByRole('cell', { name: value, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await page.getByRole('complementary').getByRole('link', { name: 'Theirs', exact: true }).waitFor()
  },

  'a change of a note that is not saved is kept when the panel is closed and the page loaded again': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, { input: { fullName: 'Grace' } })
    const { createNote: note } = await ask<{ createNote: { id: string } }>(
      owner,
      'mutation ($note: CreateNoteInput!) { createNote(input: $note) { id } }',
      { note: { contactId: grace.id, text: 'First words' } },
    )
    const page = await open(`/contacts?open=${grace.id}`, { as: owner })
    await page.getByRole('tab', { name: 'Notes' }).click()
    const field = page.getByRole('textbox', { name: 'Note', exact: true }).last()
    await page.getByRole('button', { name: 'Change the note' }).click()
    await field.fill('Half of a tho')

    await page.getByRole('button', { name: 'Close the panel' }).click()
    await field.waitFor({ state: 'detached' })
    await page.getByText('Grace', { exact: true }).click()
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByRole('button', { name: 'Save note' }).waitFor()
    assert.equal(await field.inputValue(), 'Half of a tho')
    await look(page, 'note draft kept')

    await field.fill('Half of a thought')
    await page.reload()
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByRole('button', { name: 'Save note' }).waitFor()
    assert.equal(await field.inputValue(), 'Half of a thought')

    await page.getByRole('button', { name: 'Save note' }).click()
    await page.getByRole('button', { name: 'Save note' }).waitFor({ state: 'detached' })
    const read = await ask<{ note: object }>(owner, 'query ($id: ID!) { note(id: $id) { text } }', { id: note.id })
    assert.deepEqual(read.note, { text: 'Half of a thought' })
    await page.getByText('Half of a thought', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save note' }).count(), 0)
  },

  'text typed for one organization is not shown in another one, nor to the next user of the tab': async ({ open, person, ask }) => {
    const [owner, next] = [await person(), await person()]
    const { createOrganization: other } = await ask<{ createOrganization: { id: string } }>(
      owner,
      'mutation { createOrganization(input: { name: "Another one" }) { id } }',
    )
    const page = await open('/contacts', { as: owner })
    const typed = async () => {
      await page.goto(new URL('/contacts?new=true', page.url()).href)
      return page.getByRole('dialog', { name: 'New contact' }).getByLabel('First name').inputValue()
    }
    assert.equal(await typed(), '')
    await page.getByRole('dialog', { name: 'New contact' }).getByLabel('First name').fill('Grace')
    const store = async (values: Record<string, string>) => {
      await page.evaluate(given => {
        for (const [name, value] of Object.entries(given)) localStorage.setItem(name, value)
      }, values)
      await page.reload()
    }
    await page.reload()
    assert.equal(await typed(), 'Grace')

    await store({ 'rolocom.organization': other.id })
    assert.equal(await typed(), '')
    const caller = { kind: 'user', token: next.session, userId: next.userId }
    await store({ 'rolocom.caller': JSON.stringify(caller), 'rolocom.organization': next.orgId })
    assert.equal(await typed(), '')
  },

  'a note and a task that somebody else changed meanwhile are not written over unseen': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, { input: { fullName: 'Grace' } })
    const made = await ask<{ createNote: { id: string }; createTask: { id: string } }>(
      owner,
      'mutation ($note: CreateNoteInput!, $task: CreateTaskInput!) { createNote(input: $note) { id } createTask(input: $task) { id } }',
      { note: { contactId: grace.id, text: 'First words' }, task: { contactId: grace.id, title: 'Write to her' } },
    )
    const page = await open(`/contacts/${grace.id}?tab=notes`, { as: owner })
    await page.getByRole('button', { name: 'Change the note' }).click()
    await page.getByRole('textbox', { name: 'Note', exact: true }).last().fill('My words')
    await ask(owner, 'mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { id } }', {
      input: { id: made.createNote.id, text: 'Their words' },
    })
    await page.getByText('Their words').waitFor()
    await look(page, 'note conflict')
    await page.getByRole('button', { name: 'Replace it with yours' }).click()
    await page.getByRole('button', { name: 'Replace it with yours' }).waitFor({ state: 'detached' })
    await page.getByText('My words', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Tasks' }).click()
    await page.getByRole('button', { name: 'Write to her' }).click()
    const form = page.getByRole('dialog', { name: 'Task' })
    await form.getByLabel('Description').fill('By hand')
    await ask(owner, 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }', {
      input: { id: made.createTask.id, title: 'Call her' },
    })
    await page.getByText('Call her').waitFor()
    const standing = async () => {
      const { task } = await ask<{ task: object }>(owner, 'query ($id: ID!) { task(id: $id) { title description } }', {
        id: made.createTask.id,
      })
      return task
    }
    // What only one of them has changed, stays.
    await form.getByRole('button', { name: 'Save task' }).click()
    await form.waitFor({ state: 'detached' })
    assert.deepEqual(await standing(), { title: 'Call her', description: 'By hand' })

    await page.getByRole('button', { name: 'Call her' }).click()
    await form.getByLabel('Description').fill('In ink')
    await ask(owner, 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }', {
      input: { id: made.createTask.id, description: 'By mail' },
    })
    await form.getByRole('button', { name: 'Save task' }).click()
    await form.getByText('Changed meanwhile: Description').waitFor()
    for (const value of ['In ink', 'By mail']) await form.getByRole('cell', { name: value, exact: true }).waitFor()
    assert.deepEqual(await standing(), { title: 'Call her', description: 'By mail' })
    await look(page, 'task conflict')
    await form.getByRole('button', { name: 'Keep yours' }).click()
    await form.waitFor({ state: 'detached' })
    assert.deepEqual(await standing(), { title: 'Call her', description: 'In ink' })
  },

  'contacts are filtered by chips that the address keeps, and what it cannot mean is named': async ({ open, person }, look) => {
    const owner = await person({ demo: true })
    const page = await open('/contacts?stage=LEAD&stage=NONSENSE&custom=plan~is~gold', { as: owner })
    await page.getByText(/left out.*NONSENSE/).waitFor()
    await page.getByRole('button', { name: 'Stage Lead' }).waitFor()
    await look(page, 'contacts filtered')
    await page.getByRole('button', { name: 'Clear the filter Stage' }).click()
    await page.waitForURL(url => !url.searchParams.has('stage'))
  },

  'all contacts that match are tagged, also those that are not loaded, and untagged by its undo': async ({ open, person, ask }) => {
    const owner = await person()
    const add = (companyName: string) => ask(owner, createContact, { input: { fullName: 'Grace Hopper', companyName } })
    await add('Elsewhere')
    // More than a page of the list.
    for (let left = 120; left > 0; left -= 20) await Promise.all(Array.from({ length: 20 }, () => add('Navy')))
    const page = await open('/contacts?company=Navy', { as: owner })
    await page.getByRole('checkbox', { name: 'Select the row' }).first().click()
    await page.getByRole('button', { name: 'Select all 120 that match' }).click()
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByRole('combobox', { name: 'Add tags' }).fill('pioneer')
    await page.keyboard.press('Enter')
    await page.getByText('120 contacts changed').first().waitFor()
    const tagged = async () =>
      (await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts(filter: { tagIn: ["pioneer"] }) { totalCount } }')).contacts
        .totalCount
    assert.equal(await tagged(), 120)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('120 contacts changed back').first().waitFor()
    assert.equal(await tagged(), 0)
  },

  'the record takes a note, and a deleted contact is read and restored': async ({ open, person, ask }, look) => {
    const owner = await person()
    const { createContact: grace } = await ask<{ createContact: { id: string } }>(owner, createContact, {
      input: { fullName: 'Grace Hopper', email: 'grace@example.com' },
    })
    const page = await open(`/contacts/${grace.id}`, { as: owner })
    await page.getByRole('textbox', { name: 'Note' }).fill('Asked for the compiler')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page
      .getByText(/ added /)
      .first()
      .waitFor()
    await look(page, 'contact')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete the contact' }).click()
    await page.getByText(/notes, tasks and calls are kept/).waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(/notes, tasks and calls are kept/).waitFor({ state: 'detached' })
  },

  'the id of no contact says so, and leads back to the contacts': async ({ open, person }) => {
    const page = await open('/contacts/01a2048e-0000-7506-af34-ba2776c62176', { as: await person() })
    await page.getByRole('heading', { name: 'This contact was not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to the contacts' }).click()
    await page.getByText('The people you call and write to are listed here.').waitFor()
  },

  'a task is completed by its key, and leaves the list': async ({ open, person }, look) => {
    const page = await open('/tasks?show=open', { as: await person({ demo: true }) })
    const task = page.locator('td', { hasText: 'Talk about more seats' })
    await task.waitFor()
    await look(page, 'tasks')
    await page.locator('td', { hasText: 'Talk about more seats' }).focus()
    await page.keyboard.press('d')
    await page.getByText('"Talk about more seats" is done', { exact: true }).waitFor()
    await task.waitFor({ state: 'detached' })
  },
})
