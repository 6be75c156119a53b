// Exports that are imported again in the browser: the same contacts, unchanged.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

const customFields = [
  { key: 'plan', label: 'Plan', type: 'SELECT', options: ['A, B', '-'] },
  { key: 'colors', label: 'Colors', type: 'MULTI_SELECT', options: ['Red; dark', 'Blue'] },
  { key: 'since', label: 'Since', type: 'DATE' },
  { key: 'seats', label: 'Seats', type: 'NUMBER' },
]
const contacts = [
  {
    email: 'ada@example.com',
    firstName: "'Ada'",
    lastName: '=1+1',
    phone: '+4930901820',
    companyName: '-Acme, "S.A."',
    lifecycleStage: 'OPPORTUNITY',
    tags: ['vip', 'x;y'],
    doNotCall: true,
    custom: { plan: 'A, B', colors: ['Red; dark', 'Blue'], since: '1999-01-01', seats: 1.5 },
  },
  { email: 'grace@example.com', fullName: 'Grace 王 مرحبا 👩🏽‍💻', country: 'DE', timezone: 'Europe/Berlin' },
]

interface Standing {
  id: string
  version: number
}

const standing = async ({ ask }: Fixture, owner: Person) =>
  (await ask<{ contacts: { nodes: Standing[] } }>(owner, '{ contacts(sort: EMAIL) { nodes { id version } } }')).contacts.nodes

async function exported(page: Page, entry: string): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  await page.getByRole('button', { name: 'More for contacts' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: entry, exact: true }).click()])
  return { name: download.suggestedFilename(), mimeType: 'text/csv', buffer: readFileSync(await download.path()) }
}

/** Imports it with what is suggested, for contacts that exist: `choice`. The check says `expected`. */
async function imported(page: Page, file: Awaited<ReturnType<typeof exported>>, choice: string, expected: string): Promise<void> {
  await page.goto(new URL('/imports', page.url()).href)
  await page.locator('input[type=file]').setInputFiles(file)
  const field = page.getByRole('combobox', { name: /^Field of the column/ }).first()
  await field.waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('radio', { name: choice }).check()
  await page.getByText(expected, { exact: true }).waitFor()
  // No cell of an own file is a question.
  assert.equal(await page.getByRole('region', { name: 'Cells to look at' }).count(), 0)
  await page.getByRole('button', { name: /^Import \d+ rows?$/ }).click()
  await page.getByText('Imported', { exact: true }).first().waitFor()
}

tell({
  'every export, imported again, changes nothing': async fixture => {
    const { open, person, ask } = fixture
    const owner = await person()
    for (const input of customFields)
      await ask(owner, 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }', { input })
    for (const input of contacts)
      await ask(owner, 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', { input })
    const { createSavedView: view } = await ask<{ createSavedView: { id: string } }>(
      owner,
      `mutation { createSavedView(input: {
        noun: CONTACTS, name: "Phones", columns: ["email", "phone", "lifecycleStage", "tags", "custom.colors"]
      }) { id } }`,
    )
    const before = await standing(fixture, owner)
    const page = await open('/contacts', { as: owner })
    const lists = [
      ['/contacts', 'Export all contacts'],
      ['/contacts?q=example.com', 'Export matching contacts'],
      [`/contacts?view=${view.id}`, 'Export this view'],
      [`/contacts?view=${view.id}`, 'Export this view with all fields'],
    ] as const
    for (const [path, entry] of lists) {
      await page.goto(new URL(path, page.url()).href)
      await page.getByText('2 contacts', { exact: true }).waitFor()
      const file = await exported(page, entry)
      await imported(page, file, 'Leave the record as it is', '0 new contacts, 2 stay unchanged')
      assert.deepEqual(await standing(fixture, owner), before, entry)
      await imported(page, file, 'Change the record to the values of the row', '0 new contacts, 2 stay unchanged')
      // A row with the same values writes nothing.
      assert.deepEqual(await standing(fixture, owner), before, entry)
    }
  },
})
