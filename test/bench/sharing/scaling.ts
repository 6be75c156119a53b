// What further processes add: `npm run bench -- scaling`.
//
// One process of all roles, then two that answer requests and two workers, each on a database of the same content in one embedded
// PostgreSQL, in turns. 16 connections for each process that answers requests send visits: reads, writes, and what becomes work in the
// background: enrichment jobs, simulated calls, webhooks. Every answer is checked, and at the end of a round that all of that work is done.
//
// Where there are too few cores for all processes, requests per second say nothing. What counts is the CPU time that the processes of a role
// take for a visit, until its work is done: with a core for each process, the role with the most work for each of its processes limits the
// others. Beside it stands what the CPU of two processes does of one's twice, which smaller batches, polls and notifications make less.
//
//   npm run bench -- scaling --visits 600 --rounds 5      for longer
//
// Fails below 1.8.

import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { Pool } from 'undici'
import { readConfig } from '../../../src/config/environment.ts'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../../src/database/migrations/migrate.ts'
import { startServices } from '../../../src/server/services.ts'
import { median } from '../../support/median.ts'
import { fillContacts } from '../cases/data.ts'
import { given, organizationWithKey } from '../prepare.ts'
import { cpuSeconds } from '../processes.ts'
import { type Server, startServer } from '../servers.ts'
import { requestsPerVisit, type Visited, visit } from './visitor.ts'

const { values } = parseArgs({ options: { visits: { type: 'string', default: '400' }, rounds: { type: 'string', default: '4' } } })
const visits = Number(values.visits)
const rounds = Number(values.rounds)
const connections = 16
const contacts = 10_000
const floor = 1.8

