// Claims waiting calls of an organization: as many as it has free slots, in order, each after a check by the call policy.

import { allDone } from '../../kernel/batching/all-done.ts'
import { type Context, inTransaction } from '../../kernel/context.ts'
import type { CallRecord } from '../calls/row.ts'
import { selectSlots } from '../policy/policy.sql.ts'
import { type PolicyFacts, settingsFrom, type Verdict, verdictOn, verdictOnTrial } from '../policy/policy.ts'
import { close } from '../transitions/state.ts'
import { applyTransitions, type Transition } from '../transitions/transition.ts'
import { lockSlots, selectCandidates, selectIsDue } from './dispatch.sql.ts'
import { dispatchLater } from './queue.ts'

interface Decided {
  /** Set to `dispatching`, to be dialled. */
  claimed: CallRecord[]
  /** Refused by the policy, or put off. */
  others: CallRecord[]
}

/** Decides on the next calls of the organization, as many as it has free slots. */
export async function claimCalls(context: Context, orgId: string): Promise<Decided> {
  // Most passes follow the end of a call, or a request whose call an earlier pass has claimed, and find nothing.
  const [due] = await context.db.query(selectIsDue, [orgId, context.now().toISOString()])
  if (!due?.isDue) return { claimed: [], others: [] }
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const now = context.now()
    await tx.query(lockSlots, [orgId])
    const [slots] = await tx.query(selectSlots, [orgId, now.toISOString()])
    const all: Decided = { claimed: [], others: [] }
    if (!slots?.waiting) return all
    const settings = settingsFrom(context, slots)

    let free = settings.concurrency - slots.used
    while (free > 0) {
      const candidates = await tx.query(selectCandidates, [orgId, now.toISOString(), free])
      const steps = candidates.map(([before, callee]) => ({
        ...{ context: inside, before },
        transition: transitionOf(before, { ...callee, settings }, now),
      }))
      const decided = await applyTransitions(inside, steps)
      for (const call of decided) all[call.dispatchState === 'dispatching' ? 'claimed' : 'others'].push(call)
      const later = decided.filter(({ dispatchState }) => dispatchState === 'scheduled')
      await allDone(later.map(call => dispatchLater(inside, call, new Date(call.dispatchAfter))))
      // Calls that the policy refused have left slots free, so more candidates are read.
      if (candidates.length < free) break
      free = settings.concurrency - slots.used - all.claimed.length
    }
    return all
  })
}

function transitionOf(call: CallRecord, facts: PolicyFacts, now: Date): Transition {
  const deadline = deadlineOf(call)
  const verdict = call.isTrial ? verdictOnTrial(deadline, now) : verdictOn(facts, deadline, now)
  switch (verdict.kind) {
    case 'go':
      return { change: { dispatchState: 'dispatching', claimedAt: now.toISOString(), dispatchAttempts: call.dispatchAttempts + 1 } }
    case 'later':
      return { change: { dispatchState: 'scheduled', dispatchAfter: verdict.at.toISOString() } }
    case 'never':
      return { change: stateOfRefusal(call, verdict, now) }
  }
}

/** The final state of a call that the policy refuses. */
export function stateOfRefusal(call: CallRecord, { reason }: Extract<Verdict, { kind: 'never' }>, now: Date): Partial<CallRecord> {
  const isSuppressed = reason === 'do_not_call' || reason === 'denied_number'
  return isSuppressed
    ? close(call, { dispatchState: 'blocked', status: 'canceled', outcome: 'do_not_call', endedReason: reason }, now)
    : close(
        call,
        { dispatchState: reason === 'expired' ? 'failed' : 'blocked', status: 'canceled', outcome: 'failed', endedReason: reason },
        now,
      )
}

// A week: after that, its caller no longer expects the call.
const patienceMs = 7 * 86_400_000

/** The time after which the call expires. */
export function deadlineOf({ schedule: { earliestAt, latestAt }, createdAt }: Pick<CallRecord, 'schedule' | 'createdAt'>): Date {
  if (latestAt !== null) return new Date(latestAt)
  return new Date(Math.max(Date.parse(createdAt), earliestAt === null ? 0 : Date.parse(earliestAt)) + patienceMs)
}
