// The provider `simulator`: simulates telephony in a table. Its calls run through the real queue, and it counts its dials.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../database/client.ts'
import type { Tasks } from '../../kernel/tasks/tasks.ts'
import { ownMessageOf, readOwn, verifyOwn } from './signed-message.ts'
import { advanceCall, endCall, registerCall, type SimulatedCall, simulatedCall } from './simulator.sql.ts'
import { type Script, scriptFor, settingOf, stepsOf } from './simulator-script.ts'
import type { CallNews, CallStatus, DialOrder, Message, Provider } from './telephony.ts'

export interface SimulatorOptions {
  database: Database
  tasks: Tasks
  now: () => Date
  /** The factor by which it is faster than real calls; 0 for no delay at all. */
  speed: number
  /** How long requests wait for a dial. The script `slow` takes twice as long. */
  waitMs: number
}

// How often the script `unavailable` refuses a call before accepting it.
const refusals = 2

export interface Simulator extends Provider {
  /** Reports the next steps of a call through `report`, and queues the task for the following one. A repeated task repeats no report. */
  play(task: { callId: string; step: number }, report: (message: Message) => Promise<unknown>): Promise<void>
}

export function createSimulator({ database, tasks, now, speed, waitMs }: SimulatorOptions): Simulator {
  const refused = new Map<string, number>()
  const readCall = async (callId: string): Promise<SimulatedCall | undefined> => (await database.query(simulatedCall, [callId]))[0]
  const delayOf = (afterMs: number) => (speed === 0 ? 0 : afterMs / speed)

  const register = ({ callId, agent, ...order }: DialOrder, script: Script): Promise<string> =>
    database.transaction(async tx => {
      const setup = JSON.stringify(settingOf({ callId, agent, ...order }))
      const values = [callId, `sim_${randomUUID()}`, agent.orgId, script, setup, now().toISOString()]
      const [call] = await tx.query(registerCall, values)
      if (!call) throw new Error('A call was inserted and not returned')
      if (call.dials === 1) await tasks.enqueue('simulated-call', { orgId: agent.orgId, callId, step: 0 }, { db: tx })
      return call.providerCallId
    })

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
        const providerCallId = await register(order, script)
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

    verify: verifyOwn,
    read: readOwn,

    async play({ callId, step: expected }, report) {
      let call: SimulatedCall | undefined = await readCall(callId)
      if (!call || call.ended || call.step < expected) return
      const steps = stepsOf(call.script, call.setup)
      // The call is already past this task's step. If the next step has a delay, it has a task of its own. If not, this task was repeated
      // after its process died, and continues from there.
      if (call.step > expected && delayOf(steps[call.step]?.afterMs ?? 0) > 0) return
      while (call) {
        const { step, orgId, providerCallId, script } = call
        const current = steps[step]
        if (!current) return
        await report(ownMessageOf(callId, `step_${keyOf(script, step, steps.length)}`, { ...current.news, providerCallId }))

        const next = steps[step + 1]
        const done: readonly unknown[] = [callId, step, next === undefined]
        const delayMs = next ? delayOf(next.afterMs) : 0
        if (delayMs > 0) {
          await database.transaction(async tx => {
            const [advanced] = await tx.query(advanceCall, done)
            const startAfter = new Date(now().getTime() + delayMs)
            if (advanced) await tasks.enqueue('simulated-call', { orgId, callId, step: step + 1 }, { db: tx, startAfter })
          })
          return
        }
        // Only the task whose update matches continues.
        call = (await database.query(advanceCall, done))[0]
      }
    },
  }
}

// The script `disordered` reports everything backwards, then again with the same keys.
const keyOf = (script: Script, step: number, count: number) => (script === 'disordered' && step >= count / 2 ? count - 1 - step : step)

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
