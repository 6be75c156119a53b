// The files of an archive, in the order in which they stand in it.

import { nounNamed } from '../../kernel/nouns/nouns.ts'
import { type Address, type AddressKind, addressesIn } from '../contact/addresses/address.ts'
import { amountOf, type Money } from '../records/money.ts'
import { type ArchiveFile, actor, archiveFile, plain, times } from './file.sql.ts'

const byCreation = { created_at: 'timestamptz', id: 'uuid' } as const
// An index by the id alone has the rows of all organizations, and may be read to its end for a few of one. Rows that are sorted by the text of
// their id cannot come from it, so the planner uses the index of the organization.
const byText = (from: string) => `(select *, id::text collate "C" as key from ${from})`
const byKey = { key: 'text' } as const
const ofRecords = ['contact_id', 'company_id', 'deal_id'] as const
const made = { ...actor('created_by'), ...times('created_at', 'updated_at') }
/** Of contacts, companies and deals, deleted ones too. Both parts have an index by the creation. */
const records = { keys: byCreation, parts: ['deleted_at is null', 'deleted_at is not null'] } as const
const endOfRecord = { ...plain('owner_user_id', 'tags', 'source', 'external_id'), ...made, ...times('deleted_at'), ...plain('version') }
// Their texts are long.
const long = { pageSize: 200 } as const

const addresses = (primary: string, list: string) => `jsonb_build_object('primary', ${primary}, 'list', ${list})`
// `as`: the statement builds these.
const addressesOf = (kind: AddressKind, value: unknown) => {
  const { primary, list } = value as { primary: string | null; list: readonly Address[] }
  return addressesIn(kind, primary, list)
}
const valuesOf = (kind: AddressKind) => (value: unknown) => addressesOf(kind, value).map(address => address.value)
const detailsOf = (kind: AddressKind) => (value: unknown) => {
  const all = addressesOf(kind, value)
  return all.length > 0 ? all : null
}
const money = (amount: string, currency: string) => `jsonb_build_object('minor', ${amount}, 'currency', ${currency})`
const decimal = (value: unknown) => amountOf(value as Money)

