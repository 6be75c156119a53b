// The days that deals stay in their stages, and the activity of their owners, by the kept changes of stages.

import { type Context, organizationOf } from '../../../kernel/context.ts'
import { type Groups, groupRows } from '../../../kernel/lists/groups.ts'

// More stages, and more owners, than a chart shows.
const maxGroups = 200
const measured = { stage: { sql: 'stage_id::text', is: 'text' } } as const
// The change before is found by the index of a deal's changes. A stay in the stage of an open deal lasts until now.
const stays = `(
     select d.stage_id, extract(epoch from $3::timestamptz - d.stage_changed_at) / 86400.0 as days from deals d
     where d.org_id = $1 and d.deleted_at is null and d.won_at is null and d.lost_at is null
     union all
     select c.from_stage_id, extract(epoch from c.changed_at - came.changed_at) / 86400.0 from deal_stage_changes c
     join deals d on d.org_id = c.org_id and d.id = c.deal_id and d.deleted_at is null
     cross join lateral (
       select b.changed_at from deal_stage_changes b where b.org_id = $1 and b.deal_id = c.deal_id and b.id < c.id order by b.id desc limit 1
     ) came
     where c.org_id = $1 and c.changed_at >= $2 and c.from_stage_id is not null
   ) stay`

/** The stays in each stage that ended since then, and the present stays of open deals: their count, and their average in days. */
export const daysInStages = (context: Context, since: Date): Promise<Groups> =>
  groupRows(
    context,
    {
      ...{ table: stays, fields: measured, where: 'days >= 0', measure: 'days' },
      values: [organizationOf(context), since.toISOString(), context.now().toISOString()],
    },
    { by: [{ field: 'stage' }], first: maxGroups },
  )

const counted = { owner: { sql: 'owner_user_id', is: 'text' }, what: { sql: 'what', is: 'enum' } } as const
const activity = `(
     select d.owner_user_id, case when c.from_stage_id is null then 'added' when s.kind in ('won', 'lost') then s.kind else 'moved' end as what
     from deal_stage_changes c
     join deals d on d.org_id = c.org_id and d.id = c.deal_id and d.deleted_at is null
     left join stages s on s.org_id = c.org_id and s.id = c.to_stage_id
     where c.org_id = $1 and c.changed_at >= $2
   ) activity`

/** Changes since then of the deals of each owner: ADDED, MOVED, WON or LOST. */
export const activityOfOwners = (context: Context, since: Date): Promise<Groups> =>
  groupRows(
    context,
    { table: activity, fields: counted, where: 'true', values: [organizationOf(context), since.toISOString()], measure: null },
    { by: [{ field: 'owner' }, { field: 'what' }], first: 4 * maxGroups },
  )
