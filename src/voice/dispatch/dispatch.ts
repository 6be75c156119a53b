// Dispatch: claims calls, dials them, and stores the results.

import type { Queries } from '../../database/client.ts'
import { allDone } from '../../kernel/batching/all-done.ts'
import { batcherPerKey } from '../../kernel/batching/batcher-per-key.ts'
import { type Context, inTransaction, type Services } from '../../kernel/context.ts'
import { storableJson } from '../../kernel/input/storable.ts'
import { perObject } from '../../kernel/per-object.ts'
import { lockedCalls } from '../calls/call.sql.ts'
import type { CallRecord } from '../calls/row.ts'
import { refusedProvider } from '../providers/paid.ts'
import type { Dialled } from '../providers/telephony.ts'
import { systemContext } from '../system-context.ts'
import { endsWithin } from '../time-limit.ts'
import { advance, close, isOut, isOver, isWaiting } from '../transitions/state.ts'
import { applyTransition, lockCall, readRecord, type Transition } from '../transitions/transition.ts'
import { claimCalls } from './claim.ts'
import { orderOf } from './placed-call.ts'
import { controlLater, dispatchLater, reconcileLater } from './queue.ts'

/** The running passes and dials of a process. A pass claims an organization's calls and starts to dial them. */
interface Underway {
  /** Passes by organization. */
  passes: Map<string, Pass>
  /** Dials by call id. */
  dials: Map<string, Promise<CallRecord | null>>
  /** Requests that wait for a call of theirs, by its id. */
  awaited: Map<string, (current: CallRecord | null) => void>
}
interface Pass {
  done: Promise<void>
  next: Promise<void> | null
}
const underway = perObject<Services, Underway>(() => ({ passes: new Map(), dials: new Map(), awaited: new Map() }))

/**
 * Claims the organization's calls for its free slots and starts to dial them. Resolves when a pass that began after this call has claimed
 * them, so the pass has seen everything committed before. Never throws: the reaper handles what fails.
 */
export function dispatch(services: Services, orgId: string): Promise<void> {
  const { passes } = underway(services)
  const start = (): Promise<void> => {
    const pass: Pass = {
      next: null,
      done: claimAndDial(services, orgId)
        .catch((error: unknown) => services.log.warn({ err: error, orgId }, 'calls could not be dispatched; the reaper will retry'))
        .finally(() => {
          if (pass.next === null) passes.delete(orgId)
        }),
    }
    passes.set(orgId, pass)
    return pass.done
  }
  const running = passes.get(orgId)
  // One pass per organization at a time: others would wait for its lock, each with a connection.
  return running ? (running.next ??= running.done.then(start)) : start()
}

/**
 * Dispatches the organization's calls. Resolves with the call after its dial, or after the policy refused it or put it off; with null if it
 * waits for a slot, or the result was not stored. Often a pass that was already running has claimed the call, and is not waited for any longer
 * than that.
 */
export async function dispatchCall(services: Services, { orgId, id }: Pick<CallRecord, 'orgId' | 'id'>): Promise<CallRecord | null> {
  const { awaited } = underway(services)
  const { promise, resolve } = Promise.withResolvers<CallRecord | null>()
  awaited.set(id, resolve)
  try {
    return await Promise.race([promise, dispatch(services, orgId).then(() => dialOf(services, id) ?? null)])
  } finally {
    awaited.delete(id)
  }
}

/** Dials a scheduled call. Without a free slot it becomes `pending` and waits behind earlier calls. */
export async function dispatchDue(services: Services, orgId: string, callId: string): Promise<void> {
  const context = systemContext(services, orgId, 'dispatchCalls')
  const isDue = ({ dispatchState, dispatchAfter }: CallRecord) => dispatchState === 'scheduled' && new Date(dispatchAfter) <= context.now()
  // Read without a lock first: most calls have already been dialled, and both a pass and a row lock are writes.
  const before = await readRecord(services, orgId, callId)
  if (before && isWaiting(before.dispatchState)) {
    await dispatch(services, orgId)
    const call = await readRecord(services, orgId, callId)
    if (call && isDue(call))
      await changeCall(context, orgId, callId, current => (isDue(current) ? { change: { dispatchState: 'pending' } } : null))
  }
  await dialOf(services, callId)
}

