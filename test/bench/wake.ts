// Measures POST /hooks/wake beside a bare Express server that inserts one row with pg per request: `npm run bench -- wake`.
//
// Both run here in turn, on the same database (the embedded one, or BENCH_DATABASE_URL), with the same load: 16 connections, distinct texts. Then 100,000 wakes are sent in all, and
// the memory of the server is compared before and after. SEC=10 sets the seconds per round, ROUNDS=3 their number.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { createContext } from '../../src/kernel/context.ts'
import { start } from '../../src/server/start.ts'

const seconds = Number(process.env.SEC ?? 5)
const rounds = Number(process.env.ROUNDS ?? 2)
const wakes = Number(process.env.WAKES ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'rolocom-wake-'))
chmodSync(folder, 0o711)
const embedded = process.env.BENCH_DATABASE_URL ? null : await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }) })
const adminUrl = process.env.BENCH_DATABASE_URL ?? embedded?.url ?? ''
const token = 'bench-hooks-token-0123456789ab'
const name = `bench_wake_${process.pid}`
const goals = { perSecond: 3000, p99Ms: 25, ratio: 0.8 }

const at = (database: string) => {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
const admin = async (text: string) => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
const environment = {
  DATABASE_URL: at(name),
  HOOKS_TOKEN: token,
  HOOKS_ENABLED: '1',
  NODE_ENV: 'production',
  ROLES: 'api,session,gateway,worker',
  SVC_SERVICES_TOKEN: 'bench-services-token-0123456789',
  IDENTITY_SECRET: 'bench-identity-secret-0123456789',
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

interface Server {
  url: string
  process: ChildProcess
}

async function serve(file: string, env: Record<string, string>, path: string): Promise<Server> {
  const port = await freePort()
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { PATH: process.env.PATH, ...environment, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600; tries++) {
    if (
      await fetch(url + path).then(
        () => true,
        () => false,
      )
    )
      return { url, process: child }
    await sleep(50)
  }
  throw new Error(`${file} did not start`)
}

let text = 0
const load = (url: string, options: { duration?: number; amount?: number }) =>
  autocannon({
    url: `${url}/hooks/wake`,
    connections: 16,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...options,
    requests: [{ setupRequest: request => ({ ...request, body: `{"text":"wake number ${++text}"}` }) }],
  })

const residentMb = ({ process }: Server) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024

await admin(`create database ${name}`)
const servers: Server[] = []
try {
  await applyMigrations(at(name))
  const running = await start(readConfig({ ...environment, PORT: '0', ROLES: 'api,session' }), {
    log: pino({ level: 'warn' }),
    databaseUrl: at(name),
  })
  const context = createContext(running.services, {
    principal: { kind: 'system', name: 'bench', orgId: null },
    requestId: 'bench',
    door: 'system',
  })
  await running.services.database.prisma.user.create({ data: { id: 'bench', name: 'Bench' } })
  await createOrganizationFor(context, { userId: 'bench', name: 'Bench' })
  await running.stop(1_000)

  const base = await serve('express-pg.ts', {}, '/')
  const ours = await serve('../../src/main.ts', { LOG_LEVEL: 'info' }, '/healthz')
  servers.push(base, ours)
  const totals = { base: [] as number[], ours: [] as number[], p99: [] as number[], failed: 0 }
  for (let round = 0; round < rounds; round++)
    for (const [kind, server] of [
      ['base', base],
      ['ours', ours],
    ] as const) {
      await load(server.url, { duration: 1 })
      const result = await load(server.url, { duration: seconds })
      totals[kind].push(result.requests.average)
      if (kind === 'ours') totals.p99.push(result.latency.p99)
      totals.failed += result.non2xx + result.errors
      process.stdout.write(
        `${kind.padEnd(5)} ${Math.round(result.requests.average)}/s  p50 ${result.latency.p50} ms  p99 ${result.latency.p99} ms\n`,
      )
    }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

  const before = residentMb(ours)
  const flood = await load(ours.url, { amount: wakes })
  totals.failed += flood.non2xx + flood.errors
  await sleep(3000)
  const after = residentMb(ours)
  const ratio = mean(totals.ours) / mean(totals.base)
  const perSecond = mean(totals.ours)
  const p99 = Math.max(...totals.p99)
  process.stdout.write(
    `wakes ${Math.round(perSecond)}/s (goal ${goals.perSecond}), ratio ${ratio.toFixed(2)} (goal ${goals.ratio}), p99 ${p99} ms (goal ${goals.p99Ms}), ` +
      `failed ${totals.failed}, memory ${Math.round(before)} -> ${Math.round(after)} MB over ${wakes} wakes\n`,
  )
  process.exitCode = ratio >= goals.ratio && totals.failed === 0 ? 0 : 1
} finally {
  for (const server of servers) server.process.kill('SIGTERM')
  await sleep(1500)
  await admin(`drop database ${name} with (force)`)
  await embedded?.stop()
  rmSync(folder, { recursive: true, force: true })
}
