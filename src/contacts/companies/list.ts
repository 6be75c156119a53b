// Lists of companies.

import type { Selection } from '../../database/selection.ts'
import type { Context } from '../../kernel/context.ts'
import { domain, text } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import { anyFiltered, emptinessFilters, type FilterReaders, filtered, partly, readFilter } from '../../kernel/lists/filter-readers.ts'
import { type Condition, equals, type FilterValue } from '../../kernel/lists/filter-values.ts'
import type { ListArgs, Page } from '../../kernel/lists/pagination.ts'
import { type CustomFieldFilter, customConditions } from '../records/list/custom-filter.ts'
import { type SharedFilter, sharedFilters } from '../records/list/filters.ts'
import { type DeletedFilter, idsAmong, kindOf } from '../records/list/found.ts'
import { countRecords, everyRecord, listRecords, ordersByTime } from '../records/list/list.ts'
import type { ContactSource } from '../records/source.ts'
import { type Company, type CompanyInList, companyTable, type EmptiableField, emptiableColumns } from './row.ts'

export interface CompanyFilter extends SharedFilter, DeletedFilter {
  nameContains?: readonly string[] | null
  domain?: string | null
  domainIn?: readonly string[] | null
  industryIn?: readonly string[] | null
  countryIn?: readonly string[] | null
  cityIn?: readonly string[] | null
  source?: ContactSource | null
  sourceIn?: readonly ContactSource[] | null
  employeesMin?: number | null
  employeesMax?: number | null
  empty?: readonly EmptiableField[] | null
  notEmpty?: readonly EmptiableField[] | null
  custom?: readonly CustomFieldFilter[] | null
}

// As in the index companies_by_name.
const nameKey = `(lower(name) collate "C")`
const orders = {
  ...ordersByTime,
  name: { by: nameKey, direction: 'asc', property: null },
  name_desc: { by: nameKey, direction: 'desc', property: null },
} as const
export type CompanySort = keyof typeof orders

// A domain as it is stored, however it is written; another text matches no company.
const asDomain = (given: string) => {
  const read = domain(given)
  return read instanceof Invalid ? text(1000)(given) : read
}
// The first domain or a further one. The last condition lets PostgreSQL use the partial index on further ones.
const withDomain = (parameter: string, value: FilterValue) =>
  typeof value === 'string'
    ? `(domain = ${parameter} or domains @> array[${parameter}] and domains <> '{}')`
    : `(domain = any(${parameter}) or domains && ${parameter} and domains <> '{}')`
const word = (given: string) => given
const bound = (name: string, operator: '>=' | '<=') => (given: number) => [
  { name, value: String(given), sql: (parameter: string) => `employee_count ${operator} ${parameter}::int` },
]

const readers: FilterReaders<Omit<CompanyFilter, keyof DeletedFilter>> = {
  ...sharedFilters,
  nameContains: partly('nameContains', 'name', 'search_text'),
  domain: filtered('domain', asDomain, withDomain),
  domainIn: anyFiltered('domain', asDomain, withDomain),
  industryIn: anyFiltered('industry', text(1000), equals('industry')),
  countryIn: anyFiltered('country', text(1000), equals('country')),
  cityIn: anyFiltered('city', text(1000), equals('city')),
  source: filtered('source', word, equals('source')),
  sourceIn: anyFiltered('source', word, equals('source')),
  employeesMin: bound('employeesMin', '>='),
  employeesMax: bound('employeesMax', '<='),
  ...emptinessFilters(emptiableColumns),
  custom: customConditions,
}

export const conditionsOf = (filter: CompanyFilter | null | undefined): Condition[] => (filter ? readFilter(readers, filter) : [])

export interface CompanyList extends ListArgs {
  filter?: CompanyFilter | null
  sort?: CompanySort | null
}

/** One page of the organization's companies, with the selected properties. */
export const listCompanies = <Row extends CompanyInList>(
  context: Context,
  { filter, sort, ...args }: CompanyList,
  selection: Selection<Row>,
): Promise<Page<Row>> => {
  const found = { conditions: conditionsOf(filter), kind: kindOf(filter) }
  return listRecords(context, { ...args, table: 'companies', orders, sort: sort ?? 'created_at_desc', found }, selection)
}

interface Listed {
  filter: CompanyFilter
  /** Only these of the companies that match; null for all. */
  ids?: readonly string[] | null
}
const foundBy = ({ filter, ids }: Listed) => ({ conditions: [...conditionsOf(filter), ...idsAmong(ids)], kind: kindOf(filter) })

export const countCompanies = (context: Context, listed: Listed): Promise<number> => countRecords(context, 'companies', foundBy(listed))

/** All companies of a list, in pages that are read as the consumer takes them. */
export const everyCompany = (context: Context, { sort, ...listed }: Listed & { sort: CompanySort }): AsyncGenerator<readonly Company[]> =>
  everyRecord(context, { table: 'companies', orders, sort, found: foundBy(listed) }, companyTable.all)
