// Saved views: the conditions that the filters of a list cannot show are kept, and the documents read all conditions.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildSchema, GraphQLInputObjectType, GraphQLObjectType, parse, type SelectionSetNode } from 'graphql'
import { describe, expect, test } from 'vitest'
import { conditionText } from '../../src/web/saved-views/condition-text.ts'
import type { View, ViewKind } from '../../src/web/saved-views/kind.ts'
import { besideOf, definitionOf, filterIn, isChanged } from '../../src/web/saved-views/view.ts'

const root = path.join(import.meta.dirname, '../..')
const schema = buildSchema(readFileSync(path.join(root, 'schema/schema.graphql'), 'utf8'))

interface Search {
  q?: string | undefined
  tag?: string[] | undefined
}
interface Filter {
  q?: string | undefined
  tag?: string
  tagIn?: string[] | undefined
}
// A list that filters by a text and by tags alone.
const kind = {
  nameColumn: 'name',
  conditionsOf: (contacts: object) => ({ contacts }),
  filterOf: ({ q, tag }: Search) => ({ ...(q !== undefined && { q }), ...(tag && { tagIn: tag }) }),
  searchOf: ({ q, tag, tagIn }: Filter): Search => ({ q, tag: tagIn ?? (tag === undefined ? undefined : [tag]) }),
  sortOf: (sort: string | null) => sort ?? undefined,
} as unknown as ViewKind
const viewOf = (conditions: object) => ({ conditions, columns: [], sort: null }) as unknown as View

test('conditions that the filters cannot show stay in a view that is saved again', () => {
  const view = viewOf({
    __typename: 'ContactConditions',
    q: 'ada',
    tag: 'vip',
    phone: '+491',
    createdSince: null,
    custom: [{ key: 'plan', in: ['gold'] }],
  })
  const beside = besideOf(kind, view)
  const state = { search: { q: 'bob', tag: ['vip'] }, beside, sort: undefined, columns: [] }

  // One tag is shown as several tags.
  expect(beside).toEqual({ phone: '+491', custom: [{ key: 'plan', in: ['gold'] }] })
  expect(isChanged(kind, view, state)).toBe(true)
  expect(isChanged(kind, view, { ...state, search: { q: 'ada', tag: ['vip'] } })).toBe(false)
  expect(isChanged(kind, view, { ...state, search: { q: 'ada', tag: ['vip'] }, beside: {} })).toBe(true)
  expect(definitionOf(kind, state).conditions).toEqual({
    contacts: { q: 'bob', tagIn: ['vip'], phone: '+491', custom: [{ key: 'plan', in: ['gold'] }] },
  })
  expect(filterIn(view)).toEqual({ q: 'ada', tag: 'vip', phone: '+491', custom: [{ key: 'plan', in: ['gold'] }] })
})

test('a tag beside several tags is a condition of its own', () => {
  expect(besideOf(kind, viewOf({ tag: 'vip', tagIn: ['a', 'b'] }))).toEqual({ tag: 'vip' })
})

describe.each([
  ['ContactConditions', 'ContactFilter', 'src/web/contacts/views.graphql'],
  ['CompanyConditions', 'CompanyFilter', 'src/web/companies/views.graphql'],
  ['DealConditions', 'DealFilter', 'src/web/deal-record/views/views.graphql'],
])('%s', (type, input, file) => {
  const found = schema.getType(type)
  const filter = schema.getType(input)
  const names = found instanceof GraphQLObjectType ? Object.keys(found.getFields()) : []

  test('is read with all of its conditions: one that is not read would be lost by a save', () => {
    const read = parse(readFileSync(path.join(root, file), 'utf8')).definitions.flatMap(one =>
      one.kind === 'FragmentDefinition' && one.typeCondition.name.value === type ? namesIn(one.selectionSet) : [],
    )

    expect(names.length).toBeGreaterThan(20)
    expect(read.toSorted()).toEqual(names.toSorted())
  })

  test('has words for each, without the names of the contract', () => {
    const fields = filter instanceof GraphQLInputObjectType ? filter.getFields() : {}
    for (const name of names) {
      const isList = String(fields[name]?.type).startsWith('[')
      const value =
        name === 'custom' ? [{ key: 'plan', in: ['gold'], min: 2, empty: true }] : /Since|Until/.test(name) ? '2026-03-05' : 'OTHER'
      const { label, text } = conditionText(name, isList && name !== 'custom' ? [value] : value)

      expect([label, text].join(' '), name).not.toMatch(/[a-z][A-Z]|_|undefined|OTHER_|\[object/)
      expect(text, name).not.toBe('')
    }
  })
})

const namesIn = ({ selections }: SelectionSetNode) => selections.flatMap(one => (one.kind === 'Field' ? [one.name.value] : []))

test('conditions in words', () => {
  expect(
    (
      [
        ['employeesMin', 10],
        ['nameContains', 'robot'],
        ['companyIdIn', ['a', 'b']],
        ['createdSince', '2026-03-05T00:00:00.000Z'],
        ['tagAll', ['a', 'b']],
        ['empty', ['EMAIL', 'PHONE']],
        ['includeDeleted', true],
        ['sourceIn', ['IMPORT']],
        ['externalIdIn', ['1', '2', '3', '4', '5']],
        ['custom', [{ key: 'plan', in: ['gold'] }]],
      ] as const
    ).map(([name, value]) => {
      const { label, text } = conditionText(name, value)
      return `${label}: ${text}`
    }),
  ).toEqual([
    'Employees: at least 10',
    'Name: contains robot',
    'Company: one of 2',
    'Added: since Mar 5, 2026',
    'Tags: all of a, b',
    'Without a value in any of: Email, Phone',
    'Deleted: included',
    'Source: Import',
    'External ID: 1, 2, 3 +2',
    'Plan: gold',
  ])
})
