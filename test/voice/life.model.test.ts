// A model test of calls: random events, cancels, timeouts, lost answers and crashes on the real rules and database give only legal
// transitions, one ring, one charge, and no lost slot. RUNS=500 runs longer.

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { createContext, type Services } from '../../src/kernel/context.ts'
import { createAgent, pauseAgent } from '../../src/voice/agents/agent.ts'
import { resumeAgent } from '../../src/voice/agents/lifecycle.ts'
import { createCall } from '../../src/voice/calls/place.ts'
import { dialsSettled } from '../../src/voice/dispatch/dispatch.ts'
import { runReaper } from '../../src/voice/dispatch/reaper.ts'
import { receiveVerified } from '../../src/voice/events/event.ts'
import { updateVoiceSettings } from '../../src/voice/policy/settings.ts'
import { ownMessageOf } from '../../src/voice/providers/signed-message.ts'
import type { CallNews, CallStatus, Dialled, Provider } from '../../src/voice/providers/telephony.ts'
import { cancelCall } from '../../src/voice/transitions/control.ts'
import { type DispatchState, isOver, legalTransitions } from '../../src/voice/transitions/state.ts'
import { openApp } from '../support/app.ts'
import { fakeProvider } from './fake-provider.ts'

const runs = Number(process.env.RUNS ?? 15)
const slots = 2
const grant = 10_000

/** The course of a dial: whether the request arrives, and its answer. `dead`: the process dies while it waits. */
const dials = {
  accepted: { arrives: true, answer: 'accepted' },
  lostAfter: { arrives: true, answer: 'unknown' },
  lostBefore: { arrives: false, answer: 'unknown' },
  unsent: { arrives: false, answer: 'unsent' },
  rejected: { arrives: false, answer: 'rejected' },
  deadAfter: { arrives: true, answer: 'dead' },
  deadBefore: { arrives: false, answer: 'dead' },
} as const
type DialKind = keyof typeof dials

const app = await openApp({ env: { VOICE_DISPATCH_WAIT_MS: '15', VOICE_PRICE_PER_MINUTE: '1', CREDITS_NEW_USER_GRANT: String(grant) } })

/** The state of the provider. */
class Fixture {
  now = Date.now()
  /** How often each call's phone has rung. */
  readonly rings = new Map<string, number>()
  readonly status = new Map<string, CallStatus>()
  readonly calls: string[] = []
  /** The courses of the next dials. */
  readonly plan: DialKind[] = []
  canHangUp = true
  services: Services
  readonly provider: Provider
  readonly orgId: string
  readonly userId: string
  agentId = ''

  constructor(owner: { orgId: string; userId: string }, dialsOnce: boolean) {
    this.orgId = owner.orgId
    this.userId = owner.userId
    this.provider = {
      ...fakeProvider({ dialsOnce }),
      dial: async ({ callId }): Promise<Dialled> => {
        const { arrives, answer } = dials[this.plan.shift() ?? 'accepted']
        if (arrives) {
          // A provider that takes ids as idempotency keys rings once; others ring for each request.
          if (!dialsOnce || !this.rings.has(callId)) this.rings.set(callId, (this.rings.get(callId) ?? 0) + 1)
          this.status.set(callId, 'ringing')
        }
        if (answer === 'dead') return new Promise(() => {})
        return answer === 'accepted' ? { kind: answer, providerCallId: `p_${callId}` } : { kind: answer, reason: 'as planned' }
      },
      lookup: async ({ callId }) => {
        const status = this.status.get(callId)
        return status ? { kind: 'found', news: { providerCallId: `p_${callId}`, status } } : { kind: 'absent' }
      },
      hangUp: async ({ callId }) => {
        const status = this.status.get(callId)
        if (this.canHangUp && status && !isOver(status)) this.status.set(callId, 'completed')
        return this.canHangUp
      },
    }
    this.services = this.process()
  }

  /** A separate process, without the dials of another. */
  process(): Services {
    return { ...app.services, telephony: { ...app.services.telephony, simulator: this.provider } }
  }
  context() {
    return createContext(this.services, {
      principal: { kind: 'system', name: 'model', orgId: this.orgId },
      requestId: randomUUID(),
      door: 'system',
    })
  }
  pass(seconds: number) {
    this.now += seconds * 1000
    app.setNow(new Date(this.now))
  }
  async settle() {
    // Dials of dead processes never end; the others take no time.
    await dialsSettled(this.services, 30)
  }
}

async function begin(dialsOnce: boolean): Promise<Fixture> {
  const fixture = new Fixture(await app.given.organization(), dialsOnce)
  fixture.pass(0)
  const context = fixture.context()
  const agent = await createAgent(context, { name: 'Model' })
  fixture.agentId = agent.id
  await updateVoiceSettings(context, { concurrency: slots })
  return fixture
}

