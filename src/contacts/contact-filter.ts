// Filters of lists of contacts, as conditions of SQL.

import { invalid } from '../errors.ts'
import { emailKey } from './contact.sql.ts'
import { searchable } from './contact-change.ts'
import type { ContactSource, LifecycleStage } from './contact-row.ts'
import { at, Failed, phone, type Read, text, time } from './contact-value.ts'

export interface ContactFilter {
  q?: string | null
  email?: string | null
  phone?: string | null
  lifecycleStage?: LifecycleStage | null
  source?: ContactSource | null
  tag?: string | null
  ownerUserId?: string | null
  createdSince?: Date | null
  updatedSince?: Date | null
  includeDeleted?: boolean | null
}

/** One condition that must hold. `sql` is given the number of its value. */
export interface Condition {
  name: Exclude<keyof ContactFilter, 'includeDeleted'>
  value: string
  sql(parameter: string): string
}

type Filtered = { [Name in Condition['name']]: (given: NonNullable<ContactFilter[Name]>) => Condition[] | Failed }

// 8: more words do not narrow a search any further.
const mostWords = 8
const equal = (column: string) => (parameter: string) => `${column} = ${parameter}`

/** Reads the text of a filter. One that no contact can have finds none, so only what the database cannot take is refused. */
function filtered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql']) {
  return (given: string): Condition[] | Failed => {
    const value = read(given)
    return value instanceof Failed ? value : [{ name, value: value ?? '', sql }]
  }
}

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
    equal('phone'),
  ),
  lifecycleStage: given => [{ name: 'lifecycleStage', value: given, sql: equal('lifecycle_stage') }],
  source: given => [{ name: 'source', value: given, sql: equal('source') }],
  // The second half says what the index of tags leaves out.
  tag: filtered('tag', text(1000), parameter => `tags @> array[${parameter}] and tags <> '{}'`),
  ownerUserId: filtered('ownerUserId', text(1000), equal('owner_user_id')),
  createdSince: given => since('createdSince', 'created_at', given),
  updatedSince: given => since('updatedSince', 'updated_at', given),
}

function since(name: Condition['name'], column: string, given: Date): Condition[] | Failed {
  const value = time(given)
  return value instanceof Failed ? value : [{ name, value, sql: parameter => `${column} >= ${parameter}::timestamptz` }]
}

/** The conditions of a filter, in an order of their own. Throws INVALID for texts that could not be compared. */
export function conditionsOf(filter: ContactFilter): Condition[] {
  const names = Object.keys(conditions) as Condition['name'][]
  const read = names.map(name => {
    const given = filter[name]
    return given === null || given === undefined ? [] : (conditions[name] as (given: unknown) => Condition[] | Failed)(given)
  })
  const problems = read.flatMap((result, index) => (result instanceof Failed ? at(names[index] ?? '', result) : []))
  if (problems.length > 0) throw invalid(problems)
  return read.flatMap(result => (result instanceof Failed ? [] : result))
}
