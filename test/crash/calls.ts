// Calls among the writes of the crash script: every acknowledged one is there once, was dialled once, ends, and leaves nothing reserved.
// The simulator's telephone company is a table: it counts the dials of each call, and remembers them when everything else has died.

import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { deathReason } from '../../src/kernel/queue/deaths.ts'
import type { Finding } from './credits.ts'

interface Answered {
  data: Call[]
  next_cursor: string | null
  /** Of a call or an agent. */
  id: string
  /** Of a sign-up. */
  token: string
  session_token: string
  code: string
  balance: number
  reserved: number
}
interface Call {
  id: string
  to_number: string
  status: string
  dispatch_state: string
  credits_reserved: number
  credits_charged: number | null
  provider_reason: string | null
  metadata: { mark: string }
}
interface Ask {
  /** The key, and what the call carries. */
  mark: string
  toNumber: string
}

const path = '/api/voice/v1/calls'
// How a call to each of them ends; every other number talks.
const endings: Readonly<Record<string, string>> = {
  '+9990000001': 'busy',
  '+9990000002': 'no_answer',
  '+9990000003': 'completed',
  '+9990000004': 'failed',
  '+9990000006': 'completed',
  '+9990000015': 'completed',
}
const steering = Object.keys(endings)
const pricePerMinute = 0.06
const newUserGrant = 1000
// Longer than the script runs: no call may end because it is overdue, whatever else keeps it from ending.
const longSeconds = 1800
// A dial whose process died is looked up 45 s later, by a watch that comes each minute.
const withinMs = 150_000

