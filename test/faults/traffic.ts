// Writers and readers during a fault: they keep a journal of the answers, which is compared with the database afterwards.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../crash/server.ts'
import type { Figures } from './row.ts'

export interface TrafficOptions {
  /** Clients of each server, that each send one request after another. Default 4. */
  clients?: number
  /** A request without an answer for longer than this has hung. Default 6,500 ms. */
  patienceMs?: number
  /** Milliseconds between two requests of a client. Default 20. */
  pauseMs?: number
  /** The statuses that refuse a request, which is then sent again. Default 503. A proxy has 502 too. */
  refusals?: readonly number[]
}

export interface Traffic {
  /** Ends the clients once their last request is over. */
  stop(): Promise<void>
  /** Resolves when the requests of every kind to every server have succeeded for a second, also before a fault; gives up after `maxMs`. */
  recovered(maxMs?: number): Promise<void>
  /** The ids of the contacts whose creation was acknowledged. */
  acknowledged(): string[]
  /** Milliseconds from then (`performance.now()`) until the last request ended that did not succeed. */
  recoveryMs(since: number): number
  /** Stops, repeats unanswered writes with their keys, reads all rows, and counts what was lost, doubled, wrong and hung. */
  verdict(): Promise<Pick<Figures, 'lost' | 'doubled' | 'wrong' | 'hung' | 'acknowledged' | 'refused'>>
}

type Kind = 'create' | 'read' | 'list' | 'graphql'
interface Ended {
  kind: Kind
  server: Server
  sentAt: number
  endedAt: number
  ok: boolean
}
interface Write {
  key: string
  email: string
  server: Server
}

const contacts = '/api/crm/v1/contacts'
const kinds: readonly Kind[] = ['create', 'read', 'list', 'graphql']

