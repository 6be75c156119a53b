// Measures an import beside bare statements, and beside COPY and the batch endpoint: `npm run bench -- import`.
//
// All write the same contacts, each into tables or an organization of its own, on the same PostgreSQL. The server is a process of its own,
// asked through its port. After each import, bare statements with pg write copies of its contacts and events into tables with the same columns
// and indexes, as many in a transaction. The last import is killed in the middle with SIGKILL, another server goes on, and what is stored is
// counted. Fails when the median of the rounds is below half of the bare statements.
//
//   ROWS=100000 ROUNDS=3 npm run bench -- import
//   PGURL=postgresql://... npm run bench -- import     on that server instead of an embedded one

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pMap from 'p-map'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { batchSize } from '../../src/contacts/imports/run.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { insertApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { createContext } from '../../src/kernel/context.ts'
import { startServices } from '../../src/server/services.ts'
import { median } from '../support/median.ts'
import { bareInserts, makeBareTables, type Row } from './bare.ts'

const rows = Number(process.env.ROWS ?? 100_000)
const rounds = Number(process.env.ROUNDS ?? 3)
const floor = 0.5

const log = pino({ level: 'warn' })
const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-bench-'))
chmodSync(dataDir, 0o711)
const cluster = process.env.PGURL ? { url: process.env.PGURL, stop: async () => {} } : await startEmbedded({ dataDir, log })
const admin = new pg.Client({ connectionString: cluster.url })
await admin.connect()
const name = `rolocom_bench_${randomUUID().slice(0, 8)}`
await admin.query(`create database ${name}`)
const address = new URL(cluster.url)
address.pathname = `/${name}`
await applyMigrations(address.href)

const environment = {
  DATABASE_URL: address.href,
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '0',
  SVC_SERVICES_TOKEN: 'bench-services-token-0123456789',
  HOOKS_TOKEN: 'bench-hooks-token-0123456789ab',
  IDENTITY_SECRET: 'bench-identity-secret-0123456789',
}
const { services, stop } = await startServices(readConfig({ ...environment, ROLES: 'session' }), { log, databaseUrl: address.href })
const asSystem = (orgId: string | null) =>
  createContext(services, { principal: { kind: 'system', name: 'bench', orgId }, requestId: randomUUID(), door: 'system' })

async function organization() {
  const userId = `user-${randomUUID()}`
  await services.database.prisma.user.create({ data: { id: userId, email: `${userId}@example.com`, name: 'Bench' } })
  const { id: orgId } = await createOrganizationFor(asSystem(null), { userId, name: 'Bench' })
  const { key } = await insertApiKey(asSystem(orgId), { label: 'Bench', scopes: ['*'], orgIds: [orgId], userId, expiresAt: null })
  return { orgId, key }
}

async function startServer(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['--max-old-space-size=1024', fileURLToPath(new URL('../../src/main.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      ...environment,
      PORT: '0',
      NODE_ENV: 'production',
      ROLES: 'api,session,gateway,worker',
      PUBLIC_URL: 'http://127.0.0.1',
      MAIL_LINKS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) if (/ready at (\S+)/.test((output += String(chunk)))) break
  child.stdout.resume()
  return { url: /ready at (\S+)/.exec(output)?.[1] ?? '', child }
}

const contactAt = (n: number) => ({
  email: `person-${n}@example.com`,
  first_name: `First ${n}`,
  last_name: `Last ${n}`,
  job_title: 'Analyst',
  company_name: `Company ${n % 1000}`,
  city: 'London',
  country: 'GB',
})
const header = Object.keys(contactAt(0)).join(',')
const csv = Buffer.from(`${header}\n${Array.from({ length: rows }, (_, n) => `${Object.values(contactAt(n)).join(',')}\n`).join('')}`)

/** COPY, by the protocol of PostgreSQL. */
class Copy {
  readonly done = Promise.withResolvers<void>()
  submit(connection: { query(text: string): void }) {
    connection.query(`copy bare (${header}) from stdin with (format csv, header)`)
  }
  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }) {
    connection.sendCopyFromChunk(csv)
    connection.endCopyFrom()
  }
  handleCommandComplete() {}
  handleError(error: Error) {
    this.done.reject(error)
  }
  handleReadyForQuery() {
    this.done.resolve()
  }
}

async function ask(server: { url: string }, key: string, method: string, path: string, body?: Buffer | object) {
  const isFile = Buffer.isBuffer(body)
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': isFile ? 'text/csv' : 'application/json' }) },
    ...(body && { body: (isFile ? body : JSON.stringify(body)) as never }),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: string; status: string; row_count: number; created_count: number }
}

const megabytes = ({ pid }: ChildProcess) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