const scratch = mkdtempSync(join(tmpdir(), 'rolocom-scaling-'))
chmodSync(scratch, 0o711)
const log = pino({ level: 'warn' })
const embedded = await startEmbedded({ dataDir: scratch, log, settings: { shared_buffers: '256MB', max_wal_size: '4GB', jit: 'off' } })
const postmaster = Number(readFileSync(join(scratch, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end())).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const environment = {
  ...given,
  LOG_LEVEL: 'info',
  NODE_ENV: 'test',
  RATE_LIMIT: '0',
  OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
  SIMULATOR_SPEED: '0',
  VOICE_CONCURRENCY: '100',
  ENRICHMENT_QUEUE_LIMIT: '100000',
}
const answering = 'api,session,gateway'

/** Processes on a database of their own. */
interface Installation {
  name: string
  database: pg.Client
  web: Server[]
  workers: Server[]
  /** Microseconds of CPU for a visit, of those that answer requests, of the workers and of PostgreSQL; and visits per second. */
  rounds: { web: number; workers: number; postgres: number; perSecond: number }[]
}
const all: Installation[] = []
let isBelow = true
try {
  const visited = await prepared('one')
  await query(embedded.url, 'create database many template one')
  all.push(await installed('one', ['api,session,gateway,worker'], []))
  all.push(await installed('many', [answering, answering], ['worker', 'worker']))
  for (const one of all) for (let time = 0; time < 2; time++) await round(one, visited, visits)
  for (const one of all) one.rounds = []
  console.error(`${cpus().length} cores; load of the machine ${loadavg()[0]?.toFixed(1)}; microseconds of CPU for a visit`)
  for (let time = 0; time < rounds; time++)
    for (const one of time % 2 === 0 ? all : all.toReversed()) {
      await round(one, visited, visits)
      const last = one.rounds.at(-1)
      console.error(
        `${one.name.padEnd(5)} ${[last?.web, last?.workers, last?.postgres, last?.perSecond].map(n => n?.toFixed(0)).join(' ')}/s`,
      )
    }
  const [one, many] = all.map(({ rounds }) => {
    const of = (figure: keyof Installation['rounds'][number]) => median(rounds.map(round => round[figure]))
    return { web: of('web'), workers: of('workers'), postgres: of('postgres'), perSecond: of('perSecond') }
  })
  if (!one || !many) throw new Error('nothing was measured')
  const ratio = one.web / Math.max(many.web / 2, many.workers / 2)
  const sameCpu = (2 * one.web) / (many.web + many.workers)
  isBelow = ratio < floor
  console.log('                     CPU for a visit: web   workers   PostgreSQL   visits/s here   requests/s of a core')
  for (const [name, { web, workers, postgres, perSecond }] of Object.entries({ '1 process': one, '2 web + 2 workers': many })) {
    const cells = [
      web.toFixed(0).padStart(16),
      workers.toFixed(0).padStart(10),
      postgres.toFixed(0).padStart(13),
      perSecond.toFixed(0).padStart(16),
    ]
    console.log(`${name.padEnd(20)}${cells.join('')}${((requestsPerVisit * 1e6) / (web + workers)).toFixed(0).padStart(23)}`)
  }
  console.log(
    `with a core for each process ${ratio.toFixed(2)} x one process's visits (floor ${floor}); with two cores' CPU ${sameCpu.toFixed(2)} x`,
  )
} finally {
  for (const { web, workers, database } of all) {
    await Promise.all([...web, ...workers].map(server => server.stop()))
    await database.end()
  }
  receiver.close()
  receiver.closeAllConnections()
  await embedded.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(isBelow ? 1 : 0)

function addressOf(name: string): string {
  return Object.assign(new URL(embedded.url), { pathname: `/${name}` }).href
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** A migrated database with contacts to read, an agent and an endpoint of webhooks. */
async function prepared(name: string): Promise<Visited> {
  await query(embedded.url, `create database ${name}`)
  const databaseUrl = addressOf(name)
  await applyMigrations(databaseUrl)
  const { services, stop } = await startServices(readConfig({ ...environment, DATABASE_URL: databaseUrl, ROLES: 'session' }), {
    log,
    databaseUrl,
  })
  const reader = await organizationWithKey(services, 'Reader')
  const writer = await organizationWithKey(services, 'Writer')
  await stop(1000)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await fillContacts(client, reader.orgId, contacts)
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ id: string }>('select id from contacts limit 500')
  await client.end()
  const server = await started(name, answering)
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${writer.key}`, 'content-type': 'application/json' }
    const answer = await fetch(server.urls[0] + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  try {
    const { id: agentId } = await post('/api/voice/v1/agents', { name: 'Bench' })
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    await post('/api/webhooks/v1/endpoints', { url, event_types: ['contact.created'] })
    return { readerKey: reader.key, writerKey: writer.key, writerOrgId: writer.orgId, agentId, contactIds: rows.map(({ id }) => id) }
  } finally {
    await server.stop()
  }
}

function started(name: string, roles: string): Promise<Server> {
  const folder = mkdtempSync(join(scratch, 'process-'))
  return startServer('project', { ...environment, DATABASE_URL: addressOf(name), ROLES: roles }, folder)
}

async function installed(name: string, web: readonly string[], workers: readonly string[]): Promise<Installation> {
  const database = new pg.Client({ connectionString: addressOf(name) })
  await database.connect()
  const startAll = (each: readonly string[]) => Promise.all(each.map(roles => started(name, roles)))
  return { name, database, web: await startAll(web), workers: await startAll(workers), rounds: [] }
}

async function round(installation: Installation, visited: Visited, perProcess: number): Promise<void> {
  const { web, workers, database } = installation
  const seconds = (servers: readonly Server[]) => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
  const now = () => ({ web: seconds(web), workers: seconds(workers), postgres: cpuSeconds(postmaster, { family: true }) })
  const before = now()
  const began = performance.now()
  const loads = web.map(async ({ urls }) => {
    const pool = new Pool(urls[0] ?? '', { connections, pipelining: 1 })
    let n = 0
    const client = async () => {
      while (n < perProcess) await visit(pool, visited, n++)
    }
    await Promise.all(Array.from({ length: connections }, client))
    await pool.close()
  })
  await Promise.all(loads)
  const took = (performance.now() - began) / 1000
  await settled(database, visited.writerOrgId)
  const after = now()
  const count = perProcess * web.length
  const each = (part: 'web' | 'workers' | 'postgres') => ((after[part] - before[part]) / count) * 1e6
  installation.rounds.push({ web: each('web'), workers: each('workers'), postgres: each('postgres'), perSecond: count / took })
}

/** Resolves when all work in the background is done; throws when some of it failed, or after a minute. */
async function settled(database: pg.Client, orgId: string): Promise<void> {
  const text = `select
     (select count(*) from enrichment_jobs where org_id = $1 and status in ('queued', 'running'))
     + (select count(*) from calls where org_id = $1 and ended_at is null)
     + (select count(*) from webhook_deliveries where org_id = $1 and state in ('waiting', 'pending', 'sending'))
     + (select count(*) from contacts c where org_id = $1 and not exists (select from webhook_deliveries d where d.entity_id = c.id::text)) as open,
     (select string_agg(what, ', ') from (
       (select 'job ' || error as what from enrichment_jobs where org_id = $1 and status = 'failed' limit 3)
       union all (select 'call ' || coalesce(ended_reason, '') || ' ' || coalesce(provider_reason, '') from calls where org_id = $1 and status = 'failed' limit 3)
       union all (select 'webhook ' || coalesce(reason, '') from webhook_deliveries where org_id = $1 and state in ('failed', 'canceled') limit 3)) as failures) as failed`
  for (const deadline = performance.now() + 60_000; ; await sleep(200)) {
    const { rows } = await database.query<{ open: string; failed: string | null }>(text, [orgId])
    if (rows[0]?.failed) throw new Error(`some work failed: ${rows[0].failed}`)
    if (Number(rows[0]?.open) === 0) return
    if (performance.now() > deadline) throw new Error(`${rows[0]?.open} jobs, calls or webhooks are not done after a minute`)
  }
}
