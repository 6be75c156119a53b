// Imports: a file is uploaded, described, previewed, and its rows become contacts.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, startApp, type TestApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { ROLES: 'web,api,session,worker' } })
})
afterAll(() => app.close())

const { upload, uploaded, ended, imported, report, contacts } = importsIn(() => app)
const counts = ({ status, row_count, created_count, updated_count, skipped_count, refused_count }: Json) => ({
  status,
  rows: row_count,
  created: created_count,
  updated: updated_count,
  skipped: skipped_count,
  refused: refused_count,
})
const countsOf = (status: string, [created, updated, skipped, refused]: number[]) => ({
  status,
  rows: [created, updated, skipped, refused].reduce((sum = 0, count = 0) => sum + count, 0),
  created,
  updated,
  skipped,
  refused,
})

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
      byte_count: 88,
      encoding: 'utf_8',
      delimiter: 'semicolon',
      has_header: true,
      header_row: 1,
      columns: [
        { name: 'E-Mail', samples: ['ada@example.com', 'b;b@example.com'], field: 'email', custom_field: null },
        { name: 'First Name', samples: ['Ada', 'Bob'], field: 'first_name', custom_field: null },
        { name: 'Tarif', samples: ['pro'], field: null, custom_field: 'plan' },
        { name: 'Shoe size', samples: ['38'], field: null, custom_field: null },
      ],
      status: 'waiting',
      status_reason: null,
      mapping: null,
      on_conflict: null,
      bytes_read: 0,
      row_count: 0,
      created_count: 0,
      updated_count: 0,
      skipped_count: 0,
      refused_count: 0,
      warning_count: 0,
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

  test('refuses what is no CSV, and keeps nothing of it', async () => {
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
      [415, 'The body must be a CSV file, sent as text/csv. A workbook of Excel is saved as CSV first'],
      [415, 'The body must be the file itself, sent as text/csv, not a form with it'],
      [415, 'The body must be sent as it is, not encoded with gzip'],
      [415, 'The file is a ZIP archive, such as a workbook of Excel (.xlsx). Save it as CSV in UTF-8, and upload that'],
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

describe('POST /api/crm/v1/imports/{import_id}/preview', () => {
  test('shows what the first rows would become, and writes nothing', async () => {
    const { key } = await app.given.apiKey()
    await app.graphql('mutation { createCustomField(input: { key: "score", label: "Score", type: NUMBER }) { id } }', undefined, { key })
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com' } })
    const { id } = await uploaded(
      key,
      'mail,stage,tags,dnc,score,phone\nADA@example.com,Lead,"a, b",yes,7.5,\'+442079460958\nnope,Boss,,maybe,much,\n\nnew@example.com,,,,,\nNEW@example.com,,,,,\n',
    )

    const { status, body } = await app.rest('POST', `${imports}/${id}/preview`, { key, body: { on_conflict: 'skip' } })

    expect(status).toBe(200)
    expect(body.rows).toEqual([
      {
        row: 2,
        cells: ['ADA@example.com', 'Lead', 'a, b', 'yes', '7.5', "'+442079460958"],
        contact: {
          email: 'ADA@example.com',
          lifecycle_stage: 'lead',
          tags: ['a', 'b'],
          do_not_call: true,
          phone: '+442079460958',
          custom: { score: 7.5 },
        },
        outcome: 'skipped',
        problem: null,
        warnings: [],
      },
      {
        row: 3,
        cells: ['nope', 'Boss', '', 'maybe', 'much', ''],
        contact: {},
        outcome: 'failed',
        problem:
          'no cell can be imported. mail: "nope" is not an e-mail address; write it as ada@example.com. ' +
          'stage: "Boss" is not a stage; write subscriber, lead, qualified, opportunity, customer, evangelist, other. ' +
          'dnc: "maybe" is neither yes nor no; write yes or no. ' +
          'score: "much" is not a number that can be read in one way only; write it as 1234.5',
        warnings: [],
      },
      {
        row: 5,
        cells: ['new@example.com', '', '', '', '', ''],
        contact: { email: 'new@example.com' },
        outcome: 'created',
        problem: null,
        warnings: [],
      },
      {
        row: 6,
        cells: ['NEW@example.com', '', '', '', '', ''],
        contact: { email: 'NEW@example.com' },
        outcome: 'skipped',
        problem: null,
        warnings: [],
      },
    ])
    expect(await contacts(key)).toHaveLength(1)
  })

  test('looks through the first 10,000 rows, and reads no large file to its end for rows that it does not have', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, `email,x\n${',1\n'.repeat(9_998)}last@example.com,1\nbehind@example.com,1\n`)

    const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })
    const empty = await upload(key, `${'\n'.repeat(10_000)}email\n`)

    expect(body.rows.map(({ row }: Json) => row)).toEqual([10_000])
    expect([empty.status, empty.body.detail?.[0]?.msg]).toEqual([422, 'The first 10,000 rows are empty'])
  })

  test('names every problem of a mapping', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'email,x\na@example.com,1\n')
    const mapping = [
      { column: 0, field: 'email' },
      { column: 1, field: 'email' },
      { column: 2, field: 'city' },
      { column: 1, custom_field: 'plan' },
      { column: 1 },
      { column: 1, field: 'phone', custom_field: 'plan' },
    ]

    const answers = [
      await app.rest('POST', `${imports}/${id}/preview`, { key, body: { mapping } }),
      await app.rest('POST', `${imports}/${id}/start`, { key, body: { mapping } }),
      await app.rest('POST', `${imports}/${id}/start`, { key, body: { mapping: [] } }),
      await app.rest('POST', `${imports}/${id}/preview`, { key, body: { rows: 101 } }),
    ]

    const locs = [
      ['body', 'mapping', '1', 'field'],
      ['body', 'mapping', '2', 'column'],
      ['body', 'mapping', '3', 'custom_field'],
      ['body', 'mapping', '4'],
      ['body', 'mapping', '5'],
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    expect(answers.map(({ body }) => body.detail.map(({ loc }: Json) => loc))).toEqual([
      locs,
      locs,
      [['body', 'mapping']],
      [['body', 'rows']],
    ])
  })
})

