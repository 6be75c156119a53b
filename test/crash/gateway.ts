// The gateway's part of the crash script: events, runs and deliveries. A messaging platform outside of the server counts the messages.

import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { runPrice } from './credits.ts'

type Found = (kind: 'lost' | 'doubled' | 'torn', text: string) => void
interface Ask {
  /** Without a key the event is written in a batch, and the request is not repeated. */
  key: string | null
  path: 'wake' | 'agent'
  /** Unique, and part of the message to the channel. */
  mark: string
  body: Record<string, unknown>
}

export async function crashGateway(dataDir: string, found: Found) {
  /** The messages that arrived, by mark. */
  const arrived = new Map<string, number>()
  const platform = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const mark = /mark-[0-9a-f-]{36}/.exec(text)?.[0]
    if (mark) arrived.set(mark, (arrived.get(mark) ?? 0) + 1)
    // Slow, so that the server may die between the message and the response.
    await sleep(randomInt(30))
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ ok: true, result: { message_id: randomInt(1e9) } }))
  })
  await new Promise<void>(resolve => platform.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`

  const configPath = join(dataDir, 'gateway.json5')
  writeFileSync(
    configPath,
    JSON.stringify({
      channels: { telegram: { botToken: '1:crash', baseUrl, defaultTo: '42' } },
      heartbeat: { deliver: false },
      // More attempts than by default, because the script interrupts runs again and again.
      agents: { maxConcurrent: 8, pricePerRun: runPrice, maxAttempts: 1000 },
      hooks: { creditCeiling: 1 },
    }),
    { flush: true },
  )
  const token = () => (JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as { HOOKS_TOKEN: string }).HOOKS_TOKEN

  /** What was acknowledged: event or run id by mark, with the client it came from, in its order. */
  const events = new Map<string, { id: string; client: number }>()
  const runs = new Map<string, string>()
  const unknown: { ask: Ask; client: number }[] = []
  let acknowledged = 0
  let clients = 0

  const send = async (url: string, ask: Ask) => {
    const response = await fetch(`${url}/hooks/${ask.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token()}`, ...(ask.key !== null && { 'idempotency-key': ask.key }) },
      body: JSON.stringify(ask.body),
    })
    return { status: response.status, body: (await response.json()) as { eventId?: string; runId?: string; error?: string } }
  }
  const acknowledge = (
    { path, mark }: Ask,
    client: number,
    status: number,
    body: { eventId?: string; runId?: string; error?: string },
  ): boolean => {
    if (status >= 500 || status === 409) return false
    const id = body.eventId ?? body.runId
    if (status >= 400 || !id) {
      found('lost', `/hooks/${path} answered ${status}: ${JSON.stringify(body)}`)
      return true
    }
    acknowledged++
    if (path === 'wake') events.set(mark, { id, client })
    else runs.set(mark, id)
    return true
  }

  const ask = (): Ask => {
    const mark = `mark-${randomUUID()}`
    const key = randomUUID()
    if (randomInt(4) > 0)
      return {
        key: randomInt(2) ? key : null,
        path: 'wake',
        mark,
        body: { text: `happened: ${mark}`, mode: randomInt(2) ? 'now' : 'next-heartbeat' },
      }
    const sessionKey = randomInt(2) ? `hook:shared-${randomInt(5)}` : undefined
    return {
      key,
      path: 'agent',
      mark,
      body: { message: `do: ${mark}`, name: 'Crash', channel: 'telegram', wakeMode: 'next-heartbeat', ...(sessionKey && { sessionKey }) },
    }
  }

  return {
    /** The environment of the server. */
    environment: { GATEWAY_CONFIG: configPath },
    get acknowledged() {
      return acknowledged
    },
    /** One sender: sends requests one after the other until the server is gone. */
    async client(url: string, until: AbortSignal): Promise<void> {
      const client = ++clients
      while (!until.aborted) {
        const next = ask()
        try {
          const { status, body } = await send(url, next)
          if (!acknowledge(next, client, status, body) && next.key !== null) unknown.push({ ask: next, client })
        } catch {
          if (next.key !== null) unknown.push({ ask: next, client })
          return
        }
        await sleep(randomInt(10))
      }
    },
    /** Repeats the requests without a response, with their keys. */
    async replay(url: string): Promise<void> {
      for (const { ask, client } of unknown.splice(0))
        for (let attempt = 0; attempt < 50; attempt++) {
          const { status, body } = await send(url, ask)
          if (acknowledge(ask, client, status, body)) break
          await sleep(100)
        }
    },
    /** Waits until everything is done, and checks that each event was seen once, and each run executed and delivered once. */
    async verify(): Promise<string> {
      const { url, stop } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) })
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const rows = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows
      try {
        for (let waited = 0; ; waited++) {
          const [open] = await rows<{ runs: number; deliveries: number; urgent: number }>(
            `select (select count(*)::int from gateway_runs where status in ('accepted', 'running')) as runs,
               (select count(*)::int from gateway_deliveries where state in ('pending', 'sending')) as deliveries,
               (select count(*)::int from gateway_events where heartbeat_id is null and mode = 'now') as urgent`,
          )
          if (open && open.runs + open.deliveries + open.urgent === 0) break
          if (waited > 900) {
            found('lost', `after 90 seconds there is still work to do: ${JSON.stringify(open)}`)
            break
          }
          await sleep(100)
        }
        await verifyEvents(rows)
        return await verifyRuns(rows)
      } finally {
        await client.end()
        await stop()
      }
    },
    close: () => new Promise<void>(resolve => void platform.close(() => resolve())),
  }

  async function verifyEvents(rows: <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>): Promise<void> {
    const stored = await rows<{
      id: string
      text: string
      position: string
      mode: string
      seen: boolean
      turn: string | null
      status: string | null
    }>(
      `select e.id, e.text, e.position, e.mode, e.seen_at is not null as seen, r.position as turn, r.status
       from gateway_events e left join gateway_runs r on r.id = e.heartbeat_id where e.source = 'hook' order by e.position`,
    )
    const byMark = Map.groupBy(stored, ({ text }) => /mark-[0-9a-f-]{36}/.exec(text)?.[0] ?? '')
    for (const [mark, { id }] of events) {
      const same = byMark.get(mark) ?? []
      if (same.length !== 1) found(same.length === 0 ? 'lost' : 'doubled', `${same.length} events have ${mark}`)
      const [event] = same
      if (event && event.id !== id) found('doubled', `${mark} was acknowledged as ${id} and is ${event.id}`)
      if (event?.mode === 'now' && !(event.seen && event.status === 'completed')) found('lost', `no heartbeat has seen ${mark}`)
    }
    // Of one sender, who waits for each answer, no later event is seen before an earlier one.
    const turns = new Map(
      stored.map(({ id, position, turn }) => [
        id,
        { position: Number(position), turn: turn === null ? Number.POSITIVE_INFINITY : Number(turn) },
      ]),
    )
    for (const [client, sent] of Map.groupBy(events.values(), event => event.client)) {
      let last = { position: 0, turn: 0 }
      for (const { id } of sent) {
        const next = turns.get(id)
        if (!next) continue
        // What was asked again after a crash has its old place in the journal, and may have a new one among the events.
        if (next.position > last.position && next.turn < last.turn) found('torn', `events of sender ${client} were seen out of order`)
        if (next.position > last.position) last = next
      }
    }
  }

  async function verifyRuns(rows: <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>): Promise<string> {
    const stored = await rows<{
      id: string
      message: string
      status: string
      error: string | null
      states: string[]
      summaries: number
      replies: number
      charges: number
    }>(
      `select r.id, r.message, r.status, r.error, array(select d.state from gateway_deliveries d where d.run_id = r.id) as states,
         (select count(*)::int from gateway_events e where e.run_id = r.id) as summaries,
         (select count(*)::int from gateway_turns t where t.run_id = r.id and t.role = 'assistant') as replies,
         (select count(*)::int from credit_entries c where c.reference = 'run:' || r.id and c.type = 'settle') as charges
       from gateway_runs r where r.kind = 'hook'`,
    )
    const byMark = Map.groupBy(stored, ({ message }) => /mark-[0-9a-f-]{36}/.exec(message)?.[0] ?? '')
    let uncertain = 0
    for (const [mark, id] of runs) {
      const same = byMark.get(mark) ?? []
      if (same.length !== 1) found(same.length === 0 ? 'lost' : 'doubled', `${same.length} runs have ${mark}`)
      const [run] = same
      if (!run) continue
      if (run.id !== id) found('doubled', `${mark} was acknowledged as ${id} and is ${run.id}`)
      if (run.status !== 'completed') found('lost', `run ${mark} is ${run.status}: ${run.error}`)
      if (run.summaries !== 1 || run.replies !== 1) found('torn', `run ${mark} has ${run.summaries} summaries and ${run.replies} replies`)
      if (run.charges !== 1) found(run.charges === 0 ? 'lost' : 'doubled', `run ${mark} was charged ${run.charges} times`)
      const [state, ...others] = run.states
      const count = arrived.get(mark) ?? 0
      if (others.length > 0) found('doubled', `run ${mark} has ${run.states.length} deliveries`)
      if (count > 1) found('doubled', `the channel got ${mark} ${count} times`)
      if (state === 'sent' && count !== 1) found('lost', `${mark} counts as sent, and the channel got it ${count} times`)
      if (state === 'unknown') uncertain++
      else if (state !== 'sent') found('lost', `the delivery of ${mark} is ${state}`)
    }
    return `events ${events.size}, runs ${runs.size}, deliveries of unknown end ${uncertain}`
  }
}
