// Workbooks of Excel: how their cells are read, which sheet, and which files are refused.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'
import { workbook, workbookParts, zip } from './workbooks.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { upload, uploaded, imported, contacts } = importsIn(app)

const people = [
  ['Email', 'First name', 'Phone', 'Do not call', 'Last contacted', 'Member since'],
  ['ada@example.com', 'Ada & "Co", Zoë', 14155550101, true, new Date('2026-05-31T12:00:00Z'), new Date('2020-02-29')],
  [],
  ['ben@example.com', 'Ben', '+49 30 1234567', false, null, 0.1 + 0.2],
] as const

describe('POST /api/crm/v1/imports with a workbook', () => {
  test('reads texts, numbers, dates and empty rows of its first sheet with rows', async () => {
    const { key } = await app.given.apiKey()
    await app.graphql(
      'mutation { createCustomField(input: { key: "member_since", label: "Member since", type: TEXT }) { id } }',
      undefined,
      {
        key,
      },
    )

    const made = await uploaded(key, workbook({ Notes: [['Our contacts']], People: people }), '?file_name=people.xlsx')
    await app.rest('POST', `${imports}/${made.id}/start`, { key })
    await expect.poll(async () => (await contacts(key)).length).toBe(2)

    expect(made).toMatchObject({ kind: 'xlsx', sheet: 'People', sheets: ['Notes', 'People'], header_row: 1, encoding: 'utf_8' })
    expect(await contacts(key)).toMatchObject([
      {
        email: 'ada@example.com',
        first_name: 'Ada & "Co", Zoë',
        do_not_call: true,
        last_contacted_at: '2026-05-31T12:00:00.000Z',
        custom: { member_since: '2020-02-29' },
      },
      { email: 'ben@example.com', phone: '+49301234567', do_not_call: false, custom: { member_since: '0.3' } },
    ])
    expect((await contacts(key))[0].phone.replace('+', '')).toBe('14155550101')
  })

  test('another sheet is read by its name, at once or later', async () => {
    const { key, orgId } = await app.given.apiKey()
    const file = workbook({ Old: [['Email'], ['old@example.com']], New: [['Email'], ['new@example.com']] })

    const made = await uploaded(key, file)
    const changed = await app.rest('PATCH', `${imports}/${made.id}`, { key, body: { sheet: 'New' } })
    const named = await uploaded(key, file, '?sheet=New')
    const unknown = await app.rest('PATCH', `${imports}/${made.id}`, { key, body: { sheet: 'Newer' } })

    expect([made, changed.body, named].map(({ sheet, columns }) => [sheet, columns[0].samples])).toEqual([
      ['Old', ['old@example.com']],
      ['New', ['new@example.com']],
      ['New', ['new@example.com']],
    ])
    expect(unknown).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'sheet'], msg: 'Value error, the workbook has no sheet of this name; it has Old, New' }] },
    })
    // The table of a sheet that is no longer read is deleted.
    expect(await app.services.database.prisma.upload.count({ where: { orgId, derivedFromId: { not: null } } })).toBe(2)
  })

  test('rows of thousands of people are read, each once', async () => {
    const { key } = await app.given.apiKey()
    const rows = Array.from({ length: 3000 }, (_, n) => [`row-${n}@example.com`, `Name ${n}`])

    const done = await imported(key, workbook({ Sheet1: [['Email', 'Last name'], ...rows] }))

    expect(done).toMatchObject({ status: 'completed', created_count: 3000, bytes_read: done.byte_count })
  })

  test('cells of a formula, in a line of text, without places, and of a workbook that counts from 1904', async () => {
    const { key } = await app.given.apiKey()
    const parts = workbookParts({ Sheet1: [['Email']] })
    parts['xl/workbook.xml'] = parts['xl/workbook.xml']?.replace('<sheets>', '<workbookPr date1904="1"/><sheets>') ?? ''
    parts['xl/worksheets/sheet1.xml'] =
      '<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:r><x:t>Em</x:t></x:r><x:r><x:t>ail</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:is></x:c><x:c t="inlineStr"><x:is><x:t>Last contacted</x:t></x:is></x:c></x:row>' +
      '<x:row><x:c t="str"><x:f>A1</x:f><x:v>ada@example.com</x:v></x:c><x:c s="1"><x:v>44711</x:v></x:c></x:row>' +
      '<x:row><x:c t="inlineStr"><x:is><x:t>ben@example.com</x:t></x:is></x:c><x:c t="e"><x:v>#N/A</x:v></x:c></x:row></x:sheetData></x:worksheet>'

    await imported(key, zip(parts))

    expect((await contacts(key)).map(({ email, last_contacted_at }) => [email, last_contacted_at])).toEqual([
      ['ada@example.com', '2026-05-31T00:00:00.000Z'],
      ['ben@example.com', null],
    ])
  })

  test('refuses a workbook that unpacks too far, is protected, damaged, wide, or is none, and stores nothing of it', async () => {
    const { key, orgId } = await app.given.apiKey()
    const parts = workbookParts({ Sheet1: [['Email'], ['ada@example.com']] })
    const sheet = 'xl/worksheets/sheet1.xml'
    const ole = (text: string) => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(text, 'utf16le')])
    const wide = `<worksheet><row r="1">${Array.from({ length: 1_000_000 }, () => '<c t="b"><v>1</v></c>').join('')}</row></worksheet>`
    const many = `<sst>${'<si><t>x</t></si>'.repeat(2_000_001)}</sst>`

    const answers = []
    for (const file of [
      zip(parts, { declared: { [sheet]: 2_000_000_000 } }),
      // It has more bytes than its directory says.
      zip({ ...parts, [sheet]: `<worksheet>${' '.repeat(100_000_000)}</worksheet>` }, { declared: { [sheet]: 100 } }),
      zip({ ...parts, 'xl/sharedStrings.xml': many }),
      zip({ ...parts, [sheet]: wide }),
      zip(parts, { flags: 1 }),
      ole('EncryptedPackage'),
      ole('Workbook'),
      zip(parts).subarray(0, 700),
      zip({ 'word/document.xml': '<x/>' }),
      zip({ 'content.xml': '<x/>' }),
      zip({ 'a.txt': 'a' }),
      workbook({ Sheet1: [] }),
    ])
      answers.push(await upload(key, file))

    expect(answers.map(({ status, body }) => [status, body.detail?.[0]?.msg ?? body.detail])).toEqual([
      [422, 'The workbook unpacks to more than 300 MB. Divide it, or save the sheet as CSV, and upload that'],
      [422, 'The workbook is damaged. Save it again, and upload that'],
      [422, 'The workbook has too many texts. Divide it, or save the sheet as CSV, and upload that'],
      [422, 'Row 1 has more than 500 cells; delete the columns that are not imported, and upload it again'],
      [415, 'The workbook is protected by a password. Remove the password in Excel, and upload it again'],
      [415, 'The workbook is protected by a password. Remove the password in Excel, and upload it again'],
      [415, 'The file is a workbook of an old Excel (.xls). Save it as .xlsx or as CSV, and upload that'],
      [422, 'The workbook is damaged, or did not arrive completely. Save it again, and upload that'],
      [415, 'The file is a document of Word. Save it as CSV in UTF-8, and upload that'],
      [415, 'The file is a file of OpenOffice or LibreOffice. Save it as CSV in UTF-8, and upload that'],
      [415, 'The file is a ZIP archive. Save it as CSV in UTF-8, and upload that'],
      [422, 'The file is empty'],
    ])
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
  })
})
