// Lists of suggestions.

import { isId, type Page, type PageArgs } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { invalid } from '../errors.ts'
import { equals } from '../filter-values.ts'
import { fieldNamed } from './field.ts'
import { type Condition, given, newestPage } from './newest-page.ts'
import { type Suggestion, type SuggestionStatus, suggestionColumns, suggestionRow } from './suggestion.sql.ts'

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

export interface SuggestionList extends PageArgs {
  filter?: SuggestionFilter | null
  includeTotal?: boolean | null
}

/** One page of the organization's suggestions, newest first. */
export async function listSuggestions(context: Context, { filter, ...args }: SuggestionList): Promise<Page<Suggestion>> {
  const orgId = organizationOf(context)
  const listed = { table: 'suggestions', columns: suggestionColumns, row: suggestionRow }
  return newestPage(context, orgId, listed, conditionsOf(filter), args)
}

/** The conditions of a filter. Throws INVALID for a confidence that is none. */
export function conditionsOf(filter: SuggestionFilter | null | undefined): Condition[] {
  const { minConfidence } = filter ?? {}
  if (typeof minConfidence === 'number' && !(minConfidence >= 0 && minConfidence <= 1)) {
    const error = 'a confidence is a number from 0 to 1'
    throw invalid({
      path: ['minConfidence'],
      type: 'value_error',
      message: `Value error, ${error}`,
      input: minConfidence,
      context: { error },
    })
  }
  return given(withIds(filter), {
    status: equals('status'),
    field: equals('field'),
    // A real holds seven digits: 0.9 is stored as a little less.
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

const nobody = '00000000-0000-0000-0000-000000000000'

// An id that cannot be one belongs to no row.
function withIds(filter: SuggestionFilter | null | undefined): SuggestionFilter {
  const read = (id: string | null | undefined) => (id === null || id === undefined || isId(id) ? id : nobody)
  const readAll = (ids: readonly string[] | null | undefined) => ids?.map(id => (isId(id) ? id : nobody))
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
