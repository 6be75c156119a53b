// Measures this server beside its peers, Fastify over pg (W1 to W4) and PostGraphile (W5, W6), in one run on one machine: `npm run bench`.
//
// Each server in turn has one core, PostgreSQL (an embedded one of the run's own) and the load generator have another. Tables show requests
// per second, their ratio to the peer, and CPU per request, which moves least when other programs use the machine too.
//
//   CONTACTS=1000000 npm run bench               a larger table (100,000 by default; CALLS: 50,000)
//   WORK=W1,W6 ROUNDS=1 SEC=3 WARM=2 npm run bench
//   ONLY=project npm run bench                   a regular expression on the servers' names
//   OUT=results.md npm run bench                 also writes the tables there
//
// CONNECTIONS (16), CPUS (0,1), PIN=0 and LOADER (wrk where it is installed, else autocannon) say how it is loaded.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { checkAnswer, generator, load, type Outcome, type Workload } from './load.ts'
import { forgetInserts, installPeers, type Peer, peers, seedPeers } from './peers.ts'
import { prepare } from './prepare.ts'
import { busySeconds, cpuSeconds, otherCpu, pin, pinned, residentMiB, serverCpu } from './processes.ts'

const { env } = process
const contacts = Number(env.CONTACTS ?? 100_000)
const calls = Number(env.CALLS ?? 50_000)
const rounds = Number(env.ROUNDS ?? 3)
const seconds = Number(env.SEC ?? 5)
// A server of this size is compiled by its engine for seconds after its start; one that runs for days is not measured by them.
const warmUpSeconds = Number(env.WARM ?? 8)
const connections = Number(env.CONNECTIONS ?? 16)
const wanted = env.WORK?.split(',')
const only = new RegExp(env.ONLY ?? '')
const project = 'project'

interface Measured {
  workload: string
  server: string
  perSecond: number
  p50Ms: number
  p99Ms: number
  bad: number
  serverMicroseconds: number
  databaseMicroseconds: number
  /** CPU that other programs took, in percent of one core. */
  otherPercent: number
}

const scratch = mkdtempSync(join(tmpdir(), 'rolocom-bench-'))
chmodSync(scratch, 0o711)
const settings = { shared_buffers: '1GB', max_wal_size: '4GB', random_page_cost: '1.1', jit: 'off' }
const database = await startEmbedded({ dataDir: scratch, log: pino({ level: 'warn' }), settings })
const postmaster = Number(readFileSync(join(scratch, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
const measured: Measured[] = []
const starts: { server: string; ms: number; residentMiB: number }[] = []
let failures = 0
try {
  pin(otherCpu, postmaster)
  installPeers()
  const peersUrl = await createDatabase('peers')
  await seedPeers(peersUrl, { contacts, calls })
  const own = await prepare(database.url, contacts, calls, 'project')
  const servers = [
    ...peers().map(peer => ({ ...peer, environment: { PGURL: peersUrl, GRAPHILE_ENV: 'production' } })),
    { name: project, command: startCommand(), workloads: own.requests, environment: own.environment },
  ].filter(({ name }) => only.test(name))
  console.error(`${generator}, ${connections} connections, ${rounds} x ${seconds} s after ${warmUpSeconds} s, ${contacts} contacts`)
  for (let round = 1; round <= rounds; round++) for (const server of servers) await measureServer(server, round, peersUrl)
  const report = tables()
  console.log(report)
  if (env.OUT) writeFileSync(env.OUT, report)
} finally {
  await database.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(failures > 0 ? 1 : 0)

async function createDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`create database ${name}`).finally(() => client.end())
  const url = new URL(database.url)
  url.pathname = `/${name}`
  return url.href
}

// As `npm start` has it, from whatever folder.
function startCommand(): string[] {
  const root = join(import.meta.dirname, '../..')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, options = ''] = /exec node (.*) src\/main\.ts$/.exec(scripts.start) ?? []
  return [process.execPath, ...options.split(' '), join(root, 'src/main.ts')]
}

async function measureServer(server: Peer & { environment: Record<string, string> }, round: number, peersUrl: string): Promise<void> {
  const workloads = Object.entries(server.workloads).filter(([name]) => wanted?.includes(name) ?? true)
  const [first] = workloads
  if (!first) return
  let running: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    running = await startServer(server, first[1])
    const { url, pid, ms } = running
    for (const [workload, requests] of workloads) {
      await checkAnswer(requests, url)
      await load(requests, { url, seconds: warmUpSeconds, connections, scratch })
      const result = await measure(pid, () => load(requests, { url, seconds, connections, scratch }))
      measured.push({ workload, server: server.name, ...result })
      const { perSecond, serverMicroseconds } = result
      console.error(
        `${round} ${workload} ${server.name}: ${perSecond.toFixed(0)}/s, ${serverMicroseconds.toFixed(0)} us of the server's CPU`,
      )
      if (workload === 'W3' && server.name !== project) await forgetInserts(peersUrl)
    }
    starts.push({ server: server.name, ms, residentMiB: residentMiB(pid) })
  } catch (error) {
    failures++
    console.error(`${server.name}:`, error)
  } finally {
    await running?.stop()
  }
}

