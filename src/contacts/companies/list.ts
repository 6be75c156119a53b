// Lists of companies: a filtered and sorted page in one statement.

import type { Selection } from '../../database/selection.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { domain, text } from '../../kernel/input/fields.ts'
import { Invalid } from '../../kernel/input/problem.ts'
import {
  anyFiltered,
  compared,
  emptinessFilters,
  type FilterReaders,
  filtered,
  partly,
  readFilter,
} from '../../kernel/lists/filter-readers.ts'
import { type Condition, equals, type FilterValue } from '../../kernel/lists/filter-values.ts'
import { isText, isTime, type ListArgs, Page, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { type CustomFieldFilter, customConditions } from '../records/list/custom-filter.ts'
import { kindOf } from '../records/list/kind.ts'
import { nameOf } from '../records/list/name.ts'
import { countOfRecords, type Found, type Order, pageOfRecords } from '../records/list/pages.sql.ts'
import { allTagged, tagged } from '../records/list/tag-filter.ts'
import { searchedWords } from '../records/list/word-filter.ts'
import type { ContactSource } from '../records/source.ts'
import { type CompanyInList, type EmptiableField, emptiableColumns } from './row.ts'

interface CompanyFilter {
  q?: string | null
  nameContains?: readonly string[] | null
  domain?: string | null
  domainIn?: readonly string[] | null
  industryIn?: readonly string[] | null
  countryIn?: readonly string[] | null
  cityIn?: readonly string[] | null
  ownerUserId?: string | null
  ownerUserIdIn?: readonly string[] | null
  source?: ContactSource | null
  sourceIn?: readonly ContactSource[] | null
  tag?: string | null
  tagIn?: readonly string[] | null
  tagAll?: readonly string[] | null
  externalIdIn?: readonly string[] | null
  employeesMin?: number | null
  employeesMax?: number | null
  createdSince?: Date | null
  createdUntil?: Date | null
  updatedSince?: Date | null
  updatedUntil?: Date | null
  empty?: readonly EmptiableField[] | null
  notEmpty?: readonly EmptiableField[] | null
  custom?: readonly CustomFieldFilter[] | null
  includeDeleted?: boolean | null
  onlyDeleted?: boolean | null
}

// As in the index companies_by_name.
const nameKey = `(lower(name) collate "C")`
const orders = {
  created_at: { by: 'created_at', direction: 'asc', property: 'createdAt' },
  created_at_desc: { by: 'created_at', direction: 'desc', property: 'createdAt' },
  updated_at: { by: 'updated_at', direction: 'asc', property: 'updatedAt' },
  updated_at_desc: { by: 'updated_at', direction: 'desc', property: 'updatedAt' },
  name: { by: nameKey, direction: 'asc', property: null },
  name_desc: { by: nameKey, direction: 'desc', property: null },
} as const satisfies Record<string, Order>
type CompanySort = keyof typeof orders

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

const conditions: FilterReaders<Omit<CompanyFilter, 'includeDeleted' | 'onlyDeleted'>> = {
  q: searchedWords,
  nameContains: partly('nameContains', 'name', 'search_text'),
  domain: filtered('domain', asDomain, withDomain),
  domainIn: anyFiltered('domain', asDomain, withDomain),
  industryIn: anyFiltered('industry', text(1000), equals('industry')),
  countryIn: anyFiltered('country', text(1000), equals('country')),
  cityIn: anyFiltered('city', text(1000), equals('city')),
  ownerUserId: filtered('ownerUserId', text(1000), equals('owner_user_id')),
  ownerUserIdIn: anyFiltered('ownerUserId', text(1000), equals('owner_user_id')),
  source: filtered('source', word, equals('source')),
  sourceIn: anyFiltered('source', word, equals('source')),
  tag: filtered('tag', text(1000), tagged),
  tagIn: anyFiltered('tag', text(1000), tagged),
  tagAll: allTagged,
  externalIdIn: anyFiltered('externalId', text(1000), equals('external_id')),
  employeesMin: bound('employeesMin', '>='),
  employeesMax: bound('employeesMax', '<='),
  createdSince: compared('createdSince', 'created_at', '>='),
  createdUntil: compared('createdUntil', 'created_at', '<'),
  updatedSince: compared('updatedSince', 'updated_at', '>='),
  updatedUntil: compared('updatedUntil', 'updated_at', '<'),
  ...emptinessFilters(emptiableColumns),
  custom: customConditions,
}

const conditionsOf = (filter: CompanyFilter): Condition[] => readFilter(conditions, filter)

export interface CompanyList extends ListArgs {
  filter?: CompanyFilter | null
  sort?: CompanySort | null
}

/** One page of the organization's companies, with the selected properties. */
export async function listCompanies<Row extends CompanyInList>(
  context: Context,
  { filter, sort, counted, ...args }: CompanyList,
  selection: Selection<Row>,
): Promise<Page<Row>> {
  const orgId = organizationOf(context)
  const by = sort ?? 'created_at_desc'
  const order: Order = orders[by]
  const found: Found = { conditions: filter ? conditionsOf(filter) : [], kind: kindOf(filter) }
  const name = nameOf('companies', by, found)
  const page = pageOf(args, name, order.property ? isTime : isText)
  const values = [orgId, ...found.conditions.map(({ value }) => value)]
  const total = totalOf(counted, async () => {
    const [row] = await bounded(context, db => db.query(countOfRecords('companies', found), values))
    return row?.total ?? 0
  })
  const start = page.start ? [page.start.key, page.start.id] : []
  const keyed = await context.db.query(pageOfRecords('companies', order, found, page, selection), [...values, ...start])
  return new Page(keyed, page, name, total)
}
