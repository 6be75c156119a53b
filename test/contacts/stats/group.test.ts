// groupContacts: contacts counted by their fields, for charts.

import { describe, expect, test } from 'vitest'
import { groupContacts } from '../../../src/contacts/stats/group.ts'
import { statement } from '../../../src/database/statement.ts'
import { inTransaction } from '../../../src/kernel/context.ts'
import { groupRows } from '../../../src/kernel/lists/groups.ts'
import { type Json, openApp } from '../../support/app.ts'

const app = await openApp()

const grouped = async (args: string, key: string): Promise<Json> => {
  const { body } = await app.graphql(`{ groupContacts(${args}) { hasMore groups { keys count unique sum average } } }`, {}, { key })
  return body.errors ? body.errors[0].extensions : body.data.groupContacts
}
const counts = async (args: string, key: string) => (await grouped(args, key)).groups.map(({ keys, count }: Json) => [...keys, count])

async function seeded(): Promise<string> {
  const { key } = await app.given.apiKey()
  const stranger = await app.given.apiKey()
  const define = (field: string, type: string) =>
    app.graphql(`mutation { createCustomField(input: { key: "${field}", label: "x", type: ${type} }) { id } }`, {}, { key })
  await define('seats', 'NUMBER')
  await define('plan', 'TEXT')
  const contacts = [
    { country: 'DE', tags: ['vip', 'beta'], companyDomain: 'a.example', custom: { seats: 10, plan: 'pro' } },
    { country: 'DE', tags: ['vip'], companyDomain: 'a.example', custom: { seats: 20 } },
    { country: 'DE', companyDomain: 'b.example', lifecycleStage: 'CUSTOMER' },
    { country: 'FR', custom: { plan: 'pro' } },
    {},
  ]
  for (const on of [key, stranger.key])
    await app.graphql(
      'mutation ($input: [CreateContactInput!]!) { batchContacts(input: { contacts: $input }) { succeeded } }',
      {
        input: on === key ? contacts : contacts.map(({ custom: _, ...rest }: Json) => rest),
      },
      { key: on },
    )
  return key
}

