// Readers of filters: each validates a member of a filter, and makes the conditions of a list from it.

import { invalid } from '../errors.ts'
import { type Read, text, time } from '../input/fields.ts'
import { at, Invalid } from '../input/problem.ts'
import { searchable } from '../search/fold.ts'
import { literal } from '../search/words.ts'
import { type Condition, filterValue } from './filter-values.ts'

/** A reader for each member of a filter. */
export type FilterReaders<Filter> = {
  readonly [Name in keyof Filter]-?: (given: NonNullable<Filter[Name]>) => Condition[] | Invalid
}

/** The conditions of a filter, always in the order of `readers`. Throws INVALID for values that PostgreSQL cannot compare. */
export function readFilter<Filter extends object>(readers: FilterReaders<Filter>, filter: Filter): Condition[] {
  const names = Object.keys(readers) as (keyof Filter & string)[]
  const read = names.map(name => {
    const given = filter[name]
    return given === null || given === undefined ? [] : (readers[name] as (given: unknown) => Condition[] | Invalid)(given)
  })
  const problems = read.flatMap((result, index) => (result instanceof Invalid ? at(names[index] ?? '', result) : []))
  if (problems.length > 0) throw invalid(problems)
  return read.flatMap(result => (result instanceof Invalid ? [] : result))
}

/** Makes the reader of a text filter. A value that no row can have matches none; only text that PostgreSQL cannot store is INVALID. */
export function filtered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql']) {
  return (given: string): Condition[] | Invalid => {
    const value = read(given)
    return value instanceof Invalid ? value : [{ name, value: value ?? '', sql }]
  }
}

/**
 * The reader of an `...In` filter. A single value makes the same condition as the filter for one value, so cursors of both are
 * interchangeable.
 */
export function anyFiltered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql'], field = `${name}In`) {
  return (given: readonly string[]): Condition[] | Invalid => {
    const values = given.map(read)
    const problems = values.flatMap((value, index) => (value instanceof Invalid ? at(index, value) : []))
    if (problems.length > 0) return new Invalid(problems)
    const value = filterValue(
      field,
      values.flatMap(one => (one instanceof Invalid ? [] : [one ?? ''])),
    )
    return [{ name, value, sql }]
  }
}

/**
 * The reader of a `...Contains` filter: any of the texts stands somewhere in the column, without regard to case and accents. `candidates`: a
 * column with an index that holds the folded value among others.
 */
export function partly(name: string, column: string, candidates?: string) {
  const patterns = (texts: readonly string[]) => texts.map(part => `%${literal(searchable(part))}%`)
  return (given: readonly string[]): Condition[] | Invalid => {
    const values = given.map(text(1000))
    const problems = values.flatMap((value, index) => (value instanceof Invalid ? at(index, value) : []))
    if (problems.length > 0) return new Invalid(problems)
    const parts = [
      filterValue(
        name,
        values.filter(value => typeof value === 'string'),
      ),
    ].flat()
    const likely = candidates === undefined ? '' : `${candidates} like any($::text[]) and `
    const sql = `${likely}search_fold(${column}) like any($::text[])`
    return [{ name, value: [...new Set(patterns(parts))], sql: parameter => sql.replaceAll('$', () => parameter) }]
  }
}

/** The reader of a filter that bounds a time. */
export function compared(name: string, column: string, operator: '>=' | '<') {
  return (given: Date): Condition[] | Invalid => {
    const value = time(given)
    return value instanceof Invalid ? value : [{ name, value, sql: parameter => `${column} ${operator} ${parameter}::timestamptz` }]
  }
}

/** The readers of `empty` and `notEmpty`. `columns`: the column of each field. Lists are empty without items. */
export function emptinessFilters<Field extends string>(columns: Readonly<Record<Field, string>>) {
  const of = (isEmpty: boolean) => (given: readonly Field[]) => [...new Set(given)].map(field => emptiness(columns[field], isEmpty))
  return { empty: of(true), notEmpty: of(false) }
}

const lists: ReadonlySet<string> = new Set(['tags', 'domains'])
function emptiness(column: string, isEmpty: boolean): Condition {
  const sql = lists.has(column) ? `(${column} = '{}') = ` : `(${column} is null) = `
  return { name: `empty ${column}`, value: String(isEmpty), sql: parameter => `${sql}${parameter}::boolean` }
}
