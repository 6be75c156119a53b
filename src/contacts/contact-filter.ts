// Filters of lists of contacts, as conditions of SQL.

import { invalid } from '../errors.ts'
import { equals, type FilterValue, filterValue } from '../filter-values.ts'
import { emailKey } from './contact.sql.ts'
import { searchable } from './contact-change.ts'
import type { ContactSource, LifecycleStage } from './contact-row.ts'
import { at, Failed, phone, type Read, text, time } from './contact-value.ts'

export interface ContactFilter {
  q?: string | null
  email?: string | null
  phone?: string | null
  lifecycleStage?: LifecycleStage | null
  lifecycleStageIn?: readonly LifecycleStage[] | null
  source?: ContactSource | null
  sourceIn?: readonly ContactSource[] | null
  tag?: string | null
  tagIn?: readonly string[] | null
  ownerUserId?: string | null
  ownerUserIdIn?: readonly string[] | null
  createdSince?: Date | null
  updatedSince?: Date | null
  includeDeleted?: boolean | null
}

/** One condition that must hold. `sql` is given the number of its value, and the value. */
export interface Condition {
  name: Exclude<Name, `${string}In`>
  value: FilterValue
  sql(parameter: string, value: FilterValue): string
}

type Name = Exclude<keyof ContactFilter, 'includeDeleted'>
type Filtered = { [Each in Name]: (given: NonNullable<ContactFilter[Each]>) => Condition[] | Failed }

// 8: more words do not narrow a search any further.
const mostWords = 8

/** Reads the text of a filter. One that no contact can have finds none, so only what the database cannot take is refused. */
function filtered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql']) {
  return (given: string): Condition[] | Failed => {
    const value = read(given)
    return value instanceof Failed ? value : [{ name, value: value ?? '', sql }]
  }
}

/** The same for any of several values. Of one, the condition is that of the filter for one: cursors are good for both. */
function anyFiltered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql']) {
  return (given: readonly string[]): Condition[] | Failed => {
    const values = given.map(read)
    const failed = values.flatMap((value, index) =>
      value instanceof Failed ? value.faults.map(fault => ({ ...fault, path: [index, ...fault.path] })) : [],
    )
    if (failed.length > 0) return new Failed(failed)
    const value = filterValue(
      `${name}In`,
      values.flatMap(one => (one instanceof Failed ? [] : [one ?? ''])),
    )
    return [{ name, value, sql }]
  }
}

const word = (given: string) => given
// The second half says what the index of tags leaves out.
const tagged = (parameter: string, value: FilterValue) =>
  `tags ${typeof value === 'string' ? `@> array[${parameter}]` : `&& ${parameter}`} and tags <> '{}'`

const conditions: Filtered = {
  q(given) {
    const words = text(1000)(given)
    if (words instanceof Failed) return words
    const patterns = searchable(words ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, mostWords)
    return patterns.map(word => ({
      name: 'q',
      value: `%${word.replace(/[\\%_]/g, '\\$&')}%`,
      sql: parameter => `search_text like ${parameter}`,
    }))
  },
  email: filtered('email', text(1000), parameter => `${emailKey} = lower(${parameter})`),
  phone: filtered(
    'phone',
    given => {
      const read = phone(given)
      return read instanceof Failed ? text(1000)(given) : read
    },
    equals('phone'),
  ),
  lifecycleStage: filtered('lifecycleStage', word, equals('lifecycle_stage')),
  lifecycleStageIn: anyFiltered('lifecycleStage', word, equals('lifecycle_stage')),
  source: filtered('source', word, equals('source')),
  sourceIn: anyFiltered('source', word, equals('source')),
  tag: filtered('tag', text(1000), tagged),
  tagIn: anyFiltered('tag', text(1000), tagged),
  ownerUserId: filtered('ownerUserId', text(1000), equals('owner_user_id')),
  ownerUserIdIn: anyFiltered('ownerUserId', text(1000), equals('owner_user_id')),
  createdSince: given => since('createdSince', 'created_at', given),
  updatedSince: given => since('updatedSince', 'updated_at', given),
}

function since(name: Condition['name'], column: string, given: Date): Condition[] | Failed {
  const value = time(given)
  return value instanceof Failed ? value : [{ name, value, sql: parameter => `${column} >= ${parameter}::timestamptz` }]
}

/** The conditions of a filter, in an order of their own. Throws INVALID for texts that could not be compared. */
export function conditionsOf(filter: ContactFilter): Condition[] {
  const names = Object.keys(conditions) as Name[]
  const read = names.map(name => {
    const given = filter[name]
    return given === null || given === undefined ? [] : (conditions[name] as (given: unknown) => Condition[] | Failed)(given)
  })
  const problems = read.flatMap((result, index) => (result instanceof Failed ? at(names[index] ?? '', result) : []))
  if (problems.length > 0) throw invalid(problems)
  return read.flatMap(result => (result instanceof Failed ? [] : result))
}
