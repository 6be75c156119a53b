// A cell never costs its row: it is normalized, or left out and listed as a warning.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { uploaded, report } = importsIn(app)

const inCountry = async (country: string | null) => {
  const { key, orgId } = await app.given.apiKey()
  await app.services.database.prisma.organization.update({ where: { id: orgId }, data: { country } })
  return { key, orgId }
}
/** Previews one cell under a header, beside an address: what the contact gets, and the warnings. */
async function cell(key: string, header: string, text: string): Promise<Json> {
  const { id } = await uploaded(key, `Email,${header}\na@example.com,"${text.replaceAll('"', '""')}"\n`)
  const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })
  await app.rest('POST', `${imports}/${id}/cancel`, { key })
  const [row] = body.rows
  expect(row.outcome).toBe('created')
  const { email: _email, ...contact } = row.contact
  return { ...contact, ...(row.warnings.length > 0 && { warnings: row.warnings.map(({ message }: Json) => message) }) }
}

describe('a full name, in a file without columns for first and last name', () => {
  test.each([
    ['Jürgen Müller', 'Jürgen Müller', 'Jürgen', 'Müller'],
    ['Müller, Jürgen', 'Jürgen Müller', 'Jürgen', 'Müller'],
    ['Anna  Maria Schmidt', 'Anna Maria Schmidt', 'Anna Maria', 'Schmidt'],
    ['Dr. Ludwig van Beethoven', 'Dr. Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Van Nguyen', 'Van Nguyen', 'Van', 'Nguyen'],
    ['John Smith Jr.', 'John Smith Jr.', 'John', 'Smith'],
    ['John Smith, PhD', 'John Smith, PhD', 'John', 'Smith'],
    ['Zaza', 'Zaza', 'Zaza', undefined],
    ['ada@example.com', 'ada@example.com', undefined, undefined],
    ['Müller & Söhne GmbH', 'Müller & Söhne GmbH', undefined, undefined],
    ['王 小明', '王 小明', undefined, undefined],
  ])('%s', async (text, full_name, first_name, last_name) => {
    const { key } = await app.given.apiKey()

    expect(await cell(key, 'Full name', text)).toEqual({ full_name, first_name, last_name })
  })

  test('a column of the first or the last name says it instead', async () => {
    const { key } = await app.given.apiKey()
    const { id } = await uploaded(key, 'Full name,First name\n"Sanchez, Maria Luisa",\nAnn Lee,Annie\n')

    const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

    expect(body.rows.map(({ contact }: Json) => contact)).toEqual([
      { full_name: 'Sanchez, Maria Luisa' },
      { full_name: 'Ann Lee', first_name: 'Annie' },
    ])
  })
})

describe('a telephone number', () => {
  test.each([
    ['DE', '0171/1234567', '+491711234567'],
    ['DE', '030 / 123 456 78', '+493012345678'],
    ['DE', '(0) 30 12345678', '+493012345678'],
    ['DE', '+49 (0)171 1234567', '+491711234567'],
    ['DE', '0049 171 1234567', '+491711234567'],
    ['DE', '\u202a+49\u00a0171\u20111234567\u202c', '+491711234567'],
    ['DE', 'Tel.: 0171 1234567', '+491711234567'],
    ['DE', 'tel:+49-171-1234567', '+491711234567'],
    ['DE', '491711234567', '+491711234567'],
    ['DE', '０１７１　１２３４５６７', '+491711234567'],
    ['DE', '1711234567', '+491711234567'],
    ['IT', '391 234 5678', '+393912345678'],
    ['US', '(202) 555-0142', '+12025550142'],
    ['US', '1.202.555.0142', '+12025550142'],
    [null, '+1 202 555 0142', '+12025550142'],
    [null, '0044 20 7946 0958', '+442079460958'],
  ])('in %s, %s is %s', async (country, text, phone) => {
    const { key } = await inCountry(country)

    expect(await cell(key, 'Phone', text)).toEqual({ phone })
  })

  test.each([
    ['US', '(514) 555-0186 ext. 1234', '+15145550186', 'has the extension 1234, which is left out, because a call cannot dial it'],
    ['US', '202-555-0142 x5', '+12025550142', 'has the extension 5, which is left out, because a call cannot dial it'],
    ['US', '+1 202 555 0143 / +1 202 555 0144', '+12025550143', 'has several numbers; only +12025550143 is imported'],
    ['DE', '030 1234567/030 7654321', '+49301234567', 'has several numbers; only +49301234567 is imported'],
    ['US', '202-555-0142 or 202-555-0143', '+12025550142', 'has several numbers; only +12025550142 is imported'],
    [
      null,
      '0171/1234567',
      '0171 1234567',
      'cannot be called without its country; write it as +14155550123, or set the country of the organization',
    ],
    ['DE', '30 12345678', '30 12345678', 'may not be a number in Germany, so it cannot be called; write it as +14155550123'],
    ['DE', '0044', '0044', 'may not be a number in Germany, so it cannot be called; write it as +14155550123'],
  ])('in %s, %s is stored as %s, with a warning', async (country, text, phone, warning) => {
    const { key } = await inCountry(country)

    expect(await cell(key, 'Phone', text)).toEqual({ phone, warnings: [`"${text}" ${warning}`] })
  })

  test.each([
    ['n/a', 'has no value'],
    ['-', 'has no value'],
    ['call the office', 'is not a telephone number; write it as +14155550123'],
    ['1.41556E+10', 'is a number that a spreadsheet has shortened; format its column as text, and save the file again'],
  ])('%s is left out', async (text, warning) => {
    const { key } = await inCountry('US')

    expect(await cell(key, 'Phone', text)).toEqual({ warnings: [`"${text}" ${warning}`] })
  })

  test("the row's country comes before the organization's", async () => {
    const { key } = await inCountry('US')
    const { id } = await uploaded(key, 'Email,Phone,Country\na@example.com,0171 1234567,Germany\n')

    const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

    expect(body.rows[0].contact).toEqual({ email: 'a@example.com', phone: '+491711234567', country: 'DE' })
  })
})

