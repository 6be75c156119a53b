// Filters of lists of contacts, translated to SQL conditions.

import { invalid } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { type Read, text, time } from '../../../kernel/input/fields.ts'
import { at, Invalid } from '../../../kernel/input/problem.ts'
import { type Condition, equals, type FilterValue, filterValue } from '../../../kernel/lists/filter-values.ts'
import { searchable, withoutUmlauts } from '../../../kernel/search/fold.ts'
import { phoneKey } from '../../../kernel/search/numbers.ts'
import { literal, spellingsOf, wordsOf } from '../../../kernel/search/words.ts'
import { emailKey, phoneKeyOf } from '../contact.sql.ts'
import { email } from '../fields.ts'
import { internationalNumber, isCallable } from '../phone.ts'
import { type ContactSource, type EmptiableField, emptiableColumns, type LifecycleStage } from '../row.ts'
import { type CustomFieldFilter, customConditions } from './custom-filter.ts'

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
  tagAll?: readonly string[] | null
  companyNameIn?: readonly string[] | null
  companyNameContains?: readonly string[] | null
  companyDomainIn?: readonly string[] | null
  companyDomainContains?: readonly string[] | null
  countryIn?: readonly string[] | null
  cityIn?: readonly string[] | null
  cityContains?: readonly string[] | null
  externalIdIn?: readonly string[] | null
  importId?: string | null
  doNotCall?: boolean | null
  createdSince?: Date | null
  createdUntil?: Date | null
  updatedSince?: Date | null
  updatedUntil?: Date | null
  lastContactedSince?: Date | null
  lastContactedUntil?: Date | null
  empty?: readonly EmptiableField[] | null
  notEmpty?: readonly EmptiableField[] | null
  custom?: readonly CustomFieldFilter[] | null
  includeDeleted?: boolean | null
  onlyDeleted?: boolean | null
}

/** Which rows a list is made of. `deleted` leaves out contacts that were merged into another: they come back by undoing the merge. */
export type Kind = 'live' | 'deleted' | 'all'

export const kindOf = (filter: ContactFilter | null | undefined): Kind =>
  filter?.onlyDeleted ? 'deleted' : filter?.includeDeleted ? 'all' : 'live'

// A subquery for each row, so that a page is read from the index of deleted contacts, with a look at the index of merges for each row: a join
// could read the merges of all organizations first.
const merge = '(select id from contact_merges where loser_id = contacts.id and undone_at is null limit 1)'
/** SQL: ` and` before the condition on rows of `contacts`; empty for all. */
export const kindSql: Readonly<Record<Kind, string>> = {
  live: ' and deleted_at is null',
  deleted: ` and deleted_at is not null and ${merge} is null`,
  all: '',
}

type Name = Exclude<keyof ContactFilter, 'includeDeleted' | 'onlyDeleted'>
type Filtered = { [Each in Name]: (given: NonNullable<ContactFilter[Each]>) => Condition[] | Invalid }

/** Makes the reader of a text filter. A value that no contact can have matches none; only text that PostgreSQL cannot store is INVALID. */
function filtered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql']) {
  return (given: string): Condition[] | Invalid => {
    const value = read(given)
    return value instanceof Invalid ? value : [{ name, value: value ?? '', sql }]
  }
}

/**
 * The reader of an `...In` filter. A single value makes the same condition as the filter for one value, so cursors of both are
 * interchangeable.
 */