async function startServer({ name, command, environment }: Peer & { environment: Record<string, string> }, first: Workload) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const logFile = join(scratch, `${name}.log`)
  const log = openSync(logFile, 'w')
  const begun = performance.now()
  const child = spawn(...pinned(serverCpu, command), {
    cwd: scratch,
    env: { ...env, NODE_ENV: 'production', ROLES: 'api,session,gateway,worker', PORT: String(port), ...environment },
    stdio: ['ignore', log, log],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(late)
  }
  for (;;) {
    try {
      await checkAnswer(first, url)
      return { url, pid: child.pid ?? 0, ms: performance.now() - begun, stop }
    } catch (error) {
      const isStarting = error instanceof TypeError && performance.now() - begun < 120_000 && child.exitCode === null
      if (isStarting) {
        await sleep(5)
        continue
      }
      await stop()
      throw new Error(`It did not start: ${readFileSync(logFile, 'utf8').slice(-1500)}`, { cause: error })
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function measure(pid: number, run: () => Promise<Outcome>): Promise<Omit<Measured, 'workload' | 'server'>> {
  const now = () => ({ server: cpuSeconds(pid), postgres: cpuSeconds(postmaster, { family: true }), busy: busySeconds() })
  const before = now()
  const { answers, seconds, p50Ms, p99Ms, bad, cpuSeconds: generatorSeconds } = await run()
  const after = now()
  const server = after.server - before.server
  const postgres = after.postgres - before.postgres
  return {
    perSecond: answers / seconds,
    p50Ms,
    p99Ms,
    bad,
    serverMicroseconds: (server / answers) * 1e6,
    databaseMicroseconds: (postgres / answers) * 1e6,
    otherPercent: ((after.busy - before.busy - server - postgres - generatorSeconds) / seconds) * 100,
  }
}

function tables(): string {
  const lines: string[] = []
  for (const [workload = '', all = []] of Object.entries(Object.groupBy(measured, ({ workload }) => workload)).toSorted()) {
    const base = median(all.filter(({ server }) => server !== project).map(({ perSecond }) => perSecond))
    lines.push('', `### ${workload}`, '')
    lines.push('| server | requests/s | ratio | p50 ms | p99 ms | server CPU us | PostgreSQL CPU us | other load % |')
    lines.push('|---|--:|--:|--:|--:|--:|--:|--:|')
    for (const [server, runs = []] of Object.entries(Object.groupBy(all, ({ server }) => server))) {
      const of = (pick: (run: Measured) => number, digits = 0) => shown(median(runs.map(pick)), digits)
      const bad = runs.reduce((sum, run) => sum + run.bad, 0)
      const cells = [
        server + (bad > 0 ? ` (${bad} bad)` : ''),
        of(run => run.perSecond),
        of(run => run.perSecond / base, 2),
        of(run => run.p50Ms, 2),
        of(run => run.p99Ms, 2),
        of(run => run.serverMicroseconds),
        of(run => run.databaseMicroseconds),
        of(run => run.otherPercent),
      ]
      lines.push(`| ${cells.join(' | ')} |`)
    }
  }
  lines.push('', '| server | first answer after ms | resident MiB after load |', '|---|--:|--:|')
  for (const [server, runs = []] of Object.entries(Object.groupBy(starts, ({ server }) => server)))
    lines.push(`| ${server} | ${shown(median(runs.map(run => run.ms)))} | ${shown(median(runs.map(run => run.residentMiB)))} |`)
  return lines.join('\n')
}

function shown(figure: number, digits = 0): string {
  return Number.isFinite(figure) ? figure.toFixed(digits) : '-'
}

function median(figures: readonly number[]): number {
  const sorted = figures.filter(Number.isFinite).toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
