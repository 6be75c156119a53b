// The provider `simulator`: simulates telephony in a table. Its calls run through the real queue, and it counts its dials.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { batcher } from '../../database/batcher.ts'
import type { Database, Queries } from '../../database/client.ts'
import { allDone } from '../../kernel/batching/all-done.ts'
import type { Services } from '../../kernel/context.ts'
import { inOrder } from '../../kernel/dataloaders.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { type HandlerOf, handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { ownMessageOf, readOwn, verifyOwn } from './signed-message.ts'
import {
  advanceCalls,
  endCall,
  type NewSimulatedCall,
  newRecord,
  registerCalls,
  type SimulatedCall,
  simulatedCalls,
} from './simulator.sql.ts'
import { type Script, scriptFor, settingOf, stepsOf } from './simulator-script.ts'
import type { CallNews, CallStatus, Message, Provider } from './telephony.ts'

// 32, four workers: while two organizations have eight items each, in a batch or two, a worker is left for another. Twelve of one organization
// would be faster alone, and slow others down by nearly four times. In batches, because claiming and completing an item takes PostgreSQL as long
// as a step of a call.
export const stepItem = queueItem<{ orgId: string; callId: string; step: number }>('simulated-call', {
  ...{ retryLimit: 10, retryDelaySeconds: 1, timeoutSeconds: 120, concurrency: 32 },
  ...{ batchSize: 8, perOrganization: 8 },
})

export interface SimulatorOptions {
  database: Database
  queue: Services['queue']
  now: () => Date
  /** The factor by which it is faster than real calls; 0 for no delay at all. */
  speed: number
  /** How long requests wait for a dial. The script `slow` takes twice as long. */
  waitMs: number
}

// How often the script `unavailable` refuses a call before accepting it.
const refusals = 2

export interface Simulator extends Provider {
  /**
   * Reports the next steps of a call through `report`, and queues an item for the following one. A repeated item may repeat reports, with the
   * same keys.
   */
  play(item: { callId: string; step: number }, report: (message: Message) => Promise<unknown>): Promise<void>
  /** Ends a call that is not played on. */
  giveUp(callId: string, reason: string, report: (message: Message) => Promise<unknown>): Promise<void>
}

