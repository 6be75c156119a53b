// Limits of the cost of a request and of the size of its error, at every door.

import { describe, expect, test } from 'vitest'
import { type Answer, openApp } from '../support/app.ts'
import { conforming } from './conforming.ts'

const contacts = '/api/crm/v1/contacts'
const email = 'bounds@example.com'

const app = await openApp()
const rest = conforming(app)
const key = (await app.given.apiKey()).key
const options = Array.from({ length: 200 }, (_, index) => `${index} ${'o'.repeat(90)}`)
const query = 'mutation ($input: CreateCustomFieldInput!) { createCustomField(input: $input) { key } }'
for (const [name, type] of [
  ['many', 'MULTI_SELECT'],
  ['one', 'SELECT'],
]) {
  const { body } = await app.graphql(query, { input: { key: name, label: 'Options', type, options } }, { key })
  expect(body).toEqual({ data: { createCustomField: { key: name } } })
}

const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, index) => make(index))
const nested = (depth: number, inside: string) => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`
const size = ({ body }: Answer) => JSON.stringify(body).length
const createContact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'

describe('REST', () => {
  const hostile: [string, string][] = [
    ['60,000 wrong options', JSON.stringify({ email, custom: { many: times(60_000, () => 1) } })],
    ['1,000 wrong options', JSON.stringify({ email, custom: { many: times(1000, () => 'x') } })],
    ['200 wrong options of 200', JSON.stringify({ email, custom: { many: times(200, () => 'x') } })],
    ['490,000 tags that are numbers', `{"email":"${email}","tags":[${'1,'.repeat(490_000)}1]}`],
    ['20,000 tags that are numbers', `{"email":"${email}","tags":[${'1,'.repeat(20_000)}1]}`],
    ['900 tags that are numbers', `{"email":"${email}","tags":[${'1,'.repeat(899)}1]}`],
    ['110,000 NULs 180 deep', `{"email":"${email}","custom":{"a":${nested(180, `${'"\\u0000",'.repeat(110_000)}1`)}}}`],
    ['900 NULs 180 deep', `{"email":"${email}","custom":{"a":${nested(180, `${'"\\u0000",'.repeat(899)}1`)}}}`],
    ['20,000 unknown fields', JSON.stringify(Object.fromEntries(times(20_000, index => [`f${index}`, 1])))],
    ['10 unknown fields with names of 60,000', JSON.stringify(Object.fromEntries(times(10, index => [index + 'n'.repeat(60_000), 1])))],
    ['5,000 unknown custom fields', JSON.stringify({ email, custom: Object.fromEntries(times(5000, index => [`f${index}`, 1])) })],
  ]

  test.each(hostile)('422 for %s, in less than 64 kB', async (_what, body) => {
    const answer = await rest('POST', contacts, { key, body })

    expect(answer.status).toBe(422)
    expect(size(answer)).toBeLessThan(64_000)
    expect(answer.body.detail.length).toBeLessThanOrEqual(100)
  })

  test('the last of a hundred entries counts those that are left out', async () => {
    const body = Object.fromEntries(times(900, index => [`f${index}`, index]))

    const answer = await rest('POST', contacts, { key, body: { email, ...body } })

    expect(answer.body.detail).toHaveLength(100)
    expect(answer.body.detail.at(-1)).toEqual({
      loc: ['body'],
      msg: 'Value error, 801 more problems are not listed; correct those that are first',
      type: 'value_error',
      input: null,
      ctx: { error: '801 more problems are not listed; correct those that are first', omitted: 801 },
    })
  })

  test('the error for a wrong option lists the first valid ones and the number of others', async () => {
    const answer = await rest('POST', contacts, { key, body: { email, custom: { one: 'x' } } })

    const [{ loc, ctx }] = answer.body.detail
    expect(loc).toEqual(['body', 'custom', 'one'])
    expect(ctx.expected).toMatch(/^'0 o+', '1 o+', '2 o+', '3 o+' or one of 196 more$/)
  })

  test('a hundred rows with many problems: each reports its first problem, in 64 kB altogether', async () => {
    const row = (index: number) => ({
      email: `row${index}@example.com`,
      custom: Object.fromEntries(times(50, field => [`unknown${field}`, 'x'.repeat(50)])),
    })

    const answer = await rest('POST', `${contacts}/batch`, { key, body: { contacts: times(100, row) } })

    expect([answer.status, answer.body.failed]).toEqual([200, 100])
    expect(answer.body.results.every((result: { error: { problems: unknown[] } }) => result.error.problems.length >= 1)).toBe(true)
    expect(size(answer)).toBeLessThan(64_000)
  })

  test('a list of 200 known options and repeated tags is accepted', async () => {
    const tags = times(120, index => `tag ${index % 40}`)
    const many = times(200, index => `${index} ${'o'.repeat(90)}`)

    const answer = await rest('POST', contacts, { key, body: { email: 'fits@example.com', tags, custom: { many } } })

    expect(answer.status).toBe(201)
    expect([answer.body.tags.length, answer.body.custom.many.length]).toEqual([40, 200])
  })

  test('an unknown parameter of a query a thousand times', async () => {
    const answer = await rest('GET', `${contacts}?${times(1000, index => `u${index}=${index}`).join('&')}`, { key })

    expect([answer.status, answer.body.detail.length]).toEqual([422, 100])
    expect(size(answer)).toBeLessThan(64_000)
  })
})

describe('GraphQL', () => {
  test.each([
    ['60,000 wrong options', { email, custom: { many: times(60_000, () => 1) } }],
    ['200 wrong options of 200', { email, custom: { many: times(200, () => 'x') } }],
    ['20,000 wrong tags', { email, tags: times(20_000, () => 1) }],
    ['900 wrong tags', { email, tags: times(900, () => 'x'.repeat(70)) }],
    ['5,000 unknown custom fields', { email, custom: Object.fromEntries(times(5000, index => [`f${index}`, 1])) }],
    ['900 NULs', { email, custom: { a: times(900, () => '\0') } }],
  ])('%s are refused in less than 64 kB', async (_what, input) => {
    const answer = await app.graphql(createContact, { input }, { key })

    expect(answer.body.errors[0].extensions.code).toBe('INVALID')
    expect(size(answer)).toBeLessThan(64_000)
  })

  test('ten mutations with many problems each are refused in less than 64 kB', async () => {
    const custom = Object.fromEntries(times(150, index => [`unknown${index}`, 'x'.repeat(100)]))
    const calls = times(10, index => `a${index}: createContact(input: $input) { id }`)

    const answer = await app.graphql(`mutation ($input: CreateContactInput!) { ${calls.join(' ')} }`, { input: { email, custom } }, { key })

    expect(answer.body.errors[0].extensions.code).toBe('INVALID')
    expect(size(answer)).toBeLessThan(64_000)
  })
})

test('no unexpected error was logged', () => {
  expect(app.log.filter(line => line.includes('"level":50'))).toEqual([])
})