describe('an address', () => {
  test.each([
    ['Ada Lovelace <ada@example.com>', 'ada@example.com'],
    ['mailto:ada@example.com?subject=x', 'ada@example.com'],
    ['"ada@example.com"', 'ada@example.com'],
    ['ada@\u200bexample.com', 'ada@example.com'],
    ['ada@müller.de', 'ada@xn--mller-kva.de'],
    ['Ada <ada@例え.jp>', 'ada@xn--r8jz45g.jp'],
    ['mailto:ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('%s is %s', async (text, email) => {
    const { key } = await inCountry(null)
    const { id } = await uploaded(key, `First Name,Email\nAda,"${text.replaceAll('"', '""')}"\n`)

    const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

    expect(body.rows).toMatchObject([{ outcome: 'created', contact: { first_name: 'Ada', email }, warnings: [] }])
  })

  test('of several, the first is taken; of none, the row is imported without', async () => {
    const { key } = await inCountry(null)
    const { id } = await uploaded(key, 'First Name,Email\nAda,a@example.com; b@example.com\nBen,nope\n,nope\n')

    const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key })

    expect(body.rows.map(({ outcome, contact, problem, warnings }: Json) => [outcome, contact, problem ?? warnings[0].message])).toEqual([
      [
        'created',
        { first_name: 'Ada', email: 'a@example.com' },
        '"a@example.com; b@example.com" has several addresses; only a@example.com is imported',
      ],
      ['created', { first_name: 'Ben' }, '"nope" has no @; write an email address such as ada@example.com'],
      ['failed', {}, 'no cell can be imported. Email: "nope" has no @; write an email address such as ada@example.com'],
    ])
  })
})

test.each([
  ['United States', 'US'],
  ['Germany', 'DE'],
  ['USA', 'US'],
  ['de', 'DE'],
  ['Österreich', 'AT'],
  ['The Netherlands', 'NL'],
  ['Korea, Republic of', 'KR'],
  ['日本', 'JP'],
  ['DEU', 'DE'],
  ['U.K.', 'GB'],
])('a country by its name: %s', async (text, country) => {
  const { key } = await inCountry(null)

  expect(await cell(key, 'Country/Region', text)).toEqual({ country })
})

