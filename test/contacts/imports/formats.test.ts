// Files as other programs write them: where their headers stand, which columns they have, and how the caller corrects what is detected.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, startApp, type TestApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { ROLES: 'web,api,session,worker' } })
})
afterAll(() => app.close())
const { uploaded, imported, contacts } = importsIn(() => app)

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

describe('columns', () => {
  test('of one name are numbered, and none is lost', async () => {
    const { key } = await app.given.apiKey()

    const made = await uploaded(key, 'Email,Phone,Phone,Phone 2,Phone\na@example.com,+12025550101,+12025550102,x,\n')

    expect(made.columns).toEqual([
      { name: 'Email', samples: ['a@example.com'], field: 'email', custom_field: null },
      { name: 'Phone', samples: ['+12025550101'], field: 'phone', custom_field: null },
      { name: 'Phone 3', samples: ['+12025550102'], field: null, custom_field: null },
      { name: 'Phone 2', samples: ['x'], field: null, custom_field: null },
      { name: 'Phone 4', samples: [], field: null, custom_field: null },
    ])
  })

  test.each([
    [
      'Outlook',
      'Title,First Name,Last Name,Company,Job Title,Business City,Business Country/Region,Business Phone,Mobile Phone,E-mail Address,Categories\n' +
        'Dr.,Walter,Xu,Zenith GmbH,Head of Sales,Bonn,Germany,+49 228 1234567,+49 151 1234567,walter@example.com,Friend\n',
      { Title: null, 'Job Title': 'job_title', 'Business City': 'city', 'Business Country/Region': 'country', 'Business Phone': 'phone' },
    ],
    [
      'a file whose titles are salutations',
      'Title,Last Name,Email\nDr.,Xu,x@example.com\n"Prof. Dr.",Ek,e@example.com\nFrau,Ott,o@example.com\n',
      { Title: null },
    ],
    [
      'Salesforce',
      'Salutation,Title,Contact ID,Account Name,Mailing City,Contact Owner\nMs.,CEO,0031x00000AbCdE,Acme,Bonn,Ann\n',
      {
        Salutation: null,
        Title: 'job_title',
        'Contact ID': 'external_id',
        'Account Name': 'company_name',
        'Mailing City': 'city',
        'Contact Owner': 'owner_user_id',
      },
    ],
    [
      'Google',
      'First Name,Organization Name,Organization Title,Labels,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value\nA,B,C,D,a@example.com,,\n',
      {
        'Organization Name': 'company_name',
        'Organization Title': 'job_title',
        Labels: 'tags',
        'E-mail 1 - Value': 'email',
        'E-mail 2 - Value': null,
        'Phone 1 - Value': 'phone',
      },
    ],
    [
      'HubSpot',
      'Record ID,Email,Phone Number,Contact owner,Lifecycle Stage,Lead Status,Country/Region,Website URL\n1,a@example.com,,,lead,New,,\n',
      {
        'Record ID': 'external_id',
        'Contact owner': 'owner_user_id',
        'Lifecycle Stage': 'lifecycle_stage',
        'Lead Status': null,
        'Website URL': 'company_domain',
      },
    ],
    [
      'Pipedrive',
      'Person - ID,Person - Name,Person - Email - Work,Person - Phone - Work,Person - Organization\n1,A,a@example.com,,B\n',
      {
        'Person - ID': 'external_id',
        'Person - Name': 'full_name',
        'Person - Email - Work': 'email',
        'Person - Phone - Work': 'phone',
        'Person - Organization': 'company_name',
      },
    ],
    [
      'a synonym before the name of the field',
      'Mail,Name,Email\nold@example.com,Ann Lee,ann@example.com\n',
      { Mail: null, Email: 'email' },
    ],
  ])('of %s', async (_program, file, fields) => {
    const { key } = await app.given.apiKey()

    expect(fieldsOf(await uploaded(key, file))).toMatchObject(fields)
  })
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