type Model = { count: number }
type Command = fc.AsyncCommand<Model, Fixture>

class Place implements Command {
  readonly dial: DialKind
  constructor(dial: DialKind) {
    this.dial = dial
  }
  check = () => true
  async run(model: Model, fixture: Fixture) {
    fixture.plan.push(this.dial)
    const input = { voiceAgentId: fixture.agentId, toNumber: `+4420${String(1e8 + model.count)}`, maxDurationSeconds: 60 }
    const call = await createCall(fixture.context(), input).catch((error: { code?: string }) => {
      if (error.code !== 'AGENT_NOT_ACTIVE') throw error
      fixture.plan.pop()
      return null
    })
    if (call) {
      fixture.calls.push(call.id)
      model.count++
    }
    await fixture.settle()
    await check(fixture)
  }
  toString = () => `place(${this.dial})`
}

/** The provider sends an event: current, outdated, or nonsense with a valid signature. */
class Tell implements Command {
  readonly which: number
  readonly status: CallStatus
  readonly again: boolean
  constructor(which: number, status: CallStatus, again: boolean) {
    this.which = which
    this.status = status
    this.again = again
  }
  check = (model: Readonly<Model>) => model.count > 0
  async run(_model: Model, fixture: Fixture) {
    const callId = fixture.calls[this.which % fixture.calls.length] ?? ''
    if (!fixture.status.has(callId)) return
    const known = fixture.status.get(callId)
    if (known && !isOver(known)) fixture.status.set(callId, this.status)
    const news: CallNews = {
      status: this.status,
      providerCallId: `p_${callId}`,
      ...(this.status === 'completed' && { durationSeconds: 20 }),
    }
    const id = randomUUID()
    const times = this.again ? 3 : 1
    await Promise.all(Array.from({ length: times }, () => receiveVerified(fixture.services, 'simulator', ownMessageOf(callId, id, news))))
    await fixture.settle()
    await check(fixture)
  }
  toString = () => `tell(${this.which}, ${this.status}${this.again ? ', three times' : ''})`
}

class Cancel implements Command {
  readonly which: number
  constructor(which: number) {
    this.which = which
  }
  check = (model: Readonly<Model>) => model.count > 0
  async run(_model: Model, fixture: Fixture) {
    const callId = fixture.calls[this.which % fixture.calls.length] ?? ''
    await cancelCall(fixture.context(), callId).catch((error: { code?: string }) => {
      if (error.code !== 'CONFLICT') throw error
    })
    await fixture.settle()
    await check(fixture)
  }
  toString = () => `cancel(${this.which})`
}

class Wait implements Command {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
  check = () => true
  async run(_model: Model, fixture: Fixture) {
    fixture.pass(this.seconds)
    await runReaper(fixture.services)
    await fixture.settle()
    await check(fixture)
  }
  toString = () => `wait(${this.seconds})`
}

class Crash implements Command {
  check = () => true
  async run(_model: Model, fixture: Fixture) {
    fixture.services = fixture.process()
    await check(fixture)
  }
  toString = () => 'crash'
}

class Toggle implements Command {
  readonly what: 'pause' | 'resume' | 'deaf' | 'hearing'
  constructor(what: Toggle['what']) {
    this.what = what
  }
  check = () => true
  async run(_model: Model, fixture: Fixture) {
    if (this.what === 'deaf' || this.what === 'hearing') fixture.canHangUp = this.what === 'hearing'
    else await (this.what === 'pause' ? pauseAgent : resumeAgent)(fixture.context(), fixture.agentId)
    await fixture.settle()
    await check(fixture)
  }
  toString = () => this.what
}

type Query = <Row>(text: string, values: unknown[]) => Promise<Row[]>

