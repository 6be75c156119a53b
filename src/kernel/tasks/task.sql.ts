// Statements on pg-boss's tables, for reads that its interface lacks.

import { statement } from '../../database/statement.ts'
import { double, integer, jsonb, rows, text, timestamptz, uuid } from '../../database/table.ts'

/** The queue of tasks that have used up their retries. */
export const deadQueue = 'dead'

export const readDepths = statement(
  'task_depths',
  `select queue.name, count(job.id)::int as waiting,
     greatest(0, coalesce(extract(epoch from now() - min(job.start_after)), 0))::float8 as oldest_seconds
   from pgboss.queue left join pgboss.job on job.name = queue.name and job.state in ('created', 'retry') group by queue.name`,
  rows({ name: text, waiting: integer, oldestSeconds: double }),
)

const dead = rows({ id: uuid, name: text, payload: jsonb, reason: jsonb, failedAt: timestamptz })
/** A task that has used up its retries, with the reason of the last failure. */
export type DeadTask = ReturnType<typeof dead.row>

export const readDead = statement(
  'task_dead',
  `select id, source_name as name, data as payload, source_output as reason, created_on as failed_at from pgboss.job
   where name = '${deadQueue}' and state = 'created' order by created_on desc limit 200`,
  dead,
)
