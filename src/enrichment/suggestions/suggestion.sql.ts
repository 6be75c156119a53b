// The table of suggestions, and the statements that read and write them.

import { companyEvents } from '../../contacts/companies/row.ts'
import { contactEvents } from '../../contacts/contact/row.ts'
import { followMerges, type MergedNoun } from '../../contacts/merge/move.sql.ts'
import { type Statement, statement, unseen } from '../../database/statement.ts'
import { boolean, jsonb, object, type RowOf, real, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { eventColumns, eventDefinitions } from '../../kernel/events/event.sql.ts'
import { conditionsSql } from '../../kernel/lists/filter-values.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import type { Actor } from '../../kernel/principal.ts'
import { transcriptOf } from '../../voice/calls/transcript.sql.ts'
import type { ListCondition } from '../list.sql.ts'
import type { Extraction } from '../providers/calls.ts'
import type { Verification } from '../providers/provider.ts'
import type { ValueType } from '../targets/field.ts'
import type { EnrichedNoun } from '../targets/record.ts'

export const suggestionEvents = eventsOf('suggestion', {
  accepted: 'A suggested value was taken over.',
  auto_applied: 'A suggested value was taken over by a rule.',
  created: 'A value was suggested.',
  expired: 'Nobody decided a suggestion in time.',
  rejected: 'A suggested value was rejected.',
  superseded: 'A newer suggestion replaced one.',
})

const suggestionStatuses = ['pending', 'accepted', 'rejected', 'auto_applied', 'superseded', 'expired'] as const
export type SuggestionStatus = (typeof suggestionStatuses)[number]

const actor = { type: text.as<Actor['type']>(), id: text.orNull(), name: text.orNull() }

export const suggestions = table('suggestions', {
  id: uuid,
  orgId: uuid,
  jobId: uuid.orNull(),
  callId: uuid.orNull(),
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  target: object({ hostApp: text.named('host_app'), id: text, kind: text }),
  field: text,
  valueType: text.as<ValueType>(),
  currentValue: jsonb.orNull(),
  proposedValue: jsonb,
  // The column has type real, with about seven digits.
  confidence: real.converted(
    stored => Number(stored.toFixed(4)),
    confidence => confidence,
  ),
  verification: text.as<Verification>(),
  provider: text,
  sourceUrl: text.orNull(),
  evidence: text.orNull(),
  recipeStep: text.orNull(),
  observedAt: timestamptz,
  status: text.as<SuggestionStatus>(),
  decidedBy: object(actor).orNull(),
  decidedAt: timestamptz.orNull(),
  reason: text.orNull(),
  expiresAt: timestamptz,
  createdAt: timestamptz,
  updatedAt: timestamptz,
})
export type Suggestion = RowOf<typeof suggestions>

const { all } = suggestions
export const suggestionsById = statement(
  'suggestions_by_id',
  `select ${all.sql} from suggestions where org_id = $1 and id = any($2::uuid[])`,
  all,
)
export const suggestionsOfJobs = statement(
  'suggestions_of_jobs',
  `select ${all.sql} from suggestions where org_id = $1 and job_id = any($2::uuid[]) order by created_at, id`,
  all,
)
const acceptedOf = (noun: EnrichedNoun) =>
  statement(
    `suggestions_taken_over_${noun}`,
    `select distinct on (${noun}_id, field) ${all.sql} from suggestions
     where org_id = $1 and ${noun}_id = any($2::uuid[]) and status in ('accepted', 'auto_applied')
     order by ${noun}_id, field, decided_at desc, id desc`,
    all,
  )
/** The last accepted suggestion of each field. $1 organization, $2 records. */
export const acceptedSuggestions = { contact: acceptedOf('contact'), company: acceptedOf('company') }
export const lockSuggestion = statement(
  'suggestion_lock',
  `select ${all.sql} from suggestions where org_id = $1 and id = $2 for update`,
  all,
)
/**
 * The oldest pending suggestions that meet the conditions. $1 organization, $2 now; with `isAfter` $3 and $4 the time and the id of the
 * suggestion before; then the values of the conditions. Has no name, because its text depends on the conditions.
 */
export function pendingSuggestions(
  conditions: readonly ListCondition[],
  { isAfter, onlyEmpty, limit }: { isAfter: boolean; onlyEmpty: boolean; limit: number },
): Statement<Suggestion> {
  const after = isAfter ? ' and (created_at, id) > ($3::timestamptz, $4::uuid)' : ''
  const empty = onlyEmpty ? ` and (current_value is null or current_value in ('null', '""', '[]'))` : ''
  const where = `org_id = $1 and status = 'pending' and expires_at > $2::timestamptz${after}${conditionsSql(conditions, isAfter ? 5 : 3)}${empty}`
  return statement('', `select ${all.sql} from suggestions where ${where} order by created_at, id limit ${limit}`, all)
}

/**
 * Serializes transactions that write suggestions for the same targets, or from the same call. $1 targets or calls, sorted, so that two
 * transactions with the same ones cannot deadlock.
 */
export const lockTargets = statement(
  'suggestion_target_locks',
  'select from unnest($1::text[]) as target cross join lateral pg_advisory_xact_lock(hashtextextended(target, 20261121))',
)

/**
 * The sources of suggestions, and whether the call has any already. The contact is null where it is deleted. $1 organizations, $2 calls,
 * one for each. The subqueries are no joins and no `exists`: a join may be planned while the tables are small, and then read all of them.
 */
export const callsWithValues = statement(
  'suggestions_calls',
  `select c.id, c.org_id, c.extracted,
     (select v.setup -> 'extraction' from voice_agent_versions v where v.agent_id = c.agent_id and v.version = c.agent_version) as extraction,
     ${transcriptOf('c.')} as transcript,
     (select k.id from contacts k where k.org_id = c.org_id and k.id = c.contact_id and k.deleted_at is null) as contact_id,
     (select s.id from suggestions s where s.call_id = c.id limit 1) is not null as has_suggestions
   from unnest($1::uuid[], $2::uuid[]) as given (org_id, id) join calls c on c.id = given.id and c.org_id = given.org_id`,
  rows({
    id: uuid,
    orgId: uuid,
    extracted: jsonb.as<Record<string, unknown>>(),
    extraction: jsonb.as<Extraction>().orNull(),
    transcript: jsonb,
    contactId: uuid.orNull(),
    hasSuggestions: boolean,
  }),
)

/** The columns of a new suggestion. */
export const newSuggestion = suggestions.values([
  ...([
    'id',
    'orgId',
    'jobId',
    'callId',
    'contactId',
    'companyId',
    'target',
    'field',
    'valueType',
    'currentValue',
    'proposedValue',
    'confidence',
  ] as const),
  ...([
    'verification',
    'provider',
    'sourceUrl',
    'evidence',
    'recipeStep',
    'observedAt',
    'status',
    'expiresAt',
    'createdAt',
    'updatedAt',
  ] as const),
])
const written = suggestions.select(['id', 'orgId', 'contactId', 'companyId', 'target', 'field', 'status'])
const supersedeBy = (actor: number, now: number) =>
  `status = 'superseded', decided_by_type = $${actor}, decided_by_id = $${actor + 1}, decided_by_name = $${actor + 2},
     decided_at = $${now}::timestamptz, updated_at = $${now}::timestamptz`

/**
 * Inserts suggestions with their events. Where the target has a pending one for the field, supersedes that and inserts nothing yet. Returns
 * both, which differ in their status. $1 `newSuggestion`s as JSON, one for each field of a target, $2 the events, $3-$5 actor, $6 now. The
 * conflict finds the pending one by its index; a condition may be planned while the table is small, and then read all that the organization
 * has pending.
 */
export const insertOrSupersede = statement(
  'suggestions_insert',
  `with written as (
     insert into suggestions (${newSuggestion.columns})
     select ${newSuggestion.columns} from jsonb_to_recordset($1) as given (${newSuggestion.definitions})
     -- A job that is tried again after its end has its suggestions already. Not \`exists\`, as in \`callsWithValues\`.
     where (select s.id from suggestions s where s.job_id = given.job_id and s.field = given.field limit 1) is null
       and (select s.id from suggestions s where s.call_id = given.call_id and s.field = given.field limit 1) is null
     order by org_id, host_app, target_kind, target_id, field
     on conflict (org_id, host_app, target_kind, target_id, field) where status = 'pending' do update set ${supersedeBy(3, 6)}
     returning ${written.sql}
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($2) as given (${eventDefinitions})
     where entity_id in (select id::text from written where status = 'pending')
   )
   select ${written.sql} from written`,
  written,
)

const supersedeOf = (noun: EnrichedNoun) =>
  statement(
    `suggestions_supersede_${noun}`,
    `update suggestions set ${supersedeBy(3, 6)}
     where status = ${unseen(`'pending'`)} and id = any(array(
       select older.id from unnest($1::uuid[], $2::text[], $7::uuid[]) as given (record_id, field, job_id) cross join lateral (
         select id from suggestions s where s.${noun}_id = given.record_id and s.field = given.field and s.status = ${unseen(`'pending'`)}
           and (given.job_id is null or s.job_id is distinct from given.job_id)
       ) older))
     returning ${written.sql}`,
    written,
  )
/**
 * Supersedes pending suggestions for fields of records, also where the target has another name. $1 records, $2 a field of each, $3-$5 actor,
 * $6 now, $7 the job of each or null; the job's own suggestions stay. The ids are found first, record by record, and `status` is compared with a value
 * that no partial index has, so that each is found by the index of records.
 */
export const supersedeOfRecords = { contact: supersedeOf('contact'), company: supersedeOf('company') }

/** Expires at most `expireBatch` pending suggestions. $1 now. */
export const expireBatch = 500
export const expirePending = statement(
  'suggestions_expire',
  `update suggestions set status = 'expired', decided_at = $1::timestamptz, updated_at = $1::timestamptz, decided_by_type = 'system',
     decided_by_name = 'enrichment'
   where id in (select id from suggestions where status = 'pending' and expires_at <= $1::timestamptz order by expires_at limit ${expireBatch} for update skip locked)
   returning id, org_id, contact_id, company_id, field`,
  rows({ id: uuid, orgId: uuid, contactId: uuid.orNull(), companyId: uuid.orNull(), field: text }),
)

/** Named by the columns of events: `from` has the events of the records in $2, whose id is `recordId`. */
const changesIn = (noun: EnrichedNoun, from: string, recordId: string, type: string) =>
  statement(
    `field_settings_${noun}`,
    `select distinct on (${recordId}, changed.field) ${recordId} as record_id, changed.field, e.actor_type, e.actor_id, e.actor_name, e.created_at,
       e.door
     from ${from} cross join lateral jsonb_object_keys(e.changes) as changed (field)
     where e.org_id = $1 and ${recordId} = any($2::uuid[]) and e.type = '${type}' and e.entity_id = ${recordId}::text
     order by ${recordId}, changed.field, e.created_at desc, e.id desc`,
    rows({ recordId: uuid, field: text, actor: object(actor), createdAt: timestamptz, door: text }),
  )
/** The last change of each field of the records. $1 organization, $2 records. */
export const lastChanges = {
  contact: changesIn('contact', 'events e', 'e.contact_id', contactEvents.updated),
  company: changesIn(
    'company',
    'timeline_entries t join events e on e.org_id = t.org_id and e.created_at = t.created_at and e.id = t.id',
    't.record_id',
    companyEvents.updated,
  ),
}

const followWith = (noun: MergedNoun) =>
  followMerges(
    'suggestions',
    {
      ...{ name: 'suggestions', description: 'Suggestions', isVersioned: false, isLockedFirst: true },
      // A transaction that writes suggestions for either record waits for this lock, and then finds the merged record.
      lock: ({ db }, recordIds) => db.query(lockTargets, [recordIds.map(id => `${noun} ${id}`).toSorted()]),
    },
    noun,
  )
followWith('contact')
followWith('company')
