// Validation of a contact's fields: accepted values, their normalized form, and the messages about invalid ones.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { clientIn, problemsOf } from '../client.ts'

const app = await openApp()
const on = await clientIn(app)

const create = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const stored = async (field: string, value: unknown) => (await on.create({ [field]: value }, field))[field]
const refused = async (input: Json) => problemsOf(await on.error(create, { input }))

describe('accepted values', () => {
  const spellings: [field: string, given: unknown, kept: unknown][] = [
    ['email', '  Ada.Lovelace+x@Sub.Example.COM ', 'Ada.Lovelace+x@Sub.Example.COM'],
    ['email', "o'brien/sales=1@example.com", "o'brien/sales=1@example.com"],
    ['firstName', '  Ada ', 'Ada'],
    ['firstName', '   ', null],
    ['lastName', 'Ångström 王 👩‍🚀', 'Ångström 王 👩‍🚀'],
    ['firstName', '😀'.repeat(200), '😀'.repeat(200)],
    ['phone', '+1 (415) 555-0100', '+14155550100'],
    ['phone', '+44 20 7946 0018', '+442079460018'],
    ['phone', '+14155550100', '+14155550100'],
    ['phone', ' 030 23125-000 ', '030 23125-000'],
    ['phone', '911', '911'],
    ['phone', '+999 123', '+999 123'],
    ['companyDomain', 'Example.COM', 'example.com'],
    ['companyDomain', 'https://www.Example.com:8443/about?x#y', 'example.com'],
    ['companyDomain', 'bücher.example', 'xn--bcher-kva.example'],
    ['linkedinUrl', ' https://linkedin.com/in/ada ', 'https://linkedin.com/in/ada'],
    ['avatarUrl', 'http://example.com/a.png?s=1', 'http://example.com/a.png?s=1'],
    ['country', 'de', 'DE'],
    ['timezone', 'europe/BERLIN', 'Europe/Berlin'],
    ['timezone', 'Asia/Kolkata', 'Asia/Kolkata'],
    ['timezone', 'UTC', 'UTC'],
    ['tags', [' a ', 'b', 'a', '', '  '], ['a', 'b']],
    ['tags', null, []],
    ['lastContactedAt', '2024-02-29T12:00:00.1234+02:00', '2024-02-29T10:00:00.123Z'],
    ['externalId', ' 42 ', '42'],
  ]
  for (const [field, given, kept] of spellings)
    test(`${field} ${JSON.stringify(given).slice(0, 60)} is kept as ${JSON.stringify(kept).slice(0, 60)}`, async () =>
      expect(await stored(field, given)).toEqual(kept))
})

describe('invalid values', () => {
  const email = 'email: Value error, it is not a valid email address'
  const domain = 'companyDomain: Value error, it is not a domain name'
  const country = 'country: Value error, it is not a country code of ISO 3166-1 alpha-2'
  const zone = 'timezone: Value error, it is not a time zone of the IANA database'
  const url = (field: string) => `${field}: Input should be a valid URL, relative URL without a base`
  const scheme = "linkedinUrl: URL scheme should be 'http' or 'https'"
  const phone = "phone: String should match pattern '^\\+?[0-9 ().-]{3,32}$': + and the country code, such as +14155550123"
  const cases: [field: string, given: unknown, problem: string][] = [
    ...[
      'nope',
      '',
      '  ',
      'a@b',
      '@example.com',
      'a@',
      '.a@example.com',
      'a..b@example.com',
      'a.@example.com',
      'a b@example.com',
      'a@-x.com',
      'a@x..com',
    ].map((given): [string, string, string] => ['email', given, email]),
    ['email', `${'a'.repeat(65)}@example.com`, email],
    ['email', `a@${'b'.repeat(320)}.com`, 'email: String should have at most 320 characters'],
    ['firstName', 'x'.repeat(201), 'firstName: String should have at most 200 characters'],
    ['lastName', '😀'.repeat(201), 'lastName: String should have at most 200 characters'],
    ['externalId', 'x'.repeat(256), 'externalId: String should have at most 255 characters'],
    ['phone', 'call me', phone],
    ['phone', '12', phone],
    ['phone', '1'.repeat(33), phone],
    ['phone', '(()) -- ..', 'phone: Value error, a telephone number has at least 3 digits'],
    ['companyDomain', 'no domain', domain],
    ['companyDomain', 'localhost', domain],
    ['companyDomain', '-a.example', domain],
    ['companyDomain', '10.0.0.10', domain],
    ['linkedinUrl', 'linkedin.com/in/ada', url('linkedinUrl')],
    ['linkedinUrl', 'javascript:alert(1)', scheme],
    ['linkedinUrl', 'data:text/html,x', scheme],
    ['linkedinUrl', 'https:/x.example', scheme],
    ['avatarUrl', 'https://a b.example', url('avatarUrl')],
    ['avatarUrl', `https://example.com/${'x'.repeat(2048)}`, 'avatarUrl: String should have at most 2048 characters'],
    ['country', 'XX', country],
    ['country', 'DEU', country],
    ['timezone', 'Mars/Olympus', zone],
    ['timezone', '+02:00', zone],
    ['tags', ['x'.repeat(65)], 'tags.0: String should have at most 64 characters'],
    ['tags', Array.from({ length: 51 }, (_, index) => `t${index}`), 'tags: List should have at most 50 items after validation, not 51'],
    ['ownerUserId', 'a stranger', 'ownerUserId: Value error, no member of the organization has this id'],
    ['custom', { nothing: 1 }, 'custom.nothing: Extra inputs are not permitted'],
  ]
  for (const [field, given, problem] of cases)
    test(`${field} ${JSON.stringify(given).slice(0, 60)}`, async () => expect(await refused({ [field]: given })).toEqual([problem]))

  test('are reported all at once', async () => {
    const error = await on.error(create, {
      input: { email: 'x', phone: 'y', country: 'zz', tags: ['ok', 'x'.repeat(65)], custom: { a: 1, b: 2 } },
    })

    expect(problemsOf(error).map(problem => problem.split(':')[0])).toEqual(['email', 'phone', 'country', 'tags.1', 'custom.a', 'custom.b'])
    expect(error).toMatchObject({ code: 'INVALID', status: 422 })
    expect(error.problems[0]).toEqual({
      path: ['email'],
      type: 'value_error',
      message: 'Value error, it is not a valid email address',
      input: 'x',
      context: { error: 'it is not a valid email address' },
    })
  })

  test('hostile texts are validated quickly', async () => {
    const hostile = [
      'a'.repeat(60_000),
      `${'a.'.repeat(30_000)}@`,
      `${'-'.repeat(60_000)}.x`,
      ' '.repeat(60_000),
      '+'.repeat(60_000),
      `a@${'a-'.repeat(30_000)}`,
    ]
    const started = performance.now()

    for (const text of hostile)
      await on.ask(create, {
        input: { email: text, phone: text, companyDomain: text, linkedinUrl: text, timezone: text, country: text, tags: [text] },
      })

    expect(performance.now() - started).toBeLessThan(3000)
  })
})

test('any text as a name is either refused with a message or stored trimmed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 250 }), async name => {
      const body = await on.ask('mutation ($input: CreateContactInput!) { createContact(input: $input) { firstName fullName } }', {
        input: { firstName: name },
      })

      if (body.errors) expect(body.errors[0].extensions.code).toBe('INVALID')
      else expect(body.data.createContact).toEqual({ firstName: name.trim() || null, fullName: name.trim() || null })
    }),
    { numRuns: 60 },
  )
})
