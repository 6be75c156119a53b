// Gets calls on their way: takes those whose turn it is, dials them, and writes down what came of it.

import { type Context, inTransaction, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { ofEach } from '../own.ts'
import { onBehalfOf } from './acting.ts'
import { claimCalls } from './call-claim.ts'
import { lockCall, type Move, moveCall } from './call-move.ts'
import type { CallRecord } from './call-row.ts'
import { advance, close, isOut, isOver, isWaiting } from './call-state.ts'
import { actSoon, dispatchLater, reconcileLater } from './call-tasks.ts'
import { refusedProvider } from './paid-provider.ts'
import { orderOf } from './placed-call.ts'
import type { Dialled } from './telephony.ts'

/** What a process has under way. Lives as long as its services. */
interface Underway {
  /** The running pass of an organization, and the one after it. */
  passes: Map<string, Pass>
  /** Dials by call id. */
  dials: Map<string, Promise<void>>
}
interface Pass {
  done: Promise<void>
  next: Promise<void> | null
}
const underway = ofEach<Services, Underway>(() => ({ passes: new Map(), dials: new Map() }))

/**
 * Takes every call of the organization whose turn it is, and begins to dial. Resolves when they are taken, with a pass that began after
 * this was asked: what was committed before is seen. Never throws; what fails here is taken up by the watch.
 */
export function dispatch(services: Services, orgId: string): Promise<void> {
  const { passes } = underway(services)
  const start = (): Promise<void> => {
    const pass: Pass = {
      next: null,
      done: takeAndDial(services, orgId)
        .catch((error: unknown) => services.log.warn({ err: error, orgId }, 'calls could not be dispatched; they will be'))
        .finally(() => {
          if (pass.next === null) passes.delete(orgId)
        }),
    }
    passes.set(orgId, pass)
    return pass.done
  }
  const running = passes.get(orgId)
  // Passes of one organization follow each other: more at once would only wait for its lock, each with a connection.
  return running ? (running.next ??= running.done.then(start)) : start()
}

/** Dials a call whose time has come. Without a free slot it waits for one, behind those whose time came before. */
export async function dispatchDue(services: Services, orgId: string, callId: string): Promise<void> {
  await dispatch(services, orgId)
  const context = onBehalfOf(services, orgId, 'dispatchCalls')
  const isDue = ({ dispatchState, dispatchAfter }: Pick<CallRecord, 'dispatchState' | 'dispatchAfter'>) =>
    dispatchState === 'scheduled' && new Date(dispatchAfter) <= context.now()
  // Most calls are long out by now, and a lock is a write.
  const [call] = await services.database.query(selectTurn, [orgId, callId])
  if (call && isDue(call))
    await moving(context, orgId, callId, current => (isDue(current) ? { change: { dispatchState: 'pending' } } : null))
  await dialOf(services, callId)
}

const selectTurn = statement<Pick<CallRecord, 'dispatchState' | 'dispatchAfter'>>(
  'call_turn',
  'select dispatch_state as "dispatchState", dispatch_after as "dispatchAfter" from calls where org_id = $1 and id = $2',
)

/** The dial of a call, when this process is dialling it. */
export const dialOf = (services: Services, callId: string): Promise<void> | undefined => underway(services).dials.get(callId)

/** Resolves when nothing is being dialled any more, or when the time is up. */
export async function dialsSettled(services: Services, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const { passes, dials } = underway(services)
    const running = [...dials.values(), ...[...passes.values()].map(({ next, done }) => next ?? done)]
    const left = deadline - Date.now()
    if (running.length === 0 || left <= 0) return
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, left)
    await Promise.race([Promise.allSettled(running), late])
    clearTimeout(timer)
  }
}

/**
 * Locks a call, lets `decide` say what becomes of it, and writes that. A slot that comes free goes to who waits longest. Null when there
 * is no such call or nothing to change.
 */
export async function moving(
  context: Context,
  orgId: string,
  callId: string,
  decide: (call: CallRecord, inside: Context) => Promise<Move | null> | Move | null,
): Promise<CallRecord | null> {
  return context.db.transaction(async tx => {
    const inside = inTransaction(context, tx)
    const before = await lockCall(inside, orgId, callId)
    const move = before && (await decide(before, inside))
    if (!before || !move) return null
    const after = await moveCall(inside, before, move)
    const held = isOut(before.dispatchState) && !isOver(before.status)
    const holds = isOut(after.dispatchState) && !isOver(after.status)
    if (held && !holds) await tx.afterCommit(() => void dispatch(context.services, orgId))
    return after
  })
}

async function takeAndDial(services: Services, orgId: string): Promise<void> {
  const { dials } = underway(services)
  const context = onBehalfOf(services, orgId, 'dispatchCalls')
  for (const call of await claimCalls(context, orgId)) {
    const dialling: Promise<void> = dial(services, call)
      .catch((error: unknown) => services.log.error({ err: error, callId: call.id }, 'the result of a dial could not be written down'))
      .finally(() => {
        if (dials.get(call.id) === dialling) dials.delete(call.id)
      })
    dials.set(call.id, dialling)
  }
}

async function dial(services: Services, call: CallRecord): Promise<void> {
  const context = onBehalfOf(services, call.orgId, 'dialCall')
  const provider = services.telephony[call.provider]
  const order = await orderOf(context, call)
  const refused = provider
    ? await refusedProvider(services, call.provider, call.orgId)
    : `${call.provider} is not configured on this server`
  const dialled: Dialled = provider && refused === null ? await provider.dial(order) : { kind: 'rejected', reason: refused ?? '' }
  await moving(context, call.orgId, call.id, (current, inside) => {
    // Given up meanwhile: of a dial that is no longer waited for, only a call that exists is news.
    const isCurrent = current.claimedAt === call.claimedAt || dialled.kind === 'accepted'
    return isCurrent ? settle(inside, current, dialled) : null
  })
}

// Seconds before the first repetition; doubled each time.
const retrySeconds = 2
const mostAttempts = 6

async function settle(context: Context, call: CallRecord, dialled: Dialled): Promise<Move | null> {
  const now = context.now()
  switch (dialled.kind) {
    case 'accepted': {
      if (call.cancelRequestedAt !== null) await actSoon(context, call, 'hang_up')
      const { providerCallId } = dialled
      const news = advance(call, { providerCallId }, now)
      return news && { change: news.state }
    }
    case 'rejected':
      // An event of the provider's knows better than its answer: the phone is ringing.
      if (call.dispatchState !== 'dispatching') return null
      return closing(call, { status: 'failed', outcome: 'failed', endedReason: 'provider_rejected', providerReason: dialled.reason }, now)
    case 'unsent': {
      if (call.dispatchState !== 'dispatching') return null
      if (call.cancelRequestedAt !== null)
        return { change: close(call, { dispatchState: 'canceled', status: 'canceled', outcome: 'unknown', endedReason: 'canceled' }, now) }
      if (call.dispatchAttempts >= mostAttempts)
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

/** Closes a call that no phone rings for. */
export function closing(
  call: CallRecord,
  end: Omit<Parameters<typeof close>[1], 'dispatchState'>,
  now: Date,
  dispatchState: 'failed' | 'blocked' | 'canceled' = 'failed',
): Move {
  return {
    change: close(
      call,
      { dispatchState: isWaiting(call.dispatchState) || isOut(call.dispatchState) ? dispatchState : call.dispatchState, ...end },
      now,
    ),
  }
}