function anyFiltered(name: Condition['name'], read: Read<string, string | null>, sql: Condition['sql'], field = `${name}In`) {
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
function partly(name: string, column: string, candidates?: string) {
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

const isShortName = (word: string) => /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]{1,2}$/u.test(word)
const bareNumber = (given: string) => given.replace(/[\s()./-]/g, '')
const word = (given: string) => given
const noId = '00000000-0000-0000-0000-000000000000'
const importedBy = (parameter: string) => `id in (select contact_id from contact_import_contacts where import_id = ${parameter}::uuid)`
// The second condition lets PostgreSQL use the partial index on tags.
const tagged = (parameter: string, value: FilterValue) =>
  `tags ${typeof value === 'string' ? `@> array[${parameter}]` : `&& ${parameter}`} and tags <> '{}'`

const conditions: Filtered = {
  q(given) {
    const words = text(1000)(given)
    if (words instanceof Invalid) return words
    // Mueller is found by Müller, too.
    const written = wordsOf(withoutUmlauts(words ?? ''))
    return wordsOf(words ?? '').map((word, index): Condition => {
      // The index has trigrams. A given name of two characters begins a word of the search text, and so has two of them.
      if (isShortName(word)) return { name: 'q', value: `(^| )${word}`, sql: parameter => `search_text ~ ${parameter}` }
      const spellings = new Set([word, written[index] ?? word].flatMap(spellingsOf))
      const [pattern = '', ...others] = [...spellings].map(one => `%${literal(one)}%`)
      if (others.length === 0) return { name: 'q', value: pattern, sql: parameter => `search_text like ${parameter}` }
      return { name: 'q', value: [pattern, ...others], sql: parameter => `search_text like any(${parameter}::text[])` }
    })
  },
  email: filtered(
    'email',
    given => {
      // An address whose domain has other letters is stored in ASCII.
      const read = email(given)
      return read instanceof Invalid ? text(1000)(given) : read
    },
    parameter => `${emailKey} = lower(${parameter})`,
  ),
  phone(given) {
    const read = text(1000)(given)
    if (read instanceof Invalid) return read
    // 49 171 1234567, without its +.
    const abroad = /^[1-9]\d{9,14}$/.test(bareNumber(read ?? '')) ? internationalNumber(`+${bareNumber(read ?? '')}`, null) : null
    if (abroad)
      return [{ name: 'phone keys', value: [phoneKey(read ?? '') ?? '', phoneKey(abroad.number) ?? ''], sql: equals(phoneKeyOf()) }]
    const key: Condition = { name: 'phone', value: phoneKey(read ?? '') ?? '', sql: parameter => `${phoneKeyOf()} = ${parameter}` }
    const number = internationalNumber(read ?? '', null)?.number ?? (isCallable(read ?? '') ? read : null)
    // Two international numbers are the same only if they are equal.
    const equal: Condition = {
      name: 'phone number',
      value: number ?? '',
      sql: parameter => `(phone = ${parameter} or phone not like '+%')`,
    }
    return number === null ? [key] : [key, equal]
  },
  lifecycleStage: filtered('lifecycleStage', word, equals('lifecycle_stage')),
  lifecycleStageIn: anyFiltered('lifecycleStage', word, equals('lifecycle_stage')),
  source: filtered('source', word, equals('source')),
  sourceIn: anyFiltered('source', word, equals('source')),
  tag: filtered('tag', text(1000), tagged),
  tagIn: anyFiltered('tag', text(1000), tagged),
  ownerUserId: filtered('ownerUserId', text(1000), equals('owner_user_id')),
  ownerUserIdIn: anyFiltered('ownerUserId', text(1000), equals('owner_user_id')),
  tagAll(given) {
    const values = anyFiltered('tagAll', text(1000), parameter => `tags @> ${parameter} and tags <> '{}'`, 'tagAll')(given)
    // A single value becomes a list, because tags are compared as a list.
    return values instanceof Invalid ? values : values.map(one => ({ ...one, value: [one.value].flat() }))
  },
  companyNameIn: anyFiltered('companyName', text(1000), equals('company_name')),
  companyNameContains: partly('companyNameContains', 'company_name', 'search_text'),
  companyDomainIn: anyFiltered('companyDomain', text(1000), equals('company_domain')),
  companyDomainContains: partly('companyDomainContains', 'company_domain'),
  countryIn: anyFiltered('country', text(1000), equals('country')),
  cityIn: anyFiltered('city', text(1000), equals('city')),
  cityContains: partly('cityContains', 'city'),
  externalIdIn: anyFiltered('externalId', text(1000), equals('external_id')),
  // An id that no import can have matches none.
  importId: given => [{ name: 'importId', value: isId(given) ? given : noId, sql: importedBy }],
  doNotCall: given => [{ name: 'doNotCall', value: String(given), sql: parameter => `do_not_call = ${parameter}::boolean` }],
  createdSince: compared('createdSince', 'created_at', '>='),
  createdUntil: compared('createdUntil', 'created_at', '<'),
  updatedSince: compared('updatedSince', 'updated_at', '>='),
  updatedUntil: compared('updatedUntil', 'updated_at', '<'),
  lastContactedSince: compared('lastContactedSince', 'last_contacted_at', '>='),
  lastContactedUntil: compared('lastContactedUntil', 'last_contacted_at', '<'),
  empty: given => [...new Set(given)].map(field => emptiness(field, true)),
  notEmpty: given => [...new Set(given)].map(field => emptiness(field, false)),
  custom: customConditions,
}

function compared(name: string, column: string, operator: '>=' | '<') {
  return (given: Date): Condition[] | Invalid => {
    const value = time(given)
    return value instanceof Invalid ? value : [{ name, value, sql: parameter => `${column} ${operator} ${parameter}::timestamptz` }]
  }
}

function emptiness(field: EmptiableField, isEmpty: boolean): Condition {
  const column = emptiableColumns[field]
  const sql = column === 'tags' ? `(tags = '{}') = ` : `(${column} is null) = `
  return { name: `empty ${column}`, value: String(isEmpty), sql: parameter => `${sql}${parameter}::boolean` }
}

/** The conditions of a filter, always in the order of `conditions`. Throws INVALID for values that PostgreSQL cannot compare. */
export function conditionsOf(filter: ContactFilter): Condition[] {
  const names = Object.keys(conditions) as Name[]
  const read = names.map(name => {
    const given = filter[name]
    return given === null || given === undefined ? [] : (conditions[name] as (given: unknown) => Condition[] | Invalid)(given)
  })
  const problems = read.flatMap((result, index) => (result instanceof Invalid ? at(names[index] ?? '', result) : []))
  if (problems.length > 0) throw invalid(problems)
  return read.flatMap(result => (result instanceof Invalid ? [] : result))
}
