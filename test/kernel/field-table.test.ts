// Field tables: what a declared field reads, defaults to and refuses.

import { describe, expect, test } from 'vitest'
import { boolean, text as column } from '../../src/database/table.ts'
import { enumeration } from '../../src/kernel/fields/enumeration.ts'
import { asGiven, columnsOf, emptyOf, field, fieldTable, moment, neededWords, readFields, words } from '../../src/kernel/fields/table.ts'
import { Invalid } from '../../src/kernel/input/problem.ts'

const colors = enumeration('Color', 'A color.', { red: 'Red.', blue: 'Blue.' })
const fields = fieldTable({
  title: neededWords(5, 'A title.'),
  note: words(5, 'A note.'),
  color: field(column.as<'red' | 'blue'>(), { type: colors, read: asGiven, is: 'A color.' }),
  done: field(boolean, { type: 'Boolean', read: asGiven, is: 'Whether it is done.', default: false }),
  at: moment('A time.'),
})

describe('readFields', () => {
  test('reads the given fields as they are stored, and leaves out the absent ones', () => {
    const read = readFields(fields, { title: ' Hi ', note: '  ', color: 'red', at: new Date(0) })

    expect(read).toEqual({ fields: { title: 'Hi', note: null, color: 'red', at: '1970-01-01T00:00:00.000Z' }, problems: [] })
  })

  test('null clears a field to null or to its default, and is a problem of a field that has neither', () => {
    const { fields: read, problems } = readFields(fields, { title: null, note: null, color: null, done: null, at: null })

    expect(read).toEqual({ note: null, done: false, at: null })
    expect(problems.map(({ path, type }) => [path, type])).toEqual([
      [['title'], 'string_too_short'],
      [['color'], 'enum'],
    ])
  })

  test('has the problems of all fields', () => {
    const { problems } = readFields(fields, { title: '   ', note: 'too long' })

    expect(problems.map(({ path, message }) => [path, message])).toEqual([
      [['title'], 'String should have at least 1 character'],
      [['note'], 'String should have at most 5 characters'],
    ])
  })
})

test('columns, defaults and bounds follow from the table', () => {
  const { title, color, ...others } = emptyOf(fields)

  expect(Object.entries(columnsOf(fields)).map(([name, { type, options }]) => [name, type, options.isNullable ?? false])).toEqual([
    ['title', 'text', false],
    ['note', 'text', true],
    ['color', 'text', false],
    ['done', 'boolean', false],
    ['at', 'timestamptz', true],
  ])
  expect([title, color].every(value => value instanceof Invalid)).toBe(true)
  expect(others).toEqual({ note: null, done: false, at: null })
  expect(fields.title.read.maxLength).toBe(5)
})
