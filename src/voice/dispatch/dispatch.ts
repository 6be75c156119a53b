// Dispatch: claims calls, dials them, and stores the results.

import { allDone } from '../../kernel/batching/all-done.ts'
import { alone, inOneTransaction, type RuleCall, type RuleOfMany, together } from '../../kernel/batching/together.ts'
import { type Context, organizationOf, type Services } from '../../kernel/context.ts'
import { storableJson } from '../../kernel/input/storable.ts'
import { perObject } from '../../kernel/per-object.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { lockedCalls } from '../calls/call.sql.ts'
import type { CallRecord } from '../calls/row.ts'
import { type Reception, type StoredMessage, statesAfter, storeMessages, transitionTo } from '../events/news.ts'
import { refusalOfProvider } from '../providers/paid.ts'
import type { CallNews, Dialled } from '../providers/telephony.ts'
import { systemContext } from '../system-context.ts'
import { endsWithin } from '../time-limit.ts'
import { advance, close, isOut, isOver, isWaiting } from '../transitions/state.ts'
import { applyTransitions, readRecord, type Transition } from '../transitions/transition.ts'
import { claimCalls } from './claim.ts'
import { orderOf } from './placed-call.ts'
import { controlLater, dispatchItem, dispatchLater, reconcileLater } from './queue.ts'

/** The running passes and dials of a process. A pass claims an organization's calls and starts to dial them. */
interface Underway {
  /** Passes by organization. */
  passes: Map<string, Pass>
  /** Dials by call id. */
  dials: Map<string, Promise<CallRecord | null>>
  /** Requests that wait for the dial of their call, by the call's id. */
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
 * waits for a slot, or the result was not stored. If a pass that is already running claims the call, the next pass is not waited for.
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

export const dispatchHandler = handlerOf(dispatchItem, (services, { payload: { orgId, callId } }) => dispatchDue(services, orgId, callId))

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
      await changeCall(context, callId, { decide: current => (isDue(current) ? { change: { dispatchState: 'pending' } } : null) })
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

/** A change of a call: a decision that is taken while the call is locked, or a message with its news. */
type Change =
  | { decide(call: CallRecord, inside: Context): Promise<Transition | null> | Transition | null }
  | { news: CallNews; message: StoredMessage }

interface Changed {
  /** The call as it is then. */
  call: CallRecord
  /** The result of receiving the message; null for other changes. */
  reception: Reception | null
}

/**
 * Locks a call of the context's organization and changes it. A message is stored, and its news are applied unless it was settled before. If
 * the change frees a slot, the next waiting call is dispatched. Resolves with null if there is no such call.
 */
export const changeCall = (context: Context, callId: string, change: Change): Promise<Changed | null> =>
  // The end of a paid call locks its payer's account, which must not wait for another call.
  context.db.inTransaction || context.services.config.VOICE_PRICE_PER_MINUTE > 0
    ? alone(context, changeCalls, { ...change, callId })
    : together(context, changeCalls, { ...change, callId }, { per: organizationOf(context) })

type ChangeCall = RuleCall<Change & { callId: string }>

/**
 * Changes calls of one organization. Those that arrive together share a transaction: without that a call takes about twice the server's and
 * PostgreSQL's CPU. Of several changes of a call, each sees the one before.
 */
const changeCalls: RuleOfMany<ChangeCall['input'], Changed | null> = asked =>
  inOneTransaction(asked, async (all, tx) => {
    const { db, services } = tx
    const orgId = organizationOf(tx)
    const locked = await db.query(lockedCalls, [orgId, [...new Set(all.map(({ input }) => input.callId))]])
    if (all.length > 1 && locked.some(({ holdId }) => holdId !== null)) throw new Error('Calls with a reservation are changed alone')
    const calls = new Map(locked.map(call => [call.id, call]))
    const results = new Map<ChangeCall, Changed>()
    let isSlotFree = false
    for (const round of roundsOf(all)) {
      const turns = round.flatMap((one): Turn[] => {
        const call = calls.get(one.input.callId)
        return call ? [{ one, call, transition: null, reception: null }] : []
      })
      await decide(tx, turns)
      const steps = turns.flatMap(({ one: { context }, call: before, transition }) => (transition ? [{ context, before, transition }] : []))
      for (const call of await applyTransitions(tx, steps)) calls.set(call.id, call)
      for (const { one, call: before, reception } of turns) {
        const call = calls.get(before.id) ?? before
        results.set(one, { call, reception })
        isSlotFree ||= holdsSlot(before) && !holdsSlot(call)
      }
    }
    if (isSlotFree) await db.afterCommit(() => void dispatch(services, orgId))
    return all.map(one => results.get(one) ?? null)
  })

// The first change of each call, then the second ones, and so on.
function roundsOf(all: readonly ChangeCall[]): ChangeCall[][] {
  const perCall = [...Map.groupBy(all, ({ input }) => input.callId).values()]
  return all.map((_one, round) => perCall.flatMap(changes => changes[round] ?? [])).filter(changes => changes.length > 0)
}

const holdsSlot = ({ dispatchState, status }: CallRecord) => isOut(dispatchState) && !isOver(status)

/** One change of a locked call, and the decision on it. */
interface Turn {
  one: ChangeCall
  call: CallRecord
  transition: Transition | null
  reception: Reception | null
}

async function decide(tx: Context, turns: readonly Turn[]): Promise<void> {
  const told = turns.flatMap(turn => ('news' in turn.one.input ? [{ turn, call: turn.call, ...turn.one.input }] : []))
  const next = told.length > 0 ? await statesAfter(tx, told) : []
  const settled = told.map(({ message }, index) =>
    next[index] ? { message, state: 'applied' as const, note: null } : { message, state: 'ignored' as const, note: 'nothing new' },
  )
  const receptions = await storeMessages(tx.db, tx.now(), settled)
  // At the same time, so that the queue items share a statement.
  await allDone([
    ...told.map(async ({ turn, call }, index) => {
      const [state, reception] = [next[index], receptions[index]]
      turn.reception = reception ?? null
      if (state && reception === 'applied') turn.transition = await transitionTo(turn.one.context, call, state)
    }),
    ...turns.map(async turn => {
      const { context, input } = turn.one
      if ('decide' in input) turn.transition = await input.decide(turn.call, context)
    }),
  ])
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
    ? await refusalOfProvider(services, call.provider, call.orgId)
    : `${call.provider} is not configured on this server`
  const answer: Dialled = provider && refused === null ? await provider.dial(order) : { kind: 'rejected', reason: refused ?? '' }
  const dialled = storableJson(answer) as Dialled
  const changed = await changeCall(context, call.id, {
    decide(current, inside) {
      // If another attempt has begun meanwhile, the result of this one counts only if the call was accepted.
      const isCurrent = current.claimedAt === call.claimedAt || dialled.kind === 'accepted'
      return isCurrent ? settle(inside, current, dialled) : null
    },
  })
  return changed?.call ?? null
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
