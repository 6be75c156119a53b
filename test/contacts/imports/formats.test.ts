// Files as other programs write them: where their headers stand, which columns they have, and how the caller corrects what is detected.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { upload, uploaded, imported, contacts } = importsIn(app)

const fieldsOf = ({ columns }: Json) =>
  Object.fromEntries(columns.map(({ name, field, custom_field }: Json) => [name, field ?? (custom_field && `custom.${custom_field}`)]))

describe('the row with the headers', () => {
  const linkedIn =
    'Notes:\n"Some addresses may be missing, because members decide, and ""hidden"" ones are left out."\n\n' +
    'First Name,Last Name,URL,Email Address,Company,Position,Connected On\n' +
    'Rosa,Vidal,https://www.linkedin.com/in/rosa,rosa@example.com,"Acme, S.A.",Buyer,05 Mar 2024\n'
  test.each([
    ['the first', 'email,first_name\nrosa@example.com,Rosa\n', 1],
    ['below the line sep=;', 'sep=;\nEmail;First Name\nrosa@example.com;Rosa\n', 2],
    ['below the line sep= in quotes', '"sep=,"\r\nEmail,First Name\r\nrosa@example.com,Rosa\r\n', 2],
    ['below a byte order mark and the line sep=', '\ufeffsep=\t\nEmail\tFirst Name\nrosa@example.com\tRosa\n', 2],
    ["below LinkedIn's notes", linkedIn, 4],
    ['below a title that fills its row with commas', 'Contacts of May,,\n,,\nEmail,First Name,City\nrosa@example.com,Rosa,Bonn\n', 3],
    ['below a title, of a table with semicolons', 'Contacts, leads, and others\n\nEmail;First Name;City\nrosa@example.com;Rosa;Bonn\n', 3],
    ['below empty rows', '\n\nEmail,First Name\nrosa@example.com,Rosa\n', 3],
    ['with two equal headers', 'Email,First Name,Phone,Phone\nrosa@example.com,Rosa,,\n', 1],
    ['in a language that is not known', 'Adres,Imię\nrosa@example.com,Rosa\n', 1],
    ['missing', 'rosa@example.com,Rosa\nben@example.com,Ben\n', null],
    ['below the line sep=|', 'sep=|\r\nEmail|First Name\r\nrosa@example.com|Rosa\r\n', 2],
    ['of a table with vertical bars', 'Email|First Name|City\nrosa@example.com|Rosa|Bonn\n', 1],
    ['in quotes with its whole row', '"Email,""First Name"""\n"rosa@example.com,""Vidal, Rosa"""\n', 1],
    ['above a row that is in quotes as a whole', 'Email,First Name\n"rosa@example.com,""Vidal, Rosa"""\n', 1],
    ['with a space before each quote', '"Email", "First Name"\n"rosa@example.com", "Vidal, Rosa"\n', 1],
    ['above cells with NUL characters', 'Email,First Name\nrosa@example.com,Ro\0sa\n\0\0', 1],
    ['missing, below the line sep=', 'sep=;\nrosa@example.com;Rosa\nben@example.com;Ben\n', null],
  ])('%s', async (_name, file, row) => {
    const { key } = await app.given.apiKey()

    const made = await uploaded(key, file)

    expect({ row: made.header_row, has: made.has_header }).toEqual({ row, has: row !== null })
    const mapping = [{ column: made.columns.findIndex(({ samples }: Json) => samples[0] === 'rosa@example.com'), field: 'email' }]
    await app.rest('POST', `${imports}/${made.id}/start`, { key, body: { mapping } })
    await expect.poll(async () => (await contacts(key)).map(({ email }) => email)).toContain('rosa@example.com')
    const done = (await app.rest('GET', `${imports}/${made.id}`, { key })).body
    expect([done.row_count, done.refused_count]).toEqual([row === null ? 2 : 1, 0])
  })

  test("LinkedIn's connections are imported with their profiles", async () => {
    const { key } = await app.given.apiKey()

    await imported(key, linkedIn)

    expect(await contacts(key)).toMatchObject([
      { full_name: 'Rosa Vidal', linkedin_url: 'https://www.linkedin.com/in/rosa', company_name: 'Acme, S.A.', job_title: 'Buyer' },
    ])
  })
})

