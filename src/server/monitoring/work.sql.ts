// Statements for the metrics of waiting work, in the tables of calls, jobs, runs and deliveries, of its workers, and of backups.

import { workerName } from '../../database/notifications/listener.ts'
import { statement } from '../../database/statement.ts'
import { double, integer, rows, text } from '../../database/table.ts'

export const countWorkers = statement(
  'workers_alive',
  `select count(*)::int as workers from pg_stat_activity where application_name = '${workerName}' and datname = current_database()`,
  rows({ workers: integer }),
)

/** For how many seconds the longest waiting of each kind has been due at $1; 0 when none is. */
export const oldestDue = statement(
  'work_oldest_due',
  `select kind as work, coalesce(greatest(extract(epoch from $1::timestamptz - due), 0), 0)::float8 as seconds from (
     select 'calls' as kind, (select min(dispatch_after) from calls where dispatch_state in ('pending', 'scheduled')) as due
     union all select 'enrichment_jobs', (select min(run_after) from enrichment_jobs where status = 'queued')
     union all select 'runs', (select min(created_at) from gateway_runs where status = 'accepted')
     union all select 'deliveries', (select min(due_at) from gateway_deliveries where state = 'pending')
     union all select 'webhooks', (select min(due_at) from webhook_deliveries where state = 'pending')
   ) as waiting`,
  rows({ work: text, seconds: double }),
)

export const readLastBackup = statement(
  'backup_last',
  'select coalesce(extract(epoch from max(ended_at)), 0)::float8 as at from backups',
  rows({ at: double }),
)
