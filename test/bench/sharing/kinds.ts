// What two tenants do at the same time: how one of them does it once and how long that took, and what the other one floods the server with.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Pool } from 'undici'
import { listen } from '../cases/listeners.ts'
import { given } from '../prepare.ts'

export interface Tenant {
  orgId: string
  userId: string
  key: string
}

/** The requests of a flood. `streams`: subscriptions to `changes` that are open meanwhile. */
export interface Flood {
  connections: number
  path: string
  body: string
  streams?: number
}

export interface Kind {
  name: string
  what: string
  /** Resolves with the milliseconds that it took. */
  once(): Promise<number>
  flood: Flood
  /** What only this kind needs. Resolves with what ends it again. */
  open?(): Promise<() => unknown>
}

interface Sides {
  url: string
  database: pg.Client
  quiet: Tenant
  flooding: Tenant
}

const contacts = '/api/crm/v1/contacts'
const calls = '/api/voice/v1/calls'
const jobs = '/api/enrich/v1/jobs'
// By turns +15550002000 to 9999, of which every one talks.
const numberAt = (n: number) => `+1555000${2000 + (n % 7000)}`

/** Prepares both tenants with an agent each. */
export async function kindsOf({ url, database, quiet, flooding }: Sides): Promise<{ kinds: Kind[]; close(): Promise<void> }> {
  const pool = new Pool(url, { connections: 4, pipelining: 1 })
  const ask = async (method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: unknown): Promise<string> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await pool.request({ method, path, headers: { 'content-type': 'application/json', ...headers }, ...sent })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    return text
  }
  const keyed = ({ key }: Tenant) => ({ authorization: `Bearer ${key}` })
  const post = async (path: string, body: unknown, tenant = quiet): Promise<{ id: string }> => {
    const { id, job_id: jobId } = JSON.parse(await ask('POST', path, keyed(tenant), body)) as { id?: string; job_id?: string }
    return { id: id ?? jobId ?? '' }
  }
  const deduct = () =>
    ask('POST', '/api/credits/deduct', { 'x-svc-services-token': given.SVC_SERVICES_TOKEN }, { user_id: quiet.userId, amount: 0.01 })
  const received = arrivals()
  const streamed = arrivals()
  const ownAgent = await post('/api/voice/v1/agents', { name: 'Quiet' })
  const otherAgent = await post('/api/voice/v1/agents', { name: 'Flood' }, flooding)
  let n = 0
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const contact = () => post(contacts, { email: `person-${++n}@quiet.example`, first_name: 'Ada' })
  /** Resolves with the time between the two columns, as soon as both are there. */
  const finished = async (table: string, end: string, { id }: { id: string }): Promise<number> => {
    const text = `select extract(epoch from ${end} - created_at)::float8 * 1000 as ms from ${table} where id = $1 and ${end} is not null`
    for (const deadline = performance.now() + 30_000; performance.now() < deadline; await sleep(3)) {
      const { rows } = await database.query<{ ms: number }>({ name: `${table} ${end}`, text, values: [id] })
      if (rows[0]) return rows[0].ms
    }
    throw new Error(`a row of ${table} has no ${end} after 30 s`)
  }
  const writes = { connections: 100, path: contacts, body: '{"email":"person-{{n}}@flood.example","first_name":"Ada"}' }
  const jobBody = (id: string) => ({ target: { host_app: 'bench', id, kind: 'person' }, options: { phone: '+442079460000' } })
  const kinds: Kind[] = [
    { name: 'writes', what: 'a contact, until it is answered', once: () => timed(contact), flood: writes },
    { name: 'lists', what: 'a page of contacts', once: () => timed(() => ask('GET', `${contacts}?limit=20`, keyed(quiet))), flood: writes },
    { name: 'debits', what: 'a debit, until it is answered', once: () => timed(deduct), flood: writes },
    {
      name: 'jobs',
      what: 'an enrichment job, until it has ended',
      once: async () => finished('enrichment_jobs', 'finished_at', await post(jobs, jobBody(`quiet-${++n}`))),
      flood: { connections: 32, path: jobs, body: JSON.stringify(jobBody('flood-{{n}}')) },
    },
    {
      name: 'calls',
      what: 'a simulated call, until it has ended',
      once: async () => finished('calls', 'ended_at', await post(calls, { agent_id: ownAgent.id, to_number: numberAt(++n) })),
      flood: { connections: 32, path: calls, body: JSON.stringify({ agent_id: otherAgent.id, to_number: '+1555000{{4}}' }) },
    },
    {
      name: 'streams',
      what: 'a contact, until its change has arrived',
      once: () => timed(async () => streamed.of((await contact()).id)),
      flood: { ...writes, connections: 32, streams: 50 },
      async open() {
        const stream = await listen(url, 1, { authorization: `Bearer ${quiet.key}` }, chunk => {
          for (const [, id = ''] of chunk.matchAll(/"entityId":"(.{36})"/g)) streamed.arrive(id)
        })
        return () => stream.stop()
      },
    },
    // The last, because its endpoints remain.
    {
      name: 'webhooks',
      what: 'a contact, until its webhook has arrived',
      once: () => timed(async () => received.of((await contact()).id)),
      flood: { ...writes, connections: 32 },
      async open() {
        const receivers = [
          await startReceiver(body => received.arrive(/"entity_id":"(.*?)"/.exec(body)?.[1] ?? /"id":"(.{36})"/.exec(body)?.[1] ?? '')),
          await startReceiver(() => {}),
        ]
        for (const [index, tenant] of [quiet, flooding].entries())
          await post('/api/webhooks/v1/endpoints', { url: receivers[index]?.url, event_types: ['contact.created'] }, tenant)
        return () => {
          for (const { stop } of receivers) stop()
        }
      },
    },
  ]
  return { kinds, close: () => pool.destroy() }
}

/** What has arrived, and who waits for it. */
function arrivals() {
  const known = new Set<string>()
  const waiting = new Map<string, () => void>()
  return {
    arrive(id: string) {
      known.add(id)
      waiting.get(id)?.()
    },
    async of(id: string): Promise<void> {
      if (known.has(id)) return
      const late = AbortSignal.timeout(30_000)
      await new Promise<void>((resolve, reject) => {
        waiting.set(id, resolve)
        late.addEventListener('abort', () => reject(new Error(`${id} has not arrived after 30 s`)))
      })
      waiting.delete(id)
    },
  }
}

async function startReceiver(onBody: (body: string) => void) {
  const server = createServer((request, response) => {
    let body = ''
    request
      .on('data', chunk => (body += chunk))
      .on('end', () => {
        onBody(body)
        response.writeHead(204).end()
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}