describe('characters', () => {
  test('of a file of an old Mac, and of one with a broken byte', async () => {
    const { key } = await app.given.apiKey()
    const mac = Buffer.from('Email;City\rada@example.com;K\x9aln\r', 'latin1')
    const broken = Buffer.concat([
      Buffer.from('Email,City\nben@example.com,Köln\ncyn@example.com,Zürich\ndee@example.com,Łódź '),
      Buffer.from([0xfc, 10]),
    ])

    const made = [await uploaded(key, mac), await uploaded(key, broken)]

    expect(made.map(({ encoding }) => encoding)).toEqual(['macintosh', 'utf_8'])
    const previews = await Promise.all(made.map(({ id }) => app.rest('POST', `${imports}/${id}/preview`, { key })))
    expect(
      previews.flatMap(({ body }) =>
        body.rows.map(({ contact, warnings }: Json) => [contact.city, ...warnings.map(({ message }: Json) => message)]),
      ),
    ).toEqual([['Köln'], ['Köln'], ['Zürich'], ['Łódź �', '"Łódź �" has a character that could not be read; check the encoding']])
  })

  test.each([
    ['windows_1250', Buffer.from('496d69ea2c4d696173746f0aa3756b61737a2ca3f364bc0a', 'hex'), ['Imię', 'Miasto']],
    ['windows_1251', Buffer.from('c8ecff2c456d61696c0acfe5f2f02c610a', 'hex'), ['Имя', 'Email']],
    ['macintosh', Buffer.from('4e616d652c436974790a4d9f6c6c65722c4b9a6c6e0a', 'hex'), ['Name', 'City']],
    ['shift_jis', Buffer.from('8e8196bc2c456d61696c0a8e52936391be98592c610a', 'hex'), ['氏名', 'Email']],
    ['gb18030', Buffer.from('d0d5c3fb2c456d61696c0acdf5d0a1c3f72c610a', 'hex'), ['姓名', 'Email']],
    ['windows_1253', Buffer.from('bcedefece12c456d61696c0ac3e9fef1e3eff220d0e1f0e1e4fcf0eff5ebeff22c610a', 'hex'), ['Όνομα', 'Email']],
    ['windows_1254', Buffer.from('41642c456d61696c0a4179fe652059fd6c64fd7a2c610a', 'hex'), ['Ad', 'Email']],
    ['windows_1255', Buffer.from('f9ed2c456d61696c0ae3e5e320ebe4ef2c610a', 'hex'), ['שם', 'Email']],
    ['windows_1256', Buffer.from('c7e1c7d3e32c456d61696c0ac3cde3cf20dae1ed2c610a', 'hex'), ['الاسم', 'Email']],
    ['windows_874', Buffer.from('aad7e8cd2c456d61696c0acac1aad2c220e3a8b4d52c610a', 'hex'), ['ชื่อ', 'Email']],
    ['windows_1252', Buffer.from('4e61666e2c456d61696c0a4775f072fa6e20def3727364f3747469722c610a', 'hex'), ['Nafn', 'Email']],
    ['euc_kr', Buffer.from('c0ccb8a72c456d61696c0ab1e8c3b6bcf62c610a', 'hex'), ['이름', 'Email']],
    ['windows_1252', Buffer.from('Name,Company\nM\xfcller,O\x92Brien\x92s\n', 'latin1'), ['Name', 'Company']],
    ['windows_1252', Buffer.from('Name,Note\nFoo\x99,\x93bar\x94 \x96 5 \x80, 20\xb0C\n', 'latin1'), ['Name', 'Note']],
  ])('of a spreadsheet that writes no Unicode: %s', async (encoding, file, names) => {
    const { key } = await app.given.apiKey()

    const made = await uploaded(key, file)

    expect([made.encoding, made.columns.slice(0, 2).map(({ name }: Json) => name)]).toEqual([encoding, names])
  })

  test.each([
    ['<html><table><tr><td>Email</td></tr></table>', 'a web page or XML, as some programs call a workbook'],
    ['[{"email":"a@example.com"}]', 'JSON'],
  ])('of %s are no CSV', async (file, what) => {
    const { key } = await app.given.apiKey()

    expect(await upload(key, file)).toMatchObject({
      status: 415,
      body: { detail: `The file is ${what}. Save it as CSV in UTF-8, and upload that` },
    })
  })
})

