// Contacts from a file, and into one.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tell } from '../story.ts'

const csv = [
  'E-Mail,Given name,Company,Notes',
  'grace@example.com,Grace,Navy,first',
  'ada@example.com,Ada 👩🏽‍💻,"Analytical, Engines",مرحبا',
  'not-an-address,,,',
].join('\n')
const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }

tell({
  'a file is mapped, previewed and imported, and its refused rows are downloaded': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/imports', { as: owner })
    await page.getByText('Drop a file of contacts here').waitFor()
    await look(page, 'imports empty')
    await page.locator('input[type=file]').setInputFiles(file)
    await page.waitForURL(/\/imports\/[\da-f-]{36}$/)
    await page.getByText('1 of the first 3 rows would be refused.').waitFor()
    await look(page, 'import mapping')

    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('Imported', { exact: true }).first().waitFor()
    await look(page, 'import done')
    const { contacts } = await ask<{ contacts: { nodes: { email: string }[] } }>(owner, '{ contacts(sort: EMAIL) { nodes { email } } }')
    assert.deepEqual(
      contacts.nodes.map(({ email }) => email),
      ['ada@example.com', 'grace@example.com'],
    )

    const [report] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download refused rows' }).click()])
    assert.match(readFileSync(await report.path(), 'utf8'), /not-an-address/)
    await page.getByRole('link', { name: 'All imports' }).click()
    await page.getByRole('grid', { name: 'Imports' }).getByText('people.csv').waitFor()
    await look(page, 'imports')
  },

  'header row, delimiter and encoding are corrected before the import, and the preview follows': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/imports', { as: owner })
    // What is found first is the line that looks most like headers.
    const odd = ['Name;Email', 'Vorname;Adresse', 'Zoë;zoe@example.com', 'Jürgen;juergen@example.com'].join('\r\n')
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(odd, 'latin1') })
    const preview = page.getByRole('region', { name: 'The first rows' })
    await preview.getByRole('cell', { name: 'Jürgen' }).waitFor()
    const choose = async (label: string, option: string | RegExp) => {
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: option }).click()
    }
    await choose('Encoding', /Cyrillic/)
    await preview.getByRole('cell', { name: 'Jьrgen' }).waitFor()
    await choose('Encoding', /Western European/)
    await preview.getByRole('cell', { name: 'Jürgen' }).waitFor()
    await choose('Row with the headers', /^Row 2: Vorname, Adresse/)
    await page.getByRole('combobox', { name: 'Field of the column Vorname' }).waitFor()
    await choose('Row with the headers', 'No headers')
    await page.getByText('Vorname', { exact: false }).first().waitFor()
    await choose('Between cells', 'Comma')
    await page
      .getByRole('combobox', { name: /^Field of the column/ })
      .nth(1)
      .waitFor({ state: 'detached' })
    await choose('Between cells', 'Semicolon')
    await choose('Row with the headers', /^Row 1: Name, Email/)
    await preview.getByRole('cell', { name: 'Jürgen' }).waitFor()
    await look(page, 'import format')
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('Imported', { exact: true }).first().waitFor()
    const { contacts } = await ask<{ contacts: { nodes: { fullName: string }[] } }>(
      owner,
      '{ contacts(sort: EMAIL) { nodes { fullName } } }',
    )
    assert.deepEqual(
      contacts.nodes.map(({ fullName }) => fullName),
      // The row that is no contact has a word for its address, which is left out.
      ['Jürgen', 'Zoë', 'Vorname'],
    )
  },

  'an import of 5,000 rows goes on after a kill of the server, and the page follows it to its end': async ({
    open,
    person,
    ask,
    restart,
    expects,
  }) => {
    const owner = await person()
    const rows = Array.from({ length: 5000 }, (_, index) => `person${index}@example.com,Person ${index}`)
    const page = await open('/imports', { as: owner })
    expects(page, /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|Failed to load resource/)
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(['Email,Full name', ...rows].join('\n')) })
    await page.getByText('None of the first 20 rows would be refused.').waitFor()
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('button', { name: 'Cancel import' }).waitFor()
    await restart({ kill: true })
    await page.getByText('Imported', { exact: true }).waitFor({ timeout: 120_000 })
    await page.getByText('5,000', { exact: true }).waitFor()
    const { contacts } = await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts { totalCount } }')
    assert.equal(contacts.totalCount, 5000)
  },

  'the shown columns of contacts are exported to a file': async ({ open, person, ask }) => {
    const owner = await person()
    for (const name of ['Grace', 'Ada'])
      await ask(owner, 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', {
        input: { email: `${name.toLowerCase()}@example.com`, firstName: name },
      })
    const page = await open('/contacts?q=Grace', { as: owner })
    await page.getByText('1 contact', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More for contacts' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export matching contacts' }).click(),
    ])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /grace@example\.com/)
  },

  'a view is exported with its filters and its columns': async ({ open, person, ask }) => {
    const owner = await person()
    for (const name of ['Grace', 'Ada'])
      await ask(owner, 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }', {
        input: { email: `${name.toLowerCase()}@example.com`, firstName: name, timezone: 'Europe/London' },
      })
    const { createSavedView: view } = await ask<{ createSavedView: { id: string } }>(
      owner,
      `mutation { createSavedView(input: {
        noun: CONTACTS, name: "Grace alone", filter: { q: "grace" }, columns: ["fullName", "email", "timezone"]
      }) { id } }`,
    )
    const page = await open('/contacts', { as: owner })
    await page.getByText('2 contacts', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'All contacts' }).click()
    await page.getByRole('menuitem', { name: 'Grace alone' }).click()
    await page.waitForURL(url => url.searchParams.get('view') === view.id)
    await page.getByText('1 contact', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More for contacts' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export this view' }).click()])
    const text = readFileSync(await download.path(), 'utf8')
    // With a byte order mark, for Excel.
    assert.equal(text, '\ufefffull_name,email,timezone\r\nGrace,grace@example.com,Europe/London\r\n')
  },

  'a guest cannot import': async ({ open }, look) => {
    const page = await open('/imports', { as: 'guest' })
    await page.getByText('Sign up to import contacts').waitFor()
    await look(page, 'imports of a guest')
  },
})
