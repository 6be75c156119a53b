// The reaper: every minute it looks for dials without an answer, calls without an end, and calls that were not dispatched.

import pMap from 'p-map'
import type { Context, Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { countingDeaths, deathReason, maxDeaths } from '../../kernel/queue/deaths.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { callByProviderId } from '../calls/call.sql.ts'
import type { CallRecord } from '../calls/row.ts'
import { replayUnapplied } from '../events/event.ts'
import { transitionAfter } from '../events/news.ts'
import type { CallNews, Found } from '../providers/telephony.ts'
import { systemContext } from '../system-context.ts'
import { hangUp } from '../transitions/control.ts'
import { close, isOver, isWaiting } from '../transitions/state.ts'
import { readRecord, type Transition } from '../transitions/transition.ts'
import { deadlineOf, stateOfRefusal } from './claim.ts'
import { countStuck, selectCanceled, selectDue, selectExpired, selectOverdue, selectUnanswered } from './dispatch.sql.ts'
import { changeCall, closing, dialOf, dispatch } from './dispatch.ts'
import { placedCall } from './placed-call.ts'
import { reconcileItem, reconcileLater } from './queue.ts'

// 45 s: a dial times out after 15 s, so a process that has not stored its result by then has died.
const staleDialMs = 45_000
// Providers list a call within seconds of its dial. A call that is absent twice within two minutes was not placed.
const absentAfterMs = 120_000
const overtimeMs = 60_000
const stuckMs = 300_000

// 8: a request to a provider that is down takes 10 s; more concurrent ones could overload a small provider.
const concurrency = 8

interface Named {
  orgId: string
  id: string
  provider: string
}
/** Runs one round. A failing call does not stop the others, and a provider that does not answer delays only its own calls. */
export async function runReaper(services: Services, signal?: AbortSignal): Promise<void> {
  const now = services.now()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const handle = async ({ orgId, id, repair }: Named & { repair: Repair }) => {
    if (signal?.aborted) return
    await countingDeaths(services.database, id, {
      work: () => repair(services, orgId, id),
      giveUp: () => giveUp(services, orgId, id),
    }).catch((error: unknown) => services.log.warn({ err: error, callId: id }, 'the reaper will retry'))
  }
  const { database } = services
  const withRepair = async (calls: Promise<Named[]>, repair: Repair) => (await calls).map(call => ({ ...call, repair }))
  // First the repairs that do not need the provider.
  await replayUnapplied(services, signal)
  for (const call of await withRepair(database.query(selectExpired, [now.toISOString()]), expire)) await handle(call)
  for (const { orgId } of await database.query(selectDue, [now.toISOString()])) await dispatch(services, orgId)
  const calls = [
    ...(await withRepair(database.query(selectOverdue, [before(overtimeMs)]), endOvertime)),
    ...(await withRepair(database.query(selectCanceled, [before(staleDialMs)]), hangUp)),
    ...(await withRepair(database.query(selectUnanswered, [before(staleDialMs)]), reconcileCall)),
  ]
  const perProvider = Map.groupBy(calls, ({ provider }) => provider).values()
  await Promise.all([...perProvider].map(list => pMap(list, handle, { concurrency })))
}

/** Runs the reaper every minute. */
export const reaperItem = queueItem('call-watch', {
  ...{ retryLimit: 0, retryDelaySeconds: 1, timeoutSeconds: 50, concurrency: 1 },
  cron: '* * * * *',
})
export const reaperHandler = handlerOf(reaperItem, (services, { signal }) => runReaper(services, signal))

/** The number of calls that the reaper has not been able to repair for five minutes, for the metrics. */
export async function stuckCalls({ database, now }: Pick<Services, 'database' | 'now'>): Promise<number> {
  const [row] = await database.query(countStuck, [new Date(now().getTime() - stuckMs).toISOString()])
  return row?.count ?? 0
}

type Repair = (services: Services, orgId: string, id: string) => Promise<unknown>

export const reconcileHandler = handlerOf(reconcileItem, (services, { payload: { orgId, callId } }) =>
  reconcileCall(services, orgId, callId),
)

/**
 * Asks the provider for the result of a dial. A dial whose answer was lost is not repeated, because two phones could ring. A dial whose
 * process died is repeated if the provider has no such call, and uses its id as an idempotency key.
 */
export async function reconcileCall(services: Services, orgId: string, id: string): Promise<void> {
  const call = await readRecord(services, orgId, id)
  if (!call || isOver(call.status) || isWaiting(call.dispatchState)) return
  // This process may still be dialling, and will store the result.
  const isFresh = Date.parse(call.claimedAt ?? '') > services.now().getTime() - staleDialMs
  if (call.dispatchState === 'dispatching' && isFresh && dialOf(services, id)) return
  const found = await lookup(services, call)
  const context = systemContext(services, orgId, 'reconcileCall')
  const reconcileWith =
    (answer: Found) =>
    async (current: CallRecord, inside: Context): Promise<Transition | null> => {
      if (isOver(current.status) || current.claimedAt !== call.claimedAt) return null
      if (answer.kind === 'found') return transitionAfter(inside, current, answer.news)
      if (current.dispatchState !== 'dispatching' && current.dispatchState !== 'unconfirmed') return null
      const age = context.now().getTime() - Date.parse(current.claimedAt ?? current.createdAt)
      if (answer.kind === 'absent') {
        const isUndialled = current.dispatchState === 'dispatching' && services.telephony[call.provider]?.dialsOnce
        if (isUndialled && current.lookups < maxDeaths - 1) return redial(current)
        if (isUndialled)
          return closing(
            current,
            { status: 'failed', outcome: 'failed', endedReason: 'dispatch_lost', providerReason: deathReason },
            context.now(),
          )
        if (age > absentAfterMs && current.lookups > 0)
          return closing(current, { status: 'failed', outcome: 'failed', endedReason: 'dispatch_lost' }, context.now())
      } else if (age > (current.maxDurationSeconds + current.ringTimeoutSeconds) * 1000 + overtimeMs + absentAfterMs)
        return closing(current, { status: 'failed', outcome: 'failed', endedReason: 'provider_lost' }, context.now())
      // Three queue items with growing delays, then once a minute by the reaper.
      if (current.lookups < 3) await reconcileLater(inside, current, 10 * 2 ** current.lookups)
      return { change: { dispatchState: 'unconfirmed', lookups: current.lookups + 1 } }
    }
  await changeCall(context, id, { decide: reconcileWith(found) }).catch((error: unknown) =>
    changeCall(context, id, { decide: reconcileWith({ kind: 'unknown', reason: unusable(services, call, error) }) }),
  )
  if (found.kind === 'absent') await dispatch(services, orgId)
}

// `lookups` counts the dials whose process died, because each was asked about once.
const redial = (call: CallRecord): Transition => ({
  change: { dispatchState: 'pending', claimedAt: null, dispatchAfter: call.dispatchAfter, lookups: call.lookups + 1 },
})

/** Logs that an answer of the provider could not be applied to its call. Throws the error if the database is unavailable. */
function unusable(services: Services, { id }: CallRecord, error: unknown): string {
  if (error instanceof AppError && error.code === 'UNAVAILABLE') throw error
  services.log.error({ err: error, callId: id }, "the provider's answer could not be applied; the call is treated as if there were none")
  return 'the answer could not be applied'
}

/** Never throws, so that a call whose provider cannot even be asked does not stay open. */
async function lookup(services: Services, call: CallRecord): Promise<Found> {
  const provider = services.telephony[call.provider]
  if (!provider) return { kind: 'unknown', reason: `${call.provider} is not configured on this server` }
  const belongsToAnother = async (providerCallId: string) => {
    const [other] = await services.database.query(callByProviderId, [call.provider, providerCallId])
    return other !== undefined && other.id !== call.id
  }
  try {
    return await provider.lookup(await placedCall(systemContext(services, call.orgId, 'lookup'), call), belongsToAnother)
  } catch (error) {
    return { kind: 'unknown', reason: unusable(services, call, error) }
  }
}

/** Handles a call beyond its maximum duration: takes its end from the provider, or ends it at both sides. */
async function endOvertime(services: Services, orgId: string, id: string): Promise<void> {
  const call = await readRecord(services, orgId, id)
  if (!call) return
  const found = await lookup(services, call)
  const context = systemContext(services, orgId, 'runReaper')
  const end = found.kind === 'found' && isOver(found.news.status) ? found.news : null
  if (!end) await hangUpAtProvider(services, call)
  const loseCall = (current: CallRecord) => ({
    change: close(current, { status: 'failed', outcome: 'failed', endedReason: 'provider_lost' }, context.now()),
  })
  // News of another call than this one, by its id at the provider, changes nothing.
  const ending = (news: CallNews | null) => async (current: CallRecord, inside: Context) =>
    isOver(current.status) ? null : ((news && (await transitionAfter(inside, current, news))) ?? loseCall(current))
  // The slot is freed whatever the provider answers: an answer that cannot be applied counts as none.
  await changeCall(context, id, { decide: ending(end) }).catch((error: unknown) => {
    unusable(services, call, error)
    return changeCall(context, id, { decide: ending(null) })
  })
}

async function hangUpAtProvider(services: Services, call: CallRecord): Promise<void> {
  try {
    await services.telephony[call.provider]?.hangUp(await placedCall(systemContext(services, call.orgId, 'hangUp'), call))
  } catch (error) {
    unusable(services, call, error)
  }
}

/** Ends a call whose repair three processes did not survive. */
async function giveUp(services: Services, orgId: string, id: string): Promise<void> {
  const context = systemContext(services, orgId, 'runReaper')
  const end = { status: 'failed', outcome: 'failed', endedReason: 'provider_lost', providerReason: deathReason } as const
  await changeCall(context, id, {
    decide(call) {
      if (isOver(call.status)) return null
      return call.dispatchState === 'dispatched' ? { change: close(call, end, context.now()) } : closing(call, end, context.now())
    },
  })
}

async function expire(services: Services, orgId: string, id: string): Promise<void> {
  const context = systemContext(services, orgId, 'runReaper')
  await changeCall(context, id, {
    decide(call) {
      const isLate = isWaiting(call.dispatchState) && deadlineOf(call) < context.now()
      return isLate ? { change: stateOfRefusal(call, { kind: 'never', reason: 'expired' }, context.now()) } : null
    },
  })
}
