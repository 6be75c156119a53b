// Statements on pg-boss's tables, for reads that its interface lacks.

import { statement } from '../../database/statement.ts'
import { double, integer, jsonb, rows, text, timestamptz, uuid } from '../../database/table.ts'
import { maxDeaths } from './deaths.ts'

/** The queue of items that have used up their retries. */
export const deadQueue = 'dead'

export const readDepths = statement(
  'task_depths',
  `select queue.name, count(job.id)::int as waiting,
     greatest(0, coalesce(extract(epoch from now() - min(job.start_after)), 0))::float8 as oldest_seconds
   from pgboss.queue left join pgboss.job on job.name = queue.name and job.state in ('created', 'retry') group by queue.name`,
  rows({ name: text, waiting: integer, oldestSeconds: double }),
)

/**
 * The number of workers that died at an item: its attempts before this one without those that ended in another way, which are counted in its
 * data. After the last one this attempt is made the final one. $1 name, $2 id, $3 the number of the attempt, from 0. An item that an
 * operator has queued again starts at 0.
 */
export const countDeaths = statement(
  'task_count_deaths',
  `update pgboss.job set data = data || jsonb_build_object('ended', counted.ended),
     retry_limit = case when retry_count - counted.ended >= ${maxDeaths} then retry_count else retry_limit end
   from (
     select case when retry_count = 1 then 0 else coalesce((data->>'ended')::int, 0) end
       + case when output #>> '{value,message}' = 'job heartbeat timeout' then 0 else 1 end as ended
     from pgboss.job where name = $1 and id = $2
   ) as counted
   where name = $1 and id = $2 and state = 'active' and retry_count = $3
   returning retry_count - counted.ended as deaths`,
  rows({ deaths: integer }),
)

const dead = rows({ id: uuid, name: text, payload: jsonb, reason: jsonb, failedAt: timestamptz })
/** An item that has used up its retries, with the reason of the last failure. */
export type DeadItem = ReturnType<typeof dead.row>

export const readDead = statement(
  'task_dead',
  `select id, source_name as name, data as payload, source_output as reason, created_on as failed_at from pgboss.job
   where name = '${deadQueue}' and state = 'created' order by created_on desc limit 200`,
  dead,
)