describe('POST /api/crm/v1/imports/{import_id}/start', () => {
  const file = 'email,first_name\nada@example.com,New\nbob@example.com,Bob\nnope,\nBOB@example.com,Robert\n'
  test.each([
    ['update', { on_conflict: 'update' }, [1, 2, 0, 1], ['New', 'Robert']],
    ['skip', { on_conflict: 'skip' }, [1, 0, 2, 1], ['Old', 'Bob']],
    ['refuse', {}, [1, 0, 0, 3], ['Old', 'Bob']],
  ])('%s: what becomes of rows whose address a contact has', async (_name, start, numbers, names) => {
    const { key } = await app.given.apiKey()
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com', first_name: 'Old', source: 'web' } })

    const done = await imported(key, file, start)

    expect(counts(done)).toEqual(countsOf('completed', numbers))
    expect(done).toMatchObject({ bytes_read: done.byte_count, started_at: expect.any(String), finished_at: expect.any(String) })
    const stored = await contacts(key)
    expect(stored.map(({ first_name }) => first_name)).toEqual(names)
    expect(stored.map(({ source }) => source)).toEqual(['web', 'import'])
  })

  test('leaves out days that are not in the calendar, instead of taking those after them', async () => {
    const { key } = await app.given.apiKey()
    const days = ['2026-02-28', '2026-02-29', '2028-02-29 10:00', '2026-04-31T10:00Z']

    const done = await imported(key, `email,last contacted\n${days.map((day, index) => `${index}@example.com,${day}\n`).join('')}`)

    expect(counts(done)).toEqual(countsOf('completed', [4, 0, 0, 0]))
    expect((await contacts(key)).map(({ last_contacted_at }) => last_contacted_at)).toEqual([
      '2026-02-28T00:00:00.000Z',
      null,
      '2028-02-29T10:00:00.000Z',
      null,
    ])
  })

  test('reports refused rows as a CSV: row number, problem, and the original cells', async () => {
    const { key } = await app.given.apiKey()
    const long = `good@example.com,${'A'.repeat(1000)}`
    const done = await imported(key, `email,notes\nnope,=1+1\n\n${long}\n"b\0@d",x\nc@example.com\nd@example.com,1,2\n`)

    expect(counts(done)).toEqual(countsOf('completed', [2, 0, 0, 3]))
    expect(await report(key, done.id)).toBe(
      'row,problem,email,notes\r\n' +
        `2,"no cell can be imported. email: ""nope"" is not an e-mail address; write it as ada@example.com",nope,'=1+1\r\n` +
        '5,"no cell can be imported. email: ""b@d"" is not an e-mail address; write it as ada@example.com",b\ufffd@d,x\r\n' +
        '7,"the row has 3 cells, and the file 2 columns; write a text with a separator in quotes",d@example.com,1,2\r\n',
    )
  })

  test('goes through the rule of the batch: each contact has its version, its timeline and its actor', async () => {
    const { key, id } = await app.given.apiKey()
    await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'ada@example.com', city: 'Paris', tags: ['x'] } })
    await imported(key, 'email,city\nada@example.com,London\n', { on_conflict: 'update' })
    await imported(key, 'email,city\nada@example.com,London\n', { on_conflict: 'update' })

    const [ada] = await contacts(key)
    const { body } = await app.rest('GET', `/api/crm/v1/contacts/${ada.id}/timeline`, { key })

    expect(ada).toMatchObject({ version: 2, city: 'London', tags: ['x'] })
    expect(body.data.map(({ type, door, operation, actor, changes }: Json) => ({ type, door, operation, actor, changes }))).toEqual([
      {
        type: 'contact.updated',
        door: 'tasks',
        operation: 'importContacts',
        actor: { type: 'api_key', id, name: 'Test key' },
        changes: { city: ['Paris', 'London'] },
      },
      expect.objectContaining({ type: 'contact.created', door: 'rest' }),
    ])
    expect((await app.rest('GET', '/api/crm/v1/contacts?q=london', { key })).body.data).toEqual([])
  })

  test('its changes are made by who started it, not by who uploaded the file', async () => {
    const { key, orgId } = await app.given.apiKey()
    const starter = await app.given.apiKey({ orgId })
    const { id } = await uploaded(key, 'email,city\nada@example.com,London\n')

    await app.rest('POST', `${imports}/${id}/start`, { key: starter.key })
    const done = await ended(key, id)

    const [ada] = await contacts(key)
    const { body } = await app.rest('GET', `/api/crm/v1/contacts/${ada.id}/timeline`, { key })
    expect([done.started_by.id, ada.created_by.id, body.data[0].actor.id]).toEqual([starter.id, starter.id, starter.id])
    expect(done.created_by.id).not.toBe(starter.id)
  })

  test('several batches of rows, created and then updated, each once; the file is deleted', async () => {
    const { key, orgId } = await app.given.apiKey()
    const rows = Array.from({ length: 1300 }, (_, n) => `many-${n}@example.com,Name ${n}\r\n`)
    const lines = (start: string) => `email,last_name\r\n${rows.map(row => row.replace('Name', start)).join('')}`

    const first = await imported(key, lines('Name'))
    const second = await imported(key, lines('Other'), { on_conflict: 'update' })

    expect([counts(first), counts(second)]).toEqual([countsOf('completed', [1300, 0, 0, 0]), countsOf('completed', [0, 1300, 0, 0])])
    const { rows: stored } = await app.services.database.pool.query(
      `select count(*)::int as contacts, count(distinct email)::int as addresses, min(version) as version, bool_and(last_name like 'Other %') as changed,
         (select count(*)::int from events where org_id = $1 and entity = 'contact') as events
       from contacts where org_id = $1`,
      [orgId],
    )
    expect(stored).toEqual([{ contacts: 1300, addresses: 1300, version: 2, changed: true, events: 2600 }])
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
  })

  test('changes tells of the progress, and not of each row', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { id } = await uploaded(key, `email\n${Array.from({ length: 1500 }, (_, n) => `row-${n}@example.com\n`).join('')}`)
    const query = 'subscription { changes { type entity { ... on ContactImport { id status createdCount } } } }'
    const stream = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    })
    const types: string[] = []
    let text = ''
    const reading = (async () => {
      for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(part).toString()
        types.splice(0, types.length, ...[...text.matchAll(/"type":"(\w+)"/g)].map(([, type = '']) => type))
        if (types.includes('CONTACT_IMPORT_COMPLETED')) return
      }
    })()
    await expect.poll(() => types).toEqual(['FOLLOWING'])

    await app.rest('POST', `${imports}/${id}/start`, { key })
    await reading

    expect(new Set(types)).toEqual(
      new Set(['FOLLOWING', 'CONTACT_IMPORT_STARTED', 'CONTACT_IMPORT_PROGRESSED', 'CONTACT_IMPORT_COMPLETED']),
    )
    expect(text).toContain(`{"id":"${id}","status":"COMPLETED","createdCount":1500}`)
    expect(await app.services.database.prisma.contactImport.count({ where: { orgId, status: 'completed' } })).toBe(1)
  })

  test('a file that becomes unreadable fails, and says where; the rows before it are imported', async () => {
    const { key } = await app.given.apiKey()
    const rows = Array.from({ length: 600 }, (_, n) => `row-${n}@example.com\n`).join('')

    const done = await imported(key, `email\n${rows}"never closed${'\nx'.repeat(10)}`)

    expect(done).toMatchObject({
      status: 'failed',
      created_count: 600,
      status_reason: 'Row 602 or a row after it begins a quote that is not closed; write "" for a quote in a text',
    })
  })

  test('a row of too many cells, and too many rows, end it where they are met', async () => {
    const { key } = await app.given.apiKey()
    const rows = Array.from({ length: 60 }, (_, n) => `row-${n}@example.com,a\n`).join('')

    const wide = await imported(key, `email,name\n${rows}${','.repeat(20_000_000)}`)
    const long = await imported(key, `email,name\n${rows.replaceAll('row-', 'other-')}${'\n'.repeat(2_000_000)}last@example.com`)

    expect([wide, long].map(({ status, created_count, status_reason }) => [status, created_count, status_reason])).toEqual([
      ['failed', 60, 'Row 62 has more than 10,000 cells, and may have 500'],
      ['failed', 60, 'The file has more than 2,000,000 rows; divide it'],
    ])
  })

  test('starts once, and not without its file', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'email\na@example.com\n')

    const starts = await Promise.all([1, 2, 3].map(() => app.rest('POST', `${imports}/${id}/start`, { key })))
    const done = await ended(key, id)
    const gone = await app.rest('POST', `${imports}/${id}/preview`, { key })
    const late = await app.rest('POST', `${imports}/${id}/cancel`, { key })

    expect(starts.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
    expect(counts(done)).toEqual(countsOf('completed', [1, 0, 0, 0]))
    expect([gone.status, late.status]).toEqual([409, 409])
  })
})

