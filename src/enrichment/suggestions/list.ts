// Listing suggestions.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { comparableId } from '../../kernel/ids.ts'
import { fieldNamed } from '../../kernel/input/case.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { type Emptiness, emptinessConditions, rangeConditions, since, until } from '../../kernel/lists/comparisons.ts'
import { equals, filterConditions } from '../../kernel/lists/filter-values.ts'
import type { ListArgs, Page } from '../../kernel/lists/pagination.ts'
import type { ListCondition } from '../list.sql.ts'
import { type ListSort, pageOfMatching } from '../list.ts'
import { type Suggestion, type SuggestionStatus, suggestions } from './suggestion.sql.ts'

/** The columns for the filters `empty` and `notEmpty`. */
export const emptiableColumns = {
  jobId: 'job_id',
  callId: 'call_id',
  contactId: 'contact_id',
  companyId: 'company_id',
  currentValue: 'current_value',
  sourceUrl: 'source_url',
  evidence: 'evidence',
  decidedAt: 'decided_at',
  reason: 'reason',
} as const

export interface SuggestionFilter extends Emptiness<keyof typeof emptiableColumns> {
  status?: SuggestionStatus | null
  statusIn?: readonly SuggestionStatus[] | null
  field?: string | null
  fieldIn?: readonly string[] | null
  minConfidence?: number | null
  maxConfidence?: number | null
  verification?: string | null
  verificationIn?: readonly string[] | null
  provider?: string | null
  providerIn?: readonly string[] | null
  hostApp?: string | null
  hostAppIn?: readonly string[] | null
  targetId?: string | null
  targetIdIn?: readonly string[] | null
  targetKind?: string | null
  targetKindIn?: readonly string[] | null
  contactId?: string | null
  contactIdIn?: readonly string[] | null
  companyId?: string | null
  companyIdIn?: readonly string[] | null
  jobId?: string | null
  jobIdIn?: readonly string[] | null
  callId?: string | null
  callIdIn?: readonly string[] | null
  createdSince?: Date | null
  createdUntil?: Date | null
  decidedSince?: Date | null
  decidedUntil?: Date | null
}

export interface SuggestionList extends ListArgs {
  filter?: SuggestionFilter | null
  sort?: ListSort | null
}

/** One page of the organization's suggestions, newest first by default. */
export async function listSuggestions(context: Context, { filter, ...args }: SuggestionList): Promise<Page<Suggestion>> {
  const orgId = organizationOf(context)
  return pageOfMatching(context, orgId, suggestions, conditionsOf(filter), args)
}

const bounds = {
  createdSince: since('created_at'),
  createdUntil: until('created_at'),
  decidedSince: since('decided_at'),
  decidedUntil: until('decided_at'),
}

/** The conditions of a filter. Throws INVALID for a confidence outside 0 to 1. */
export function conditionsOf(filter: SuggestionFilter | null | undefined): ListCondition[] {
  const problems = (['minConfidence', 'maxConfidence'] as const).flatMap(name => {
    const value = filter?.[name]
    return value == null || (value >= 0 && value <= 1) ? [] : [valueError(name, 'a confidence is a number from 0 to 1', value)]
  })
  if (problems.length > 0) throw invalid(problems)
  const further = [...rangeConditions(filter ?? {}, bounds), ...emptinessConditions(filter ?? {}, emptiableColumns)]
  const conditions = filterConditions(withIds(filter), {
    status: equals('status'),
    field: equals('field'),
    // The column has type real, which stores 0.9 as a slightly different number, so the parameter is rounded the same way.
    minConfidence: parameter => `confidence >= ${parameter}::real`,
    maxConfidence: parameter => `confidence <= ${parameter}::real`,
    verification: equals('verification'),
    provider: equals('provider'),
    hostApp: equals('host_app'),
    targetId: equals('target_id'),
    targetKind: equals('target_kind'),
    contactId: equals('contact_id', 'uuid'),
    companyId: equals('company_id', 'uuid'),
    jobId: equals('job_id', 'uuid'),
    callId: equals('call_id', 'uuid'),
  })
  return [...conditions, ...further]
}

// Ids that are not UUIDs match no row.
function withIds(filter: SuggestionFilter | null | undefined): SuggestionFilter {
  const read = (id: string | null | undefined) => (id == null ? id : comparableId(id))
  const readAll = (ids: readonly string[] | null | undefined) => ids?.map(comparableId)
  return {
    ...filter,
    field: filter?.field && fieldNamed(filter.field),
    fieldIn: filter?.fieldIn?.map(fieldNamed),
    contactId: read(filter?.contactId),
    contactIdIn: readAll(filter?.contactIdIn),
    companyId: read(filter?.companyId),
    companyIdIn: readAll(filter?.companyIdIn),
    jobId: read(filter?.jobId),
    jobIdIn: readAll(filter?.jobIdIn),
    callId: read(filter?.callId),
    callIdIn: readAll(filter?.callIdIn),
  }
}
