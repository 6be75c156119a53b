// Statements of runs: accepted, claimed and retried. The worker of a run holds the lease of its session.

import { statement } from '../../database/statement.ts'
import { bigint, boolean, double, integer, rows, table, text, textArray, timestamptz, uuid } from '../../database/table.ts'
import { eventColumns, eventParameters } from '../../kernel/events/event.sql.ts'

/** The columns of a run that is accepted; its session is found by the statement. */
export const newRun = table('gateway_runs', {
  id: uuid,
  orgId: uuid,
  kind: text,
  agentId: text,
  name: text.orNull(),
  origin: text.orNull(),
  askedById: text.orNull(),
  message: text,
  wakeMode: text,
  deliver: boolean,
  channel: text,
  recipient: text.orNull(),
  model: text,
  thinking: text.orNull(),
  timeoutSeconds: double,
  scopes: textArray,
  creditCeiling: bigint,
  status: text,
  createdAt: timestamptz,
}).values([
  'id',
  'orgId',
  'kind',
  'agentId',
  'name',
  'origin',
  'askedById',
  'message',
  'wakeMode',
  'deliver',
  'channel',
  'recipient',
  'model',
  'thinking',
  'timeoutSeconds',
  'scopes',
  'creditCeiling',
  'status',
  'createdAt',
])

/**
 * Inserts the session where there is none, the run and its event. The session's row stays locked until the commit, so runs of one session
 * get their positions in the order in which they are committed. A hook ($4) may not continue a session that a user began: then nothing is
 * inserted.
 */
export const insertRun = statement(
  'gateway_insert_run',
  `with session as (
     insert into gateway_sessions as s (id, org_id, key, begun_by, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (org_id, key) do update set updated_at = excluded.updated_at
     where excluded.begun_by = 'user' or s.begun_by is distinct from 'user' returning s.id),
   run as (insert into gateway_runs (session_id, ${newRun.columns}) select session.id, ${newRun.parameters(6)} from session)
   insert into events (${eventColumns}) select ${eventParameters(6 + newRun.count)} from session returning id`,
  rows({ id: uuid }),
)

/** Queues a failed run again, for the member $4; its turns stay. Locks the session before the run, as all statements of runs do. */
export const reopenRun = statement(
  'gateway_reopen_run',
  `with session as (
     update gateway_sessions s set updated_at = $3 from gateway_runs r
     where r.org_id = $1 and r.id = $2 and r.status = 'failed' and r.kind = 'hook' and s.id = r.session_id returning s.id)
   update gateway_runs r set status = 'accepted', attempt = 0, error = null, summary = null, started_at = null, finished_at = null,
     asked_by_id = case when r.origin is null then $4 end
   from session where r.session_id = session.id and r.org_id = $1 and r.id = $2 and r.status = 'failed' and r.kind = 'hook' returning r.id`,
  rows({ id: uuid }),
)

/** $1 organization, $2 an open run of a hook, $3 now. Its worker loses the lease of the session. */
export const breakLease = statement(
  'gateway_break_lease',
  `update gateway_sessions s set updated_at = $3,
     lease_token = case when r.status = 'running' then null else s.lease_token end,
     lease_until = case when r.status = 'running' then null else s.lease_until end
   from gateway_runs r
   where r.org_id = $1 and r.id = $2 and r.kind = 'hook' and r.status in ('accepted', 'running') and s.id = r.session_id`,
)

// Claims are few and short. One at a time, so that each counts the running runs exactly.
export const lockClaims = statement('gateway_claim_lock', 'select from pg_advisory_xact_lock(7240031)')

export const countRunning = statement(
  'gateway_count_busy',
  `select count(*) as running from gateway_runs r join gateway_sessions s on s.id = r.session_id
   where r.status = 'running' and r.kind = 'hook' and s.lease_until > now()`,
  rows({ running: bigint }),
)

/** The oldest run that is the first open one of its session, if nobody holds the session's lease. */
export const selectNextRun = statement(
  'gateway_next_run',
  `select r.id from gateway_runs r join gateway_sessions s on s.id = r.session_id
   where r.status in ('accepted', 'running') and r.kind = 'hook' and r.org_id = $1 and (s.lease_until is null or s.lease_until <= now())
     and not exists (select 1 from gateway_runs e
       where e.session_id = r.session_id and e.status in ('accepted', 'running') and e.position < r.position)
   order by r.position limit 1 for update of s`,
  rows({ id: uuid }),
)

/** Renewed every third of it. Shorter: a stalled worker loses its run sooner; longer: a dead worker's run waits longer. */
export const leaseSeconds = 15
const lease = `now() + interval '${leaseSeconds} seconds'`

export const takeLease = statement(
  'gateway_take_lease',
  `update gateway_sessions set lease_token = $2, lease_until = ${lease} where id = $1`,
)

export const renewLease = statement(
  'gateway_hold_lease',
  `update gateway_sessions set lease_until = ${lease}, turn_count = turn_count + $3, updated_at = $4 where id = $1 and lease_token = $2
   returning turn_count`,
  rows({ turnCount: integer }),
)

// While the claim waited for the lock on the session, the run may have finished: then its status matches no more.
export const startRun = statement(
  'gateway_begin_run',
  `update gateway_runs set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $2)
   where id = $1 and status in ('accepted', 'running')`,
)

// Each count reads the index that holds open runs only.
export const countOpenRuns = statement(
  'gateway_open_runs',
  `select 'accepted' as state, count(*) from gateway_runs where status = 'accepted'
   union all select 'running', count(*) from gateway_runs where status = 'running'`,
  rows({ state: text, count: bigint }),
)

/** Adds to the amount that the run's tools reserved, unless that and the run's cost ($3) together exceed its ceiling. */
export const addReserved = statement(
  'gateway_count_reserved',
  `update gateway_runs set credits_reserved = credits_reserved + $2 where id = $1 and credits_reserved + $2 + $3 <= credit_ceiling
   returning credits_reserved`,
  rows({ creditsReserved: bigint }),
)

/**
 * Whether a run with these scopes may see what a run `r` saw and said: only if the scopes of `r` are within its own. A conversation does not
 * widen them: hooks and members share conversations, and runs of the main session read the summaries of all.
 */
export const isVisibleTo = (scopes: string) => `('*' = any(${scopes}::text[]) or r.scopes <@ ${scopes}::text[])`

/** The history of a run with the scopes $4: the newest turns of other runs that it may see, whose texts have at most $3 bytes together. */
export const selectHistory = statement(
  'gateway_history',
  `select id from (
     select t.id, sum(octet_length(t.text) + coalesce(octet_length(t.tool_output::text), 0)) over (order by t.seq desc) as size
     from gateway_turns t join gateway_runs r on r.id = t.run_id
     where t.session_id = $1 and t.run_id <> $2 and ${isVisibleTo('$4')} order by t.seq desc limit 400) newest
   where size <= $3`,
  rows({ id: uuid }),
)