test('headers in the middle of a file are refused, as of a board with groups', async () => {
  const { key } = await app.given.apiKey()
  const { id } = await uploaded(key, 'Board,,\nName,Email,Phone\nAda,a@example.com,\n,,\nName,Email,Phone\nBen,b@example.com,\n')

  const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

  expect(body.rows.map(({ outcome, problem }: Json) => [outcome, problem])).toEqual([
    ['created', null],
    ['failed', 'the row repeats the headers'],
    ['created', null],
  ])
})

test('quotes with backslashes, and letters of a wrong encoding', async () => {
  const { key } = await app.given.apiKey()
  const { id } = await uploaded(key, 'First Name,Email\n"Acme \\"Best\\" Inc",a@example.com\nMÃ¼ller,b@example.com\nKing\n"King, Ada"\n')

  const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

  expect(body.rows.map(({ contact, warnings }: Json) => [contact.first_name, warnings[0]?.message ?? null])).toEqual([
    ['Acme "Best" Inc', null],
    ['MÃ¼ller', expect.stringContaining('in a wrong encoding')],
    ['King', null],
    ['King, Ada', null],
  ])
})

test('a quote that is not closed does not take the rows below it without a word', async () => {
  const { key } = await app.given.apiKey()
  const { id } = await uploaded(
    key,
    'First Name,Email\n"Acme,a@example.com\n"Beta",b@example.com\n"C" ,c@example.com\n"D ""E""\nF",d@example.com\n',
  )

  const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

  expect(body.rows.map(({ contact, warnings }: Json) => [contact.email, contact.first_name, warnings[0]?.message ?? null])).toEqual([
    ['b@example.com', expect.stringContaining('Acme'), expect.stringContaining('begins with a quote that is not closed')],
    ['c@example.com', 'C', null],
    ['d@example.com', 'D "E"\nF', null],
  ])
})

test('notes below a table are refused, not made contacts', async () => {
  const { key } = await app.given.apiKey()
  const { id } = await uploaded(
    key,
    'Contact ID,First Name,Email\n0035g00000XyZ12,Ada,a@example.com\n\nConfidential Information - Do Not Distribute\n',
  )

  const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

  expect(body.rows.map(({ outcome, problem }: Json) => [outcome, problem])).toEqual([
    ['created', null],
    ['failed', 'the row has nothing but a sentence where the others have an id'],
  ])

  const named = await uploaded(key, 'Name,Email\nAda,a@example.com\nGrand Totals (1 record)\nTotal Recall,\nCopyright 2026 Acme\n')
  const { body: preview } = await app.rest('POST', `${imports}/${named.id}/preview`, { key })
  expect(preview.rows.map(({ outcome }: Json) => outcome)).toEqual(['created', 'failed', 'created', 'failed'])
})

