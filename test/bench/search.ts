// Measures searches, as one person at a keyboard waits for them: `npm run bench -- search`.
//
// One organization has 100,000 contacts, notes, calls with transcripts and agents; another one has the same rows again. The server is a
// process of its own, asked through its port, one request after the other: names letter by letter, misspelt names, whole addresses, and words
// that many rows have. Beside the percentiles stands the CPU that PostgreSQL takes for a request, which moves least when other programs use the
// machine too.
//
//   npm run bench -- search --contacts 1000000 --rounds 5
//   npm run bench -- search --only names,misspelt                 rows whose names have one of these words
//   BENCH_DATABASE_URL=postgresql://... npm run bench -- search     on that server in place of an embedded one, without its CPU
//
// Fails when the 99th percentile of a row is above the limit.

import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { startServices } from '../../src/server/services.ts'
import { withoutIndexes } from './cases/data.ts'
import { given, organizationWithKey } from './prepare.ts'
import { cpuSeconds } from './processes.ts'
import { fillContacts, fillOthers, firstNames, lastNames } from './searched.ts'

const { env } = process
const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
})
const contacts = Number(options.contacts)
const rounds = Number(options.rounds)
const size = { contacts, notes: 20_000, calls: 20_000, agents: 50 }
// Milliseconds: at a million contacts too, what is typed is answered before the next letter.
const limit = 30

