// Measures deducts beside the least that could be done instead, a bare UPDATE ... RETURNING with pg: `npm run bench -- credits`.
//
// Each case has the same clients, in turns, on the same PostgreSQL; the median of the rounds counts. `operation` is the stored document
// in this process, with authorization, ledger entry and event; `http` is a server in a process of its own, asked through its port.
//
//   ROUNDS=5 SEC=4 CLIENTS=16 npm run bench -- credits
//   PGURL=postgresql://... npm run bench -- credits     on that server instead of an embedded one

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { Pool } from 'undici'
import { readConfig } from '../../src/config/environment.ts'
import { auditCredits } from '../../src/credits/ledger/audit.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { DeductCreditsDocument } from '../../src/generated/operations.ts'
import { run } from '../../src/graphql/execute/run.ts'
import { createContext } from '../../src/kernel/context.ts'
import { startServices } from '../../src/server/services.ts'
import { median } from '../support/median.ts'

const rounds = Number(process.env.ROUNDS ?? 3)
const seconds = Number(process.env.SEC ?? 3)
const clients = Number(process.env.CLIENTS ?? 16)
const accounts = 1000
const serviceToken = 'bench-services-token-0123456789'

const log = pino({ level: 'warn' })
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-bench-'))
chmodSync(dataDir, 0o711)
const server = process.env.PGURL ? { url: process.env.PGURL, stop: async () => {} } : await startEmbedded({ dataDir, log })
const admin = new pg.Client({ connectionString: server.url })
await admin.connect()
const name = `rolocom_bench_${randomUUID().slice(0, 8)}`
await admin.query(`create database ${name}`)
const address = new URL(server.url)
address.pathname = `/${name}`
const DATABASE_URL = address.href
await applyMigrations(DATABASE_URL)

const environment = {
  DATABASE_URL,
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '0',
  SVC_SERVICES_TOKEN: serviceToken,
  HOOKS_TOKEN: 'bench-hooks-token-0123456789ab',
  IDENTITY_SECRET: 'bench-identity-secret-0123456789',
  CREDITS_NEW_USER_GRANT: '1000000',
  DATABASE_POOL_SIZE: String(clients),
}
const { services, stop } = await startServices(readConfig({ ...environment, ROLES: 'session' }), { log, databaseUrl: DATABASE_URL })
const context = () =>
  createContext(services, {
    principal: { kind: 'service', userId: null, email: null, name: null, orgIds: [] },
    requestId: randomUUID(),
    door: 'rest',
  })

await services.database.pool.query(`
  insert into users (id) select 'u' || n from generate_series(0, ${accounts}) n;
  with made as (insert into organizations (id, name) select gen_random_uuid(), 'u' || n from generate_series(0, ${accounts}) n returning id, name)
    insert into memberships (user_id, organization_id, role) select name, id, 'owner' from made;
  create table bare (id text primary key, micro bigint not null) with (fillfactor = 50);
  insert into bare select 'u' || n, 1000000000000 from generate_series(0, ${accounts}) n`)
for (let n = 0; n <= accounts; n++) await services.money.openAccount(context(), `u${n}`)
// Only what is filled: of a table that was empty when it was looked at, plans believe that it stays so.
await services.database.pool.query('vacuum analyze users, organizations, memberships, credit_accounts, credit_grants, bare')

const child = spawn(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url))], {
  env: {
    PATH: process.env.PATH,
    ...environment,
    PORT: '0',
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://127.0.0.1',
    MAIL_LINKS: '0',
    ROLES: 'session',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
for await (const chunk of child.stdout) if (/ready at (\S+)/.test((output += String(chunk)))) break
child.stdout.resume()
const http = new Pool(/ready at (\S+)/.exec(output)?.[1] ?? '', { connections: clients })

const bare = new pg.Pool({ connectionString: DATABASE_URL, max: clients })
// Its idle connections end with the database.
bare.on('error', () => {})
const text = 'update bare set micro = micro - $2 where id = $1 and micro >= $2 returning micro'
const hot = () => 'u0'
const any = () => `u${1 + Math.floor(Math.random() * accounts)}`

async function post(userId: string, key?: string): Promise<void> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/api/credits/deduct',
    headers: { 'content-type': 'application/json', 'x-svc-services-token': serviceToken, ...(key && { 'idempotency-key': key }) },
    body: JSON.stringify({ user_id: userId, amount: 0.000001 }),
  })
  await body.dump()
  if (statusCode !== 200) throw new Error(`a deduct answered ${statusCode}`)
}