describe('PATCH /api/crm/v1/imports/{import_id}', () => {
  const preview = async (key: string, id: string) => (await app.rest('POST', `${imports}/${id}/preview`, { key })).body.rows

  test('200: reads the file from another row of headers, and the preview and the import follow', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'A;B\nold@example.com;Old\nEmail;First Name\nada@example.com;Ada\n')

    const changed = await app.rest('PATCH', `${imports}/${id}`, { key, body: { header_row: 3 } })

    expect(changed).toMatchObject({ status: 200, body: { header_row: 3, columns: [{ field: 'email' }, { field: 'first_name' }] } })
    expect(await preview(key, id)).toMatchObject([{ row: 4, contact: { email: 'ada@example.com', first_name: 'Ada' } }])
    await app.rest('POST', `${imports}/${id}/start`, { key })
    await expect.poll(async () => (await contacts(key)).map(({ email }) => email)).toEqual(['ada@example.com'])
  })

  test.each([
    ['delimiter', 'Email,x;y\na@example.com,1;2\n', { delimiter: 'semicolon' }, ['Email,x', 'y']],
    [
      'encoding',
      Buffer.from('Email,Miasto,Łódź\n').toString(),
      { encoding: 'windows_1252' },
      ['Email', 'Miasto', 'Å�Ã³dÅº'.replace('�', '\u0081')],
    ],
    [
      'a Cyrillic encoding',
      Buffer.from([0xc8, 0xec, 0xff, 0x2c, 0x45, 0x6d, 0x61, 0x69, 0x6c, 0x0a]),
      { encoding: 'windows_1251' },
      ['Имя', 'Email'],
    ],
    [
      'UTF-16 without a byte order mark',
      Buffer.from('Имя,Email\nДа,a@example.com\n', 'utf16le'),
      { encoding: 'utf_16le' },
      ['Имя', 'Email'],
    ],
    ['no headers', 'Email,Name\na@example.com,A\n', { has_header: false }, ['Column 1', 'Column 2']],
    ['headers', '7,8\na@example.com,A\n', { has_header: true }, ['7', '8']],
  ])('200: %s', async (_name, file, body, names) => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, file, 'encoding' in body && body.encoding === 'utf_16le' ? '?encoding=utf_16le' : '')

    const changed = await app.rest('PATCH', `${imports}/${id}`, { key, body })

    expect(changed.status).toBe(200)
    expect(changed.body.columns.map(({ name }: Json) => name)).toEqual(names)
  })

  test('409 once it is started, 404 for others, 422 for a row that the file does not have', async () => {
    const { key } = await app.given.apiKey()
    const stranger = await app.given.apiKey()
    const { id } = await uploaded(key, 'Email\na@example.com\n')
    const path = `${imports}/${id}`

    const missing = await app.rest('PATCH', path, { key, body: { header_row: 9 } })
    const foreign = await app.rest('PATCH', path, { key: stranger.key, body: { header_row: 1 } })
    await app.rest('POST', `${path}/start`, { key })
    const late = await app.rest('PATCH', path, { key, body: { header_row: 1 } })

    expect([missing.status, missing.body.detail?.[0]?.msg]).toEqual([
      422,
      'Value error, row 9 is empty or does not exist; name the row of the headers',
    ])
    expect([foreign.status, late.status]).toEqual([404, 409])
  })

  test('the first rows are there to choose from', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'Notes\n\nEmail,City\na@example.com,Bonn\n')

    const { body } = await app.graphql(`{ contactImportRows(id: "${id}", rows: 2) { row cells } }`, undefined, { key })

    expect(body.data.contactImportRows).toEqual([
      { row: 1, cells: ['Notes'] },
      { row: 3, cells: ['Email', 'City'] },
    ])
  })
})

describe('a file that is odd', () => {
  test('with thousands of cells is compared with hundreds of custom fields before others wait for it', async () => {
    const { key, orgId } = await app.given.apiKey()
    await app.services.database.pool.query(
      `insert into custom_fields (id, org_id, key, label, type, options, created_at)
       select gen_random_uuid(), $1, 'field_' || n, 'Field ' || n, 'text', '{}', now() from generate_series(1, 200) n`,
      [orgId],
    )
    const row = Array.from({ length: 500 }, (_, index) => `cell ${index}`).join(',')
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()

    const { columns } = await uploaded(key, `${`${row}\n`.repeat(30)}${row.replace('cell 7', 'Field 7')}\n`)
    delays.disable()

    expect(columns.length).toBe(500)
    expect(delays.max / 1e6).toBeLessThan(1000)
  })

  test('shows the beginnings of its cells, wherever its headers are said to stand', async () => {
    const { key } = await app.given.apiKey()
    const long = 'x'.repeat(20_000)
    const rows = [...Array.from({ length: 300 }, () => `${long},${long}`), 'email,city', `ada@example.com,${long}`]
    const { id } = await uploaded(key, rows.join('\n'))

    const { status, body } = await app.rest('PATCH', `${imports}/${id}`, { key, body: { header_row: 301 } })
    const shown = await app.graphql(`{ contactImportRows(id: "${id}", rows: 50) { cells } }`, undefined, { key })

    expect([status, fieldsOf(body)]).toEqual([200, { email: 'email', city: 'city' }])
    expect(shown.body.errors).toBeUndefined()
    expect(JSON.stringify(shown.body).length).toBeLessThan(150_000)
  })
})
