// Table definitions: the selections, rows and values that are derived from one.

import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  attachment,
  bigint,
  integer,
  jsonb,
  object,
  type RowOf,
  rows,
  table,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../src/database/table.ts'

const people = table('people', {
  id: uuid,
  firstName: text.orNull(),
  stage: text.as<'lead' | 'customer'>().usually('lead'),
  tags: textArray.usually([]),
  custom: jsonb.as<Record<string, unknown>>().usually({}),
  charged: bigint
    .converted(
      micro => micro / 1_000_000,
      (credits: number) => credits * 1_000_000,
    )
    .orNull(),
  createdBy: object({ type: text, id: text.orNull() }),
  decidedBy: object({ type: text, id: text.orNull() }).orNull(),
  target: object({ id: text, app: text.named('host_app') }),
  lines: integer.computed(of => `jsonb_array_length(${of}transcript)`),
  searchText: text.writeOnly(),
  friend: attachment<{ id: string }>(),
  createdAt: timestamptz,
  updatedAt: timestamptz.usuallySameAs('createdAt'),
})
type Person = RowOf<typeof people>

const person = {
  id: 'a',
  firstName: null,
  stage: 'customer' as const,
  tags: ['x'],
  custom: { k: 1 },
  charged: 2,
  createdBy: { type: 'user', id: null },
  decidedBy: null,
  target: { id: 't', app: 'crm' },
  searchText: 'words',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
// Cells as the driver returns them.
const cells = (...of: unknown[]) => of as never[]

describe('a selection', () => {
  test('has a column for each property, named in snake case unless it has another name', () => {
    expect(people.select(['id', 'firstName', 'createdBy', 'target']).sql).toBe(
      'id, first_name, created_by_type, created_by_id, target_id, host_app',
    )
    expect(people.all.sql).not.toContain('search_text')
  })

  test('names the table where the statement has several', () => {
    expect(people.select(['firstName', 'lines']).of('p')).toBe('p.first_name, jsonb_array_length(p.transcript) as lines')
  })

  test('builds rows that have its properties and no others, in their types too', () => {
    const few = people.select(['createdBy', 'id'])
    expect(few.row(cells('a', 'user', null))).toEqual({ id: 'a', createdBy: { type: 'user', id: null } })
    expectTypeOf(few.row).returns.toEqualTypeOf<Pick<Person, 'id' | 'createdBy'>>()
    expectTypeOf<Person['stage']>().toEqualTypeOf<'lead' | 'customer'>()
    expectTypeOf<Person>().not.toHaveProperty('searchText')
  })

  test('converts values, but not null', () => {
    const charged = people.select(['charged'])
    expect([charged.row(cells(2_500_000)), charged.row(cells(null))]).toEqual([{ charged: 2.5 }, { charged: null }])
  })

  test('gives null for an object whose first column is null', () => {
    const decided = people.select(['decidedBy'])
    expect(decided.row(cells(null, 'x'))).toEqual({ decidedBy: null })
    expect(decided.row(cells('user', 'x'))).toEqual({ decidedBy: { type: 'user', id: 'x' } })
  })

  test('leaves attached properties undefined', () => {
    expect(people.select(['id', 'friend']).row(cells('a'))).toStrictEqual({ id: 'a', friend: undefined })
  })

  test('reads usual values as null for pages, except in columns that are sorted by', () => {
    const page = people.select(['stage', 'tags', 'createdAt', 'updatedAt'])
    expect(page.sparse()).toBe(
      "nullif(stage, 'lead') as stage, nullif(tags, '{}') as tags, created_at, nullif(updated_at, created_at) as updated_at",
    )
    expect(page.sparse('updated_at')).toMatch(/, created_at, updated_at$/)
    expect(page.row(cells(null, null, 'then', null))).toEqual({ stage: 'lead', tags: [], createdAt: 'then', updatedAt: 'then' })
    expect(people.select(['updatedAt']).sparse()).toBe('updated_at')
  })

  test('gives each row a list of its own', () => {
    const { row } = people.select(['tags'])
    expect(row(cells(null)).tags).not.toBe(row(cells(null)).tags)
  })

  test('has one key for the same properties, in whatever order they are named', () => {
    expect(people.select(['id', 'stage']).key).toBe(people.select(['stage', 'id']).key)
    expect(people.select(['id']).key).not.toBe(people.select(['stage']).key)
  })

  test('of some properties never has the key of all: a prepared statement is cached under it', () => {
    // Bits 0, 3, 5, 7, 8, 10, 12 and 13 are `all` in base 36.
    const fourteen = table('fourteen', Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`p${index}`, text])))
    expect(fourteen.select(['p0', 'p3', 'p5', 'p7', 'p8', 'p10', 'p12', 'p13']).key).toBe('all')
    expect(fourteen.all.key).not.toMatch(/^[0-9a-z]+$/)
  })

  test('of a request is one of at most 32, and all properties after that', () => {
    const names = ['id', 'firstName', 'stage', 'tags', 'custom', 'charged'] as const
    const subsets = Array.from({ length: 33 }, (_, bits) => names.filter((_, index) => bits & (1 << index)))
    const selections = subsets.map(subset => people.selectAsked([], subset))
    expect(selections.slice(0, 32).map(({ key }) => key)).toEqual(subsets.slice(0, 32).map(subset => people.select(subset).key))
    expect(selections[32]).toBe(people.all)
    expect(people.selectAsked([], subsets[5] ?? [])).toBe(selections[5])
  })
})

describe('values', () => {
  const values = people.values(['id', 'firstName', 'tags', 'custom', 'charged', 'decidedBy', 'target', 'searchText'])

  test('stand in the order of the columns', () => {
    expect(values.columns).toBe('id, first_name, tags, custom, charged, decided_by_type, decided_by_id, target_id, host_app, search_text')
    expect(values.of(person)).toEqual(['a', null, ['x'], '{"k":1}', 2_000_000, null, null, 't', 'crm', 'words'])
    expect(values.of({ ...person, charged: null })[4]).toBe(null)
  })

  test('have parameters and assignments from any number on', () => {
    const two = people.values(['firstName', 'charged'])
    expect([two.count, two.parameters(), two.assignments(3)]).toEqual([2, '$1, $2', 'first_name = $3, charged = $4'])
  })

  test('as a record for JSON omit null, and contain JSON unserialized', () => {
    expect(values.record(person)).toEqual({
      id: 'a',
      tags: ['x'],
      custom: { k: 1 },
      charged: 2_000_000,
      target_id: 't',
      host_app: 'crm',
      search_text: 'words',
    })
    expect(people.values(['id', 'custom']).definitions).toBe('id uuid, custom jsonb')
  })

  test('come from every property that can be written, unless some are named', () => {
    expect(people.values().columns).toBe(
      'id, first_name, stage, tags, custom, charged, created_by_type, created_by_id, decided_by_type, decided_by_id, target_id, host_app, search_text, created_at, updated_at',
    )
  })

  test('cannot come from computed columns', () => {
    // The type refuses it, which this line tests: the compiler reports an unused directive.
    // @ts-expect-error `lines` is read only.
    expect(() => people.values(['lines'])).not.toThrow()
  })
})

test('rows of a statement without a table are described by columns too', () => {
  const counted = rows({ orgId: uuid, total: bigint })
  expect(counted.described).toEqual([
    { name: 'org_id', type: 'uuid' },
    { name: 'total', type: 'bigint' },
  ])
  expect(counted.row(cells('o', 3))).toEqual({ orgId: 'o', total: 3 })
  expectTypeOf(counted.row).returns.toEqualTypeOf<{ orgId: string; total: number }>()
})
