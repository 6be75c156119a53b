// Lists of suggestions.

import { isId, type Page, type PageArgs } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { invalid } from '../errors.ts'
import { fieldNamed } from './field.ts'
import { type Condition, given, newestPage } from './newest-page.ts'
import { type Suggestion, type SuggestionStatus, suggestionColumns, suggestionRow } from './suggestion.sql.ts'

export interface SuggestionFilter {
  status?: SuggestionStatus | null
  field?: string | null
  minConfidence?: number | null
  provider?: string | null
  hostApp?: string | null
  targetId?: string | null
  targetKind?: string | null
  contactId?: string | null
  jobId?: string | null
  callId?: string | null
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
  const byId = (column: string) => (parameter: string) => `${column} = ${parameter}::uuid`
  return given(withIds(filter), {
    status: parameter => `status = ${parameter}`,
    field: parameter => `field = ${parameter}`,
    // A real holds seven digits: 0.9 is stored as a little less.
    minConfidence: parameter => `confidence >= ${parameter}::real`,
    provider: parameter => `provider = ${parameter}`,
    hostApp: parameter => `host_app = ${parameter}`,
    targetId: parameter => `target_id = ${parameter}`,
    targetKind: parameter => `target_kind = ${parameter}`,
    contactId: byId('contact_id'),
    jobId: byId('job_id'),
    callId: byId('call_id'),
  })
}

const nobody = '00000000-0000-0000-0000-000000000000'

// An id that cannot be one belongs to no row.
function withIds(filter: SuggestionFilter | null | undefined): SuggestionFilter {
  const read = (id: string | null | undefined) => (id === null || id === undefined || isId(id) ? id : nobody)
  return {
    ...filter,
    field: filter?.field && fieldNamed(filter.field),
    contactId: read(filter?.contactId),
    jobId: read(filter?.jobId),
    callId: read(filter?.callId),
  }
}
