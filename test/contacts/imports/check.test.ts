// The check of a whole file before its import, the choices for unknown values, and edited cells.

import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded, ended, contacts } = importsIn(app)

const file = [
  'Email,First name,Stage,Country,Plan,Areas,Phone',
  'ada@example.com,Ada,Hot prospect,Germny,Profesional,"north; sowth",030 1234567',
  'ben@example.com,Ben,hot prospect ,Germany,basic,,',
  'nope,Cyn,lead,DE,Gold,south,',
  'dee.example.com,Dee,n/a,,,,',
  'ada@example.com,Eve,,,,,',
  ',,,,,,',
].join('\n')

async function given() {
  const made = await app.given.apiKey()
  const { key } = made
  for (const [name, type, options] of [
    ['plan', 'SELECT', '["professional", "basic"]'],
    ['areas', 'MULTI_SELECT', '["north", "south"]'],
  ])
    await app.graphql(
      `mutation { createCustomField(input: { key: "${name}", label: "${name}", type: ${type}, options: ${options} }) { id } }`,
      undefined,
      { key },
    )
  const { id } = await uploaded(key, file)
  const post = (action: string, body: object = {}) => app.rest('POST', `${imports}/${id}/${action}`, { key, body })
  return { ...made, id, post }
}

const choices = [
  { column: 2, value: 'Hot prospect', to: 'opportunity' },
  { column: 3, value: 'germny', to: 'DE' },
  { column: 4, value: 'Profesional', to: null },
  { column: 4, value: 'Gold', to: 'Gold', add_option: true },
  { column: 5, value: 'sowth', to: 'south' },
]