/** The running dial of a call, and the call after it; undefined if this process is not dialling it, null if the result was not stored. */
export const dialOf = (services: Services, callId: string): Promise<CallRecord | null> | undefined => underway(services).dials.get(callId)

/** Resolves when no dial is running, or after `withinMs`. */
export async function dialsSettled(services: Services, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const { passes, dials } = underway(services)
    const running = [...dials.values(), ...[...passes.values()].map(({ next, done }) => next ?? done)]
    const left = deadline - Date.now()
    if (running.length === 0 || left <= 0) return
    await endsWithin(left, Promise.allSettled(running))
  }
}

/**
 * Locks a call and writes the transition that `decide` returns, if any. If it frees a slot, the next waiting call is dispatched. Resolves
 * with the call as it is then; null if there is no such call.
 */
export async function changeCall(context: Context, orgId: string, callId: string, decide: Decide): Promise<CallRecord | null> {
  const change: Change = { context, callId, decide }
  const alone = () =>
    context.db.transaction(
      async tx => {
        const before = await lockCall(inTransaction(context, tx), orgId, callId)
        return before && changeLocked(tx, before, change)
      },
      { isRepeatable: true },
    )
  if (context.db.inTransaction) return alone()
  const outcome = await changers(context.services).send(orgId, change)
  return outcome === isPaid ? alone() : outcome
}

type Decide = (call: CallRecord, inside: Context) => Promise<Transition | null> | Transition | null
interface Change {
  context: Context
  callId: string
  decide: Decide
}

/** Writes the transition of a locked call, if there is one. Resolves with the call after it. */
async function changeLocked(tx: Queries, before: CallRecord, { context, decide }: Change): Promise<CallRecord> {
  const inside = inTransaction(context, tx)
  const transition = await decide(before, inside)
  if (!transition) return before
  const after = await applyTransition(inside, before, transition)
  const held = isOut(before.dispatchState) && !isOver(before.status)
  const holds = isOut(after.dispatchState) && !isOver(after.status)
  if (held && !holds) await tx.afterCommit(() => void dispatch(context.services, after.orgId))
  return after
}

/** The outcome of a change that has to be made in a transaction of its own. */
const isPaid = Symbol('isPaid')
type Outcome = CallRecord | null | typeof isPaid

// Changes of an organization's calls that arrive together share a transaction, in which those of one call follow each other. Without it a
// call takes about twice the server's and PostgreSQL's CPU. One organization's alone, so that what fails or waits delays no other.
// One transaction at once, so that it has as many as it can.
const changers = perObject((services: Services) =>
  batcherPerKey<string, Change, Outcome>((orgId, changes) => changeAll(services.database, orgId, changes), { concurrency: 1 }),
)

function changeAll(database: Queries, orgId: string, changes: readonly Change[]): Promise<Outcome[]> {
  return database.transaction(
    async tx => {
      const calls = await tx.query(lockedCalls, [orgId, [...new Set(changes.map(({ callId }) => callId))]])
      const callById = new Map(calls.map(call => [call.id, call]))
      const outcomes = new Map<Change, Outcome>()
      const changeInOrder = async (all: readonly Change[], callId: string) => {
        let call = callById.get(callId)
        for (const change of all) {
          // The end of a paid call locks its payer's account, which must not wait for that of another call.
          const outcome =
            call === undefined ? null : call.holdId !== null && changes.length > 1 ? isPaid : await changeLocked(tx, call, change)
          outcomes.set(change, outcome)
          if (outcome !== null && outcome !== isPaid) call = outcome
        }
      }
      const perCall = Map.groupBy(changes, ({ callId }) => callId)
      await allDone([...perCall].map(([callId, all]) => changeInOrder(all, callId)))
      return changes.map(change => outcomes.get(change) ?? null)
    },
    { isShared: changes.length > 1, isRepeatable: changes.length === 1 },
  )
}

