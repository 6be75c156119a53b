// Dispatch: the statements that claim calls, and those that find calls for the reaper.

import { workerName } from '../../database/notifications/listener.ts'
import type { Rows } from '../../database/selection.ts'
import { statement } from '../../database/statement.ts'
import { boolean, integer, jsonb, rows, timestamptz } from '../../database/table.ts'
import { agents, type PinnedSetup } from '../agents/agent.sql.ts'
import { callRecords, calls } from '../calls/row.ts'
import { callee, calleeSql } from '../policy/policy.sql.ts'

// Reads the columns of two row types in one statement.
const pairs = <First, Second>(first: Rows<First>, second: Rows<Second>): Rows<[First, Second]> => ({
  described: [...first.described, ...second.described],
  row: cells => [first.row(cells), second.row(cells.slice(first.described.length))],
})

/** Serializes the claims of an organization, because two concurrent claims would use the same slot. */
export const lockSlots = statement('call_slots_lock', `select from pg_advisory_xact_lock(hashtextextended('voice turn ' || $1, 0))`)

/** Whether an organization has waiting calls that may be dialled now. */
export const selectIsDue = statement(
  'call_is_due',
  `select exists (
     select from calls where org_id = $1 and dispatch_state in ('pending', 'scheduled') and dispatch_after <= $2
   ) as is_due`,
  rows({ isDue: boolean }),
)

/** Waiting calls that may be dialled now, in order, without calls of paused agents. */
export const selectCandidates = statement(
  'call_candidates',
  `select ${callRecords.all.of('c')}, ${calleeSql('c.org_id', 'c.to_number', 'c.contact_id')}
   from calls c join voice_agents a on a.id = c.agent_id and a.status = 'active'
   where c.org_id = $1 and c.dispatch_state in ('pending', 'scheduled') and c.dispatch_after <= $2
   order by c.dispatch_after, c.id limit $3 for update of c skip locked`,
  pairs(callRecords.all, callee),
)

/** Lets the policy decide again about calls that it has put off, because their calling hours may have changed. In the lock order of calls. */
export const decideAgain = statement(
  'calls_decide_again',
  `update calls c set dispatch_after = greatest(c.created_at, c.earliest_at)
   where c.id in (
     select id from calls where org_id = $1 and dispatch_state = 'scheduled' and dispatch_after > greatest(created_at, earliest_at)
     order by id for update
   )`,
)

/** The current agent, and the properties of the agent's version that the call uses. */
export const selectSetup = statement(
  'voice_agent_setup',
  `select ${agents.all.of('a')}, v.setup from voice_agents a
   join voice_agent_versions v on v.agent_id = a.id and v.version = $3 where a.org_id = $1 and a.id = $2`,
  pairs(agents.all, rows({ setup: jsonb.as<PinnedSetup>() })),
)

const named = calls.select(['id', 'orgId', 'provider'])
// The least recently changed calls first, because a round may be aborted before the end of the list.
const overdue = (name: string, condition: string) =>
  statement(name, `select ${named.sql} from calls where ${condition} order by updated_at, id limit 500`, named)

const atProvider = `dispatch_state in ('dispatching', 'dispatched', 'unconfirmed') and status in ('queued', 'ringing', 'in_progress')`
/** Calls whose dial got no answer. */
export const selectUnanswered = overdue(
  'calls_unanswered',
  `${atProvider} and (dispatch_state = 'unconfirmed' or dispatch_state = 'dispatching' and claimed_at < $1::timestamptz)`,
)
// The provider's clock may be wrong: by ours, a call is answered after its dial, and while it rings, for which a minute more is allowed.
const rings = "dispatched_at + ring_timeout_seconds * interval '1 second'"
const answered = `greatest(dispatched_at, least(coalesce(answered_at, ${rings}), ${rings} + interval '1 minute'))`
const longest = `${answered} + max_duration_seconds * interval '1 second'`

/** Calls that have exceeded their maximum duration. */
export const selectOverdue = overdue(
  'calls_overdue',
  `${atProvider} and dispatch_state = 'dispatched'
   and ${longest} < $1::timestamptz`,
)
/** Canceled calls that their provider has not ended. */
export const selectCanceled = overdue(
  'calls_to_cancel',
  `${atProvider} and dispatch_state = 'dispatched' and cancel_requested_at < $1::timestamptz`,
)
/** The number of calls that one of the three statements above would have found at that time, and that are still as they were. */
export const countStuck = statement(
  'calls_stuck',
  `select count(*)::int as count from calls where ${atProvider} and case dispatch_state
     when 'dispatched' then
       ${longest} < $1::timestamptz
       or cancel_requested_at < $1::timestamptz
     else claimed_at < $1::timestamptz end`,
  rows({ count: integer }),
)
/** Calls past their deadline: see `deadlineOf`. */
export const selectExpired = overdue(
  'calls_expired',
  `dispatch_state in ('pending', 'scheduled')
   and coalesce(latest_at, greatest(created_at, earliest_at) + interval '7 days') < $1::timestamptz`,
)

const organization = calls.select(['orgId'])
/** Organizations with waiting calls that may be dialled now. */
export const selectDue = statement(
  'calls_due',
  `select distinct ${organization.sql} from calls where dispatch_state in ('pending', 'scheduled') and dispatch_after <= $1 limit 500`,
  organization,
)

/** Whether any worker is alive, and since when the organization's first waiting call may be dialled, without calls of paused agents. */
export const selectWaiting = statement(
  'call_waiting',
  `select exists (
       select from pg_stat_activity where application_name = '${workerName}' and datname = current_database()
     ) as is_worker_alive,
     (select c.dispatch_after from calls c join voice_agents a on a.id = c.agent_id and a.status = 'active'
      where c.org_id = $1 and c.dispatch_state in ('pending', 'scheduled') and c.dispatch_after <= $2
      order by c.dispatch_after, c.id limit 1) as calls_due_since`,
  rows({ isWorkerAlive: boolean, callsDueSince: timestamptz.orNull() }),
)