const scratch = mkdtempSync(join(tmpdir(), 'rolocom-search-'))
chmodSync(scratch, 0o711)
const log = pino({ level: 'warn' })
const embedded = env.BENCH_DATABASE_URL ? null : await startEmbedded({ dataDir: scratch, log })
const adminUrl = env.BENCH_DATABASE_URL ?? embedded?.url ?? ''
const postmaster = embedded ? Number(readFileSync(join(scratch, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]) : 0
const name = `bench_search_${process.pid}`
const databaseUrl = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
const environment = { ...given, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', RATE_LIMIT: '0' }

const admin = async (text: string) => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  return client.query(text).finally(() => client.end())
}

/** The key of the organization that is measured. */
async function prepared(): Promise<string> {
  await admin(`create database ${name}`)
  await applyMigrations(databaseUrl)
  const { services, stop } = await startServices(readConfig({ ...environment, ROLES: 'session' }), { log, databaseUrl })
  try {
    const own = await organizationWithKey(services, 'Bench')
    const other = await organizationWithKey(services, 'Bench, others')
    // A connection of its own: the server's have time limits.
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await withoutIndexes(client, 'contacts', async () => {
      for (const { orgId } of [own, other]) await fillContacts(client, orgId, size)
    })
    for (const { orgId } of [own, other]) await fillOthers(client, orgId, size)
    await client.query('vacuum analyze')
    await client.end()
    return own.key
  } finally {
    await stop(1_000)
  }
}

async function startServer() {
  const child = spawn(process.execPath, ['--max-old-space-size=1024', fileURLToPath(new URL('../../src/main.ts', import.meta.url))], {
    env: { PATH: env.PATH, ...environment, PORT: '0', NODE_ENV: 'production', ROLES: 'api,session,gateway,worker' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) if (/ready at (\S+)/.test((output += String(chunk)))) break
  child.stdout.resume()
  return { url: /ready at (\S+)/.exec(output)?.[1] ?? '', child }
}

type Ask = (query: string, variables: object) => Promise<Record<string, { nodes: unknown[] }>>

const asking =
  (url: string, key: string): Ask =>
  async (query, variables) => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await answer.json()) as { data: Awaited<ReturnType<Ask>>; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }

type Rest = (path: string) => Promise<unknown>

const resting =
  (url: string, key: string): Rest =>
  async path => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

const searchDocument = `query ($query: String!, $types: [SearchType!]) { search(query: $query, types: $types) {
  nodes { type entityId rank title snippet { text marks { start end } } } } }`

const people = Array.from({ length: 12 }, (_, n) => ({
  first: firstNames[(n * 7) % firstNames.length] ?? '',
  last: lastNames[(n * 41) % lastNames.length] ?? '',
}))
const typed = (text: string) => Array.from({ length: text.length }, (_, length) => text.slice(0, length + 1))
const names = people.flatMap(({ first, last }) => typed(`${first} ${last}`.toLowerCase()))
const companies = [7, 42, 999, 1500].flatMap(number => typed(`company ${number}`))
// Nobody has them, and nobody has a name like them.
const unknown = ['xq', 'zzzz', 'qwxyz', 'xylqvj', 'qqqq wwww', 'vxkq@nowhere.test', 'james qqzzk', '+99888777']
// Two letters of the last name change places.
const misspelt = people.map(({ last }) => `${last.slice(0, 2)}${last.slice(3, 4)}${last.slice(2, 3)}${last.slice(4)}`)
const common = ['james', 'example', 'mail', 'com', 'company', '1444', 'son', 'berg', 'invoice', 'refund', 'ticket', 'agent', 'a', 'e', '1']

interface Row {
  what: string
  /** Names each request once it is answered. */
  run: (ask: Ask) => AsyncIterable<string>
}
async function* searches(ask: Ask, queries: readonly string[], types?: string[]) {
  for (const query of queries) {
    await ask(searchDocument, { query, types })
    yield query
  }
}
async function* restSearches(rest: Rest, queries: readonly string[]) {
  for (const query of queries) {
    await rest(`/api/crm/v1/search?limit=10&q=${encodeURIComponent(query)}`)
    yield query
  }
}
async function addresses(ask: Ask): Promise<string[]> {
  const { contacts } = await ask('{ contacts(first: 20) { nodes { email } } }', {})
  return (contacts?.nodes as { email: string }[]).map(({ email }) => email)
}

interface Figures {
  what: string
  requests: number
  p50: number
  p95: number
  p99: number
  max: number
  /** Milliseconds of PostgreSQL's CPU for a request. NaN on a server of others. */
  cpu: number
  /** Microseconds of the server's CPU for a request. */
  serverCpu: number
  /** The request that took longest at its quickest. */
  slowest: string
}

async function measured({ what, run }: Row, ask: Ask, server: number): Promise<Figures> {
  for await (const _ of run(ask));
  const times: number[] = []
  const quickest = new Map<string, number>()
  const ownCpu = cpuSeconds(server)
  const databaseCpu = cpuSeconds(postmaster, { family: true })
  for (let round = 0; round < rounds; round++) {
    let began = performance.now()
    for await (const one of run(ask)) {
      const took = performance.now() - began
      times.push(took)
      quickest.set(one, Math.min(took, quickest.get(one) ?? took))
      began = performance.now()
    }
  }
  const taken = embedded ? cpuSeconds(postmaster, { family: true }) - databaseCpu : Number.NaN
  const serverCpu = ((cpuSeconds(server) - ownCpu) / times.length) * 1e6
  const [slow] = [...quickest].toSorted(([, one], [, other]) => other - one)
  const slowest = slow ? `${slow[0]} (${slow[1].toFixed(1)})` : ''
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const cpu = (taken / times.length) * 1000
  return { what, requests: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), cpu, serverCpu, slowest }
}

let child: Awaited<ReturnType<typeof startServer>>['child'] | undefined
try {
  const key = await prepared()
  const server = await startServer()
  child = server.child
  const ask = asking(server.url, key)
  const known = await addresses(ask)
  const rest = resting(server.url, key)
  const ofLength = (least: number, most: number) => [...new Set(names.filter(({ length }) => length >= least && length <= most))]
  const all: Row[] = [
    { what: 'contacts, letter by letter', run: one => searches(one, names, ['CONTACT']) },
    { what: 'all nouns, letter by letter', run: one => searches(one, names) },
    { what: 'REST, letter by letter', run: () => restSearches(rest, names) },
    { what: 'one letter', run: one => searches(one, ofLength(1, 1)) },
    { what: 'two letters', run: one => searches(one, ofLength(2, 2)) },
    { what: 'three to five letters', run: one => searches(one, ofLength(3, 5)) },
    {
      what: 'full names',
      run: one =>
        searches(
          one,
          people.map(({ first, last }) => `${first} ${last}`),
        ),
    },
    { what: 'misspelt names', run: one => searches(one, misspelt) },
    { what: 'unknown words', run: one => searches(one, unknown) },
    { what: 'companies, letter by letter', run: one => searches(one, companies) },
    { what: 'whole addresses', run: one => searches(one, known) },
    { what: 'addresses, letter by letter', run: one => searches(one, known.slice(0, 3).flatMap(typed)) },
    { what: 'common words and letters', run: one => searches(one, common) },
  ]
  const rows = all.filter(({ what }) => options.only?.split(',').some(word => what.includes(word)) ?? true)
  const figures: Figures[] = []
  for (const row of rows) figures.push(await measured(row, ask, child.pid ?? 0))
  const ms = (value: number) => (Number.isFinite(value) ? value.toFixed(1) : '-').padStart(8)
  console.log(`${contacts.toLocaleString('en')} contacts in each of two organizations; milliseconds`)
  console.log(`${''.padEnd(28)} requests     p50     p95     p99     max  PostgreSQL CPU  server CPU us  limit of p99  slowest`)
  for (const { what, requests, p50, p95, p99, max, cpu, serverCpu, slowest } of figures)
    console.log(
      `${what.padEnd(28)} ${String(requests).padStart(8)}${[p50, p95, p99, max].map(ms).join('')}${ms(cpu).padStart(16)}${serverCpu.toFixed(0).padStart(15)}${String(limit).padStart(14)}  ${slowest}`,
    )
  process.exitCode = figures.some(({ p99 }) => p99 > limit) ? 1 : 0
} finally {
  child?.kill('SIGKILL')
  await admin(`drop database ${name} with (force)`)
  await embedded?.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit()
