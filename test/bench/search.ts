// Measures searches and possible duplicates, as one person at a keyboard waits for them: `npm run bench:search`.
//
// One organization has 100,000 contacts, notes, calls with transcripts and agents; another one has the same rows again. The server is a
// process of its own, asked through its port, one request after the other: names letter by letter, misspelt names, whole addresses, words
// that many rows have, and the pages of possible duplicates. Beside the percentiles stands the CPU that PostgreSQL takes for a request,
// which moves least when other programs use the machine too.
//
//   CONTACTS=1000000 ROUNDS=5 npm run bench:search
//   OUT=results.json npm run bench:search                        also writes the figures there
//   BENCH_DATABASE_URL=postgresql://... npm run bench:search     on that server in place of an embedded one, without its CPU
//
// Fails when the 95th percentile of a row with a limit is above it.

import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { startServices } from '../../src/server/services.ts'
import { given, organizationWithKey } from './prepare.ts'
import { cpuSeconds } from './processes.ts'
import { fillSearched, firstNames, lastNames } from './searched.ts'

const { env } = process
const contacts = Number(env.CONTACTS ?? 100_000)
const rounds = Number(env.ROUNDS ?? 3)
const size = { contacts, notes: 20_000, calls: 20_000, agents: 50 }
// Milliseconds: an answer within this time seems to come at once.
const limit = 50

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
  await client.query(text).finally(() => client.end())
}

/** The key of the organization that is measured. */
async function prepared(): Promise<string> {
  await applyMigrations(databaseUrl)
  const { services, stop } = await startServices(readConfig({ ...environment, ROLES: 'session' }), { log, databaseUrl })
  try {
    const own = await organizationWithKey(services, 'Bench')
    const other = await organizationWithKey(services, 'Bench, others')
    // A connection of its own: the server's have time limits.
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    for (const { orgId } of [own, other]) await fillSearched(client, orgId, size)
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

type Ask = (query: string, variables: object) => Promise<Record<string, { nodes: unknown[]; pageInfo?: { endCursor: string | null } }>>

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

const searchDocument = `query ($query: String!, $types: [SearchType!]) { search(query: $query, types: $types) {
  nodes { type entityId rank title snippet { text marks { start end } } } } }`
const duplicatesDocument = `query ($after: String) { findDuplicates(first: 50, after: $after) {
  nodes { score reasons contact { id fullName email } duplicate { id fullName email } } pageInfo { endCursor } } }`

const people = Array.from({ length: 12 }, (_, n) => ({
  first: firstNames[(n * 7) % firstNames.length] ?? '',
  last: lastNames[(n * 41) % lastNames.length] ?? '',
}))
const typed = (text: string) => Array.from({ length: text.length }, (_, length) => text.slice(0, length + 1))
const names = people.flatMap(({ first, last }) => typed(`${first} ${last}`.toLowerCase()))
// Two letters of the last name change places.
const misspelt = people.map(({ last }) => `${last.slice(0, 2)}${last.slice(3, 4)}${last.slice(2, 3)}${last.slice(4)}`)
const common = ['james', 'example', 'mail', 'com', 'company', '1444', 'son', 'berg', 'invoice', 'refund', 'ticket', 'agent', 'a', 'e', '1']

interface Row {
  what: string
  run: (ask: Ask) => AsyncIterable<unknown>
  limit: number | null
}
async function* searches(ask: Ask, queries: readonly string[], types?: string[]) {
  for (const query of queries) yield ask(searchDocument, { query, types })
}
async function* duplicates(ask: Ask) {
  let after: string | null = null
  for (let page = 0; page < 20; page++) {
    const answer: Awaited<ReturnType<Ask>> = await ask(duplicatesDocument, { after })
    yield answer
    after = answer.findDuplicates?.pageInfo?.endCursor ?? null
    if (after === null) return
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
  limit: number | null
}

async function measured({ what, run, limit }: Row, ask: Ask): Promise<Figures> {
  for await (const _ of run(ask));
  const times: number[] = []
  const cpu = cpuSeconds(postmaster, { family: true })
  for (let round = 0; round < rounds; round++) {
    let began = performance.now()
    for await (const _ of run(ask)) {
      times.push(performance.now() - began)
      began = performance.now()
    }
  }
  const taken = embedded ? cpuSeconds(postmaster, { family: true }) - cpu : Number.NaN
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { what, requests: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1), cpu: (taken / times.length) * 1000, limit }
}

await admin(`create database ${name}`)
let child: Awaited<ReturnType<typeof startServer>>['child'] | undefined
try {
  const key = await prepared()
  const server = await startServer()
  child = server.child
  const ask = asking(server.url, key)
  const known = await addresses(ask)
  const rows: Row[] = [
    { what: 'contacts, letter by letter', run: one => searches(one, names, ['CONTACT']), limit },
    { what: 'all nouns, letter by letter', run: one => searches(one, names), limit },
    { what: 'misspelt names', run: one => searches(one, misspelt), limit: null },
    { what: 'whole addresses', run: one => searches(one, known), limit },
    { what: 'addresses, letter by letter', run: one => searches(one, known.slice(0, 3).flatMap(typed)), limit },
    { what: 'common words and letters', run: one => searches(one, common), limit },
    { what: 'pages of duplicates', run: duplicates, limit: null },
  ]
  const figures: Figures[] = []
  for (const row of rows) figures.push(await measured(row, ask))
  const ms = (value: number) => (Number.isFinite(value) ? value.toFixed(1) : '-').padStart(8)
  console.log(`${contacts.toLocaleString('en')} contacts in each of two organizations; milliseconds`)
  console.log(`${''.padEnd(28)} requests     p50     p95     p99     max  PostgreSQL CPU  limit of p95`)
  for (const { what, requests, p50, p95, p99, max, cpu, limit } of figures)
    console.log(
      `${what.padEnd(28)} ${String(requests).padStart(8)}${[p50, p95, p99, max].map(ms).join('')}${ms(cpu).padStart(16)}${String(limit ?? '-').padStart(14)}`,
    )
  if (env.OUT) writeFileSync(env.OUT, `${JSON.stringify({ contacts, rounds, figures }, null, 2)}\n`)
  process.exitCode = figures.some(({ p95, limit }) => limit !== null && p95 > limit) ? 1 : 0
} finally {
  child?.kill('SIGKILL')
  await admin(`drop database ${name} with (force)`)
  await embedded?.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit()
