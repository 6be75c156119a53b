// The filter of deals, as SQL conditions.

import { comparableId } from '../../../kernel/ids.ts'
import { text, time } from '../../../kernel/input/fields.ts'
import { Invalid } from '../../../kernel/input/problem.ts'
import { anyFiltered, emptinessFilters, type FilterReaders, filtered, partly, readFilter } from '../../../kernel/lists/filter-readers.ts'
import { type Condition, equals } from '../../../kernel/lists/filter-values.ts'
import { type CustomFieldFilter, customConditions } from '../../records/list/custom-filter.ts'
import { type SharedFilter, sharedFilters } from '../../records/list/filters.ts'
import type { DeletedFilter } from '../../records/list/found.ts'
import { type EmptiableField, emptiableColumns } from '../row.ts'

const dealStates = ['open', 'won', 'lost'] as const
type DealState = (typeof dealStates)[number]

/** The filter without `includeDeleted` and `onlyDeleted`. */
export interface DealConditions extends SharedFilter {
  titleContains?: readonly string[] | null
  state?: DealState | null
  pipelineId?: string | null
  stageIdIn?: readonly string[] | null
  companyIdIn?: readonly string[] | null
  contactId?: string | null
  currency?: string | null
  expectedSince?: Date | null
  expectedUntil?: Date | null
  empty?: readonly EmptiableField[] | null
  notEmpty?: readonly EmptiableField[] | null
  custom?: readonly CustomFieldFilter[] | null
}
export interface DealFilter extends DealConditions, DeletedFilter {}

const id = (given: string) => comparableId(given).toLowerCase()

const states: Readonly<Record<DealState, string>> = {
  open: 'won_at is null and lost_at is null',
  won: 'won_at is not null',
  lost: 'lost_at is not null',
}
const inState = (given: DealState): Condition[] => [
  { name: 'state', value: given, sql: parameter => `(${states[given]} and ${parameter}::text is not null)` },
]
const day =
  (name: string, operator: '>=' | '<=') =>
  (given: Date): Condition[] | Invalid => {
    const read = time(given)
    if (read instanceof Invalid) return read
    return [{ name, value: read.slice(0, 10), sql: parameter => `expected_close ${operator} ${parameter}::date` }]
  }
const withContact = (parameter: string) =>
  `exists (select from deal_contacts dc where dc.org_id = deals.org_id and dc.contact_id = ${parameter} and dc.deal_id = deals.id)`

const readers: FilterReaders<DealConditions> = {
  ...sharedFilters,
  titleContains: partly('titleContains', 'title', 'search_text'),
  state: inState,
  pipelineId: filtered('pipelineId', id, equals('pipeline_id')),
  stageIdIn: anyFiltered('stageId', id, equals('stage_id')),
  companyIdIn: anyFiltered('companyId', id, equals('company_id')),
  contactId: filtered('contactId', id, withContact),
  currency: filtered('currency', text(1000), equals('currency')),
  expectedSince: day('expectedSince', '>='),
  expectedUntil: day('expectedUntil', '<='),
  ...emptinessFilters(emptiableColumns),
  custom: customConditions,
}

export const conditionsOf = (filter: DealConditions | null | undefined): Condition[] => (filter ? readFilter(readers, filter) : [])