const works: Record<string, (userId: string) => Promise<unknown>> = {
  bare: userId => bare.query({ name: 'bare', text, values: [userId, 1] }),
  operation: user_id => run(DeductCreditsDocument, { user_id, amount: 0.000001 }, context()),
  http: userId => post(userId),
  'http, with a key': userId => post(userId, randomUUID()),
}

interface Sample {
  rate: number
  p99: number
  /** Microseconds of CPU per operation: of client and server in Node, and of PostgreSQL. */
  node: number
  postgres: number
}

// In ticks of 10 ms, of the processes that are there now; 0 where there is no /proc.
const ticksOf = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
async function cpuTimes() {
  const { rows } = await admin.query<{ pid: number }>('select pid from pg_stat_activity where datname = $1', [name])
  const { user, system } = process.cpuUsage()
  return {
    node: user + system + ticksOf(child.pid ?? 0) * 10_000,
    postgres: rows.reduce((total, { pid }) => total + ticksOf(pid), 0) * 10_000,
  }
}

async function measure(work: () => Promise<unknown>): Promise<Sample> {
  const times: number[] = []
  const before = await cpuTimes()
  const end = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let started = performance.now(); started < end; started = performance.now()) {
        await work()
        times.push(performance.now() - started)
      }
    }),
  )
  const after = await cpuTimes()
  times.sort((a, b) => a - b)
  return {
    rate: times.length / seconds,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    node: (after.node - before.node) / times.length,
    postgres: (after.postgres - before.postgres) / times.length,
  }
}

const places = { 'one hot account': hot, '1,000 accounts': any }
const samples = new Map<string, Sample[]>()
const of = (name: string, part: keyof Sample) => median(samples.get(name)?.map(sample => sample[part]) ?? [])
const rateOf = (name: string) => of(name, 'rate')
let failed = false
try {
  for (let round = 0; round <= rounds; round++)
    for (const [where, pick] of Object.entries(places))
      for (const [what, work] of Object.entries(works)) {
        const sample = await measure(() => work(pick()))
        // The first round only warms up.
        if (round > 0) samples.set(`${where}, ${what}`, [...(samples.get(`${where}, ${what}`) ?? []), sample])
      }

  const print = (line: string) => process.stdout.write(`${line}\n`)
  print('| deducts | a second | beside bare | p99 ms | Node us | PostgreSQL us |\n|---|--:|--:|--:|--:|--:|')
  for (const where of Object.keys(places))
    for (const what of Object.keys(works)) {
      const name = `${where}, ${what}`
      const ratio = rateOf(name) / rateOf(`${where}, bare`)
      const cpu = `${Math.round(of(name, 'node'))} | ${Math.round(of(name, 'postgres'))}`
      print(`| ${name} | ${Math.round(rateOf(name))} | ${ratio.toFixed(2)} | ${of(name, 'p99').toFixed(1)} | ${cpu} |`)
    }
  const floors: [name: string, reached: number, floor: number][] = [
    ['deducts a second on one hot account, over HTTP with a key', rateOf('one hot account, http, with a key'), 500],
    ['deducts on 1,000 accounts, beside bare', rateOf('1,000 accounts, operation') / rateOf('1,000 accounts, bare'), 0.5],
  ]
  for (const [name, reached, floor] of floors) {
    print(`${reached >= floor ? 'reached' : 'MISSED'}: ${name}: ${reached.toFixed(2)} (${floor})`)
    failed ||= reached < floor
  }
  const { entries, findings } = await auditCredits(services.database)
  print(`the ledger of ${entries} entries has ${findings.length} findings`)
  failed ||= findings.length > 0
} finally {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  await http.close()
  await bare.end()
  await stop(1_000)
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
