// Looks after calls that nobody speaks of any more: dials without an answer, calls without an end, calls whose turn was missed.

import pMap from 'p-map'
import type { Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { onBehalfOf } from './acting.ts'
import { callByProviderId } from './call.sql.ts'
import { hangUp, readRecord } from './call-act.ts'
import { deadlineOf, turnedAway } from './call-claim.ts'
import { closing, dialOf, dispatch, moving } from './call-dispatch.ts'
import type { Move } from './call-move.ts'
import type { CallRecord } from './call-row.ts'
import { close, isOver, isWaiting } from './call-state.ts'
import { reconcileLater } from './call-tasks.ts'
import { placedCall } from './placed-call.ts'
import { heard, replayUnapplied } from './provider-event.ts'
import type { Found } from './telephony.ts'

// 45 s: a dial is given up after 15; whoever has not written down its result by then never will.
const staleDialMs = 45_000
// After a dial, companies list a call within seconds. Two minutes without it, asked twice, is as sure as it gets.
const absentAfterMs = 120_000
const overtimeMs = 60_000

// 8: one that does not answer takes 10 s, a round 50; more would be many requests at once for a small company.
const atOnce = 8

interface Named {
  orgId: string
  id: string
  provider: string
}
// What was looked at last comes last: a round may end before all had their turn.
const named = (name: string, condition: string) =>
  statement<Named>(name, `select org_id as "orgId", id, provider from calls where ${condition} order by updated_at, id limit 500`)

const open = `dispatch_state in ('dispatching', 'dispatched', 'unconfirmed') and status in ('queued', 'ringing', 'in_progress')`
const selectUnanswered = named(
  'calls_unanswered',
  `${open} and (dispatch_state = 'unconfirmed' or dispatch_state = 'dispatching' and claimed_at < $1::timestamptz)`,
)
const selectOverdue = named(
  'calls_overdue',
  `${open} and dispatch_state = 'dispatched'
   and coalesce(answered_at, dispatched_at + ring_timeout_seconds * interval '1 second') + max_duration_seconds * interval '1 second' < $1::timestamptz`,
)
const selectCanceled = named('calls_to_cancel', `${open} and dispatch_state = 'dispatched' and cancel_requested_at < $1::timestamptz`)
const selectExpired = named(
  'calls_expired',
  `dispatch_state in ('pending', 'scheduled')
   and coalesce(latest_at, greatest(created_at, earliest_at) + interval '7 days') < $1::timestamptz`,
)
const selectDue = statement<{ orgId: string }>(
  'calls_due',
  `select distinct org_id as "orgId" from calls where dispatch_state in ('pending', 'scheduled') and dispatch_after <= $1 limit 500`,
)

/**
 * One round. What fails for one call does not keep the others from being looked at, and a telephone company that does not answer keeps only
 * its own calls waiting.
 */
export async function watchCalls(services: Services, signal?: AbortSignal): Promise<void> {
  const now = services.now()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const lookAt = async ({ orgId, id, look }: Named & { look: Look }) => {
    if (signal?.aborted) return
    await look(services, orgId, id).catch((error: unknown) => services.log.warn({ err: error, callId: id }, 'the watch will look again'))
  }
  const { database } = services
  const toLook = async (calls: Promise<Named[]>, look: Look) => (await calls).map(call => ({ ...call, look }))
  // First what asks nobody.
  await replayUnapplied(services)
  for (const call of await toLook(database.query(selectExpired, [now.toISOString()]), expire)) await lookAt(call)
  for (const { orgId } of await database.query(selectDue, [now.toISOString()])) await dispatch(services, orgId)
  const calls = [
    ...(await toLook(database.query(selectOverdue, [before(overtimeMs)]), endOverdue)),
    ...(await toLook(database.query(selectCanceled, [before(staleDialMs)]), hangUp)),
    ...(await toLook(database.query(selectUnanswered, [before(staleDialMs)]), reconcileCall)),
  ]
  const ofEachProvider = Map.groupBy(calls, ({ provider }) => provider).values()
  await Promise.all([...ofEachProvider].map(list => pMap(list, lookAt, { concurrency: atOnce })))
}

type Look = (services: Services, orgId: string, id: string) => Promise<unknown>

/**
 * Asks the provider what became of a dial. A dial whose answer was lost is never repeated; one that certainly never left us, because its
 * process died before, is, where the provider itself makes sure that one call rings one phone.
 */
export async function reconcileCall(services: Services, orgId: string, id: string): Promise<void> {
  const call = await readRecord(services, orgId, id)
  const provider = call && services.telephony[call.provider]
  if (!call || !provider || isOver(call.status) || isWaiting(call.dispatchState)) return
  // Whoever is dialling it will know better in a moment.
  const isFresh = Date.parse(call.claimedAt ?? '') > services.now().getTime() - staleDialMs
  if (call.dispatchState === 'dispatching' && isFresh && dialOf(services, id)) return
  const found = await lookup(services, call)
  const context = onBehalfOf(services, orgId, 'reconcileCall')
  await moving(context, orgId, id, async (current, inside) => {
    if (isOver(current.status) || current.claimedAt !== call.claimedAt) return null
    if (found.kind === 'found') return heard(inside, current, found.news)
    if (current.dispatchState !== 'dispatching' && current.dispatchState !== 'unconfirmed') return null
    const age = context.now().getTime() - Date.parse(current.claimedAt ?? current.createdAt)
    if (found.kind === 'absent') {
      if (current.dispatchState === 'dispatching' && provider.dialsOnce) return redial(current)
      if (age > absentAfterMs && current.lookups > 0)
        return closing(current, { status: 'failed', outcome: 'failed', endedReason: 'dispatch_lost' }, context.now())
    } else if (age > (current.maxDurationSeconds + current.ringTimeoutSeconds) * 1000 + overtimeMs + absentAfterMs)
      return closing(current, { status: 'failed', outcome: 'failed', endedReason: 'provider_lost' }, context.now())
    // Asked again soon, then by the watch each minute.
    if (current.lookups < 3) await reconcileLater(inside, current, 10 * 2 ** current.lookups)
    return { change: { dispatchState: 'unconfirmed', lookups: current.lookups + 1 } }
  })
  if (found.kind === 'absent') await dispatch(services, orgId)
}

const redial = (call: CallRecord): Move => ({ change: { dispatchState: 'pending', claimedAt: null, dispatchAfter: call.dispatchAfter } })

async function lookup(services: Services, call: CallRecord): Promise<Found> {
  const provider = services.telephony[call.provider]
  if (!provider) return { kind: 'unknown', reason: `${call.provider} is not configured on this server` }
  const isOurs = async (providerCallId: string) => {
    const [other] = await services.database.query(callByProviderId, [call.provider, providerCallId])
    return other !== undefined && other.id !== call.id
  }
  return provider.lookup(await placedCall(onBehalfOf(services, call.orgId, 'lookup'), call), isOurs)
}

/** A call that should be long over: the provider is asked; whatever it has not ended is ended here. */
async function endOverdue(services: Services, orgId: string, id: string): Promise<void> {
  const call = await readRecord(services, orgId, id)
  if (!call) return
  const found = await lookup(services, call)
  const context = onBehalfOf(services, orgId, 'watchCalls')
  const ended = found.kind === 'found' && isOver(found.news.status)
  if (!ended) await services.telephony[call.provider]?.hangUp(await placedCall(context, call))
  await moving(context, orgId, id, (current, inside) => {
    if (isOver(current.status)) return null
    if (ended) return heard(inside, current, found.news)
    return { change: close(current, { status: 'failed', outcome: 'failed', endedReason: 'provider_lost' }, context.now()) }
  })
}

async function expire(services: Services, orgId: string, id: string): Promise<void> {
  const context = onBehalfOf(services, orgId, 'watchCalls')
  await moving(context, orgId, id, call => {
    const isLate = isWaiting(call.dispatchState) && deadlineOf(call) < context.now()
    return isLate ? { change: turnedAway(call, { kind: 'never', reason: 'expired' }, context.now()) } : null
  })
}
