// The tables of bulk changes and their reversals. Batches of contacts are hot.

import { shortRead, statement } from '../../database/statement.ts'
import { bigint, integer, jsonb, object, type RowOf, rows, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import type { Code } from '../../kernel/errors.ts'
import { eventColumns, eventDefinitions } from '../../kernel/events/event.sql.ts'
import { pagesByAge } from '../../kernel/lists/pages.sql.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { dayMs, prune } from '../../kernel/retention.sql.ts'
import { addressesOfRow } from '../contact/addresses/address.sql.ts'
import type { ContactFilter } from '../contact/list/filter.ts'
import { contactTable, type LifecycleStage } from '../contact/row.ts'
import type { TaskFields } from '../tasks/task.sql.ts'

/** As stored. A restoration is an update with `restore`, and tasks are one with `task`: earlier releases read them as an update of nothing. */
export type BulkAction = 'update' | 'delete' | 'enrich' | 'undo'
export type BulkStatus = 'queued' | 'running' | 'completed' | 'canceled' | 'failed'

export interface BulkParameters {
  restore?: true
  addTags?: readonly string[]
  removeTags?: readonly string[]
  ownerUserId?: string | null
  lifecycleStage?: LifecycleStage
  doNotCall?: boolean
  /** Adds a task to each. */
  task?: Pick<TaskFields, 'title' | 'description' | 'dueAt' | 'assigneeUserId'>
  recipe?: string | null
}

/** How the change of a contact is taken back. A value is set back only where it is still `from`, a task deleted only as it was added. */
export interface Reversal {
  restore?: true
  delete?: true
  addTags?: readonly string[]
  removeTags?: readonly string[]
  owner?: { from: string | null; to: string | null }
  stage?: { from: LifecycleStage; to: LifecycleStage }
  doNotCall?: { from: boolean; to: boolean }
  taskId?: string
}

/** A contact that refused the change. `otherId`: the contact that has its address, or into which it was merged. */
export interface BulkFailure {
  contactId: string
  code: Code
  message: string
  otherId: string | null
}

const progress = {
  status: text.as<BulkStatus>(),
  statusReason: text.orNull(),
  positionKey: text.orNull(),
  positionId: uuid.orNull(),
  changedCount: integer,
  unchangedCount: integer,
  failedCount: integer,
  failures: jsonb.as<readonly BulkFailure[]>(),
  startedAt: timestamptz.orNull(),
  finishedAt: timestamptz.orNull(),
}
const changes = table('contact_bulk_changes', {
  id: uuid,
  orgId: uuid,
  action: text.as<BulkAction>(),
  parameters: jsonb.as<BulkParameters>(),
  filter: jsonb.as<ContactFilter>().orNull(),
  contactIds: textArray,
  undoOfId: uuid.orNull(),
  total: integer.orNull(),
  ...progress,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
})
export interface BulkChange extends RowOf<typeof changes> {}

const { all } = changes
export const inserted = changes.values([
  ...(['id', 'orgId', 'action', 'parameters', 'filter', 'contactIds', 'undoOfId', 'total', 'createdBy', 'createdAt'] as const),
  // Object.keys does not keep the key type; the keys are exactly these.
  ...(Object.keys(progress) as (keyof typeof progress)[]),
])
export const changed = changes.values(Object.keys(progress) as (keyof typeof progress)[])

export const insertChange = statement(
  'bulk_change_insert',
  `insert into contact_bulk_changes (${inserted.columns}) values (${inserted.parameters()})`,
)
/** $1 id, then the columns of `changed`. The row is locked. */
export const updateChange = statement('bulk_change_update', `update contact_bulk_changes set ${changed.assignments(2)} where id = $1`)
export const lockChange = statement(
  'bulk_change_lock',
  `select ${all.sql} from contact_bulk_changes where org_id = $1 and id = $2 for update`,
  all,
)
export const changesById = shortRead(
  'bulk_changes_by_id',
  `select ${all.sql} from contact_bulk_changes where org_id = $1 and id = any($2::uuid[])`,
  all,
)
/** The changes that take back those with the ids. */
export const undosOf = statement(
  'bulk_changes_undos',
  'select id, undo_of_id from contact_bulk_changes where org_id = $1 and undo_of_id = any($2::uuid[])',
  rows({ id: uuid, undoOfId: uuid }),
)

/** Newest first. */
export const selectChanges = pagesByAge('bulk_changes', 'contact_bulk_changes', all)
export const countChanges = statement(
  'bulk_changes_total',
  'select count(*) as total from contact_bulk_changes where org_id = $1',
  rows({ total: bigint }),
)

const statementsOfChosen = (which: string, rest: string) => ({
  /** The number of the chosen contacts. */
  count: statement(
    `bulk_change_chosen${which}`,
    `select count(*) as total from contacts where org_id = $1 and id = any($2::uuid[])${rest}`,
    rows({ total: bigint }),
  ),
  /** $3 the number of contacts, $4 the id that they are behind. */
  next: statement(
    `bulk_change_next_chosen${which}`,
    `select id from contacts where org_id = $1 and id = any($2::uuid[]) and id > $4${rest} order by id limit $3`,
    rows({ id: uuid }),
  ),
})
/** The chosen contacts that live. */
export const chosenLive = statementsOfChosen('', ' and deleted_at is null')
/** Those that there are, deleted or not. */
export const chosenAll = statementsOfChosen('_all', '')
/** Locked in the order of ids, as in merges and batches. */
export const lockContacts = statement(
  'bulk_change_lock_contacts',
  `select ${contactTable.all.sql} from contacts where org_id = $1 and id = any($2::uuid[]) order by id for update`,
  contactTable.all,
)
/** $1 organization, $2 now, $3 the locked contacts, $4 the events as JSON. */
export const deleteContacts = statement(
  'bulk_change_delete',
  `with row as (
     update contacts set deleted_at = $2, version = version + 1, updated_at = greatest(updated_at, $2)
     where org_id = $1 and id = any($3::uuid[]) and deleted_at is null returning id
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($4) as given (${eventDefinitions})
     where contact_id in (select id from row)
   )
   select id from row`,
  rows({ id: uuid }),
)

/**
 * The obstacles to restoring deleted contacts: the contact into which one was merged, and the contact that has one of its addresses: a live
 * one, or the oldest that is restored with it.
 */
export const hindrances = statement(
  'bulk_change_hindrances',
  `with deleted as (
     select id, ${addressesOfRow()} as addresses, merged_into($1, id) as into_id
     from contacts where org_id = $1 and id = any($2::uuid[]) and deleted_at is not null
   ), address as (
     select id, coalesce(
       (select contact_id from contact_emails held where held.org_id = $1 and held.address = one),
       nullif(first_value(id) over (partition by into_id is null, one order by id), id)
     ) as taken_by
     from deleted cross join unnest(addresses) one
   )
   select id, into_id, (select taken_by from address where address.id = deleted.id and taken_by is not null limit 1) as taken_by from deleted`,
  rows({ id: uuid, intoId: uuid.orNull(), takenBy: uuid.orNull() }),
)
/** $1 organization, $2 now, $3 the locked contacts, $4 the events as JSON. */
export const restoreContacts = statement(
  'bulk_change_restore',
  `with row as (
     update contacts set deleted_at = null, version = version + 1, updated_at = greatest(updated_at, $2)
     where org_id = $1 and id = any($3::uuid[]) and deleted_at is not null returning id
   ), event as (
     insert into events (${eventColumns}) select ${eventColumns} from json_to_recordset($4) as given (${eventDefinitions})
     where contact_id in (select id from row)
   )
   select id from row`,
  rows({ id: uuid }),
)

/** $1 change, $2 the reversals as JSON, $3 now. */
export const insertReversals = statement(
  'bulk_reversals_insert',
  `insert into contact_bulk_reversals (change_id, contact_id, reversal, created_at)
   select $1, contact_id, reversal, $3 from json_to_recordset($2) as given (contact_id uuid, reversal jsonb)`,
)
/** $1 change, $2 the contact that they are behind, $3 the number. */
export const nextReversals = statement(
  'bulk_reversals_next',
  'select contact_id, reversal from contact_bulk_reversals where change_id = $1 and contact_id > $2 order by contact_id limit $3',
  rows({ contactId: uuid, reversal: jsonb.as<Reversal>() }),
)
export const countReversals = statement(
  'bulk_reversals_total',
  'select count(*) as total from contact_bulk_reversals where change_id = $1',
  rows({ total: bigint }),
)

export const undoDays = 7
export const bulkRetention = {
  bulkChanges: prune(
    'bulk_changes',
    'contact_bulk_changes',
    'finished_at < $1::timestamptz',
    config => config.EVENT_RETENTION_DAYS * dayMs,
  ),
  bulkReversals: prune('bulk_reversals', 'contact_bulk_reversals', 'created_at < $1::timestamptz', () => undoDays * dayMs, 'ctid'),
}
