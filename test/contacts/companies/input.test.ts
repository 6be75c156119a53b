// Input of companies: bad values get a sentence, and amounts of money are exact.

import { describe, expect, test } from 'vitest'
import { conforming } from '../../rest/conforming.ts'
import { type Json, openApp } from '../../support/app.ts'
import { clientIn, problemsOf } from '../client.ts'
import { add, change, companies, creating, listed, member, read, setCurrency, timelineOf, updating } from './companies.ts'

const app = await openApp()
const rest = conforming(app)

describe('bad input', () => {
  const sentences: readonly (readonly [string, Json, string])[] = [
    ['a blank name', { name: ' ' }, 'name: String should have at least 1 character'],
    ['a long name', { name: 'x'.repeat(201) }, 'name: String should have at most 200 characters'],
    ['no domain', { domain: 'not a domain' }, 'domain: Value error, it is not a domain name'],
    [
      'a free-mail domain',
      { domain: 'www.GMail.com' },
      'domain: Value error, gmail.com gives mail addresses to everybody, so it is not the domain of one company',
    ],
    [
      'a further free-mail domain',
      { domains: ['a.example', 'web.de'] },
      'domains.1: Value error, web.de gives mail addresses to everybody, so it is not the domain of one company',
    ],
    [
      'many domains',
      { domains: Array.from({ length: 51 }, (_, n) => `${n}.example`) },
      'domains: List should have at most 50 items after validation, not 51',
    ],
    ['a relative website', { website: 'engines.example' }, 'website: Input should be a valid URL, relative URL without a base'],
    ['a script as a page', { linkedinUrl: 'javascript:alert(1)' }, "linkedinUrl: URL scheme should be 'http' or 'https'"],
    ['words as a number', { phone: 'call me' }, 'phone: String should match pattern'],
    ['a negative count', { employeeCount: -1 }, 'employeeCount: Input should be greater than or equal to 0'],
    [
      'an amount with separators',
      { annualRevenue: '1,500,000' },
      'annualRevenue: Value error, it is not an amount: write digits, and a point before decimals, such as 1500000.50',
    ],
    ['a negative amount', { annualRevenue: '-5', annualRevenueCurrency: 'EUR' }, 'annualRevenue: Value error, it is not an amount'],
    [
      'more decimals than euros have',
      { annualRevenue: '1.005', annualRevenueCurrency: 'EUR' },
      'annualRevenue: Value error, amounts of EUR have at most 2 decimals',
    ],
    [
      'decimals of yen',
      { annualRevenue: '1.5', annualRevenueCurrency: 'JPY' },
      'annualRevenue: Value error, amounts of JPY have no decimals',
    ],
    [
      'a huge amount',
      { annualRevenue: '99999999999999', annualRevenueCurrency: 'EUR' },
      'annualRevenue: Value error, an amount of EUR has at most 13 digits before the point',
    ],
    [
      'a currency that does not exist',
      { annualRevenue: '1', annualRevenueCurrency: 'XYZ' },
      'annualRevenueCurrency: Value error, it is not a currency code of ISO 4217, such as EUR',
    ],
    [
      'a currency without an amount',
      { annualRevenueCurrency: 'EUR' },
      'annualRevenueCurrency: Value error, a currency needs an amount: send annualRevenue as well',
    ],
    [
      'an amount without any currency',
      { annualRevenue: '1' },
      'annualRevenueCurrency: Value error, an amount needs a currency, and the organization has none: send one, such as EUR',
    ],
    ['no country', { country: 'Atlantis' }, 'country: Value error, it is not a country code of ISO 3166-1 alpha-2'],
    ['a stranger as the owner', { ownerUserId: 'usr_nobody' }, 'ownerUserId: Value error, no member of the organization has this id'],
    ['a custom field that is not defined', { custom: { size: 1 } }, 'custom.size: Extra inputs are not permitted'],
    ['a long tag', { tags: ['x'.repeat(65)] }, 'tags.0: String should have at most 64 characters'],
  ]

  test.for(sentences)('%s is refused with a sentence, and nothing is written', async ([, input, sentence]) => {
    const on = await clientIn(app)
    const { id } = await add(on, { name: 'Before' })
    const created = problemsOf(await on.error(creating, { input: { name: 'Engines', ...input } }))
    const changed = problemsOf(await on.error(updating, { input: { id, ...input } }))

    expect(created).toEqual([expect.stringContaining(sentence)])
    expect(changed).toEqual(created)
    expect(await listed(on, 'first: 5')).toEqual(['Before'])
    expect(await read(on, id)).toMatchObject({ version: 1 })
  })

  test('all problems are told at once, in REST with its names', async () => {
    const { key } = await clientIn(app)
    const { status, body } = await rest('POST', companies, {
      key,
      body: { domain: 'gmail.com', employee_count: -1, annual_revenue: 'much', country: 'XX' },
    })
    const shapes = await rest('POST', companies, { key, body: { name: 'A', employee_count: 1.5, annual_revenue: 5, revenue: '5' } })

    const many = await rest('POST', companies, { key, body: { name: 'A', employee_count: 3_000_000_000 } })

    expect(many.body.detail).toMatchObject([{ loc: ['body', 'employee_count'], msg: 'Input should be less than or equal to 2147483647' }])
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: Json) => loc.join('.')).toSorted()).toEqual([
      ...['body.annual_revenue', 'body.country', 'body.domain', 'body.employee_count', 'body.name'],
    ])
    expect(shapes.status).toBe(422)
    expect(shapes.body.detail.map(({ loc }: Json) => loc.at(-1)).toSorted()).toEqual(['annual_revenue', 'employee_count', 'revenue'])
  })
})

describe('annual revenue', () => {
  test('is in the currency of the organization unless another is given, with all decimals of the currency', async () => {
    const { on } = await member(app)
    await setCurrency(on, 'EUR')
    const company = await add(on, { annualRevenue: '007.5' })
    const dollars = await change(on, { id: company.id, annualRevenueCurrency: 'USD' })
    const usual = await change(on, { id: company.id, annualRevenueCurrency: null })
    const refused = problemsOf(await on.error(updating, { input: { id: company.id, annualRevenueCurrency: 'JPY' } }))
    const dinars = await change(on, { id: company.id, annualRevenue: '1.125', annualRevenueCurrency: 'KWD' })
    const yen = await change(on, { id: company.id, annualRevenue: '900.00', annualRevenueCurrency: 'JPY' })
    const none = await change(on, { id: company.id, annualRevenue: null })

    const revenue = ({ annualRevenue, annualRevenueCurrency }: Json) => [annualRevenue, annualRevenueCurrency]
    expect([company, dollars, usual, dinars, yen, none].map(revenue)).toEqual([
      ...[
        ['7.50', 'EUR'],
        ['7.50', 'USD'],
        ['7.50', 'EUR'],
        ['1.125', 'KWD'],
        ['900', 'JPY'],
        [null, null],
      ],
    ])
    expect(refused).toEqual(['annualRevenue: Value error, amounts of JPY have no decimals'])
    expect((await timelineOf(on, company.id))[0]?.changes).toEqual(
      [
        { field: 'annualRevenue', before: '900', after: null },
        { field: 'annualRevenueCurrency', before: 'JPY', after: null },
      ].toSorted((one, other) => one.field.localeCompare(other.field)),
    )
  })

  test('keeps the largest amount exactly', async () => {
    const on = await clientIn(app)
    const { annualRevenue } = await add(on, { annualRevenue: '9999999999999.99', annualRevenueCurrency: 'EUR' })

    expect(annualRevenue).toBe('9999999999999.99')
  })
})
