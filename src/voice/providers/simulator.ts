// The provider `simulator`: a telephone company in a table. It rings, talks and hangs up on the real queue, and counts its dials.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, statement } from '../../database/client.ts'
import type { Tasks } from '../../tasks.ts'
import type { CallNews, CallStatus, DialOrder, Message, Provider } from '../telephony.ts'
import { ownMessageOf, readOwn, verifyOwn } from './own-message.ts'
import { type Script, type Setting, scriptFor, settingOf, stepsOf } from './simulator-script.ts'

export interface SimulatorOptions {
  database: Database
  tasks: Tasks
  now: () => Date
  /** How many times faster than life; 0 is as fast as can be. */
  speed: number
  /** How long an asker waits; `slow` takes twice as long. */
  waitMs: number
}

interface SimulatedCall {
  callId: string
  orgId: string
  providerCallId: string
  script: Script
  step: number
  setup: Setting
  ended: boolean
}
const columns = 'call_id as "callId", org_id as "orgId", provider_call_id as "providerCallId", script, step, setup, ended'
const selectCall = statement<SimulatedCall>('simulated_call', `select ${columns} from simulated_calls where call_id = $1`)
const insertCall = statement<{ providerCallId: string; dials: number }>(
  'simulated_call_insert',
  `insert into simulated_calls as s (call_id, provider_call_id, org_id, script, setup, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (call_id) do update set dials = s.dials + 1 returning provider_call_id as "providerCallId", dials`,
)
const takeStep = statement<{ step: number }>(
  'simulated_call_step',
  'update simulated_calls set step = step + 1, ended = $3 where call_id = $1 and step = $2 and not ended returning step',
)
const endCall = statement<never>('simulated_call_end', 'update simulated_calls set ended = true where call_id = $1')

// As often as the script `unavailable` refuses before it takes a call.
const refusals = 2

export interface Simulator extends Provider {
  /** Tells the next steps of a call through `tell`, and queues the one after. A task that comes twice tells nothing twice. */
  play(task: { callId: string; step: number }, tell: (message: Message) => Promise<unknown>): Promise<void>
}

export function createSimulator({ database, tasks, now, speed, waitMs }: SimulatorOptions): Simulator {
  const refused = new Map<string, number>()
  const delayOf = (afterMs: number) => (speed === 0 ? 0 : afterMs / speed)

  const register = ({ callId, agent, ...order }: DialOrder, script: Script): Promise<string> =>
    database.transaction(async tx => {
      const setting = settingOf({ callId, agent, ...order })
      const values = [callId, `sim_${randomUUID()}`, agent.orgId, script, JSON.stringify(setting), now().toISOString()]
      const [call] = await tx.query(insertCall, values)
      if (call?.dials === 1) await tasks.enqueue('simulated-call', { callId, step: 0 }, { db: tx })
      return call?.providerCallId ?? ''
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
      const [call] = await database.query(selectCall, [callId])
      if (!call) return { kind: 'absent' }
      return { kind: 'found', news: newsUpTo(call, now()) }
    },

    async hangUp({ callId }) {
      await database.query(endCall, [callId])
      return true
    },

    verify: verifyOwn,
    read: readOwn,

    async play({ callId, step: expected }, tell) {
      for (let first = true; ; first = false) {
        const [call] = await database.query(selectCall, [callId])
        if (!call || call.ended || call.step < expected) return
        const { step } = call
        const steps = stepsOf(call.script, call.setup)
        const current = steps[step]
        if (!current) return
        // Further on than this task knew: the next step has a task of its own, unless it follows at once. Then this task's process died
        // in between, and it goes on where that one was.
        if (first && step > expected && delayOf(current.afterMs) > 0) return
        const { providerCallId, script } = call
        await tell(ownMessageOf(callId, `step_${keyOf(script, step, steps.length)}`, { ...current.news, providerCallId }))

        const next = steps[step + 1]
        const delayMs = next ? delayOf(next.afterMs) : 0
        const goesOn = await database.transaction(async tx => {
          const [taken] = await tx.query(takeStep, [callId, step, next === undefined])
          if (!taken || !next || delayMs === 0) return taken !== undefined && next !== undefined
          await tasks.enqueue('simulated-call', { callId, step: step + 1 }, { db: tx, startAfter: new Date(Date.now() + delayMs) })
          return false
        })
        if (!goesOn) return
      }
    },
  }
}

// The disordered script tells everything backwards, and then again: the repetitions carry the same keys.
const keyOf = (script: Script, step: number, count: number) => (script === 'disordered' && step >= count / 2 ? count - 1 - step : step)

/** All that was told of a call so far, as a company would answer when asked about it. */
function newsUpTo(call: SimulatedCall, now: Date): CallNews & { providerCallId: string; status: CallStatus } {
  const steps = stepsOf(call.script, call.setup).slice(0, call.step)
  const merged: CallNews = Object.assign({}, ...steps.map(({ news }) => news))
  const status = merged.status ?? 'queued'
  // Hung up by us: the script never got to say so.
  const isCut = call.ended && !['completed', 'busy', 'no_answer', 'failed', 'canceled'].includes(status)
  const last: CallStatus = isCut ? (status === 'in_progress' ? 'completed' : 'canceled') : status
  return { ...merged, providerCallId: call.providerCallId, status: last, ...(isCut && { endedAt: now }) }
}