describe('groupContacts', () => {
  test('counts by one field and by two, the largest group first, within the organization', async () => {
    const key = await seeded()

    expect(await counts('by: [{ field: COUNTRY }]', key)).toEqual([
      ['DE', 3],
      ['FR', 1],
      [null, 1],
    ])
    expect(await counts('by: [{ field: COUNTRY }, { field: LIFECYCLE_STAGE }], filter: { lifecycleStage: CUSTOMER }', key)).toEqual([
      ['DE', 'CUSTOMER', 1],
    ])
  })

  test('counts a contact once for each of its tags, and by custom fields', async () => {
    const key = await seeded()

    expect(await counts('by: [{ field: TAG }]', key)).toEqual([
      [null, 3],
      ['vip', 2],
      ['beta', 1],
    ])
    expect(await counts('by: [{ field: CUSTOM }], customField: "plan"', key)).toEqual([
      [null, 3],
      ['pro', 2],
    ])
  })

  test('counts different values, and sums and averages a custom field of numbers', async () => {
    const key = await seeded()

    expect(await grouped('by: [{ field: COUNTRY }], unique: COMPANY_DOMAIN, sumOf: "seats", first: 1', key)).toEqual({
      hasMore: true,
      groups: [{ keys: ['DE'], count: 3, unique: 2, sum: 30, average: 15 }],
    })
  })

  test("counts by day in the viewer's time zone, in order of time", async () => {
    const { key, orgId } = await app.given.apiKey()
    for (const at of ['2026-03-01T22:30:00Z', '2026-03-01T23:30:00Z', '2026-03-02T10:00:00Z'])
      await app.services.database.prisma.$executeRaw`
        insert into contacts (id, org_id, source, created_by_type, created_at) values (gen_random_uuid(), ${orgId}::uuid, 'api', 'system', ${at}::timestamptz)`

    expect(await counts('by: [{ field: CREATED_AT }]', key)).toEqual([
      ['2026-03-01', 2],
      ['2026-03-02', 1],
    ])
    expect(await counts('by: [{ field: CREATED_AT }], timezone: "Europe/Berlin"', key)).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 2],
    ])
    expect(await counts('by: [{ field: CREATED_AT, per: MONTH }]', key)).toEqual([['2026-03-01', 3]])
  })

  test('by time and another field has no times that the limit cuts', async () => {
    const { key, orgId } = await app.given.apiKey()
    const contacts = { '2026-03-01': ['DE', 'DE', 'FR'], '2026-03-02': ['DE'], '2026-03-03': ['DE', 'DE', 'FR'] }
    for (const [day, countries] of Object.entries(contacts))
      for (const country of countries)
        await app.services.database.prisma.$executeRaw`insert into contacts (id, org_id, source, created_by_type, created_at, country)
          values (gen_random_uuid(), ${orgId}::uuid, 'api', 'system', ${day}::timestamptz, ${country})`
    const days = async (first: number) => {
      const { hasMore, groups } = await grouped(`by: [{ field: CREATED_AT }, { field: COUNTRY }], first: ${first}`, key)
      return [hasMore, ...groups.map(({ keys, count }: Json) => `${keys[0].slice(-2)} ${keys[1]} ${count}`)]
    }

    expect(await days(5)).toEqual([false, '01 DE 2', '01 FR 1', '02 DE 1', '03 DE 2', '03 FR 1'])
    expect(await days(4)).toEqual([true, '02 DE 1', '03 DE 2', '03 FR 1'])
    expect(await days(3)).toEqual([true, '02 DE 1', '03 DE 2', '03 FR 1'])
    expect(await days(1)).toEqual([true, '03 DE 2'])
  })

  test('sums of any size, and values of other types than the field has now', async () => {
    const { key, orgId } = await app.given.apiKey()
    for (const [field, type] of Object.entries({ size: 'NUMBER', parts: 'MULTI_SELECT' }))
      await app.graphql(
        'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }',
        { input: { key: field, label: 'x', type, ...(field === 'parts' && { options: ['a', 'b'] }) } },
        { key },
      )
    const rows = {
      AA: [{ size: 1e308 }, { size: 1e308 }],
      BB: [{ size: 5e-324 }, { size: 0 }],
      CC: [
        { size: 'large', parts: 'a' },
        { size: 3, parts: ['a', 'b'] },
      ],
    }
    for (const [country, customs] of Object.entries(rows))
      for (const custom of customs)
        await app.services.database.prisma.$executeRaw`insert into contacts (id, org_id, source, created_by_type, country, custom)
          values (gen_random_uuid(), ${orgId}::uuid, 'api', 'system', ${country}, ${JSON.stringify(custom)}::jsonb)`

    const { groups } = await grouped('by: [{ field: COUNTRY }], sumOf: "size"', key)
    expect(groups.map(({ sum, average }: Json) => [sum, average])).toEqual([
      [null, 1e308],
      [0, 0],
      [3, 3],
    ])
    expect(await counts('by: [{ field: CUSTOM }], customField: "parts"', key)).toEqual([
      [null, 5],
      ['a', 1],
      ['b', 1],
    ])
  })

  test('422: a time zone that PostgreSQL does not know, or knows as another', async () => {
    const { key } = await app.given.apiKey()
    const days = (timezone: string) => grouped(`by: [{ field: CREATED_AT }], timezone: "${timezone}"`, key)

    for (const timezone of ['IST', 'ACT', 'NST', 'CST', 'AET', 'CTT', '+01:00'])
      expect([timezone, (await days(timezone)).problems?.[0].path]).toEqual([timezone, ['timezone']])
    for (const timezone of ['UTC', 'utc', ' ', 'europe/berlin', 'America/Argentina/Buenos_Aires'])
      expect([timezone, await days(timezone)]).toEqual([timezone, { hasMore: false, groups: [] }])
    expect(await counts('by: [{ field: COUNTRY }], timezone: " "', await seeded())).toHaveLength(3)
  })

  test('422: more rows than can be counted in time, and more groupings than fit into an operation', async () => {
    const { key, orgId } = await app.given.apiKey()
    const { database } = app.services
    const context = app.asSystem(orgId)
    const slow = { table: '(select null::text as field from pg_sleep(5)) slow', fields: { field: { sql: 'field', is: 'text' } } } as const

    const canceled = database.transaction(async db => {
      await db.query(statement('', "set local statement_timeout = '50ms'"))
      await groupRows(inTransaction(context, db), { ...slow, where: 'true', values: [], measure: null }, { by: [{ field: 'field' }] })
    })
    await expect(canceled).rejects.toMatchObject({ code: 'INVALID', message: expect.stringContaining('narrow the filter') })

    const several = (count: number) =>
      app.graphql(
        `{ ${Array.from({ length: count }, (_, index) => `g${index}: groupContacts(by: [{ field: COUNTRY }]) { groups { keys count } }`).join(' ')} }`,
        {},
        { key },
      )
    expect((await several(3)).body.errors).toBeUndefined()
    expect((await several(4)).body.errors[0].extensions).toMatchObject({ code: 'INVALID', limit: 'cost' })
  })

  test('429: an organization has a bounded number of groupings waiting, and others are answered meanwhile', async () => {
    const { key } = await app.given.apiKey()
    const other = await app.given.apiKey()
    const holder = await app.services.database.pool.connect()
    const answers: Json[] = []
    try {
      // Groupings wait for this lock; lists of calls do not.
      await holder.query('begin')
      await holder.query('lock table contacts in access exclusive mode')
      const asked = Array.from({ length: 25 }, async () => void answers.push(await grouped('by: [{ field: COUNTRY }]', key)))
      await expect.poll(() => answers.length).toBe(4)
      const elsewhere = await app.graphql('{ calls(first: 1) { nodes { id } } }', {}, { key: other.key })
      await holder.query('rollback')
      await Promise.all(asked)

      expect(elsewhere.body.errors).toBeUndefined()
      expect(answers.slice(0, 4).map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'RATE_LIMITED'))
      expect(answers.filter(({ groups }) => groups)).toHaveLength(21)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  test('422: says what to send instead', async () => {
    const key = await seeded()
    const problemOf = async (args: string) => {
      const { code, problems } = await grouped(args, key)
      return [code, problems[0].path.join('.')]
    }

    expect(await problemOf('by: []')).toEqual(['INVALID', 'by'])
    expect(await problemOf('by: [{ field: COUNTRY, per: DAY }]')).toEqual(['INVALID', 'by.0.per'])
    expect(await problemOf('by: [{ field: COUNTRY }], timezone: "Mars"')).toEqual(['INVALID', 'timezone'])
    expect(await problemOf('by: [{ field: COUNTRY }], first: 1001')).toEqual(['INVALID', 'first'])
    expect(await problemOf('by: [{ field: CUSTOM }]')).toEqual(['INVALID', 'customField'])
    expect(await problemOf('by: [{ field: COUNTRY }], sumOf: "plan"')).toEqual(['INVALID', 'sumOf'])
    expect(await problemOf('by: [{ field: TAG }, { field: TAG }]')).toEqual(['INVALID', 'by.1.field'])
    expect(await problemOf('by: [{ field: COUNTRY }], customField: "plan"')).toEqual(['INVALID', 'customField'])
    expect(await problemOf('by: [{ field: COUNTRY }], unique: TAG')).toEqual(['INVALID', 'unique'])
  })

  test("reads none of another organization's rows", async () => {
    const { orgId } = await app.given.apiKey()
    const other = await app.given.apiKey()
    const { prisma } = app.services.database
    await prisma.$executeRaw`insert into contacts (id, org_id, source, created_by_type)
      select gen_random_uuid(), ${other.orgId}::uuid, 'api', 'system' from generate_series(1, 20000)`
    await prisma.$executeRaw`analyze contacts`

    // The statement that the grouping sends, as the database would run it.
    const { sent, context } = app.recording(orgId)
    const filter = { createdSince: new Date('2026-01-01') }
    await groupContacts(context, { by: [{ field: 'country' }], unique: 'city', filter })
    const [only] = sent
    const { rows: plan } = await app.services.database.pool.query(`explain (format json) ${only?.statement.text}`, [
      ...(only?.values ?? []),
    ])

    expect(sent).toHaveLength(1)
    expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  })
})
