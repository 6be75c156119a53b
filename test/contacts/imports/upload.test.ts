// Uploads: how a file is described, which files are refused, and how many a person may have.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })

const { upload, uploaded, imported, contacts } = importsIn(app)

const aColumn = { further_field: null, suggested_type: 'text', suggested_options: [] }

describe('POST /api/crm/v1/imports', () => {
  test('describes the file: format, columns with samples, and the fields that their headers suggest', async () => {
    const { key, id } = await app.given.apiKey()
    await app.graphql('mutation { createCustomField(input: { key: "plan", label: "Tarif", type: TEXT }) { id } }', undefined, { key })

    const made = await upload(
      key,
      'E-Mail;First Name;Tarif;Shoe size\r\nada@example.com;Ada;pro;38\r\n"b;b@example.com";Bob;;\r\n',
      '?file_name=people.csv',
    )

    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${imports}/${made.body.id}`)
    expect(made.body).toEqual({
      id: expect.any(String),
      file_name: 'people.csv',
      noun: 'contact',
      system: null,
      part_of: null,
      byte_count: 88,
      kind: 'csv',
      sheet: null,
      sheets: [],
      encoding: 'utf_8',
      delimiter: 'semicolon',
      has_header: true,
      header_row: 1,
      columns: [
        { name: 'E-Mail', samples: ['ada@example.com', 'b;b@example.com'], field: 'email', custom_field: null, ...aColumn },
        { name: 'First Name', samples: ['Ada', 'Bob'], field: 'first_name', custom_field: null, ...aColumn },
        { name: 'Tarif', samples: ['pro'], field: null, custom_field: 'plan', ...aColumn },
        { name: 'Shoe size', samples: ['38'], field: null, custom_field: null, ...aColumn, suggested_type: 'number' },
      ],
      status: 'waiting',
      status_reason: null,
      mapping: null,
      on_conflict: null,
      values: [],
      edits: [],
      country: null,
      bytes_read: 0,
      row_count: 0,
      created_count: 0,
      updated_count: 0,
      skipped_count: 0,
      refused_count: 0,
      warning_count: 0,
      undo: null,
      undoable_until: null,
      created_by: { type: 'api_key', id, name: 'Test key' },
      started_by: null,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
    })
    const page = await app.rest('GET', `${imports}?include=total`, { key })
    expect(page.body).toEqual({ data: [made.body], has_more: false, next_cursor: null, total: 1 })
  })

  const text = 'email,city\nada@example.com,Köln\n'
  const utf16be = Buffer.from(text, 'utf16le').swap16()
  test.each([
    ['UTF-8', Buffer.from(text), 'utf_8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'utf_8'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf_16le'],
    ['UTF-16 without', Buffer.from(text, 'utf16le'), 'utf_16le'],
    ['big-endian UTF-16', utf16be, 'utf_16be'],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'windows_1252'],
  ])('reads %s', async (_name, file, encoding) => {
    const { key } = await app.given.apiKey()

    const done = await imported(key, file)

    expect(done).toMatchObject({ encoding, status: 'completed', created_count: 1 })
    expect(await contacts(key)).toMatchObject([{ email: 'ada@example.com', city: 'Köln', source: 'import' }])
  })

  test.each([
    ['commas', 'email,last_name\na@example.com,"x;y"\n', 'comma'],
    ['semicolons', 'email;last_name\na@example.com;"x,y"\n', 'semicolon'],
    ['tabs', 'email\tlast_name\na@example.com\tx, y; z\n', 'tab'],
    ['one column', 'email\na@example.com\n', 'comma'],
  ])('detects %s', async (_name, file, delimiter) => {
    const { key } = await app.given.apiKey()

    expect(await uploaded(key, file)).toMatchObject({ delimiter, has_header: true })
  })

  test('takes what the caller says of the format over what it detects', async () => {
    const { key } = await app.given.apiKey()

    const made = await uploaded(key, 'ada@example.com;Ada,Lovelace\n', '?delimiter=comma&has_header=false&encoding=windows_1252')

    expect(made).toMatchObject({
      delimiter: 'comma',
      has_header: false,
      encoding: 'windows_1252',
      columns: [{ name: 'Column 1', samples: ['ada@example.com;Ada'], field: null }, { name: 'Column 2' }],
    })
  })

  test('refuses a file that is not CSV, and stores nothing of it', async () => {
    const { key, orgId } = await app.given.apiKey()
    const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(1000)])

    const answers = [
      await upload(key, 'a', '', { 'content-type': 'application/json' }),
      await upload(key, 'a', '', { 'content-type': 'multipart/form-data; boundary=x' }),
      await upload(key, 'a', '', { 'content-encoding': 'gzip' }),
      await upload(key, zip, '', { 'content-type': 'application/octet-stream' }),
      await upload(key, Buffer.from('email\0,\0\nx'), ''),
      await upload(key, '', ''),
      await upload(key, '\n \n,,\n', ''),
      await upload(key, 'a', '?encoding=ebcdic'),
      await upload(key, ','.repeat(20_000_000), ''),
      await upload(key, '"";'.repeat(3_000_000), ''),
      await upload(key, `name\temail\n${'\t'.repeat(1_000_000)}`, ''),
      await upload(key, ','.repeat(600), ''),
      await upload(key, 'x'.repeat(2_000_000), ''),
      await upload(key, `email\n"${'x'.repeat(2_000_000)}`, ''),
      await upload(key, 'email\n"never closed', ''),
    ]

    expect(answers.map(({ status, body }) => [status, body.detail?.[0]?.msg ?? body.detail])).toEqual([
      [415, 'The body must be a file of CSV, a workbook of Excel (.xlsx) or vCards, sent with its type such as text/csv'],
      [415, 'The body must be the file itself, sent as text/csv, not a form with it'],
      [415, 'The body must be sent as it is, not encoded with gzip'],
      [422, 'The workbook is damaged, or did not arrive completely. Save it again, and upload that'],
      [415, 'The file is no text: it contains NUL bytes. Save it as CSV in UTF-8, and upload that'],
      [422, 'The file is empty'],
      [422, 'The file is empty'],
      [422, expect.stringContaining("'utf_8'")],
      [422, 'Row 1 has more than 10,000 cells, and may have 500'],
      [422, 'Row 1 has more than 10,000 cells, and may have 500'],
      [422, 'Row 2 has more than 10,000 cells, and may have 500'],
      [422, 'Row 1 has 601 cells, and may have 500'],
      [422, expect.stringMatching(/^Row 1 is longer than 1,000,000 characters/)],
      [422, expect.stringMatching(/^Row 2 is longer than 1,000,000 characters/)],
      [422, 'Row 2 or a row after it begins a quote that is not closed; write "" for a quote in a text'],
    ])
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
    expect(await app.services.database.prisma.contactImport.count({ where: { orgId } })).toBe(0)
  })

  test('reads rows of different lengths as fast as rows of one length', async () => {
    const { key } = await app.given.apiKey()
    const timed = async (row: string) => {
      const began = performance.now()
      await uploaded(key, `email,name\n${row.repeat(20_000)}`)
      return performance.now() - began
    }
    await timed('a,b\na,b\n')

    const even = await timed('a,b\na,b\n')
    const uneven = await timed('a,b\na,,\n')

    expect(uneven).toBeLessThan(5 * even + 200)
  })

  test('the eleventh file of a person takes the place of the oldest that was not started, and others are not kept from theirs', async () => {
    const { key, orgId } = await app.given.apiKey()
    const colleague = await app.given.apiKey({ orgId })
    const ids = []
    for (let n = 0; n < 10; n++) ids.push((await uploaded(key, 'email\na@example.com\n')).id)

    const eleventh = await upload(key, 'email\na@example.com\n')
    const other = await upload(colleague.key, 'email\na@example.com\n')

    expect([eleventh.status, other.status]).toEqual([201, 201])
    const [oldest, second] = await Promise.all(ids.slice(0, 2).map(id => app.rest('GET', `${imports}/${id}`, { key })))
    expect(oldest?.body).toMatchObject({ status: 'canceled', status_reason: 'The file made room for newer ones' })
    expect(second?.body).toMatchObject({ status: 'waiting' })
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(11)
  })

  test('files that are being imported make no room: then the next one is refused', async () => {
    const { key, orgId } = await app.given.apiKey()
    for (let n = 0; n < 10; n++) await uploaded(key, 'email\na@example.com\n')
    await app.services.database.prisma.upload.updateMany({ where: { orgId }, data: { isUsed: true } })

    const eleventh = await upload(key, 'email\na@example.com\n')

    expect(eleventh).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(eleventh.body.detail).toBe('10 files of yours are being imported; wait until one has ended, or cancel its import')
  })

  test('keeps nothing of an upload that breaks off', async () => {
    const { key, orgId } = await app.given.apiKey()
    const cut = new AbortController()
    async function* broken() {
      yield Buffer.from('email\n')
      cut.abort()
      yield Buffer.from('a@example.com\n')
    }
    await fetch(app.url + imports, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      body: broken() as never,
      signal: cut.signal,
      ...({ duplex: 'half' } as object),
    }).catch(() => {})

    await expect.poll(() => app.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
  })

  test('a repeated upload with an Idempotency-Key answers with the first import, another file is refused', async () => {
    const { key, orgId } = await app.given.apiKey()
    const headers = { 'idempotency-key': 'upload-1' }

    const first = await upload(key, 'email\na@example.com\n', '', headers)
    const second = await upload(key, 'email\na@example.com\n', '', headers)
    const third = await upload(key, 'email\nb@example.com\n', '', headers)

    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
    expect(third.status).toBe(422)
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(1)
  })

  test('is for contacts:write alone, and other organizations see nothing of it', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { id } = await uploaded(key, 'email\na@example.com\n')
    const reader = await app.given.apiKey({ orgId, scopes: ['contacts:read'] })
    const stranger = await app.given.apiKey()

    const denied = [
      await upload(reader.key, 'email\na@example.com\n'),
      await app.rest('POST', `${imports}/${id}/start`, { key: reader.key }),
      await app.rest('GET', `${imports}/${id}`, { key: stranger.key }),
      await app.rest('POST', `${imports}/${id}/preview`, { key: stranger.key }),
      await app.rest('POST', `${imports}/${id}/start`, { key: stranger.key }),
      await app.rest('POST', `${imports}/${id}/cancel`, { key: stranger.key }),
      await app.rest('POST', `${imports}/${id}/report`, { key: stranger.key }),
    ]

    expect(denied.map(({ status }) => status)).toEqual([403, 403, 404, 404, 404, 404, 404])
    const { uploadId } = await app.services.database.prisma.contactImport.findUniqueOrThrow({ where: { id } })
    const stolen = await app.graphql(`mutation { createContactImport(input: { uploadId: "${uploadId}" }) { id } }`, undefined, stranger)
    expect(stolen.body.errors[0].extensions.code).toBe('NOT_FOUND')
  })
})

