// Measures this server beside peers that do the same work on the same tables: `npm run bench`.
//
// The peers are Fastify over pg (REST), Mercurius with graphql-jit, and PostGraphile. Before each case their answers are compared with this
// server's, byte by byte and header by header, and what a create writes row by row. As this server does, they look the API key up, limit the
// rows to its organization, count the request towards two limits, send headers of security, keep a metric and log a line.
//
// The servers have one core; PostgreSQL (an embedded one of the run's own) and the load generator have another. They are asked in turns, in
// short rounds, so that other programs of the machine slow all of them.
//
// Each server is warmed up in each case, by 25,000 requests and until two successive rounds of 2 s have the same CPU per request but for 5 %,
// for 6 rounds at most (15 without --short). A second table says by how many requests that was, and how their CPU fell.
//
// What counts is the CPU per request of server and PostgreSQL in the least disturbed round; `ratio` is a peer's divided by this server's:
// above 1, this server is cheaper. It fails where the best peer's ratio is below the case's floor. Each run is kept in test/bench/.work, and
// the column `change` compares a case with the last run of it that had the same settings: of this server the CPU, of a peer the ratio.
//
//   npm run bench -- --only W1,W2 --short        these cases alone, four rounds of 2 s in place of ten, after 6 rounds of warm-up at most
//   npm run bench -- --contacts 1000000          a larger table (100,000 by default)
//   npm run bench -- --pooler                    this server behind PgBouncer as well, and 48 callers in place of 16; fails below 0.85 of the
//                                                direct connection's load
//   npm run bench -- --servers project,mercurius some servers
//
// Environment: CPUS (0,1), PIN=0 and LOADER (wrk where it is installed, else autocannon) say how the servers are loaded.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { type PgBouncer, startPgBouncer } from '../faults/pgbouncer.ts'
import type { Case, Name } from './cases/case.ts'
import { graphqlCases } from './cases/graphql.ts'
import { listen } from './cases/listeners.ts'
import { restCases } from './cases/rest.ts'
import { checkRows, checkSame } from './cases/same.ts'
import { type Answer, answerTo, generator, load, type Outcome, type Workload } from './load.ts'
import { prepare } from './prepare.ts'
import { busySeconds, cpuSeconds, otherCpu, pin } from './processes.ts'
import { belowFloors, figuresOf, isBelow, keep, keptFigures, pooledShares, type Round, type Run, tableOf } from './report.ts'
import { installPeers, type Server, startServer } from './servers.ts'
import { type WarmUp, warmUp, warmUpTable } from './warm-up.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    servers: { type: 'string' },
    short: { type: 'boolean', default: false },
    contacts: { type: 'string', default: '100000' },
    pooler: { type: 'boolean', default: false },
  },
})
const only = values.only?.split(',')
const named = values.servers?.split(',')
const contacts = Number(values.contacts)
const { rounds, maxWarmUp } = values.short ? { rounds: 4, maxWarmUp: 6 } : { rounds: 10, maxWarmUp: 15 }
const seconds = 2
// What a process carries behind a pooler, of whose way to PostgreSQL and back 16 callers would mostly feel the time: they leave it idle.
const usualConnections = values.pooler ? 48 : 16

