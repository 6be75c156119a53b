// The statements that read and write single deals, and their way through the stages.

import { batchedRead } from '../../database/batched-read.ts'
import { shortRead, statement } from '../../database/statement.ts'
import { boolean, integer, object, type RowOf, rows, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'
import { followMerges } from '../merge/move.sql.ts'
import { stageTable } from '../pipelines/row.ts'
import { manyOf } from '../records/many.sql.ts'
import { type Deal, dealTable, storedFields } from './row.ts'

const { all } = dealTable
const byId = `select ${all.sql} from deals where org_id = $1 and id = $2`

export const dealAt = batchedRead<Deal>('deals', all)
export const dealsById = shortRead('deals_by_id', `select ${all.sql} from deals where org_id = $1 and id = any($2::uuid[])`, all)
/** Locks a deal, deleted or not. Its stage is locked before, where both are. */
export const lockDeal = statement('deal_lock', `${byId} for no key update`, all)
export const lockLiveDeal = statement('deal_lock_live', `${byId} and deleted_at is null for no key update`, all)
/** Lets one transaction at a time give places in the stage, so that no two deals get one. */
export const lockStage = statement(
  'deal_stage_lock',
  `select ${stageTable.all.sql} from stages where org_id = $1 and id = $2 for no key update`,
  stageTable.all,
)

/** The columns of a new deal. */
export const inserted = dealTable.values()
export const insertDeal = statement('deal_insert', `insert into deals (${inserted.columns}) values (${inserted.parameters()})`)
/** The columns that a change may set. */
export const updated = dealTable.values([
  ...storedFields,
  ...(['pipelineId', 'stageId', 'position', 'wonAt', 'lostAt', 'stageChangedAt'] as const),
  ...(['updatedAt', 'deletedAt', 'version', 'searchText'] as const),
])
/** $1 organization, $2 id, then the columns of `updated`. */
export const updateDealRow = statement('deal_update', `update deals set ${updated.assignments(3)} where org_id = $1 and id = $2`)
/** Locks and writes several deals. */
export const manyDeals = manyOf(dealTable, updated)

const place = rows({ position: text.orNull() })
/** $1 organization, $2 stage. Deleted deals keep their places. */
export const lastPlace = statement(
  'deal_place_last',
  'select max(position) as position from deals where org_id = $1 and stage_id = $2',
  place,
)
/** $1 organization, $2 stage, $3 a place, $4 the deal that moves, whose own place does not count. */
export const placeBefore = statement(
  'deal_place_before',
  'select max(position) as position from deals where org_id = $1 and stage_id = $2 and position < $3 and id <> $4',
  place,
)
export const placeAfter = statement(
  'deal_place_after',
  'select min(position) as position from deals where org_id = $1 and stage_id = $2 and position > $3 and id <> $4',
  place,
)

/** $1 organization, $2 ids. Those that live. */
export const liveCompanies = statement(
  'deal_companies_live',
  'select id from companies where org_id = $1 and id = any($2::uuid[]) and deleted_at is null',
  rows({ id: uuid }),
)
const changes = table('deal_stage_changes', {
  id: uuid,
  orgId: uuid,
  dealId: uuid,
  fromStageId: uuid.orNull(),
  fromName: text.orNull(),
  toStageId: uuid,
  toName: text,
  changedBy: object(actorColumns),
  changedAt: timestamptz,
})
export interface StageChange extends RowOf<typeof changes> {}
const insertedChange = changes.values()
/** $1 the rows, as JSON. */
export const insertStageChanges = statement(
  'deal_stage_changes_insert',
  `insert into deal_stage_changes (${insertedChange.columns})
   select ${insertedChange.columns} from json_to_recordset($1) as given (${insertedChange.definitions})`,
)
export const stageChangeRecord = insertedChange.record
/** $1 organization, $2 deals: the last 100 changes of each, newest first. */
export const stageChangesOfDeals = statement(
  'deal_stage_changes',
  `select ${changes.all.of('c')} from unnest($2::uuid[]) as deal (id) cross join lateral (
     select * from deal_stage_changes where org_id = $1 and deal_id = deal.id order by id desc limit 100
   ) c order by c.deal_id, c.id desc`,
  changes.all,
)

const listed = `(
     select * from deals where org_id = $1 and company_id = record.id and deleted_at is null order by created_at desc, id desc limit 100
   )`
/** $1 organization, $2 companies: the newest 100 deals of each. */
export const dealsOfCompanies = statement(
  'deals_of_companies',
  `select ${all.of('d')} from unnest($2::uuid[]) as record (id) cross join lateral ${listed} d`,
  all,
)
/** The deals of a stage, deleted ones included, in their order. $1 organization, $2 stage, $3 how many. */
export const lockDealsOfStage = statement(
  'deals_of_stage_lock',
  `select ${all.sql} from deals where org_id = $1 and stage_id = $2 order by position limit $3 for no key update`,
  all,
)
export const hasDeals = statement(
  'stage_has_deals',
  'select exists (select from deals where org_id = $1 and stage_id = $2)::int as total',
  rows({ total: integer }),
)

/** $1 organization, $2 an id in another system. Makes transactions that look for a deal by it, and add one, follow each other. */
export const lockExternalId = statement(
  'deal_lock_external_id',
  `select from pg_advisory_xact_lock(hashtextextended('deal ' || $1 || ' ' || $2, 0))`,
)
/** $2 an id in another system. Several deals may have one; the oldest is meant. It is locked where it is changed, after its stage. */
export const dealByExternalId = statement(
  'deal_by_external_id',
  `select ${all.sql} from deals where org_id = $1 and external_id = $2 and deleted_at is null order by id limit 1`,
  all,
)

// Live and deleted ones have an index each.
const ofCompany = (kind: string) => `select id from deals where org_id = $1 and company_id = $2 and deleted_at is ${kind}`
followMerges(
  'deals',
  {
    ...{ name: 'deals', description: 'Deals', isLockedFirst: true },
    move: `update deals set company_id = $3, version = version + 1
     where org_id = $1 and id = any(array(${ofCompany('null')} union all ${ofCompany('not null')})) and ($4::uuid[] is null or id = any($4::uuid[]))
     returning id`,
  },
  'company',
)

/** Whether the organization $1 has deals. */
export const anyDeal = shortRead(
  'deals_any',
  'select exists (select from deals where org_id = $1 and deleted_at is null) as has_any',
  rows({ hasAny: boolean }),
)
