// How much one organization's flood delays another one: `npm run bench -- fair`.
//
// One client of the quiet organization does one thing after the other: writes, enrichment jobs, calls, webhooks, changes in a stream. Each
// round measures 300 of each, first alone, then while the other organization floods the server with the same, and prints the 99th
// percentiles and their ratio. Without rate limits, in one process of all roles on an embedded PostgreSQL; the flood comes from a process
// with the lowest priority, because on machines of their own its clients would take no CPU from the server.
//
//   npm run bench -- fair --only jobs,calls      some kinds
//   npm run bench -- fair --rounds 5             more rounds than 3, of whose ratios the median counts
//
// Fails where the ratio is above 2.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../../src/config/environment.ts'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../../src/database/migrations/migrate.ts'
import { startServices } from '../../../src/server/services.ts'
import { startFlood } from '../../support/flood.ts'
import { median } from '../../support/median.ts'
import { listen } from '../cases/listeners.ts'
import { given, organizationWithKey } from '../prepare.ts'
import { type Server, startServer } from '../servers.ts'
import { type Flood, type Kind, kindsOf, type Tenant } from './kinds.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string', default: '3' }, samples: { type: 'string', default: '300' } },
})
const only = values.only?.split(',')
const rounds = Number(values.rounds)
const samples = Number(values.samples)
const limit = 2

const scratch = mkdtempSync(join(tmpdir(), 'rolocom-fair-'))
chmodSync(scratch, 0o711)
const log = pino({ level: 'warn' })
const embedded = await startEmbedded({ dataDir: scratch, log, settings: { shared_buffers: '256MB', max_wal_size: '4GB', jit: 'off' } })
const environment = {
  ...given,
  DATABASE_URL: embedded.url,
  LOG_LEVEL: 'info',
  NODE_ENV: 'test',
  RATE_LIMIT: '0',
  OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
  ROLES: 'api,session,gateway,worker',
  SIMULATOR_SPEED: '0',
}
const database = new pg.Client({ connectionString: embedded.url })
let server: Server | undefined
let close: (() => Promise<void>) | undefined
let isSlow = false
try {
  const [quiet, flooding] = await tenants()
  await database.connect()
  server = await startServer('project', environment, scratch)
  const { url } = server
  const prepared = await kindsOf({ url, database, quiet, flooding })
  close = prepared.close
  const kinds = prepared.kinds.filter(({ name }) => only?.includes(name) ?? true)
  console.error(`load of the machine ${loadavg()[0]?.toFixed(1)}; p50 and p99 in ms alone and beside the flood`)
  for (const kind of kinds) {
    const ratios: number[] = []
    const alone: number[] = []
    const beside: number[] = []
    const end = await kind.open?.()
    await warmUp(kind, url, flooding)
    for (let round = 0; round < rounds; round++) {
      await cleared(flooding)
      const before = await sampled(kind)
      const flood = await begin(kind.flood, url, flooding)
      await sleep(1000)
      const after = await sampled(kind)
      const perSecond = await flood.end()
      ratios.push(at(after, 0.99) / at(before, 0.99))
      alone.push(at(before, 0.99))
      beside.push(at(after, 0.99))
      const both = [before, after].map(times => `${at(times, 0.5).toFixed(1)} ${at(times, 0.99).toFixed(1)}`).join(' -> ')
      console.error(`${kind.name}: ${both}, ${ratios.at(-1)?.toFixed(2)}; flood ${perSecond.toFixed(0)}/s`)
    }
    await end?.()
    const ratio = median(ratios)
    if (ratio > limit) isSlow = true
    const figures = `p99 ${median(alone).toFixed(1)} ms alone, ${median(beside).toFixed(1)} ms beside a flood: ${ratio.toFixed(2)} (limit ${limit})`
    console.log(`${kind.name.padEnd(9)} ${figures}   ${kind.what}`)
  }
} finally {
  await close?.()
  await server?.stop()
  await database.end()
  await embedded.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(isSlow ? 1 : 0)

async function tenants(): Promise<[Tenant, Tenant]> {
  await applyMigrations(embedded.url)
  const { services, stop } = await startServices(readConfig({ ...environment, ROLES: 'session' }), { log, databaseUrl: embedded.url })
  try {
    return [await organizationWithKey(services, 'Quiet'), await organizationWithKey(services, 'Flood')]
  } finally {
    await stop(1000)
  }
}

async function sampled({ once }: Kind): Promise<number[]> {
  const times: number[] = []
  while (times.length < samples) times.push(await once())
  return times.sort((one, other) => one - other)
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}

async function begin({ streams = 0, ...flood }: Flood, url: string, { key }: Tenant) {
  const listeners = streams > 0 ? await listen(url, streams, { authorization: `Bearer ${key}` }) : undefined
  const { end } = startFlood({ url, key, ...flood, pauseMs: 100, isNice: true })
  return {
    /** Resolves with the accepted requests per second. */
    async end(): Promise<number> {
      const perSecond = await end()
      listeners?.stop()
      return perSecond
    },
  }
}

async function warmUp(kind: Kind, url: string, flooding: Tenant): Promise<void> {
  for (let time = 0; time < 60; time++) await kind.once()
  const flood = await begin(kind.flood, url, flooding)
  await sleep(2000)
  await flood.end()
}

/** What the flood has left is gone, so that the next round begins as the first one did. */
async function cleared({ orgId }: Tenant): Promise<void> {
  await database.query(`delete from enrichment_jobs where org_id = $1 and status = 'queued'`, [orgId])
  await database.query(`delete from calls where org_id = $1 and dispatch_state in ('pending', 'scheduled')`, [orgId])
  await database.query(`delete from webhook_deliveries where org_id = $1 and state in ('waiting', 'pending')`, [orgId])
  await sleep(1500)
}
