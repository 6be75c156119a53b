// The contacts that imports have written, and how their changes are taken back.

import { statement } from '../../../database/statement.ts'
import { boolean, integer, jsonb, rows, uuid } from '../../../database/table.ts'
import type { Actor } from '../../../kernel/principal.ts'
import { dayMs, prune } from '../../../kernel/retention.sql.ts'

/** The undo of an import, as it is stored. */
export interface ImportUndo {
  status: 'queued' | 'running' | 'completed' | 'failed'
  statusReason: string | null
  /** The last contact that is done. */
  position: string | null
  /** The last company, deal, note or task that is done. Absent in undos from before these. */
  recordPosition?: string | null
  deletedCount: number
  restoredCount: number
  keptCount: number
  goneCount: number
  /** Companies that were made for contacts. Absent as above. */
  companiesDeletedCount?: number
  startedBy: Actor
  startedAt: string
  finishedAt: string | null
}

/** `{ field: [before, after] }`, as in events. */
export type FieldChanges = Readonly<Record<string, readonly [unknown, unknown]>>

/** $1 import, $2 the contacts as JSON, each once. A version that somebody else has made in between stays out, so that the contact counts as changed. */
export const insertWritten = statement(
  'import_contacts_insert',
  `insert into contact_import_contacts (import_id, contact_id, is_created, version)
   select $1, contact_id, is_created, version from json_to_recordset($2) as given (contact_id uuid, is_created boolean, version integer)
   on conflict (import_id, contact_id) do update set version = case
     when excluded.version - contact_import_contacts.version <= 1 then excluded.version else contact_import_contacts.version end`,
)

/** $1 import, $2 the changes as JSON, each contact once, $3 now. Of two changes of a field, the former value of the first stays. */
export const insertImportReversals = statement(
  'import_reversals_insert',
  `insert into contact_import_reversals (import_id, contact_id, changes, created_at)
   select $1, contact_id, changes, $3 from json_to_recordset($2) as given (contact_id uuid, changes jsonb)
   on conflict (import_id, contact_id) do update set changes = contact_import_reversals.changes || (
     select jsonb_object_agg(key, jsonb_build_array(coalesce(contact_import_reversals.changes -> key -> 0, value -> 0), value -> 1))
     from jsonb_each(excluded.changes))`,
)

/** $1 import, $2 the contact that they are behind, $3 the number. */
export const nextWritten = statement(
  'import_contacts_next',
  `select contact_id, is_created, version, changes from contact_import_contacts
   left join contact_import_reversals using (import_id, contact_id)
   where import_id = $1 and contact_id > $2 order by contact_id limit $3`,
  rows({ contactId: uuid, isCreated: boolean, version: integer, changes: jsonb.as<FieldChanges>().orNull() }),
)

/** Of the contacts $2, those on which somebody has worked: with notes, tasks or calls. */
export const workedOn = statement(
  'import_contacts_worked_on',
  `select id from unnest($2::uuid[]) as given (id) where exists (select from contact_notes where org_id = $1 and contact_id = given.id)
   or exists (select from contact_tasks where org_id = $1 and contact_id = given.id)
   or exists (select from calls where org_id = $1 and contact_id = given.id)`,
  rows({ id: uuid }),
)

/** Days in which an import is undone. */
export const undoDays = 7
export const undoRetention = {
  importReversals: prune(
    'import_reversals',
    'contact_import_reversals',
    'created_at < $1::timestamptz',
    () => (undoDays + 1) * dayMs,
    'ctid',
  ),
  importRecords: prune('import_records', 'contact_import_records', 'created_at < $1::timestamptz', () => (undoDays + 1) * dayMs, 'ctid'),
}