const imports = '/api/crm/v1/imports'
async function runImport(server: { url: string; child: ChildProcess }, key: string, until: (rowCount: number) => boolean = () => false) {
  const { id } = await ask(server, key, 'POST', imports, csv)
  await ask(server, key, 'POST', `${imports}/${id}/start`, {})
  const memory: number[] = []
  for (;;) {
    const now = await ask(server, key, 'GET', `${imports}/${id}`)
    memory.push(megabytes(server.child))
    if (now.status === 'failed') throw new Error('the import failed')
    if (now.status === 'completed' || until(now.row_count)) return { id, memory }
    await sleep(100)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return rows / ((performance.now() - began) / 1000)
}

/** Writes copies of what an import wrote. Resolves with the rows per second. */
async function copyBare(orgId: string): Promise<number> {
  const names = ['contacts', 'events']
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    await makeBareTables(client, names)
    const { rows: copies } = await client.query<{ contact: Row; event: Row }>(
      `select to_json(c) as contact, to_json(e) as event from contacts c
       join events e on e.org_id = c.org_id and e.entity_id = c.id::text and e.type = 'contact.created' where c.org_id = $1 order by e.sequence`,
      [orgId],
    )
    if (copies.length !== rows) throw new Error(`${copies.length} of ${rows} contacts with their events were found`)
    return await timed(async () => {
      for (let at = 0; at < rows; at += batchSize) {
        const some = copies.slice(at, at + batchSize)
        const values = [some.map(({ contact }) => contact), some.map(({ event }) => event)].map(each => JSON.stringify(each))
        await client.query({ name: 'bare', text: `${bareInserts(names)} select`, values })
      }
    })
  } finally {
    await client.end()
  }
}

let isBelow = false
let server = await startServer()
try {
  const bare = new pg.Client({ connectionString: address.href })
  await bare.connect()
  await bare.query(`create table bare (${header.split(',').join(' text, ')} text)`)
  const copied = await timed(async () => {
    const copy = new Copy()
    bare.query(copy as never)
    await copy.done.promise
  })
  await bare.end()

  const { key } = await organization()
  const batched = await timed(() =>
    pMap(
      Array.from({ length: Math.ceil(rows / 100) }, (_, page) => page * 100),
      first => {
        const contacts = Array.from({ length: Math.min(100, rows - first) }, (_, n) => contactAt(first + n))
        return ask(server, key, 'POST', '/api/crm/v1/contacts/batch', { contacts })
      },
      { concurrency: 4 },
    ),
  )

  const memory: number[] = []
  const measured: { imported: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const { orgId, key } = await organization()
    const imported = await timed(async () => memory.push(...(await runImport(server, key)).memory))
    measured.push({ imported, bare: await copyBare(orgId) })
  }

  const killing = await organization()
  const { id } = await runImport(server, killing.key, count => count > rows / 3)
  server.child.kill('SIGKILL')
  server = await startServer()
  let row = await ask(server, killing.key, 'GET', `${imports}/${id}`)
  const committed = row.row_count
  while (row.status === 'running' || row.status === 'queued') {
    await sleep(500)
    row = await ask(server, killing.key, 'GET', `${imports}/${id}`)
  }
  const counted = await services.database.pool.query(
    `select count(*)::int as contacts, count(distinct email)::int as addresses,
       (select count(*)::int from events where org_id = $1 and type = 'contact.created') as events from contacts where org_id = $1`,
    [killing.orgId],
  )

  const rate = (value: number) => `${Math.round(value).toLocaleString('en')} rows/s`
  const ratio = median(measured.map(({ imported, bare }) => imported / bare))
  isBelow = ratio < floor
  const imported = median(measured.map(each => each.imported))
  const times = (one: number, other: number) => (one / other).toFixed(2)
  console.log(`${rows.toLocaleString('en')} rows, ${(csv.length / 1e6).toFixed(1)} MB`)
  for (const { imported, bare } of measured) console.log(`round                     ${rate(imported)}, bare statements ${rate(bare)}`)
  console.log(`import                    ${ratio.toFixed(2)} of the bare statements (floor ${floor})`)
  console.log(`batch endpoint, 4 at once ${rate(batched)}; the import ${times(imported, batched)} of it`)
  console.log(`COPY into a bare table    ${rate(copied)}; the import ${times(imported, copied)} of it`)
  console.log(`memory of the server      ${memory[0]} MB at its start, ${Math.max(...memory)} MB at most, ${memory.at(-1)} MB at its end`)
  console.log(`killed after ${committed.toLocaleString('en')} rows: ${row.status}`, counted.rows[0])
  const { contacts, addresses, events } = counted.rows[0]
  if (contacts !== rows || addresses !== rows || events !== rows || row.created_count !== rows) throw new Error('the counts are not exact')
} finally {
  server.child.kill('SIGKILL')
  await stop(1000)
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  await cluster.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(isBelow ? 1 : 0)