/** Calls from an organization of its own, whose owner pays. `databaseUrl`: where it is not the embedded one of `dataDir`. */
export function crashCalls(dataDir: string, found: (kind: Finding['kind'], text: string) => void, databaseUrl?: string) {
  /** Acknowledged calls by mark. */
  const journal = new Map<string, string>()
  let unknown: Ask[] = []
  let session = ''
  let agentId = ''

  const ask = async (url: string, path: string, { body, key, token = session }: { body?: object; key?: string; token?: string } = {}) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        origin: url,
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Answered }
  }
  const place = (url: string, { mark, toNumber }: Ask) =>
    ask(url, path, { key: mark, body: { agent_id: agentId, to_number: toNumber, max_duration_seconds: longSeconds, metadata: { mark } } })
  /** False: not answered yet. */
  const acknowledge = (mark: string, status: number, body: Answered): boolean => {
    if (status === 201) journal.set(mark, body.id)
    else if (status < 500 && body.code !== 'idempotency_in_flight') found('lost', `a call answered ${status}: ${JSON.stringify(body)}`)
    else return false
    return true
  }
  const allCalls = async (url: string): Promise<Call[]> => {
    const calls: Call[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body }: { status: number; body: Answered } = await ask(url, `${path}?limit=200${cursor && `&cursor=${cursor}`}`)
      if (status !== 200) throw new Error(`the calls could not be listed: ${status} ${JSON.stringify(body)}`)
      calls.push(...body.data)
      cursor = body.next_cursor
    }
    return calls
  }
  const isOpen = ({ status }: Call) => status === 'queued' || status === 'ringing' || status === 'in_progress'
  const whenEnded = async (url: string): Promise<Call[]> => {
    for (const until = Date.now() + withinMs; ; await sleep(1000)) {
      const calls = await allCalls(url)
      if (!calls.some(isOpen) || Date.now() > until) return calls
    }
  }

  return {
    // More slots than dials that a crash leaves unanswered for a while.
    environment: { SIMULATOR_SPEED: '0', VOICE_PRICE_PER_MINUTE: String(pricePerMinute), VOICE_CONCURRENCY: '60' },
    get acknowledged() {
      return journal.size
    },
    /** Signs up once, with an agent. */
    async open(url: string): Promise<void> {
      if (session) return
      const person = { email: `${randomUUID()}@crash.example`, password: randomUUID(), name: 'Caller' }
      const { body: signedUp } = await ask(url, '/idp/sign-up/email', { body: person })
      const { body: identity } = await ask(url, '/idp/token', { token: signedUp.token })
      const { body: handshake } = await ask(url, '/api/auth/session', { body: {}, token: identity.token })
      session = handshake.session_token
      if (!session) throw new Error(`nobody could sign up: ${JSON.stringify(signedUp)}`)
      const { body: agent } = await ask(url, '/api/voice/v1/agents', { body: { name: 'Crash' } })
      agentId = agent.id
    },
    /** Places calls until the server is gone. */
    async client(url: string, until: AbortSignal, pauseMs = 0): Promise<void> {
      while (!until.aborted) {
        const toNumber = randomInt(2) ? (steering[randomInt(steering.length)] as string) : `+1555${randomInt(1e6, 1e7)}`
        const next = { mark: randomUUID(), toNumber }
        try {
          const { status, body } = await place(url, next)
          if (!acknowledge(next.mark, status, body)) unknown.push(next)
        } catch {
          unknown.push(next)
          return
        }
        if (pauseMs > 0) await sleep(pauseMs)
      }
    },
    /** Asks what was never answered again with its key: it must have been placed once, or not yet. */
    async replay(url: string): Promise<void> {
      const asked = unknown
      unknown = []
      for (const again of asked)
        for (let attempt = 0; ; attempt++) {
          const { status, body } = await place(url, again)
          if (acknowledge(again.mark, status, body)) break
          if (attempt === 50) throw new Error(`a call is still not answered: ${status} ${JSON.stringify(body)}`)
          await sleep(100)
        }
    },
    /** Waits until every call has ended, and checks each of them, the dials, the money and the slots. */
    async verify(url: string): Promise<void> {
      const calls = await whenEnded(url)
      const dials = await dialsById(dataDir, databaseUrl)
      const byMark = Map.groupBy(calls, ({ metadata }) => metadata.mark)
      for (const [mark, id] of journal) {
        const [call, ...others] = byMark.get(mark) ?? []
        if (call?.id !== id) found('lost', `call ${id} was acknowledged, and there is ${call?.id}`)
        if (others.length > 0) found('doubled', `${others.length + 1} calls were made of ${mark}`)
      }
      for (const { id, to_number: toNumber, status, dispatch_state: state, provider_reason: reason, metadata } of calls) {
        if (!journal.has(metadata.mark)) found('torn', `call ${id} was never acknowledged`)
        const count = dials.get(id) ?? 0
        if (count !== 1) found(count > 1 ? 'doubled' : 'lost', `call ${id} was dialled ${count} times and is ${state}/${status}`)
        // A call at which three processes died is given up.
        const isGivenUp = status === 'failed' && reason === deathReason
        if (status !== (endings[toNumber] ?? 'completed') && !isGivenUp) found('torn', `call ${id} to ${toNumber} is ${state}/${status}`)
      }
      if (dials.size !== calls.length) found('torn', `${dials.size} calls were dialled, ${calls.length} are written down`)
      await verifyMoney(url, calls)
      await verifySlots(url)
    },
  }

  // What the calls have cost is gone from the account, and nothing is held for them any more.
  async function verifyMoney(url: string, calls: readonly Call[]): Promise<void> {
    const micro = (credits: number) => Math.round(credits * 1_000_000)
    const charged = calls.reduce((sum, call) => sum + micro(call.credits_charged ?? 0), 0)
    if (charged === 0) found('torn', 'no call has cost anything')
    const { body } = await ask(url, '/api/credits/balance')
    const { balance, reserved } = body
    if (reserved !== 0) found('torn', `${reserved} credits are still held for calls that are over`)
    if (micro(balance) !== micro(newUserGrant) - charged) found('torn', `the balance is ${balance} after calls for ${charged / 1_000_000}`)
  }

  // With a single slot, a second call begins only when nothing else holds it.
  async function verifySlots(url: string): Promise<void> {
    const settings = { query: 'mutation { updateVoiceSettings(input: { concurrency: 1 }) { concurrency } }' }
    await ask(url, '/graphql', { body: settings })
    for (let count = 0; count < 3; count++) {
      const mark = randomUUID()
      const { status, body } = await place(url, { mark, toNumber: '+9990000001' })
      acknowledge(mark, status, body)
    }
    const open = (await whenEnded(url)).filter(isOpen)
    if (open.length > 0) found('torn', `with one slot left, ${open.length} calls never end`)
  }
}

async function dialsById(dataDir: string, databaseUrl?: string): Promise<Map<string, number>> {
  const { url, stop } = databaseUrl
    ? { url: databaseUrl, stop: async () => {} }
    : await startEmbedded({ dataDir, log: pino({ level: 'silent' }) })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; dials: number }>('select call_id as id, dials from simulated_calls')
    return new Map(rows.map(({ id, dials }) => [id, dials]))
  } finally {
    await client.end()
    await stop()
  }
}
