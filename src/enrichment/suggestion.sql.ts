// Suggestions as rows, and the statements that read and write one.

import { statement } from '../database/client.ts'
import type { Actor } from '../identity/principal.ts'
import type { Verification } from './provider.ts'
import type { Target } from './target.ts'

export const suggestionStatuses = ['pending', 'accepted', 'rejected', 'auto_applied', 'superseded', 'expired'] as const
export type SuggestionStatus = (typeof suggestionStatuses)[number]

export interface Suggestion {
  id: string
  orgId: string
  jobId: string | null
  callId: string | null
  contactId: string | null
  target: Target
  field: string
  valueType: string
  currentValue: unknown
  proposedValue: unknown
  confidence: number
  verification: Verification
  provider: string
  sourceUrl: string | null
  evidence: string | null
  recipeStep: string | null
  observedAt: string
  status: SuggestionStatus
  decidedBy: Actor | null
  decidedAt: string | null
  reason: string | null
  expiresAt: string
  createdAt: string
  updatedAt: string
}

export const suggestionColumns = [
  'id',
  'org_id',
  'job_id',
  'call_id',
  'contact_id',
  'host_app',
  'target_id',
  'target_kind',
  'field',
  'value_type',
  'current_value',
  'proposed_value',
  'confidence',
  'verification',
  'provider',
  'source_url',
  'evidence',
  'recipe_step',
  'observed_at',
  'status',
  'decided_by_type',
  'decided_by_id',
  'decided_by_name',
  'decided_at',
  'reason',
  'expires_at',
  'created_at',
  'updated_at',
] as const

type Cells = [
  ...[id: string, orgId: string, jobId: string | null, callId: string | null, contactId: string | null],
  ...[hostApp: string, targetId: string, targetKind: string, field: string, valueType: string, current: unknown, proposed: unknown],
  ...[confidence: number, verification: Verification, provider: string, sourceUrl: string | null, evidence: string | null],
  ...[recipeStep: string | null, observedAt: string, status: SuggestionStatus, byType: Actor['type'] | null, byId: string | null],
  ...[byName: string | null, decidedAt: string | null, reason: string | null, expiresAt: string, createdAt: string, updatedAt: string],
]

export function suggestionRow(columns: readonly never[]): Suggestion {
  // The statement selects `suggestionColumns`, which are these.
  const c = columns as unknown as Cells
  return {
    id: c[0],
    orgId: c[1],
    jobId: c[2],
    callId: c[3],
    contactId: c[4],
    target: { hostApp: c[5], id: c[6], kind: c[7] },
    field: c[8],
    valueType: c[9],
    currentValue: c[10],
    proposedValue: c[11],
    // Seven digits are what the column holds.
    confidence: Number(c[12].toFixed(4)),
    verification: c[13],
    provider: c[14],
    sourceUrl: c[15],
    evidence: c[16],
    recipeStep: c[17],
    observedAt: c[18],
    status: c[19],
    decidedBy: c[20] && { type: c[20], id: c[21], name: c[22] },
    decidedAt: c[23],
    reason: c[24],
    expiresAt: c[25],
    createdAt: c[26],
    updatedAt: c[27],
  }
}

export const suggestionById = statement<Suggestion>(
  'suggestion_by_id',
  `select ${suggestionColumns} from suggestions where org_id = $1 and id = $2`,
  suggestionRow,
)
export const suggestionsById = statement<Suggestion>(
  'suggestions_by_id',
  `select ${suggestionColumns} from suggestions where org_id = $1 and id = any($2::uuid[])`,
  suggestionRow,
)
export const suggestionsOfJobs = statement<Suggestion>(
  'suggestions_of_jobs',
  `select ${suggestionColumns} from suggestions where org_id = $1 and job_id = any($2::uuid[]) order by created_at, id`,
  suggestionRow,
)
export const lockSuggestion = statement<Suggestion>(
  'suggestion_lock',
  `select ${suggestionColumns} from suggestions where org_id = $1 and id = $2 for update`,
  suggestionRow,
)

/** $1 id, $2 status, $3-$5 actor, $6 now, $7 reason, $8 contact. */
export const decideSuggestion = statement<Suggestion>(
  'suggestion_decide',
  `update suggestions set status = $2, decided_by_type = $3, decided_by_id = $4, decided_by_name = $5, decided_at = $6::timestamptz, reason = $7,
     updated_at = $6::timestamptz, contact_id = coalesce($8, contact_id)
   where id = $1 and status = 'pending' returning ${suggestionColumns}`,
  suggestionRow,
)

/** $1 organization, $2-$4 target, $5 contact or null, $6 fields, $7-$9 actor, $10 now. */
export const supersede = statement<{ id: string; field: string; contactId: string | null }>(
  'suggestions_supersede',
  `update suggestions set status = 'superseded', decided_by_type = $7, decided_by_id = $8, decided_by_name = $9, decided_at = $10::timestamptz,
     updated_at = $10::timestamptz
   where status = 'pending' and org_id = $1 and field = any($6::text[])
     and ((host_app = $2 and target_kind = $3 and target_id = $4) or contact_id = $5)
   returning id, field, contact_id as "contactId"`,
)

/** $1 the rows, as JSON. Returns the ids of those that are new. */
export const insertSuggestions = statement<{ id: string }>(
  'suggestions_insert',
  `insert into suggestions (${suggestionColumns}) select ${suggestionColumns} from jsonb_populate_recordset(null::suggestions, $1)
   order by field on conflict do nothing returning id`,
)