export const archiveFiles: readonly ArchiveFile[] = [
  archiveFile({
    name: 'contacts',
    says: 'Contacts, with the columns of their custom fields. emails and phones have all addresses, the primary one first; email_details and phone_details have their labels and verifications as JSON.',
    from: 'contacts',
    ...records,
    columns: {
      ...plain('id', 'email', 'first_name', 'last_name', 'full_name', 'phone'),
      emails: addresses('email', 'emails'),
      phones: addresses('phone', 'phones'),
      email_details: addresses('email', 'emails'),
      phone_details: addresses('phone', 'phones'),
      ...plain('job_title', 'company_id', 'company_name', 'company_domain', 'linkedin_url', 'city', 'region', 'country', 'timezone'),
      ...plain('avatar_url', 'lifecycle_stage', 'do_not_call'),
      ...times('last_contacted_at'),
      ...endOfRecord,
    },
    reads: {
      emails: valuesOf('emails'),
      phones: valuesOf('phones'),
      email_details: detailsOf('emails'),
      phone_details: detailsOf('phones'),
    },
    customOf: 'contact',
  }),
  archiveFile({
    name: 'companies',
    says: 'Companies, with the columns of their custom fields.',
    from: 'companies',
    ...records,
    columns: {
      ...plain('id', 'name', 'domain', 'domains', 'website', 'phone', 'linkedin_url', 'industry', 'employee_count'),
      annual_revenue: money('annual_revenue', 'annual_revenue_currency'),
      ...plain('annual_revenue_currency', 'description', 'city', 'region', 'country'),
      ...endOfRecord,
    },
    reads: { annual_revenue: decimal },
    customOf: 'company',
  }),
  archiveFile({
    name: 'deals',
    says: 'Deals, with the columns of their custom fields. position is the order within a stage.',
    from: 'deals',
    ...records,
    columns: {
      ...plain('id', 'title', 'pipeline_id', 'stage_id', 'position', 'company_id'),
      amount: money('amount', 'currency'),
      ...plain('currency', 'expected_close'),
      ...times('won_at', 'lost_at'),
      ...plain('lost_reason'),
      ...times('stage_changed_at'),
      ...endOfRecord,
    },
    reads: { amount: decimal },
    customOf: 'deal',
  }),
  archiveFile({
    name: 'deal-contacts',
    says: 'The contacts of each deal, with their roles.',
    from: 'deal_contacts',
    keys: { deal_id: 'uuid', contact_id: 'uuid' },
    columns: plain('deal_id', 'contact_id', 'position', 'role'),
  }),
  archiveFile({
    name: 'deal-stage-changes',
    says: 'The changes of stage of each deal. Without from_stage_id the deal was added.',
    from: 'deal_stage_changes',
    keys: { deal_id: 'uuid', id: 'uuid' },
    columns: {
      ...plain('id', 'deal_id', 'from_stage_id', 'from_name', 'to_stage_id', 'to_name'),
      ...actor('changed_by'),
      ...times('changed_at'),
    },
  }),
  archiveFile({
    name: 'notes',
    says: 'Notes, each about a contact, a company or a deal. mentions has the members that a text names, as JSON.',
    from: 'contact_notes',
    keys: byCreation,
    columns: { ...plain('id', ...ofRecords, 'text', 'pinned', 'mentions'), ...made, ...plain('version') },
    ...long,
  }),
  archiveFile({
    name: 'tasks',
    says: 'Tasks, about a contact, a company, a deal or nothing.',
    from: 'contact_tasks',
    keys: byCreation,
    columns: {
      ...plain('id', ...ofRecords, 'title', 'description', 'status', 'assignee_user_id'),
      ...times('due_at', 'remind_at', 'reminded_at', 'completed_at'),
      ...made,
      ...plain('version'),
    },
    ...long,
  }),
  archiveFile({
    name: 'external-ids',
    says: 'The ids that records have in other systems. record_id is the id of the noun in this archive.',
    from: 'external_ids',
    keys: { noun: 'text', source: 'text', external_id: 'text' },
    columns: {
      ...plain('noun', 'source', 'external_id'),
      record_id: 'coalesce(contact_id, company_id, deal_id, note_id, task_id)',
      ...times('created_at'),
    },
  }),
  archiveFile({
    name: 'custom-fields',
    says: 'The custom fields of contacts, companies and deals.',
    from: 'custom_fields',
    keys: { noun: 'text', key: 'text' },
    columns: { ...plain('id', 'noun', 'key', 'label', 'type', 'options'), ...times('created_at') },
  }),
  archiveFile({
    name: 'pipelines',
    says: 'The pipelines of deals.',
    from: byText('pipelines'),
    keys: byKey,
    columns: { ...plain('id', 'name', 'position'), ...times('created_at', 'updated_at'), ...plain('version') },
  }),
  archiveFile({
    name: 'stages',
    says: 'The stages of each pipeline, with a probability in percent.',
    from: 'stages',
    keys: { pipeline_id: 'uuid', id: 'uuid' },
    columns: plain('id', 'pipeline_id', 'name', 'position', 'kind', 'probability', 'stale_after_days'),
  }),
  archiveFile({
    name: 'voice-agents',
    says: 'The voice agents that calls name.',
    from: 'voice_agents',
    keys: byCreation,
    columns: {
      ...plain('id', 'name', 'status', 'instructions', 'first_message', 'extraction', 'phone_number', 'language', 'voice', 'provider'),
      ...times('created_at', 'updated_at'),
    },
  }),
  archiveFile({
    name: 'calls',
    says: 'Calls. credits_charged is in credits; extracted, variables and metadata are JSON.',
    from: 'calls',
    keys: byCreation,
    columns: {
      ...plain('id', 'agent_id', 'agent_version', 'contact_id', 'deal_id', 'is_trial', 'direction', 'dispatch_state', 'status', 'outcome'),
      ...plain('from_number', 'to_number', 'provider', 'provider_call_id', 'recording_url', 'summary', 'answered_by', 'ended_reason'),
      ...plain('duration_seconds', 'transcript_lines', 'extracted', 'variables', 'metadata'),
      credits_charged: 'trim_scale(credits_charged / 1000000.0)',
      ...times('answered_at', 'ended_at', 'dispatched_at'),
      ...made,
      ...plain('version'),
    },
    ...long,
  }),
  archiveFile({
    name: 'call-transcripts',
    says: 'The transcripts of calls, with their lines as JSON. call_id is the id in calls.csv.',
    from: '(select c.org_id, c.created_at, c.id, t.lines from calls c join call_transcripts t on t.id = c.id and t.org_id = c.org_id)',
    keys: byCreation,
    columns: { call_id: 'id', lines: 'lines' },
    pageSize: 50,
  }),
  archiveFile({
    name: 'suggestions',
    says: 'Suggested values of fields, with the evidence. current_value and proposed_value are as JSON has them.',
    from: 'suggestions',
    keys: byCreation,
    columns: {
      ...plain('id', 'job_id', 'call_id', 'contact_id', 'company_id', 'host_app', 'target_id', 'target_kind', 'field', 'value_type'),
      ...plain('current_value', 'proposed_value', 'confidence', 'verification', 'provider', 'source_url', 'evidence', 'status', 'reason'),
      ...actor('decided_by'),
      ...times('observed_at', 'decided_at', 'expires_at', 'created_at', 'updated_at'),
    },
    ...long,
  }),
  archiveFile({
    name: 'timeline',
    says: 'The events in timelines, as far back as they are kept. changes is JSON.',
    from: byText('events'),
    keys: { transaction_id: 'bigint', ...byKey },
    columns: {
      ...plain('id', 'type', 'entity', 'entity_id', 'contact_id'),
      ...actor('actor'),
      ...plain('door', 'operation', 'changes'),
      ...times('created_at'),
    },
    // Others are about members, keys and settings: a member's inbox is nobody else's.
    has: ({ entity }) => nounNamed(String(entity))?.isInTimelines === true,
    ...long,
  }),
  archiveFile({
    name: 'timeline-entries',
    says: 'The companies, deals and further records whose timelines show an event. event_id is the id in timeline.csv.',
    from: 'timeline_entries',
    keys: { record_id: 'uuid', ...byCreation },
    columns: { record_id: 'record_id', event_id: 'id', ...times('created_at') },
  }),
  archiveFile({
    name: 'members',
    says: 'The members, with their roles. owner_user_id and assignee_user_id are their user_id.',
    from: '(select m.organization_id as org_id, m.user_id, u.email, u.name, m.role, m.created_at from memberships m join users u on u.id = m.user_id)',
    keys: { created_at: 'timestamptz', user_id: 'text' },
    columns: { ...plain('user_id', 'email', 'name', 'role'), ...times('created_at') },
  }),
  archiveFile({
    name: 'views',
    says: 'The saved views that members share. Other views belong to their makers, and are left out.',
    from: byText('saved_views where is_shared'),
    keys: byKey,
    columns: {
      ...plain('id', 'owner_user_id', 'noun', 'name', 'filter', 'sort', 'columns', 'is_default', 'position'),
      ...made,
      ...plain('version'),
    },
  }),
]
