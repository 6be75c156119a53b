// Lists of what the gateway did: sessions, their turns, system events, runs; the newest first, a page at a time.

import { Page, type PageArgs, pageOf } from '../contacts/page.ts'
import { type Context, organizationOf } from '../context.ts'
import { type Statement, statement } from '../database/client.ts'
import { notFound } from '../errors.ts'
import { inOrder, load } from '../load.ts'
import { type Run, type RunKind, type RunStatus, runColumns, runTables } from './run.sql.ts'
import { type Turn, turnColumns } from './turn.sql.ts'
import type { ChannelName, WakeMode } from './words.ts'

export interface AgentSession {
  id: string
  orgId: string
  key: string
  lastChannel: ChannelName | null
  lastRecipient: string | null
  turnCount: number
  createdAt: string
  updatedAt: string
}

export const eventStates = ['queued', 'taken', 'seen'] as const
export type EventState = (typeof eventStates)[number]

export interface SystemEvent {
  id: string
  orgId: string
  source: 'hook' | 'run' | 'user'
  name: string
  text: string
  mode: WakeMode
  state: EventState
  runId: string | null
  heartbeatId: string | null
  createdAt: string
  seenAt: string | null
}

const sessionColumns = `s.id, s.org_id as "orgId", s.key, s.last_channel as "lastChannel", s.last_recipient as "lastRecipient",
  s.turn_count as "turnCount", s.created_at as "createdAt", s.updated_at as "updatedAt"`
const eventColumns = `e.id, e.org_id as "orgId", e.source, e.name, e.text, e.mode, e.run_id as "runId", e.heartbeat_id as "heartbeatId",
  case when e.heartbeat_id is null then 'queued' when e.seen_at is null then 'taken' else 'seen' end as state,
  e.created_at as "createdAt", e.seen_at as "seenAt"`

// Ids are UUIDv7, so their order is that of time, and the primary key finds the page. No id is smaller than the first or larger than the
// last of them.
const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const newest = (alias: string) => `${alias}.id < $2 order by ${alias}.id desc limit $3`

const listSessionRows = statement<AgentSession>(
  'gateway_list_sessions',
  `select ${sessionColumns} from gateway_sessions s where s.org_id = $1 and ($4::text is null or s.key = $4) and ${newest('s')}`,
)
const listRunRows = statement<Run>(
  'gateway_list_runs',
  `select ${runColumns} from ${runTables} where r.org_id = $1 and ($4::text is null or r.status = $4) and ($5::text is null or r.kind = $5)
     and ($6::text is null or s.key = $6) and ${newest('r')}`,
)
const listEventRows = statement<SystemEvent>(
  'gateway_list_events',
  `select ${eventColumns} from gateway_events e where e.org_id = $1 and ${newest('e')}`,
)
const listEventRowsByState: Record<EventState, Statement<SystemEvent>> = {
  queued: statement(
    'gateway_list_queued_events',
    `select ${eventColumns} from gateway_events e where e.org_id = $1 and e.heartbeat_id is null and ${newest('e')}`,
  ),
  taken: statement(
    'gateway_list_taken_events',
    `select ${eventColumns} from gateway_events e where e.org_id = $1 and e.heartbeat_id is not null and e.seen_at is null and ${newest('e')}`,
  ),
  seen: statement(
    'gateway_list_seen_events',
    `select ${eventColumns} from gateway_events e where e.org_id = $1 and e.seen_at is not null and ${newest('e')}`,
  ),
}
const listTurnRows = statement<Turn>(
  'gateway_list_turns',
  `select ${turnColumns} from gateway_turns t where t.org_id = $1 and t.session_id = $4 and t.seq < $2 order by t.seq desc limit $3`,
)
const selectSessions = statement<AgentSession>(
  'gateway_sessions_by_id',
  `select ${sessionColumns} from gateway_sessions s where s.org_id = $1 and s.id = any($2::uuid[])`,
)
const selectSessionByKey = statement<AgentSession>(
  'gateway_session_by_key',
  `select ${sessionColumns} from gateway_sessions s where s.org_id = $1 and s.key = $2`,
)
const selectEvents = statement<SystemEvent>(
  'gateway_events_by_id',
  `select ${eventColumns} from gateway_events e where e.org_id = $1 and e.id = any($2::uuid[])`,
)
const selectEventsOf = statement<SystemEvent>(
  'gateway_events_of_heartbeat',
  `select ${eventColumns} from gateway_events e where e.org_id = $1 and e.heartbeat_id = $2 order by e.position limit 1000`,
)

export interface RunFilter {
  status?: RunStatus | null
  kind?: RunKind | null
  sessionKey?: string | null
}

export const listSessions = (context: Context, { key, ...args }: PageArgs & { key?: string | null }): Promise<Page<AgentSession>> =>
  pageBy(context, args, `agent sessions ${key ?? ''}`, listSessionRows, [key ?? null])

export const listRuns = (context: Context, { filter, ...args }: PageArgs & { filter?: RunFilter | null }): Promise<Page<Run>> => {
  const { status = null, kind = null, sessionKey = null } = filter ?? {}
  return pageBy(context, args, `agent runs ${status} ${kind} ${sessionKey}`, listRunRows, [status, kind, sessionKey])
}

export const listEvents = (context: Context, { state, ...args }: PageArgs & { state?: EventState | null }): Promise<Page<SystemEvent>> =>
  pageBy(context, args, `system events ${state ?? ''}`, state == null ? listEventRows : listEventRowsByState[state], [])

/** The turns of a session, the newest first. */
export async function listTurns(context: Context, sessionId: string, args: PageArgs): Promise<Page<Turn>> {
  const list = `turns of ${sessionId}`
  const page = pageOf(args, list, key => /^\d{1,9}$/.test(key))
  const values = [organizationOf(context), page.start ? Number(page.start.key) : 2_147_483_647, page.size + 1, sessionId]
  const rows = await context.db.query(listTurnRows, values)
  return new Page(
    rows.map(row => ({ row, key: String(row.seq) })),
    page,
    list,
  )
}

async function pageBy<Row extends { id: string }>(
  context: Context,
  args: PageArgs,
  list: string,
  rows: Statement<Row>,
  values: readonly unknown[],
): Promise<Page<Row>> {
  const page = pageOf(args, list, key => key === '')
  const found = await context.db.query(rows, [organizationOf(context), page.start?.id ?? largestId, page.size + 1, ...values])
  return new Page(
    found.map(row => ({ row, key: '' })),
    page,
    list,
  )
}

/** The session. Throws NOT_FOUND. */
export async function getSession(context: Context, { key }: { key: string }): Promise<AgentSession> {
  const [session] = await context.db.query(selectSessionByKey, [organizationOf(context), key])
  if (!session) throw notFound('agent session', key)
  return session
}

export const sessionOf = (context: Context, id: string): Promise<AgentSession | null> => load(context, loadSessions, id)

export async function loadSessions(context: Context, ids: readonly string[]): Promise<(AgentSession | null)[]> {
  return inOrder(ids, await context.db.query(selectSessions, [organizationOf(context), ids]), session => session.id)
}

export async function loadEvents(context: Context, ids: readonly string[]): Promise<(SystemEvent | null)[]> {
  return inOrder(ids, await context.db.query(selectEvents, [organizationOf(context), ids]), event => event.id)
}

/** The events that a heartbeat took, in their order, a thousand at most. */
export const eventsOfHeartbeat = (context: Context, runId: string): Promise<SystemEvent[]> =>
  context.db.query(selectEventsOf, [organizationOf(context), runId])