export function createSimulator({ database, queue, now, speed, waitMs }: SimulatorOptions): Simulator {
  const refused = new Map<string, number>()
  // Calls that are dialled, played and advanced at the same time share statements and transactions.
  const readCall = batcher(
    async (ids: readonly string[]): Promise<(SimulatedCall | null)[]> =>
      inOrder(ids, await database.query(simulatedCalls, [ids]), ({ callId }) => callId),
  )
  const delayOf = (afterMs: number) => (speed === 0 ? 0 : afterMs / speed)

  const register = batcher(
    (calls: readonly NewSimulatedCall[]): Promise<string[]> =>
      database.transaction(async tx => {
        const registered = await tx.query(registerCalls, [storedJson(calls.map(newRecord))])
        const callById = new Map(registered.map(call => [call.callId, call]))
        return allDone(
          calls.map(async ({ callId, orgId }) => {
            const call = callById.get(callId)
            if (!call) throw new Error('A call was inserted and not returned')
            if (call.dials === 1) await queue.enqueue(stepItem, { orgId, callId, step: 0 }, { db: tx })
            return call.providerCallId
          }),
        )
      }),
  )
  interface Step {
    callId: string
    from: number
    to: number
    isLast: boolean
  }
  const advanceAll = async (db: Queries, steps: readonly Step[]): Promise<boolean[]> => {
    const of = <Value>(value: (step: Step) => Value) => steps.map(value)
    const values = [of(({ callId }) => callId), of(({ from }) => from), of(({ to }) => to), of(({ isLast }) => isLast)]
    const advanced = new Set((await db.query(advanceCalls, values)).map(({ callId }) => callId))
    return steps.map(({ callId }) => advanced.has(callId))
  }
  const advance = batcher((steps: readonly Step[]) => advanceAll(database, steps))

  return {
    dialsOnce: true,
    handlesVoicemail: true,
    provision: async agent => ({ providerAssistantId: `sim_${agent.id}` }),

    async dial(order) {
      try {
        const script = scriptFor(order.toNumber)
        if (script === 'rejected') return { kind: 'rejected', reason: 'this number cannot be called' }
        const times = refused.get(order.callId) ?? 0
        if (script === 'unavailable' && times < refusals) {
          refused.set(order.callId, times + 1)
          return { kind: 'unsent', reason: 'all lines are busy', retryAfterSeconds: speed === 0 ? 0.1 : 1 }
        }
        refused.delete(order.callId)
        const { callId, agent } = order
        const setup = settingOf(order, speed > 0 && speed <= 1)
        const created = { callId, providerCallId: `sim_${randomUUID()}`, orgId: agent.orgId, script, setup, createdAt: now().toISOString() }
        const providerCallId = await register(created)
        if (script === 'slow') await sleep(waitMs * 2)
        if (script === 'lost_answer') return { kind: 'unknown', reason: 'the answer was lost' }
        return { kind: 'accepted', providerCallId }
      } catch (error) {
        return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },

    async lookup({ callId }) {
      const call = await readCall(callId)
      if (!call) return { kind: 'absent' }
      return { kind: 'found', news: newsUpTo(call, now()) }
    },

    async hangUp({ callId }) {
      await database.query(endCall, [callId])
      return true
    },

    proofOf: () => 'signature',
    verify: verifyOwn,
    read: readOwn,

    async play({ callId, step: expected }, report) {
      const call = await readCall(callId)
      if (!call || call.ended || call.step < expected) return
      const steps = stepsOf(call.script, call.setup)
      // The call is already past this item's step. If the next step has a delay, it has an item of its own. If not, this item was repeated
      // after its process died, and continues from there.
      if (call.step > expected && delayOf(steps[call.step]?.afterMs ?? 0) > 0) return
      const { step: from, orgId, providerCallId, script } = call
      // Steps without a delay between them are written down together: if this process dies before that, they are reported again, and the
      // keys of their reports make that a repetition.
      for (let step = from; ; step++) {
        const current = steps[step]
        if (!current) return
        await report(ownMessageOf(callId, `step_${keyOf(script, step, steps.length)}`, { ...current.news, providerCallId }))

        const next = steps[step + 1]
        const delayMs = next ? delayOf(next.afterMs) : 0
        if (next && delayMs === 0) continue
        const done = { callId, from, to: step + 1, isLast: next === undefined }
        if (!next) await advance(done)
        else
          await database.transaction(async tx => {
            const [isAdvanced] = await advanceAll(tx, [done])
            const startAfter = new Date(now().getTime() + delayMs)
            if (isAdvanced) await queue.enqueue(stepItem, { orgId, callId, step: step + 1 }, { db: tx, startAfter })
          })
        return
      }
    },

    async giveUp(callId, reason, report) {
      const call = await readCall(callId)
      if (!call || call.ended) return
      const { providerCallId } = call
      await report(ownMessageOf(callId, 'given_up', { status: 'failed', providerReason: reason, providerCallId }))
      await database.query(endCall, [callId])
    },
  }
}

// The script `disordered` reports everything backwards, then again with the same keys.
const keyOf = (script: Script, step: number, count: number) => (script === 'disordered' && step >= count / 2 ? count - 1 - step : step)

/** Performs the next step of a simulated call. `report` receives what a provider would send. */
export const simulatorHandler = (simulator: Simulator, report: (services: Services, message: Message) => Promise<unknown>): HandlerOf =>
  handlerOf(
    stepItem,
    (services, { payload }) =>
      services.fairQueue(payload.orgId, () => simulator.play(payload, message => report(services, message)), 'background'),
    (services, { callId }, reason) => simulator.giveUp(callId, reason, message => report(services, message)),
  )

/** All reports of a call so far, merged. This is the answer to a lookup. */
function newsUpTo(call: SimulatedCall, now: Date): CallNews & { providerCallId: string; status: CallStatus } {
  const steps = stepsOf(call.script, call.setup).slice(0, call.step)
  const merged: CallNews = Object.assign({}, ...steps.map(({ news }) => news))
  const status = merged.status ?? 'queued'
  // Ended by `hangUp`; no step of the script reports that.
  const isCut = call.ended && !['completed', 'busy', 'no_answer', 'failed', 'canceled'].includes(status)
  const last: CallStatus = isCut ? (status === 'in_progress' ? 'completed' : 'canceled') : status
  return { ...merged, providerCallId: call.providerCallId, status: last, ...(isCut && { endedAt: now }) }
}