describe('POST /api/crm/v1/imports/{import_id}/check', () => {
  test('tells outcomes, problems in groups, and each unknown value once with its rows and a guess', async () => {
    const { post } = await given()

    const { status, body } = await post('check')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      checked_count: 5,
      is_whole: true,
      created_count: 4,
      refused_count: 1,
      existing_count: 1,
      unknown_value_count: 5,
    })
    expect(
      body.unknown_values.map(({ column_name, value, row_count, suggestion }: Json) => [column_name, value, row_count, suggestion]),
    ).toEqual([
      ['Stage', 'Hot prospect', 2, null],
      ['Country', 'Germny', 1, 'DE'],
      ['Plan', 'Profesional', 1, 'professional'],
      ['Plan', 'Gold', 1, null],
      ['Areas', 'sowth', 1, 'south'],
    ])
    const emails = body.problems.find(({ message }: Json) => message.startsWith('has no @'))
    expect(emails).toEqual({
      kind: 'warning',
      column: 0,
      column_name: 'Email',
      message: 'has no @; write an email address such as ada@example.com',
      row_count: 2,
      cells: [
        { row: 4, value: 'nope' },
        { row: 5, value: 'dee.example.com' },
      ],
    })
    expect(body.problems[0]).toMatchObject({ kind: 'error', column: 0, row_count: 1, cells: [{ row: 6, value: 'ada@example.com' }] })
  })

  test('with choices and edits has the outcome of the import', async () => {
    const { key, post, id } = await given()
    const settings = {
      values: choices,
      edits: [
        { row: 4, column: 0, value: 'cyn@example.com' },
        { row: 6, column: 0, value: 'eve@example.com' },
        { row: 7, column: 1, value: 'Fay' },
      ],
      country: 'DE',
    }

    const checked = await post('check', settings)
    const preview = await post('preview', settings)
    const started = await post('start', settings)
    const done = await ended(key, id)

    expect(checked.body).toMatchObject({ created_count: 6, refused_count: 0, unknown_values: [] })
    expect(preview.body.rows.map(({ contact }: Json) => contact.first_name)).toEqual(['Ada', 'Ben', 'Cyn', 'Dee', 'Eve', 'Fay'])
    expect(started).toMatchObject({ status: 202, body: { country: 'DE', edits: settings.edits } })
    expect(done).toMatchObject({ status: 'completed', created_count: 6, warning_count: checked.body.warning_count })
    const found = await contacts(key)
    expect(found.find(({ first_name }) => first_name === 'Ada')).toMatchObject({
      lifecycle_stage: 'opportunity',
      country: 'DE',
      phone: '+49301234567',
      custom: { areas: ['north', 'south'] },
    })
    expect(found.find(({ first_name }) => first_name === 'Cyn')).toMatchObject({
      email: 'cyn@example.com',
      custom: { plan: 'Gold', areas: ['south'] },
    })
    const fields = await app.graphql('{ customFields { key options } }', undefined, { key })
    expect(fields.body.data.customFields[0]).toEqual({ key: 'plan', options: ['professional', 'basic', 'Gold'] })
  })

  test('says which rows change a contact and which are stored already, as the import then counts them', async () => {
    const { key } = await app.given.apiKey()
    const make = (body: object) => app.rest('POST', '/api/crm/v1/contacts', { key, body })
    await make({ email: 'ada@example.com', city: 'Bonn', company_name: 'Kade', tags: ['a'], phone: '+4930123456' })
    await make({ email: 'ben@example.com', city: 'Bonn' })
    await make({
      email: 'cy@example.com',
      external_id: 'C-1',
      emails: [{ value: 'cy@example.com', is_primary: true }, { value: 'cy@home.example' }],
    })
    const rows = [
      'Email,City,Company,Tags,Phone,External ID',
      'Ada@Example.com,Bonn,KADE,a,+49 30 123456,',
      'ben@example.com,Kiel,,,,',
      'cy@home.example,,,,,',
      'cy@example.com,,,,,C-1',
      'dee@example.com,Bonn,Kade,,,',
      'dee@example.com,Bonn,Kade,,,',
      'ben@example.com,Bonn,,,,',
    ].join('\n')
    const { id } = await uploaded(key, rows)

    const checked = await app.rest('POST', `${imports}/${id}/check`, { key, body: { on_conflict: 'update' } })
    await app.rest('POST', `${imports}/${id}/start`, { key, body: { on_conflict: 'update' } })
    const done = await ended(key, id)

    const counts = ({ created_count, updated_count, skipped_count, refused_count }: Json) => [
      ...[created_count, updated_count, skipped_count, refused_count],
    ]
    expect([counts(checked.body), counts(done)]).toEqual([
      [1, 2, 4, 0],
      [1, 2, 4, 0],
    ])
  })

  test('422: choices and edits that do not fit the file or its fields, all at once; nothing is started', async () => {
    const { key, post, id } = await given()

    const { status, body } = await post('start', {
      values: [
        { column: 2, value: 'hot', to: 'purple' },
        { column: 0, value: 'ada@example.com', to: null },
        { column: 2, value: 'HOT ', to: 'lead' },
        { column: 4, value: 'x', to: null, add_option: true },
        { column: 2, value: 'y', to: 'z', add_option: true },
        { column: 4, value: 'w', to: 'w'.repeat(101), add_option: true },
      ],
      edits: [
        { row: 0, column: 0, value: '' },
        { row: 2, column: 99, value: 'x'.repeat(1001) },
      ],
      country: 'Atlantis',
    })

    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: Json) => loc.slice(1).join('.'))).toEqual([
      'country',
      'values.0.to',
      'values.1.column',
      'values.2.value',
      'values.3.to',
      'values.4.add_option',
      'values.5.to',
      'edits.0.row',
      'edits.1.column',
      'edits.1.value',
    ])
    expect((await post('start', { edits: Array(1001).fill({ row: 1, column: 0, value: '' }) })).status).toBe(422)
    expect((await app.rest('GET', `${imports}/${id}`, { key })).body.status).toBe('waiting')
  })

  test('a further phone number, and the type of a new field, are suggested from the values', async () => {
    const { key } = await app.given.apiKey()
    const rows = Array.from(
      { length: 8 },
      (_, n) => `a${n}@example.com,+1415555010${n},+1415555020${n},${n % 2 ? 'red' : 'blue'},${n}.5,2026-01-0${n + 1},yes`,
    )

    const made = await uploaded(key, ['Email,Phone,Mobile,Colour,Score,Since,Member', ...rows].join('\n'))

    expect(
      made.columns.map(({ further_field, suggested_type, suggested_options }: Json) => [further_field, suggested_type, suggested_options]),
    ).toEqual([
      [null, 'text', []],
      [null, 'text', []],
      ['phone', 'text', []],
      [null, 'select', ['blue', 'red']],
      [null, 'number', []],
      [null, 'date', []],
      [null, 'boolean', []],
    ])
  })
})
