// The tables of bulk changes and their reversals. Their columns are named after contacts, and have the ids of records of any noun.

import { shortRead, statement } from '../../database/statement.ts'
import { bigint, integer, jsonb, object, type RowOf, rows, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import type { Code } from '../../kernel/errors.ts'
import { pagesByAge } from '../../kernel/lists/pages.sql.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { dayMs, prune } from '../../kernel/retention.sql.ts'
import type { LifecycleStage } from '../contact/row.ts'
import type { Deal } from '../deals/row.ts'
import { forNouns } from '../records/hanging/ref.ts'
import type { RecordFilter } from '../records/list/conditions.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import type { TaskFields } from '../tasks/task.sql.ts'

/** As stored. A restoration is an update with `restore`, tasks and moves are ones with `task` and `move`. */
export type BulkAction = 'update' | 'delete' | 'enrich' | 'undo'
export type BulkStatus = 'queued' | 'running' | 'completed' | 'canceled' | 'failed'

export interface BulkParameters {
  restore?: true
  addTags?: readonly string[]
  removeTags?: readonly string[]
  /** Fields of contacts, companies and deals, as they are stored. */
  ownerUserId?: string | null
  lifecycleStage?: LifecycleStage
  doNotCall?: boolean
  industry?: string | null
  country?: string | null
  expectedClose?: string | null
  /** Adds a task to each. */
  task?: Pick<TaskFields, 'title' | 'description' | 'dueAt' | 'assigneeUserId'>
  /** Moves deals to a stage. */
  move?: { stageId: string; lostReason: string | null }
  recipe?: string | null
}

export interface FieldReversal<Value = unknown> {
  from: Value
  to: Value
}

/** How the change of a record is taken back. A value is set back only where it is still `from`, a task deleted only as it was added. */
export interface Reversal {
  restore?: true
  delete?: true
  addTags?: readonly string[]
  removeTags?: readonly string[]
  owner?: FieldReversal<string | null>
  stage?: FieldReversal<LifecycleStage>
  doNotCall?: FieldReversal<boolean>
  industry?: FieldReversal<string | null>
  country?: FieldReversal<string | null>
  expectedClose?: FieldReversal<string | null>
  taskId?: string
  /** The stages, and the outcome that the deal had. */
  move?: FieldReversal<string> & Pick<Deal, 'wonAt' | 'lostAt' | 'lostReason'>
}

/** A record that refused the change. `otherId`: the record that has its address or domain, or into which it was merged. */
export interface BulkFailure {
  /** The id of the record. */
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
  noun: text.as<RecordNoun>(),
  action: text.as<BulkAction>(),
  parameters: jsonb.as<BulkParameters>(),
  filter: jsonb.as<RecordFilter>().orNull(),
  recordIds: textArray.named('contact_ids'),
  undoOfId: uuid.orNull(),
  total: integer.orNull(),
  ...progress,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
})
export interface BulkChange extends RowOf<typeof changes> {}

const { all } = changes
export const inserted = changes.values([
  ...(['id', 'orgId', 'noun', 'action', 'parameters', 'filter', 'recordIds', 'undoOfId', 'total', 'createdBy', 'createdAt'] as const),
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
/** $3 the noun, or null for any. */
export const lockChange = statement(
  'bulk_change_lock',
  `select ${all.sql} from contact_bulk_changes where org_id = $1 and id = $2 and ($3::text is null or noun = $3) for update`,
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

/** Of a noun, newest first. */
export const selectChanges = forNouns(noun => pagesByAge(`bulk_changes_${noun}`, 'contact_bulk_changes', all, `noun = '${noun}'`))
export const countChanges = statement(
  'bulk_changes_total',
  'select count(*) as total from contact_bulk_changes where org_id = $1 and noun = $2',
  rows({ total: bigint }),
)

const statementsOfChosen = (noun: RecordNoun, which: string, rest: string) => ({
  /** The number of the chosen records. */
  count: statement(
    `bulk_change_chosen_${noun}${which}`,
    `select count(*) as total from ${tableOfNoun[noun]} where org_id = $1 and id = any($2::uuid[])${rest}`,
    rows({ total: bigint }),
  ),
  /** $3 the number of records, $4 the id that they are behind. */
  next: statement(
    `bulk_change_next_chosen_${noun}${which}`,
    `select id from ${tableOfNoun[noun]} where org_id = $1 and id = any($2::uuid[]) and id > $4${rest} order by id limit $3`,
    rows({ id: uuid }),
  ),
})
/** The chosen records that live. */
export const chosenLive = forNouns(noun => statementsOfChosen(noun, '', ' and deleted_at is null'))
/** Those that there are, deleted or not. */
export const chosenAll = forNouns(noun => statementsOfChosen(noun, '_all', ''))

/** $1 organization, $2 their owner, $3 the id that they are behind. 200: a batch holds the locks of its records for some 100 ms. */
export const ownedRecords = forNouns(noun =>
  statement(
    `replaced_owner_${noun}`,
    `select id from ${tableOfNoun[noun]} where org_id = $1 and owner_user_id = $2 and deleted_at is null and id > $3 order by id limit 200`,
    rows({ id: uuid }),
  ),
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
