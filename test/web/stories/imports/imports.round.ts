// Contacts from a file, and into one.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workbook } from '../../../contacts/imports/workbooks.ts'
import { tell } from '../../support/story.ts'

const csv = [
  'E-Mail,Given name,Company,Notes',
  'grace@example.com,Grace,Navy,first',
  'ada@example.com,Ada 👩🏽‍💻,"Analytical, Engines",مرحبا',
  'not-an-address,,,',
].join('\n')
const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }

tell({
  'a file that is known takes three clicks: choose, next, import; its contacts are shown, and undone': async (
    { open, person, ask },
    look,
  ) => {
    const owner = await person()
    const page = await open('/imports', { as: owner })
    await page.getByText('Drop a file of contacts here').waitFor()
    await look(page, 'imports empty')
    await page.locator('input[type=file]').setInputFiles(file)
    await page.waitForURL(/\/imports\/[\da-f-]{36}$/)
    await page.getByRole('combobox', { name: 'Field of the column Given name' }).waitFor()
    await look(page, 'import columns')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('2 new contacts, 1 row left out').waitFor()
    await page.getByText(/has no @/).waitFor()
    await look(page, 'import check')

    // Corrected in place.
    await page.getByRole('textbox', { name: 'E-Mail in row 4' }).fill('cyn@example.com')
    await page.getByRole('textbox', { name: 'E-Mail in row 4' }).press('Enter')
    await page.getByText('3 new contacts', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('1 cell is corrected.').waitFor()
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
    await page.getByText('Imported', { exact: true }).first().waitFor()
    await look(page, 'import done')
    await page.getByRole('link', { name: 'Show these 3' }).click()
    await page.getByText('3 contacts', { exact: true }).waitFor()
    await look(page, 'contacts of an import')
    await page.goBack()
    await page.getByRole('button', { name: 'Undo this import' }).click()
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('3 contacts deleted, 2 companies deleted with them.').waitFor()
    await look(page, 'import undone')
    const { contacts } = await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts { totalCount } }')
    assert.equal(contacts.totalCount, 0)
    await page.getByRole('link', { name: 'All imports' }).click()
    await page.getByRole('grid', { name: 'Imports' }).getByText('people.csv').waitFor()
    await look(page, 'imports')
  },

  'unknown values are asked once, with a guess; a second phone is a further number': async ({ open, person, ask }, look) => {
    const owner = await person()
    await ask(
      owner,
      'mutation { createCustomField(input: { key: "plan", label: "Plan", type: SELECT, options: ["professional"] }) { id } }',
    )
    const page = await open('/imports', { as: owner })
    const rows = [
      'Email,Phone,Phone,Stage,Country,Plan',
      `ada@example.com,030 1234567,+1 415-555-0102,Hot ${'x'.repeat(120)},Germny,profesional`,
      'ben@example.com,,,lead,DE,Gold <b>مرحبا</b>',
    ]
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(rows.join('\n')) })
    await page.getByRole('combobox', { name: 'Field of the column Phone 2' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Field of the column Phone 2' }).inputValue(), 'Phone')
    await page.getByRole('combobox', { name: 'Country of phone numbers' }).click()
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('combobox', { name: 'Meaning of Germny' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Meaning of Germny' }).inputValue(), 'Germany')
    assert.equal(await page.getByRole('combobox', { name: 'Meaning of profesional' }).inputValue(), 'professional')
    const choose = async (value: RegExp, option: string) => {
      await page.getByRole('combobox', { name: value }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose(/^Meaning of Hot/, 'Opportunity')
    await choose(/^Meaning of Gold/, 'Add as a new choice')
    await look(page, 'import values')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('2 new contacts', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('Imported', { exact: true }).first().waitFor()
    const { contacts } = await ask<{ contacts: { nodes: object[] } }>(
      owner,
      '{ contacts(sort: EMAIL) { nodes { phones { value } lifecycleStage country custom } } }',
    )
    assert.deepEqual(contacts.nodes, [
      {
        phones: [{ value: '+49301234567' }, { value: '+14155550102' }],
        lifecycleStage: 'OPPORTUNITY',
        country: 'DE',
        custom: { plan: 'professional' },
      },
      { phones: [], lifecycleStage: 'LEAD', country: 'DE', custom: { plan: 'Gold <b>مرحبا</b>' } },
    ])
  },

  'a row with a warning is left out by itself, comes back, and is left out for good': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/imports', { as: owner })
    const rows = ['Email,Full name,Phone', 'ada@example.com,Ada,12', 'ben@example.com,Ben,34', 'cyn@example.com,Cyn,+4930901820']
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(rows.join('\n')) })
    await page.getByRole('button', { name: 'Next' }).click()
    const [all, two] = [page.getByText('3 new contacts', { exact: true }), page.getByText('2 new contacts', { exact: true })]
    await all.waitFor()
    await page.getByRole('button', { name: 'Leave out row 2' }).click()
    await two.waitFor()
    await page.getByText('You leave 1 row out.').waitFor()
    await page.getByRole('button', { name: 'Leave out row 2' }).waitFor({ state: 'detached' })
    await look(page, 'import with a row left out')
    await page.getByRole('button', { name: 'Import it after all' }).click()
    await all.waitFor()
    await page.getByRole('button', { name: 'Leave out row 3' }).click()
    await two.waitFor()
    // The choice survives a reload.
    await page.reload()
    await two.waitFor()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('Imported', { exact: true }).first().waitFor()
    const { contacts } = await ask<{ contacts: { nodes: object[] } }>(owner, '{ contacts(sort: EMAIL) { nodes { email } } }')
    assert.deepEqual(contacts.nodes, [{ email: 'ada@example.com' }, { email: 'cyn@example.com' }])
  },

  'files of other programs, a workbook and vCards are imported through all steps': async ({ open, person, ask }) => {
    const owner = await person()
    const page = await open('/imports', { as: owner })
    const folder = join(import.meta.dirname, '../../../contacts/imports/cases')
    const files = [
      ...readdirSync(folder).map(name => ({ name, mimeType: 'text/csv', buffer: readFileSync(join(folder, name)) })),
      {
        name: 'people.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: workbook({
          People: [
            ['Email', 'First name'],
            ['xl@example.com', 'Xaver'],
          ],
        }),
      },
      {
        name: 'people.vcf',
        mimeType: 'text/vcard',
        buffer: Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Vera Card\r\nEMAIL:vera@example.com\r\nEND:VCARD\r\n'),
      },
    ]
    let total = 0
    for (const one of files) {
      await page.goto(new URL('/imports', page.url()).href)
      await page.locator('input[type=file]').setInputFiles(one)
      await page
        .getByRole('combobox', { name: /^Field of the column/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      const start = page.getByRole('button', { name: /^Import \d+ rows?$/ })
      const values = page.getByText('These values of the file are not known here')
      await start.or(values).first().waitFor()
      if (await values.isVisible()) await page.getByRole('button', { name: 'Next' }).click()
      await start.click()
      await page.getByRole('link', { name: /^Show th/ }).click()
      await page
        .getByText(/^\d+ contacts?$/)
        .first()
        .waitFor()
      const { contacts } = await ask<{ contacts: { totalCount: number } }>(owner, '{ contacts { totalCount } }')
      assert.ok(contacts.totalCount > total, one.name)
      total = contacts.totalCount
    }
  },

  'header row, delimiter and encoding are corrected before the import, and the columns follow': async ({ open, person, ask }, look) => {
    const owner = await person()
    const page = await open('/imports', { as: owner })
    // What is found first is the line that looks most like headers.
    const odd = ['Name;Email', 'Vorname;Adresse', 'Zoë;zoe@example.com', 'Jürgen;juergen@example.com'].join('\r\n')
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(odd, 'latin1') })
    const samples = page.getByRole('region', { name: 'Columns' })
    await samples.getByText('Jürgen').waitFor()
    const choose = async (label: string, option: string | RegExp) => {
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: option }).click()
    }
    await choose('Encoding', /Cyrillic/)
    await samples.getByText('Jьrgen').waitFor()
    await choose('Encoding', /Western European/)
    await samples.getByText('Jürgen').waitFor()
    await choose('Row with the headers', /^Row 2: Vorname, Adresse/)
    await page.getByRole('combobox', { name: 'Field of the column Vorname' }).waitFor()
    await choose('Between cells', 'Comma')
    await page
      .getByRole('combobox', { name: /^Field of the column/ })
      .nth(1)
      .waitFor({ state: 'detached' })
    await choose('Between cells', 'Semicolon')
    await choose('Row with the headers', /^Row 1: Name, Email/)
    await samples.getByText('Jürgen').waitFor()
    await look(page, 'import format')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Import 3 rows' }).click()
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

  'an import of 5,000 rows with a chosen value goes on after a kill of the server, and the page follows it to its end': async ({
    open,
    person,
    ask,
    restart,
    expects,
  }) => {
    const owner = await person()
    const rows = Array.from(
      { length: 5000 },
      (_, index) => `person${index}@example.com,Person ${index},${index % 5 === 0 ? 'Talks with us' : 'lead'}`,
    )
    const page = await open('/imports', { as: owner })
    expects(page, /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|Failed to load resource/)
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: Buffer.from(['Email,Full name,Stage', ...rows].join('\n')) })
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('combobox', { name: 'Meaning of Talks with us' }).click()
    await page.getByRole('option', { name: 'Opportunity', exact: true }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Import 5,000 rows' }).click()
    await page.getByRole('button', { name: 'Cancel import' }).waitFor()
    const total = async (filter: object = {}) =>
      (
        await ask<{ contacts: { totalCount: number } }>(
          owner,
          'query ($filter: ContactFilter) { contacts(filter: $filter) { totalCount } }',
          {
            filter,
          },
        )
      ).contacts.totalCount
    // In the middle: some rows are written, and others are not.
    while ((await total()) === 0);
    await restart({ kill: true, roles: 'web,api,session' })
    const written = await total()
    assert.ok(written > 0 && written < 5000, `${written} rows are written`)
    await restart()
    await page.getByText('Imported', { exact: true }).waitFor({ timeout: 120_000 })
    await page.getByText('5,000', { exact: true }).waitFor()
    const counts = [await total(), await total({ lifecycleStageIn: ['OPPORTUNITY'] }), await total({ lifecycleStageIn: ['LEAD'] })]
    assert.deepEqual(counts, [5000, 1000, 4000])
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
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export this view', exact: true }).click(),
    ])
    const text = readFileSync(await download.path(), 'utf8')
    // With a byte order mark, for Excel.
    assert.equal(text, '\ufefffull_name,email,timezone\r\nGrace,grace@example.com,Europe/London\r\n')
  },

  'a discarded file leads back to the place to drop one; one of several leaves the others': async ({ open, person }) => {
    const page = await open('/imports', { as: await person() })
    const drop = page.getByText('Drop a file of contacts here')
    await drop.waitFor()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Discard the file' }).click()
    await page.waitForURL(/\/imports$/)
    await drop.waitFor()
    // Not the page of the discarded one.
    await page.goBack()
    await page.waitForURL(url => !url.pathname.startsWith('/imports/'))

    await page.goto(new URL('/imports', page.url()).href)
    await page.locator('input[type=file]').setInputFiles([file, { ...file, name: 'more.csv' }, { ...file, name: 'others.csv' }])
    const files = page.getByRole('navigation', { name: 'Files' }).getByRole('button')
    await files.nth(2).click()
    await page.getByRole('button', { name: 'Discard the file' }).click()
    await files.nth(2).waitFor({ state: 'detached' })
    assert.equal(await files.count(), 2)
  },

  'a guest cannot import': async ({ open }, look) => {
    const page = await open('/imports', { as: 'guest' })
    await page.getByText('Sign up to import contacts').waitFor()
    await look(page, 'imports of a guest')
  },
})
