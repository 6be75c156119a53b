// The events that may put something into an inbox, by the kind of item.

import { bulkEvents } from '../../contacts/bulk/bulk.ts'
import { companyEvents } from '../../contacts/companies/row.ts'
import { contactEvents } from '../../contacts/contact/row.ts'
import { dealEvents } from '../../contacts/deals/row.ts'
import { importEvents } from '../../contacts/imports/import.ts'
import { notedEvents, noteEvents } from '../../contacts/notes/note.ts'
import { taskEvents } from '../../contacts/tasks/task.sql.ts'
import { creditEvents } from '../../credits/ledger/ledger.sql.ts'
import { jobEvents } from '../../enrichment/jobs/job.sql.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { callEvents } from '../../voice/calls/row.ts'
import { endpointEvents } from '../../webhooks/endpoints/endpoint.sql.ts'
import type { InboxKind } from '../items/item.sql.ts'

const kinds: readonly (readonly [EventType, InboxKind, field?: string])[] = [
  ...[contactEvents, companyEvents, dealEvents].flatMap(
    ({ created, updated }) =>
      [
        [created, 'assigned', 'ownerUserId'],
        [updated, 'assigned', 'ownerUserId'],
      ] as const,
  ),
  [taskEvents.created, 'assigned', 'assigneeUserId'],
  [taskEvents.updated, 'assigned', 'assigneeUserId'],
  ...Object.values(notedEvents).map(type => [type, 'mentioned', 'mentions'] as const),
  [noteEvents.updated, 'mentioned', 'mentions'],
  [taskEvents.reminded, 'reminder_due'],
  [callEvents.ended, 'call_ended'],
  [jobEvents.completed, 'job_ended'],
  [jobEvents.failed, 'job_ended'],
  [jobEvents.insufficient_credits, 'job_ended'],
  [importEvents.completed, 'import_ended'],
  [importEvents.failed, 'import_ended'],
  ...Object.values(bulkEvents).flatMap(
    ({ completed, failed }) =>
      [
        [completed, 'bulk_change_ended'],
        [failed, 'bulk_change_ended'],
      ] as const,
  ),
  [creditEvents.low, 'credits_low'],
  [endpointEvents.failing, 'webhook_failing'],
  [endpointEvents.disabled, 'webhook_failing'],
]

/** The kind of item that an event of the type makes. */
export const kindOf: ReadonlyMap<string, InboxKind> = new Map(kinds.map(([type, kind]) => [type, kind]))
const fieldOf: ReadonlyMap<string, string | undefined> = new Map(kinds.map(([type, , field]) => [type, field]))
export const alwaysTold = kinds.flatMap(([type, , field]) => (field === undefined ? [type] : []))
export const toldByField = kinds.flatMap(([type, , field]) => (field === undefined ? [] : [type]))
export const toldFields = [...new Set(kinds.flatMap(([, , field]) => field ?? []))]

/** The value of the field that decides about the event: before it and after it. Before is undefined for events that are no updates. */
export function decision({ type, changes }: { type: string; changes: Readonly<Record<string, unknown>> }): {
  before: unknown
  after: unknown
} {
  const value = changes[fieldOf.get(type) ?? '']
  const isPair = type.endsWith('.updated') && Array.isArray(value) && value.length === 2
  return isPair ? { before: value[0], after: value[1] } : { before: undefined, after: value }
}