describe('createContactImport of one upload', () => {
  const create = (key: string, uploadId: string) =>
    app.graphql(`mutation { createContactImport(input: { uploadId: "${uploadId}" }) { id } }`, undefined, { key })
  const uploadOf = async (id: string) =>
    (await app.services.database.prisma.contactImport.findUniqueOrThrow({ where: { id } })).uploadId ?? ''

  test('several times at once makes one import; the others are told which', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'email\na@example.com\n')
    const uploadId = await uploadOf(id)
    await app.services.database.prisma.contactImport.delete({ where: { id } })

    const answers = await Promise.all([1, 2, 3, 4].map(() => create(key, uploadId)))

    const made = answers.flatMap(({ body }) => (body.errors ? [] : [body.data.createContactImport.id]))
    expect(made).toEqual([expect.any(String)])
    const refusal = { code: 'CONFLICT', existingId: made[0] }
    expect(answers.flatMap(({ body }) => body.errors ?? []).map(({ extensions }) => extensions)).toEqual(
      [refusal, refusal, refusal].map(one => expect.objectContaining(one)),
    )
    expect(await uploadOf(made[0])).toBe(uploadId)
  })

  test('that was deleted with its import is refused', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'email\na@example.com\n')
    const uploadId = await uploadOf(id)
    const [, { body }] = await Promise.all([app.rest('POST', `${imports}/${id}/cancel`, { key }), create(key, uploadId)])

    expect(body.errors[0].extensions.code).toMatch(/CONFLICT|NOT_FOUND/)
    expect((await create(key, uploadId)).body.errors[0].extensions.code).toBe('NOT_FOUND')
  })
})

describe('uploads of one person', () => {
  test('are ten at most, of many at once too', async () => {
    const { key, orgId } = await app.given.apiKey()

    const answers = await Promise.all(Array.from({ length: 16 }, () => upload(key, 'email\na@example.com\n')))

    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(10)
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBeLessThanOrEqual(10)
  })
})