/** The invariants, read from one snapshot. */
async function check(fixture: Fixture): Promise<void> {
  const client = await app.services.database.pool.connect()
  try {
    await client.query('begin isolation level repeatable read')
    await checkSnapshot(fixture, async (text, values) => (await client.query(text, values)).rows)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function checkSnapshot(fixture: Fixture, query: Query): Promise<void> {
  const calls = await query<{ id: string; dispatch_state: DispatchState; status: CallStatus; charged: number | null; hold_id: string }>(
    'select id, dispatch_state, status, credits_charged::float as charged, hold_id from calls where org_id = $1',
    [fixture.orgId],
  )
  const out = calls.filter(
    ({ dispatch_state, status }) => ['dispatching', 'dispatched', 'unconfirmed'].includes(dispatch_state) && !isOver(status),
  )
  expect(out.length, 'calls out').toBeLessThanOrEqual(slots)
  for (const [id, times] of fixture.rings) expect(times, `rings of ${id}`).toBe(1)

  const transitions = await query<{ entity_id: string; changes: Record<string, [string, string]> }>(
    `select entity_id, changes from events where org_id = $1 and entity = 'call' and type <> 'call.created' order by id`,
    [fixture.orgId],
  )
  for (const [id, steps] of Map.groupBy(transitions, ({ entity_id }) => entity_id)) {
    let state: string | undefined
    let status = 'queued'
    for (const { changes } of steps) {
      if (changes.dispatchState) {
        const [from, to] = changes.dispatchState as [DispatchState, DispatchState]
        if (state !== undefined) expect(from, `continuity of ${id}`).toBe(state)
        expect(legalTransitions[from], `transitions of ${id}`).toContain(to)
        state = to
      }
      if (changes.status) {
        const [from, to] = changes.status
        expect(from, `continuity of ${id}`).toBe(status)
        expect(isOver(from as CallStatus), `${id} changed after its end`).toBe(false)
        status = to
      }
    }
  }

  const holds = await query<{ id: string; status: string }>('select id, status from credit_holds where user_id = $1', [fixture.userId])
  for (const call of calls) {
    const hold = holds.find(({ id }) => id === call.hold_id)
    expect(isOver(call.status) ? ['settled', 'released'] : ['open'], `hold of ${call.id}`).toContain(hold?.status)
    if (isOver(call.status)) expect(call.charged, `charge of ${call.id}`).not.toBeNull()
  }
  const [money] = await query<{ balance: number; reserved: number }>(
    'select balance_micro::float as balance, reserved_micro::float as reserved from credit_accounts where user_id = $1',
    [fixture.userId],
  )
  if (money) {
    expect(money.balance, 'balance').toBe(grant * 1e6 - calls.reduce((sum, { charged }) => sum + (charged ?? 0), 0))
    expect(money.reserved, 'reserved').toBe(calls.filter(({ status }) => !isOver(status)).length * 1e6)
  }

  const [counted] = await query<{ total: number; active: number; ended: number }>(
    `select coalesce(sum(total), 0)::int as total, coalesce(sum(active), 0)::int as active,
       coalesce(sum(status_completed + status_busy + status_no_answer + status_failed + status_canceled), 0)::int as ended
     from call_counts where org_id = $1 and day <> '-infinity'`,
    [fixture.orgId],
  )
  const ended = calls.filter(({ status }) => isOver(status)).length
  expect(counted, 'counts').toEqual({ total: calls.length, active: calls.length - ended, ended })
}

/** After enough time without commands, all calls have ended and no credits are held. */
async function finish(fixture: Fixture): Promise<void> {
  fixture.canHangUp = true
  await resumeAgent(fixture.context(), fixture.agentId)
  for (let round = 0; round < 40; round++) {
    fixture.pass(round < 20 ? 60 : 86_400)
    await runReaper(fixture.services)
    await fixture.settle()
  }
  await check(fixture)
  const { rows: open } = await app.services.database.pool.query(
    `select id, dispatch_state, status from calls where org_id = $1 and status in ('queued', 'ringing', 'in_progress')`,
    [fixture.orgId],
  )
  expect(open, 'calls without an end').toEqual([])
}

const which = fc.nat({ max: 20 })
const status = fc.constantFrom<CallStatus>(
  'queued',
  'ringing',
  'in_progress',
  'in_progress',
  'completed',
  'completed',
  'busy',
  'no_answer',
  'failed',
  'canceled',
)
const commands = fc.commands(
  [
    fc.constantFrom(...(Object.keys(dials) as DialKind[]), 'accepted' as const, 'accepted' as const).map(dial => new Place(dial)),
    fc.tuple(which, status, fc.boolean()).map(([index, told, again]) => new Tell(index, told, again)),
    fc.tuple(which, status, fc.boolean()).map(([index, told, again]) => new Tell(index, told, again)),
    which.map(index => new Cancel(index)),
    fc.constantFrom(1, 10, 50, 130, 200).map(seconds => new Wait(seconds)),
    fc.constant(new Crash()),
    fc.constantFrom<Toggle['what']>('pause', 'resume', 'deaf', 'hearing').map(what => new Toggle(what)),
  ],
  { maxCommands: 40, size: 'max' },
)

describe.each([
  ['keeps ids apart', true],
  ['takes no id', false],
])('with a provider that %s', (_name, dialsOnce) => {
  test('calls make legal transitions only, ring once, are charged once, and free their slots', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(commands, async steps => {
        const fixture = await begin(dialsOnce)
        await fc.asyncModelRun(() => ({ model: { count: 0 }, real: fixture }), steps)
        await finish(fixture)
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })
})

test('the invariants are checked: a call that rings twice is found', async () => {
  const fixture = await begin(true)
  fixture.rings.set(uuid(), 2)
  await expect(check(fixture)).rejects.toThrow(/rings/)
})
