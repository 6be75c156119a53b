// Filters of lists of contacts, translated to SQL conditions.

import { comparableId } from '../../../kernel/ids.ts'
import { text } from '../../../kernel/input/fields.ts'
import { Invalid } from '../../../kernel/input/problem.ts'
import {
  anyFiltered,
  compared,
  emptinessFilters,
  type FilterReaders,
  filtered,
  partly,
  readFilter,
} from '../../../kernel/lists/filter-readers.ts'
import { type Condition, equals } from '../../../kernel/lists/filter-values.ts'
import { phoneKey } from '../../../kernel/search/numbers.ts'
import { type CustomFieldFilter, customConditions } from '../../records/list/custom-filter.ts'
import { allTagged, searchedWords, tagged } from '../../records/list/filters.ts'
import { kindSqlOf } from '../../records/list/pages.sql.ts'
import type { ContactSource } from '../../records/source.ts'
import { havingAddress, havingNumber } from '../addresses/address.sql.ts'
import { email } from '../fields.ts'
import { internationalNumber, isCallable } from '../phone.ts'
import { type EmptiableField, emptiableColumns, type LifecycleStage } from '../row.ts'

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
  companyId?: string | null
  companyIdIn?: readonly string[] | null
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

/** SQL: ` and` before the condition on rows of `contacts`; empty for all. */
export const kindSql = kindSqlOf('contacts')

const bareNumber = (given: string) => given.replace(/[\s()./-]/g, '')
const word = (given: string) => given
const among = (phone: string, keys: string) => `phone_key(${phone}) = any(${keys}::text[])`
// Two international numbers are the same only if they are equal.
const equalTo = (phone: string, value: string) =>
  `phone_key(${phone}) = (${value}::text[])[1] and (${phone} = (${value}::text[])[2] or ${phone} not like '+%')`
const importedBy = (parameter: string) => `id in (select contact_id from contact_import_contacts where import_id = ${parameter}::uuid)`

const conditions: FilterReaders<Omit<ContactFilter, 'includeDeleted' | 'onlyDeleted'>> = {
  q: searchedWords,
  email: filtered(
    'email',
    given => {
      // An address whose domain has other letters is stored in ASCII.
      const read = email(given)
      return read instanceof Invalid ? text(1000)(given) : read
    },
    havingAddress,
  ),
  phone(given) {
    const read = text(1000)(given)
    if (read instanceof Invalid) return read
    // 49 171 1234567, without its +.
    const abroad = /^[1-9]\d{9,14}$/.test(bareNumber(read ?? '')) ? internationalNumber(`+${bareNumber(read ?? '')}`, null) : null
    const key = phoneKey(read ?? '') ?? ''
    if (abroad) return [{ name: 'phone keys', value: [key, phoneKey(abroad.number) ?? ''], sql: havingNumber(among) }]
    const number = internationalNumber(read ?? '', null)?.number ?? (isCallable(read ?? '') ? read : null)
    if (number === null) return [{ name: 'phone', value: key, sql: havingNumber((phone, value) => `phone_key(${phone}) = ${value}`) }]
    return [{ name: 'phone number', value: [key, number], sql: havingNumber(equalTo) }]
  },
  lifecycleStage: filtered('lifecycleStage', word, equals('lifecycle_stage')),
  lifecycleStageIn: anyFiltered('lifecycleStage', word, equals('lifecycle_stage')),
  source: filtered('source', word, equals('source')),
  sourceIn: anyFiltered('source', word, equals('source')),
  tag: filtered('tag', text(1000), tagged),
  tagIn: anyFiltered('tag', text(1000), tagged),
  ownerUserId: filtered('ownerUserId', text(1000), equals('owner_user_id')),
  ownerUserIdIn: anyFiltered('ownerUserId', text(1000), equals('owner_user_id')),
  tagAll: allTagged,
  // An id that no company can have matches none.
  companyId: given => [{ name: 'companyId', value: comparableId(given), sql: parameter => `company_id = ${parameter}::uuid` }],
  companyIdIn: anyFiltered('companyId', comparableId, (parameter, value) =>
    typeof value === 'string' ? `company_id = ${parameter}::uuid` : `company_id = any(${parameter}::uuid[])`,
  ),
  companyNameIn: anyFiltered('companyName', text(1000), equals('company_name')),
  companyNameContains: partly('companyNameContains', 'company_name', 'search_text'),
  companyDomainIn: anyFiltered('companyDomain', text(1000), equals('company_domain')),
  companyDomainContains: partly('companyDomainContains', 'company_domain'),
  countryIn: anyFiltered('country', text(1000), equals('country')),
  cityIn: anyFiltered('city', text(1000), equals('city')),
  cityContains: partly('cityContains', 'city'),
  externalIdIn: anyFiltered('externalId', text(1000), equals('external_id')),
  // An id that no import can have matches none.
  importId: given => [{ name: 'importId', value: comparableId(given), sql: importedBy }],
  doNotCall: given => [{ name: 'doNotCall', value: String(given), sql: parameter => `do_not_call = ${parameter}::boolean` }],
  createdSince: compared('createdSince', 'created_at', '>='),
  createdUntil: compared('createdUntil', 'created_at', '<'),
  updatedSince: compared('updatedSince', 'updated_at', '>='),
  updatedUntil: compared('updatedUntil', 'updated_at', '<'),
  lastContactedSince: compared('lastContactedSince', 'last_contacted_at', '>='),
  lastContactedUntil: compared('lastContactedUntil', 'last_contacted_at', '<'),
  ...emptinessFilters(emptiableColumns),
  custom: customConditions,
}

/** The conditions of a filter, always in the order of `conditions`. Throws INVALID for values that PostgreSQL cannot compare. */
export const conditionsOf = (filter: ContactFilter): Condition[] => readFilter(conditions, filter)
