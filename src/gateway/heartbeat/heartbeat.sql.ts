// Statements of heartbeats and of the system events that they take.

import { statement } from '../../database/statement.ts'
import { boolean, rows, text, timestamptz, uuid } from '../../database/table.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { isVisibleTo } from '../runs/run.sql.ts'

const events = eventsOf('system_event', {
  queued: 'An event waits for the next heartbeat.',
})

/** Inserts any number of system events, each with its row in the outbox. Those that are there already are left out, so it can be repeated. */
export const insertEvents = statement(
  'gateway_insert_events',
  `with given as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::uuid[], $9::text[], $10::text[],
       $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[]) with ordinality as g(id, org_id, source, name, text, mode, run_id,
       event_id, actor_type, actor_id, actor_name, door, operation, request_id, created_at, n)),
   queued as (
     insert into gateway_events (id, org_id, source, name, text, mode, run_id, created_at)
     select id, org_id, source, name, text, mode, run_id, created_at from given order by n
     on conflict (id) do nothing returning id)
   insert into events (id, org_id, type, entity, entity_id, actor_type, actor_id, actor_name, door, operation, request_id, changes, created_at)
   select event_id, org_id, '${events.queued}', 'system_event', id::text, actor_type, actor_id, actor_name, door, operation, request_id,
     jsonb_build_object('mode', mode), created_at from given join queued using (id)`,
)

/** Not by Prisma: this is asked every two seconds, and an idle process would load Prisma's query compiler (50 MiB) for it alone. */
export const insertMain = statement(
  'gateway_insert_main',
  `insert into gateway_sessions (id, org_id, key, heartbeat_at, created_at, updated_at)
   select $1::uuid, $2::uuid, $3::text, $4::timestamptz, $4, $4 on conflict (org_id, key) do nothing`,
)

export const lockMain = statement(
  'gateway_lock_main',
  `select id, coalesce(lease_until > now(), false) as is_busy, coalesce(heartbeat_at, created_at) as heartbeat_at, heartbeat_not_before
   from gateway_sessions where org_id = $1 and key = $2 for update`,
  rows({ id: uuid, isBusy: boolean, heartbeatAt: timestamptz, heartbeatNotBefore: timestamptz.orNull() }),
)

// Literals, so that every plan can read the index that holds running heartbeats only.
export const selectUnfinished = statement(
  'gateway_unfinished_heartbeat',
  `select id from gateway_runs where session_id = $1 and kind = 'heartbeat' and status = 'running'`,
  rows({ id: uuid }),
)

const waiting = `select 1 from gateway_events where org_id = $1 and heartbeat_id is null and mode = 'now'`

/**
 * Whether an event asks for a heartbeat, and whether one was queued $3 ms before now ($2). It compares the absolute difference, so that after a
 * clock was set back no event has to wait until it is past again.
 */
export const isHeartbeatWanted = statement(
  'gateway_heartbeat_asked',
  `select exists (${waiting}) as is_wanted,
     exists (${waiting} and abs(extract(epoch from created_at - $2::timestamptz)) * 1000 >= $3::int) as has_waited`,
  rows({ isWanted: boolean, hasWaited: boolean }),
)

const taken = rows({
  source: text.as<'hook' | 'run' | 'user'>(),
  name: text,
  text,
  runId: uuid.orNull(),
  isVisible: boolean,
  createdAt: timestamptz,
})
export type TakenEvent = ReturnType<typeof taken.row>

/**
 * Takes the oldest events up to 200,000 bytes, about what a model reads at once, and a suspect one alone. The next heartbeat takes the rest.
 * $3: the scopes of the heartbeat. A summary is visible if its run is.
 */
export const takeEvents = statement(
  'gateway_take_events',
  `with queued as (
     select id, sum(octet_length(text) + 60) over (order by position) as size, row_number() over (order by position) as place,
       bool_or(is_suspect) over (order by position) as is_suspect
     from gateway_events where org_id = $1 and heartbeat_id is null order by position limit 5000),
   taken as (
     update gateway_events e set heartbeat_id = $2 from queued q where e.id = q.id and (q.size <= 200000 and not q.is_suspect or q.place = 1)
     returning e.position, e.source, e.name, e.text, e.run_id, e.created_at)
   select source, name, text, run_id,
     run_id is null or exists (select from gateway_runs r where r.id = run_id and ${isVisibleTo('$3')}) as is_visible, created_at
   from taken order by position`,
  taken,
)

/** Counts a failed heartbeat, and sets when the next one may begin by itself: after 5 s, twice as long each time, half an hour at most. */
export const countFailure = statement(
  'gateway_heartbeat_failed',
  `update gateway_sessions set heartbeat_failures = heartbeat_failures + 1,
     heartbeat_not_before = $2::timestamptz + least(1800, 5 * power(2, least(heartbeat_failures, 10))) * interval '1 second' where id = $1`,
)