async function claimAndDial(services: Services, orgId: string): Promise<void> {
  const { dials, awaited } = underway(services)
  const context = systemContext(services, orgId, 'dispatchCalls')
  const { claimed, others } = await claimCalls(context, orgId)
  for (const call of others) awaited.get(call.id)?.(call)
  for (const call of claimed) {
    const dialling: Promise<CallRecord | null> = dial(services, call)
      .catch((error: unknown) => {
        services.log.error({ err: error, callId: call.id }, 'the result of a dial could not be stored')
        return null
      })
      .then(dialled => {
        if (dials.get(call.id) === dialling) dials.delete(call.id)
        awaited.get(call.id)?.(dialled)
        return dialled
      })
    dials.set(call.id, dialling)
  }
}

async function dial(services: Services, call: CallRecord): Promise<CallRecord | null> {
  const context = systemContext(services, call.orgId, 'dialCall')
  const provider = services.telephony[call.provider]
  const order = await orderOf(context, call)
  const refused = provider
    ? await refusedProvider(services, call.provider, call.orgId)
    : `${call.provider} is not configured on this server`
  const answer: Dialled = provider && refused === null ? await provider.dial(order) : { kind: 'rejected', reason: refused ?? '' }
  const dialled = storableJson(answer) as Dialled
  return changeCall(context, call.orgId, call.id, (current, inside) => {
    // If another attempt has begun meanwhile, the result of this one counts only if the call was accepted.
    const isCurrent = current.claimedAt === call.claimedAt || dialled.kind === 'accepted'
    return isCurrent ? settle(inside, current, dialled) : null
  })
}

// The delay before the first retry in seconds. It doubles each time.
const retrySeconds = 2
const maxAttempts = 6

async function settle(context: Context, call: CallRecord, dialled: Dialled): Promise<Transition | null> {
  const now = context.now()
  switch (dialled.kind) {
    case 'accepted': {
      if (call.cancelRequestedAt !== null) await controlLater(context, call, 'hang_up')
      const { providerCallId } = dialled
      const news = advance(call, { providerCallId }, now)
      return news && { change: news.state }
    }
    case 'rejected':
      // An event of the provider was applied before the dial's result, so the provider does have the call.
      if (call.dispatchState !== 'dispatching') return null
      return closing(call, { status: 'failed', outcome: 'failed', endedReason: 'provider_rejected', providerReason: dialled.reason }, now)
    case 'unsent': {
      if (call.dispatchState !== 'dispatching') return null
      if (call.cancelRequestedAt !== null)
        return { change: close(call, { dispatchState: 'canceled', status: 'canceled', outcome: 'unknown', endedReason: 'canceled' }, now) }
      if (call.dispatchAttempts >= maxAttempts)
        return closing(
          call,
          { status: 'failed', outcome: 'failed', endedReason: 'provider_unavailable', providerReason: dialled.reason },
          now,
        )
      const seconds = dialled.retryAfterSeconds ?? retrySeconds * 2 ** (call.dispatchAttempts - 1)
      const dispatchAfter = new Date(now.getTime() + Math.min(seconds, 300) * 1000)
      await dispatchLater(context, call, dispatchAfter)
      return {
        change: { dispatchState: 'pending', claimedAt: null, dispatchAfter: dispatchAfter.toISOString(), providerReason: dialled.reason },
      }
    }
    case 'unknown':
      if (call.dispatchState !== 'dispatching') return null
      await reconcileLater(context, call, 5)
      return { change: { dispatchState: 'unconfirmed', providerReason: dialled.reason } }
  }
}

/** The transition that ends a call without its provider. */
export function closing(
  call: CallRecord,
  end: Omit<Parameters<typeof close>[1], 'dispatchState'>,
  now: Date,
  dispatchState: 'failed' | 'blocked' | 'canceled' = 'failed',
): Transition {
  return {
    change: close(
      call,
      { dispatchState: isWaiting(call.dispatchState) || isOut(call.dispatchState) ? dispatchState : call.dispatchState, ...end },
      now,
    ),
  }
}