describe('what other systems write', () => {
  test.each([
    ['Stage', 'Marketing Qualified Lead', { lifecycle_stage: 'qualified' }],
    ['Stage', 'Client', { lifecycle_stage: 'customer' }],
    ['Stage', 'Won!', { lifecycle_stage: 'customer' }],
    ['Do not call', 'Ja', { do_not_call: true }],
    ['Last contacted', '05 Mar 2024', { last_contacted_at: '2024-03-05T00:00:00.000Z' }],
    ['Last contacted', 'March 5, 2024 3:30 PM', { last_contacted_at: '2024-03-05T15:30:00.000Z' }],
    ['Last contacted', '31/12/2023', { last_contacted_at: '2023-12-31T00:00:00.000Z' }],
    ['Last contacted', '2024-03-05T10:00+02:00', { last_contacted_at: '2024-03-05T08:00:00.000Z' }],
    ['Last contacted', '45000', { last_contacted_at: '2023-03-15T00:00:00.000Z' }],
    ['Last contacted', '45000.75', { last_contacted_at: '2023-03-15T18:00:00.000Z' }],
    ['LinkedIn', 'www.linkedin.com/in/ada', { linkedin_url: 'https://www.linkedin.com/in/ada' }],
    ['Website', 'HTTPS://www.Example.com/about', { company_domain: 'example.com' }],
    ['Website', 'info@example.com', { company_domain: 'example.com' }],
    ['Labels', '* myContacts ::: Friends', { tags: ['Friends'] }],
    ['Budget', '1.234,56 €', { custom: { budget: 1234.56 } }],
    ['Budget', '$12,000.50', { custom: { budget: 12000.5 } }],
    ['Plan', 'PRO', { custom: { plan: 'Pro' } }],
    ['Since', '31.12.2023', { custom: { since: '2023-12-31' } }],
    ['Page', 'example.com/x', { custom: { page: 'https://example.com/x' } }],
    ['Colors', 'red; Blue', { custom: { colors: ['Red', 'Blue'] } }],
    ['First Name', 'Na', { first_name: 'Na' }],
    ['Country', 'NA', { country: 'NA' }],
  ])('%s: %s', async (header, text, contact) => {
    expect(await cell(await withFields(), header, text)).toEqual(contact)
  })

  test.each([
    ['Stage', 'Boss', 'is not a stage; write subscriber, lead, qualified, opportunity, customer, evangelist, other'],
    ['Do not call', 'maybe', 'is neither yes nor no; write yes or no'],
    ['Last contacted', '3/4/2024', 'is not a date that can be read in one way only; write it as 2026-05-31'],
    ['Last contacted', '2026-02-29', 'is not a date that can be read in one way only; write it as 2026-05-31'],
    ['Owner', 'Nobody', 'is no member of the organization; write a member’s email address or name, or invite the person first'],
    ['Timezone', 'Middle Earth', 'is not a time zone; write it as Europe/Berlin'],
    ['Website', 'none of that', 'is not a domain; write it as example.com'],
    ['Country', 'Oz', 'is not a country; write its name, or its code such as DE'],
    ['Budget', '1,234', 'is not a number that can be read in one way only; write it as 1234.5'],
    ['Budget', 'much', 'is not a number that can be read in one way only; write it as 1234.5'],
    ['Plan', 'Gold', "is left out: Input should be 'Pro' or 'Free'"],
    ['Colors', 'green', 'has options that the field does not have, which are left out: green'],
  ])('%s: %s is left out', async (header, text, warning) => {
    expect(await cell(await withFields(), header, text)).toEqual({ warnings: [`"${text}" ${warning}`] })
  })

  test('too long a text is shortened', async () => {
    const { key } = await inCountry(null)

    const read = await cell(key, 'City', 'x'.repeat(300))

    expect(read).toEqual({ city: 'x'.repeat(200), warnings: [`"${'x'.repeat(39)}…" is longer than 200 characters, and shortened`] })
  })

  test('an owner by name or address', async () => {
    const { key, orgId } = await inCountry(null)
    const { userId } = await app.given.member({ orgId, role: 'member' })
    await app.services.database.prisma.user.update({
      where: { id: userId },
      data: { name: 'Grace Hopper', email: `${userId}@example.com` },
    })

    const given = ['grace hopper', 'Hopper, Grace', 'Grace\u00a0 Hopper', `${userId}@Example.com`, `Grace <${userId}@example.com>`, userId]
    const owners = []
    for (const text of given) owners.push(await cell(key, 'Contact owner', text))

    expect(owners).toEqual(given.map(() => ({ owner_user_id: userId })))
  })

  async function withFields(): Promise<string> {
    const { key } = await inCountry(null)
    const fields = [
      '{ key: "budget", label: "Budget", type: NUMBER }',
      '{ key: "plan", label: "Plan", type: SELECT, options: ["Pro", "Free"] }',
      '{ key: "colors", label: "Colors", type: MULTI_SELECT, options: ["Red", "Blue"] }',
      '{ key: "since", label: "Since", type: DATE }',
      '{ key: "page", label: "Page", type: URL }',
    ]
    await app.graphql(`mutation { ${fields.map((input, n) => `f${n}: createCustomField(input: ${input}) { id }`)} }`, undefined, { key })
    return key
  }
})