export function startTraffic(
  servers: readonly Server[],
  { clients = 4, patienceMs = 6_500, pauseMs = 20, refusals = [503] }: TrafficOptions = {},
  found: (text: string) => void = () => {},
): Traffic {
  const ended: Ended[] = []
  const acknowledged = new Map<string, { email: string; server: Server; key: string }>()
  const unanswered: Write[] = []
  const figures = { lost: 0, doubled: 0, wrong: 0, hung: 0, refused: 0 }
  let isStopping = false

  const isRefused = ({ status }: Answer) => status === 'refused' || (typeof status === 'number' && refusals.includes(status))
  const count = (figure: 'lost' | 'doubled' | 'wrong' | 'hung', text: string) => {
    figures[figure]++
    found(`${figure}: ${text}`)
  }
  const acknowledge = (write: Write, id: string) => {
    const known = acknowledged.get(id)
    if (known && known.key !== write.key) count('doubled', `two creates were answered with contact ${id}`)
    acknowledged.set(id, write)
  }
  const create = async (server: Server): Promise<boolean> => {
    const write = { key: randomUUID(), email: `${randomUUID()}@faults.example`, server }
    const answer = await ask(server, 'POST', contacts, patienceMs, { email: write.email, first_name: 'Fault' }, write.key)
    if (answer.status === 201) acknowledge(write, String(answer.body.id))
    else unanswered.push(write)
    return settle('create', answer, 201)
  }
  const settle = (kind: Kind, answer: Answer, expected: number): boolean => {
    if (answer.status === expected) return true
    if (answer.status === 'hung') count('hung', `a ${kind} had no answer for ${patienceMs} ms`)
    else if (isRefused(answer)) figures.refused++
    else count('wrong', `a ${kind} was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`)
    return false
  }
  const read = async (server: Server): Promise<boolean> => {
    const id = [...acknowledged.keys()].at(-1)
    if (id === undefined) return true
    return settle('read', await ask(server, 'GET', `${contacts}/${id}`, patienceMs), 200)
  }
  const list = async (server: Server) => settle('list', await ask(server, 'GET', `${contacts}?limit=5`, patienceMs), 200)
  const graphql = async (server: Server) => {
    const body = { query: '{ contacts(first: 3) { edges { node { id email } } } }' }
    const answer = await ask(server, 'POST', '/graphql', patienceMs, body)
    const errors = answer.body.errors as { extensions?: { code?: string } }[] | undefined
    const isAway = errors?.some(({ extensions }) => extensions?.code === 'UNAVAILABLE')
    return settle('graphql', errors ? { ...answer, status: isAway ? 503 : 500 } : answer, 200)
  }
  const sendOf = { create, read, list, graphql } satisfies Record<Kind, (server: Server) => Promise<boolean>>
  const client = async (server: Server, first: number) => {
    for (let i = first; !isStopping; i++) {
      const kind = kinds[i % kinds.length] ?? 'create'
      const sentAt = performance.now()
      const ok = await sendOf[kind](server)
      ended.push({ kind, server, sentAt, endedAt: performance.now(), ok })
      await sleep(pauseMs)
    }
  }
  const working = servers.flatMap(server => Array.from({ length: clients }, (_, i) => client(server, i)))
  const stop = async () => {
    isStopping = true
    await Promise.all(working)
  }
  // A second in which each kind succeeded at each server, and nothing failed.
  const isWell = (since: number) => {
    const recent = ended.filter(({ sentAt }) => sentAt > Math.max(since, performance.now() - 1_500))
    return (
      performance.now() - since > 1_000 &&
      recent.every(({ ok }) => ok) &&
      servers.every(server => kinds.every(kind => recent.some(e => e.server === server && e.kind === kind)))
    )
  }

  return {
    stop,
    async recovered(maxMs = 30_000) {
      const since = performance.now()
      for (const deadline = since + maxMs; !isWell(since); await sleep(100))
        if (performance.now() > deadline) return found(`not recovered within ${maxMs} ms`)
    },
    acknowledged: () => [...acknowledged.keys()],
    recoveryMs: since => Math.max(0, ...ended.filter(({ ok }) => !ok).map(({ endedAt }) => endedAt - since)),
    async verdict() {
      await stop()
      for (const write of unanswered.splice(0)) await resolveUnanswered(write)
      for (const [id, { email, server }] of acknowledged) {
        const { status } = await ask(server, 'GET', `${contacts}/${id}`, 30_000)
        if (status !== 200) count('lost', `contact ${id} answers ${status}`)
        const { body } = await ask(server, 'GET', `${contacts}?email=${encodeURIComponent(email)}`, 30_000)
        const rows = body.data as unknown[] | undefined
        if (rows?.length !== 1) count((rows?.length ?? 0) > 1 ? 'doubled' : 'lost', `${rows?.length} contacts have ${email}`)
      }
      const { refused, ...rest } = figures
      return { ...rest, acknowledged: acknowledged.size, refused }
    },
  }

  // Repeats the write with its key: it has happened once before, or happens once now.
  async function resolveUnanswered(write: Write): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const answer = await ask(write.server, 'POST', contacts, 30_000, { email: write.email, first_name: 'Fault' }, write.key)
      const { status, body } = answer
      if (status === 201) return acknowledge(write, String(body.id))
      if (!isRefused(answer) && body.code !== 'idempotency_in_flight')
        return count('wrong', `${write.email} asked again with its key was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`)
      await sleep(100)
    }
    count('lost', `${write.email} could not be asked again`)
  }
}

interface Answer {
  /** `refused`: no connection, or it was closed without an answer. */
  status: number | 'hung' | 'refused'
  body: Record<string, unknown>
}

/** Who asks which server: with a key, or as a user (X-User-ID) instead. */
export interface Caller {
  url: string
  key: string
  userId?: string
}

/** Sends one request with the server's key. */
export async function ask(
  server: Caller,
  method: string,
  path: string,
  patienceMs = 6_500,
  body?: unknown,
  idempotencyKey?: string,
): Promise<Answer> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const response = await fetch(server.url + path, {
      method,
      signal,
      headers: {
        ...(server.userId ? { 'x-user-id': server.userId } : { authorization: `Bearer ${server.key}` }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } }
  } catch {
    return { status: signal.aborted ? 'hung' : 'refused', body: {} }
  }
}
