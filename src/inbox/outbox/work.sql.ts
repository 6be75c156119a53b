// Work that has ended, and who began it: reads for the items that tell of it.

import { statement } from '../../database/statement.ts'
import { boolean, integer, rows, text, uuid } from '../../database/table.ts'
import type { InboxResult } from '../items/item.sql.ts'

/** Work that a member has begun. */
const ended = rows({
  id: uuid,
  userId: text,
  contactId: uuid.orNull(),
  companyId: uuid.orNull(),
  title: text.orNull(),
  result: text.as<InboxResult>(),
  count: integer,
  /** The member to whom it has assigned contacts, if any. */
  ownerUserId: text.orNull(),
  /** Whether its end is worth an item. */
  isTold: boolean,
})
export type Ended = ReturnType<typeof ended.row>

const byMember = `created_by_type = 'user' and created_by_id is not null`

/** Without trials, which somebody has just watched, and without the past calls of sample data, whose provider ids are made of their own. */
export const endedCalls = statement(
  'inbox_ended_calls',
  `select c.id, c.created_by_id as user_id, c.contact_id, null::uuid as company_id, a.name as title,
     case c.status when 'completed' then 'succeeded' when 'canceled' then 'canceled' when 'failed' then 'failed' else 'not_reached' end as result,
     1 as count, null::text as owner_user_id, true as is_told
   from calls c left join voice_agents a on a.id = c.agent_id where c.id = any($1::uuid[]) and not c.is_trial and c.provider_call_id is distinct from 'sim_' || c.id::text and c.created_by_type = 'user' and c.created_by_id is not null`,
  ended,
)

/** Without the jobs of a bulk change, whose end is told once. */
export const endedJobs = statement(
  'inbox_ended_jobs',
  `select j.id, j.created_by_id as user_id, j.contact_id, j.company_id, j.recipe as title,
     case j.status when 'completed' then 'succeeded' else 'failed' end as result, 1 as count, null::text as owner_user_id, true as is_told
   from enrichment_jobs j where j.id = any($1::uuid[]) and j.created_by_type = 'user' and j.created_by_id is not null
     and not exists (
       select from contact_bulk_changes b
       where b.org_id = j.org_id and b.action = 'enrich' and b.created_by_id = j.created_by_id
         and j.created_at between b.created_at and coalesce(b.finished_at, j.created_at))`,
  ended,
)

// All files of the import of `i`.
const filesOfImport = `from contact_imports f where f.org_id = i.org_id and (f.id = coalesce(i.part_of, i.id) or f.part_of = coalesce(i.part_of, i.id))`
/** An import of several files is told at the end of the last one, with the rows of all. */
export const endedImports = statement(
  'inbox_ended_imports',
  `select id, coalesce(started_by ->> 'id', created_by_id) as user_id, null::uuid as contact_id, null::uuid as company_id, file_name as title,
     case status when 'completed' then 'succeeded' else 'failed' end as result,
     (select sum(f.created_count + f.updated_count)::int ${filesOfImport}) as count, null::text as owner_user_id,
     status <> 'completed' or not exists (select ${filesOfImport} and f.started_at is not null and f.id <> i.id
       and (f.finished_at is null or f.status in ('completed', 'failed') and (f.finished_at, f.id) > (i.finished_at, i.id))) as is_told
   from contact_imports i where id = any($1::uuid[]) and coalesce(started_by ->> 'type', created_by_type) = 'user'
     and coalesce(started_by ->> 'id', created_by_id) is not null`,
  ended,
)

/** Those that took longer than somebody watches, failed, or have queued work for later. Others are over before the next click. */
export const endedBulkChanges = statement(
  'inbox_ended_bulk_changes',
  `select id, coalesce(created_by_id, '') as user_id, null::uuid as contact_id, null::uuid as company_id, action as title,
     case status when 'completed' then 'succeeded' else 'failed' end as result, changed_count as count,
     case when action = 'update' and changed_count > 0 then parameters ->> 'ownerUserId' end as owner_user_id,
     coalesce(${byMember} and (status = 'failed' or action = 'enrich' or finished_at > created_at + interval '30 seconds'), false) as is_told
   from contact_bulk_changes where id = any($1::uuid[])`,
  ended,
)