describe('a cell that is long', () => {
  const long = 'is longer than 10,000 characters'
  test.each([
    ['Phone', ';'.repeat(200_000), long],
    ['Phone', ';'.repeat(501), 'is longer than 500 characters; write one number'],
    ['Phone', ';'.repeat(500), 'is not a telephone number; write it as \\+14155550123'],
    ['LinkedIn', '/'.repeat(300_000), long],
    ['Tags', '\ufdfa,'.repeat(100_000), long],
    ['Source', '\ufdfa'.repeat(300_000), long],
    ['Country', '\ufdfa'.repeat(300_000), long],
    ['Last contacted', '1-'.repeat(300_000), long],
    ['Do not call', '\ufdfa'.repeat(300_000), long],
  ])('as %s is left out before others wait for it', async (header, text, warning) => {
    const { key } = await inCountry('DE')
    const delay = await longestDelay(async () => {
      expect(await cell(key, header, text)).toEqual({ warnings: [expect.stringMatching(new RegExp(`${warning}$`))] })
    })

    expect(delay).toBeLessThan(1000)
  })

  test('as options is compared with two hundred others', async () => {
    const { key } = await inCountry(null)
    const options = Array.from({ length: 200 }, (_, index) => `Option \u00fc ${index}`)
    const input = { key: 'many', label: 'Many', type: 'MULTI_SELECT', options }
    const define = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { id } }'
    await app.graphql(define, { input }, { key })
    const delay = await longestDelay(async () => {
      const { custom } = await cell(key, 'Many', 'option u 7;'.repeat(900))
      expect(custom).toEqual({ many: ['Option \u00fc 7'] })
    })

    expect(delay).toBeLessThan(1000)
  })

  test('five hundred rows of odd numbers let others have their turn', async () => {
    const { key } = await inCountry('DE')
    const row = `"${'1 or '.repeat(99)}"`
    const { id } = await uploaded(
      key,
      `Email,Phone\n${Array.from({ length: 500 }, (_, index) => `r${index}@example.com,${row}`).join('\n')}\n`,
    )
    await app.rest('POST', `${imports}/${id}/start`, { key })
    const delay = await longestDelay(() =>
      expect.poll(async () => (await app.rest('GET', `${imports}/${id}`, { key })).body.status, { timeout: 60_000 }).toBe('completed'),
    )

    expect(delay).toBeLessThan(500)
  })

  /** The longest time in milliseconds for which the process answered nobody. */
  async function longestDelay(work: () => Promise<unknown>): Promise<number> {
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()
    await work()
    delays.disable()
    return delays.max / 1e6
  }
})

test('warnings are counted, listed and reported, and their rows are imported', async () => {
  const { key } = await inCountry(null)
  const { id } = await uploaded(key, 'Email,Country,Phone\na@example.com,Oz,n/a\nb@example.com,DE,+12025550142\n,Oz,\n')
  await app.rest('POST', `${imports}/${id}/start`, { key })
  await expect.poll(async () => (await app.rest('GET', `${imports}/${id}`, { key })).body.status).toBe('completed')

  const done = (await app.rest('GET', `${imports}/${id}`, { key })).body
  const listed = await app.graphql(`{ contactImportWarnings(id: "${id}") { row column columnName value message } }`, undefined, { key })
  const link = await app.rest('POST', `${imports}/${id}/report`, { key, body: { kind: 'warnings', byte_order_mark: true } })

  expect(done).toMatchObject({ created_count: 2, refused_count: 1, warning_count: 2 })
  const oz = '"Oz" is not a country; write its name, or its code such as DE'
  expect(listed.body.data.contactImportWarnings).toEqual([
    { row: 2, column: 1, columnName: 'Country', value: 'Oz', message: oz },
    { row: 2, column: 2, columnName: 'Phone', value: 'n/a', message: '"n/a" has no value' },
  ])
  expect(await (await fetch(link.body.url)).arrayBuffer().then(bytes => Buffer.from(bytes).toString())).toBe(
    `\ufeffrow,column,value,problem\r\n2,Country,Oz,"""Oz"" is not a country; write its name, or its code such as DE"\r\n2,Phone,n/a,"""n/a"" has no value"\r\n`,
  )
  expect(await report(key, id)).toContain('no cell can be imported. Country: ""Oz"" is not a country')
})
