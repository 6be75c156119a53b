// Listing suggestions.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { equals } from '../../kernel/input/filter-values.ts'
import { valueError } from '../../kernel/input/problem.ts'
import type { ListArgs, Page } from '../../kernel/pagination.ts'
import { filterConditions, type ListCondition, newestPage } from '../list.ts'
import { fieldNamed } from '../targets/field.ts'
import { type Suggestion, type SuggestionStatus, suggestions } from './suggestion.sql.ts'

export interface SuggestionFilter {
  status?: SuggestionStatus | null
  statusIn?: readonly SuggestionStatus[] | null
  field?: string | null
  fieldIn?: readonly string[] | null
  minConfidence?: number | null
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
  jobId?: string | null
  jobIdIn?: readonly string[] | null
  callId?: string | null
  callIdIn?: readonly string[] | null
}

export interface SuggestionList extends ListArgs {
  filter?: SuggestionFilter | null
}

/** One page of the organization's suggestions, newest first. */
export async function listSuggestions(context: Context, { filter, ...args }: SuggestionList): Promise<Page<Suggestion>> {
  const orgId = organizationOf(context)
  return newestPage(context, orgId, suggestions, conditionsOf(filter), args)
}

/** The conditions of a filter. Throws INVALID for a confidence outside 0 to 1. */
export function conditionsOf(filter: SuggestionFilter | null | undefined): ListCondition[] {
  const { minConfidence } = filter ?? {}
  if (typeof minConfidence === 'number' && !(minConfidence >= 0 && minConfidence <= 1)) {
    throw invalid(valueError('minConfidence', 'a confidence is a number from 0 to 1', minConfidence))
  }
  return filterConditions(withIds(filter), {
    status: equals('status'),
    field: equals('field'),
    // The column is a real: 0.9 is stored as a slightly different number, so the parameter is rounded likewise.
    minConfidence: parameter => `confidence >= ${parameter}::real`,
    provider: equals('provider'),
    hostApp: equals('host_app'),
    targetId: equals('target_id'),
    targetKind: equals('target_kind'),
    contactId: equals('contact_id', 'uuid'),
    jobId: equals('job_id', 'uuid'),
    callId: equals('call_id', 'uuid'),
  })
}

const noId = '00000000-0000-0000-0000-000000000000'

// A text that is no UUID matches no row.
function withIds(filter: SuggestionFilter | null | undefined): SuggestionFilter {
  const read = (id: string | null | undefined) => (id === null || id === undefined || isId(id) ? id : noId)
  const readAll = (ids: readonly string[] | null | undefined) => ids?.map(id => (isId(id) ? id : noId))
  return {
    ...filter,
    field: filter?.field && fieldNamed(filter.field),
    fieldIn: filter?.fieldIn?.map(fieldNamed),
    contactId: read(filter?.contactId),
    contactIdIn: readAll(filter?.contactIdIn),
    jobId: read(filter?.jobId),
    jobIdIn: readAll(filter?.jobIdIn),
    callId: read(filter?.callId),
    callIdIn: readAll(filter?.callIdIn),
  }
}
