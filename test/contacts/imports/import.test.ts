// Imports: a file is uploaded, described, previewed, and its rows become contacts.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })

const { upload, uploaded, ended, imported, report, contacts } = importsIn(app)
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
          'no cell can be imported. mail: "nope" has no @; write an email address such as ada@example.com. ' +
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
      { column: 0, field: 'region' },
      { column: 1, field: 'region' },
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
        `2,"no cell can be imported. email: ""nope"" has no @; write an email address such as ada@example.com",nope,'=1+1\r\n` +
        '5,"no cell can be imported. email: ""b@d"" is not an email address; write an email address such as ada@example.com",b\ufffd@d,x\r\n' +
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