const scratch = mkdtempSync(join(tmpdir(), 'rolocom-bench-'))
chmodSync(scratch, 0o711)
const memory = { shared_buffers: '1GB', maintenance_work_mem: '1GB', max_wal_size: '4GB', random_page_cost: '1.1', jit: 'off' }
const database = await startEmbedded({ dataDir: scratch, log: pino({ level: 'warn' }), settings: memory })
const postmaster = Number(readFileSync(join(scratch, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
const measured: Round[] = []
const warmUps: WarmUp[] = []
// The names of cases that ended with an error. The others are measured all the same.
const failed: string[] = []
let low: readonly string[] = []
const servers = new Map<Name, Server>()
let pool: pg.Pool | undefined
let pooler: PgBouncer | undefined
try {
  installPeers()
  pin(otherCpu, postmaster)
  pin(otherCpu, process.pid)
  console.error(`filling the tables with ${contacts} contacts`)
  const { environment, data } = await prepare(database.url, contacts)
  const settings = {
    contacts,
    short: values.short,
    maxWarmUp,
    generator,
    ...(values.pooler && { pooler: true }),
  }
  const all = [...restCases(data), ...graphqlCases(data)]
  const cases = all.filter(({ name }) => only?.includes(name) ?? true)
  if (only && cases.length < only.length) throw new Error(`The cases are ${all.map(({ name }) => name).join(', ')}`)
  pool = new pg.Pool({ connectionString: environment.DATABASE_URL, max: 3 })
  console.error(`${generator}; ${rounds} rounds of ${seconds} s; load of the machine ${loadavg()[0]?.toFixed(1)}`)
  if (values.pooler) {
    // As prisma/README.md has it. With 4 kB, PgBouncer's default, a page takes a sixth more of the server's CPU.
    pooler = await startPgBouncer(mkdtempSync(join(scratch, 'pooler-')), environment.DATABASE_URL, { pkt_buf: '65536' })
    pin(otherCpu, pooler.pid)
  }
  const pooled = { ...environment, DATABASE_URL: pooler?.url ?? '', DATABASE_DIRECT_URL: environment.DATABASE_URL }
  for (const name of namesOf(cases)) servers.set(name, await startServer(name, name === 'project pooled' ? pooled : environment, scratch))
  for (const one of cases)
    await measureCase(one).catch((error: unknown) => {
      failed.push(one.name)
      console.error(`${one.name} failed: ${error instanceof Error ? error.message : error}`)
    })

  const starts = [...servers.values()].map(({ name, startedMs, residentMiB }) => ({
    server: name,
    ms: startedMs,
    residentMiB: residentMiB(),
  }))
  const run: Run = { at: new Date().toISOString(), settings, starts, warmUps, figures: figuresOf(measured) }
  console.log(tableOf(run, keptFigures(settings), name => cases.find(one => one.name === name)?.what ?? ''))
  console.log(`\n${warmUpTable(warmUps)}`)
  low = belowFloors(run.figures, cases)
  for (const line of [...pooledShares(measured), ...low]) console.log(line)
  console.log(`\nKept as ${keep(run)}. Load of the machine ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await pool?.end()
  await Promise.all([...servers.values()].map(server => server.stop()))
  await pooler?.stop()
  await database.stop()
  rmSync(scratch, { recursive: true, force: true })
}
const isSlow = pooledShares(measured).some(line => line.endsWith(isBelow))
if (failed.length > 0) console.error(`Failed, so without figures or with few: ${failed.join(', ')}`)
process.exit(failed.length + low.length > 0 || isSlow || measured.some(({ bad }) => bad > 0) ? 1 : 0)

function namesOf(cases: readonly Case[]): Name[] {
  const asked = [...new Set(cases.flatMap(({ requests }) => Object.keys(requests) as Name[]))]
  const all: Name[] = [...asked, ...(values.pooler ? ['project pooled' as const] : [])]
  return all.filter(name => named?.includes(name) ?? true)
}

/** The servers that take part in a case, and what each is asked. */
function takingPart({ requests }: Case): { server: Server; request: Workload }[] {
  return [...servers.values()].flatMap(server => {
    const request = requests[server.name.startsWith('project') ? 'project' : server.name]
    return request ? [{ server, request }] : []
  })
}

async function measureCase(one: Case): Promise<void> {
  const all = takingPart(one)
  await check(one, all)
  await settled()
  const options = { connections: one.connections ?? usualConnections, scratch, seconds }
  for (const { server, request } of all) {
    const about = { workload: one.name, server: server.name, seconds, maxRounds: maxWarmUp }
    warmUps.push(await warmUp(about, () => measure(server, () => ofServer(server, load(request, { ...options, url: server.url })))))
  }
  for (let round = 1; round <= rounds; round++)
    // Every other round begins at the other end, so that none always comes after the same one.
    for (const { server, request } of round % 2 === 0 ? all.toReversed() : all) {
      await settled()
      const listeners = one.listeners ? await listen(server.url, one.listeners, request.headers) : undefined
      try {
        const received = listeners && (() => listeners.received())
        const result = await measure(server, () => ofServer(server, load(request, { ...options, url: server.url })), received)
        measured.push({ workload: one.name, server: server.name, round, ...result })
        console.error(`${one.name} ${server.name}: ${result.serverMicroseconds.toFixed(0)} us, ${result.perSecond.toFixed(0)}/s`)
      } finally {
        listeners?.stop()
      }
    }
}

// Resolves when PostgreSQL executes nothing, after a minute at most. What a server's callers no longer wait for is executed all the same, such
// as counts of a million rows, and would be added to the figures of the next one.
async function settled(): Promise<void> {
  const end = performance.now() + 60_000
  const active = `select from pg_stat_activity where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`
  while (pool && (await pool.query(active)).rowCount !== 0 && performance.now() < end) await sleep(50)
}

async function check(one: Case, all: readonly { server: Server; request: Workload }[]): Promise<void> {
  const answers = new Map<Name, Answer>()
  // Each way of execution: a document of a caller is compiled when it is sent for the third time.
  for (let time = 0; time < 4; time++) {
    for (const { server, request } of all) answers.set(server.name, await ofServer(server, answerTo(request, server.url)))
    checkSame(one, answers)
  }
  const ids = new Map([...answers].map(([server, { text }]) => [server, /"id":"(.*?)"/.exec(text)?.[1] ?? '']))
  if (one.isCreate && pool) await checkRows(pool, one.name, ids)
}

// An error says which server it is about, and whether that has ended.
async function ofServer<Result>(server: Server, asked: Promise<Result>): Promise<Result> {
  const name = (error: unknown): never => {
    throw new Error(`${server.name}: ${server.failure() ?? (error instanceof Error ? error.message : error)}`)
  }
  const result = await asked.catch(name)
  return server.failure() === null ? result : name(null)
}

// PostgreSQL's CPU, and its pooler's.
function databaseSeconds(): number {
  return cpuSeconds(postmaster, { family: true }) + (pooler ? cpuSeconds(pooler.pid) : 0)
}

/** `received`: what is counted in place of answers. */
async function measure(
  server: Server,
  run: () => Promise<Outcome>,
  received?: () => number,
): Promise<Omit<Round, 'workload' | 'server' | 'round'>> {
  const now = () => ({ server: server.cpuSeconds(), postgres: databaseSeconds(), busy: busySeconds() })
  const before = now()
  const { answers, seconds, p50Ms, p99Ms, bad, cpuSeconds: generatorSeconds } = await run()
  const after = now()
  const count = received?.() ?? answers
  const own = after.server - before.server
  const postgres = after.postgres - before.postgres
  return {
    perSecond: count / seconds,
    p50Ms,
    p99Ms,
    bad,
    serverMicroseconds: (own / count) * 1e6,
    databaseMicroseconds: (postgres / count) * 1e6,
    generatorMicroseconds: (generatorSeconds / count) * 1e6,
    otherPercent: ((after.busy - before.busy - own - postgres - generatorSeconds) / seconds) * 100,
  }
}
