// Whose turn it is: as many of an organization's waiting calls as it has free slots, in order, through the gate.

import { type Context, inTransaction } from '../context.ts'
import { type Statement, statement } from '../database/client.ts'
import { moveCall } from './call-move.ts'
import { type CallRecord, recordColumns, recordRow, recordWidth } from './call-row.ts'
import { close } from './call-state.ts'
import { dispatchLater } from './call-tasks.ts'
import { deniedSql, doNotCallSql, settingsColumns, settingsFrom, type Verdict, type VoiceSettings, verdictOn } from './gate.ts'

// One organization's turn is decided by one process at a time, or two would give the same slot away.
const lockTurn = statement<never>('call_turn_lock', `select pg_advisory_xact_lock(hashtextextended('voice turn ' || $1, 0))`)

// A slot is a call that is at the provider, or may be: counted and never kept, so that none can leak.
const selectSlots = statement<{ used: number; waiting: boolean } & Parameters<typeof settingsFrom>[1]>(
  'call_slots',
  `select (select count(*) from calls where org_id = $1 and dispatch_state in ('dispatching', 'dispatched', 'unconfirmed')
       and status in ('queued', 'ringing', 'in_progress'))::int as used,
     exists (select from calls where org_id = $1 and dispatch_state in ('pending', 'scheduled') and dispatch_after <= $2) as waiting,
     ${settingsColumns}
   from (select 1) one left join voice_settings s on s.org_id = $1`,
)

interface Candidate {
  call: CallRecord
  doNotCall: boolean
  isDenied: boolean
  timezone: string | null
}
// Calls of a paused agent keep their place, and let others pass.
const selectCandidates: Statement<Candidate> = statement(
  'call_candidates',
  `select ${recordColumns('c')}, ${doNotCallSql('c.org_id', 'c.to_number', 'c.contact_id')}, ${deniedSql('c.org_id', 'c.to_number')},
     (select timezone from contacts k where k.org_id = c.org_id and k.id = c.contact_id)
   from calls c join voice_agents a on a.id = c.agent_id and a.status = 'active'
   where c.org_id = $1 and c.dispatch_state in ('pending', 'scheduled') and c.dispatch_after <= $2
   order by c.dispatch_after, c.id limit $3 for update of c skip locked`,
  columns => {
    const [doNotCall, isDenied, timezone] = columns.slice(recordWidth) as unknown as [boolean, boolean, string | null]
    return { call: recordRow(columns), doNotCall, isDenied, timezone }
  },
)

/** Takes the calls whose turn it is: from here on they are `dispatching`, and it is the caller who dials. */
export async function claimCalls(context: Context, orgId: string): Promise<CallRecord[]> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const now = context.now()
    await tx.query(lockTurn, [orgId])
    const [slots] = await tx.query(selectSlots, [orgId, now.toISOString()])
    if (!slots?.waiting) return []
    const settings = settingsFrom(context, slots)

    const claimed: CallRecord[] = []
    let free = settings.concurrency - slots.used
    while (free > 0) {
      const candidates = await tx.query(selectCandidates, [orgId, now.toISOString(), free])
      for (const candidate of candidates) {
        const call = await judge(inside, candidate, settings, now)
        if (call.dispatchState === 'dispatching') claimed.push(call)
      }
      // Who was turned away has made room for the next.
      if (candidates.length < free) break
      free = settings.concurrency - slots.used - claimed.length
    }
    return claimed
  })
}

async function judge(context: Context, candidate: Candidate, settings: VoiceSettings, now: Date): Promise<CallRecord> {
  const { call } = candidate
  const verdict = verdictOn({ ...candidate, settings }, deadlineOf(call), now)
  if (verdict.kind === 'go') {
    const change = { dispatchState: 'dispatching' as const, claimedAt: now.toISOString(), dispatchAttempts: call.dispatchAttempts + 1 }
    return moveCall(context, call, { change })
  }
  if (verdict.kind === 'later') {
    await dispatchLater(context, call, verdict.at)
    return moveCall(context, call, { change: { dispatchState: 'scheduled', dispatchAfter: verdict.at.toISOString() } })
  }
  return moveCall(context, call, { change: turnedAway(call, verdict, now) })
}

/** What becomes of a call that the gate never lets through. */
export function turnedAway(call: CallRecord, { reason }: Extract<Verdict, { kind: 'never' }>, now: Date): Partial<CallRecord> {
  const isSuppressed = reason === 'do_not_call' || reason === 'denied_number'
  return isSuppressed
    ? close(call, { dispatchState: 'blocked', status: 'canceled', outcome: 'do_not_call', endedReason: reason }, now)
    : close(
        call,
        { dispatchState: reason === 'expired' ? 'failed' : 'blocked', status: 'canceled', outcome: 'failed', endedReason: reason },
        now,
      )
}

// A week: whatever still waits then is no longer what somebody meant when they asked for it.
const patienceMs = 7 * 86_400_000

/** When a call is no longer wanted. */
export function deadlineOf({ schedule: { earliestAt, latestAt }, createdAt }: Pick<CallRecord, 'schedule' | 'createdAt'>): Date {
  if (latestAt !== null) return new Date(latestAt)
  return new Date(Math.max(Date.parse(createdAt), earliestAt === null ? 0 : Date.parse(earliestAt)) + patienceMs)
}