describe('POST /api/crm/v1/imports/{import_id}/cancel', () => {
  test('ends an import before it starts or while it runs, deletes the file, and may be repeated', async () => {
    const { key, orgId } = await app.given.apiKey()
    const waiting = await uploaded(key, 'email\na@example.com\n')
    const rows = Array.from({ length: 20_000 }, (_, n) => `row-${n}@example.com\n`).join('')
    const running = await uploaded(key, `email\n${rows}`)
    await app.rest('POST', `${imports}/${running.id}/start`, { key })
    await expect
      .poll(async () => (await app.rest('GET', `${imports}/${running.id}`, { key })).body.row_count, { timeout: 20_000, interval: 20 })
      .toBeGreaterThan(0)

    const canceled = [
      await app.rest('POST', `${imports}/${waiting.id}/cancel`, { key }),
      await app.rest('POST', `${imports}/${running.id}/cancel`, { key }),
      await app.rest('POST', `${imports}/${running.id}/cancel`, { key }),
    ]

    expect(canceled.map(({ status, body }) => [status, body.status])).toEqual(Array(3).fill([200, 'canceled']))
    const created = canceled[1]?.body.created_count
    expect(created).toBeLessThan(20_000)
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
    // What the task was writing when it was canceled is rolled back, or was there before.
    expect((await app.rest('GET', '/api/crm/v1/contacts?include=total&limit=1', { key })).body.total).toBe(created)
    expect((await app.rest('POST', `${imports}/${waiting.id}/start`, { key })).status).toBe(409)
  })
})
