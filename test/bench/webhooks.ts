// Measures the delivery of webhooks beside a bare loop of fetch: `npm run bench:webhooks`.
//
// The receiver is a process of its own. The loop posts the same bodies to it, one after the other. Ours are the changes of as many contacts,
// made while no worker runs; then one starts, and reads, stores, signs and sends them, and stores the answers. EVENTS=3000 sets their number,
// ROUNDS=3 how often.

import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { insertApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { createContext } from '../../src/kernel/context.ts'
import { start } from '../../src/server/start.ts'

const events = Number(process.env.EVENTS ?? 3000)
const rounds = Number(process.env.ROUNDS ?? 3)
const goal = 0.5
const folder = mkdtempSync(join(tmpdir(), 'rolocom-webhooks-'))
chmodSync(folder, 0o711)
const embedded = process.env.BENCH_DATABASE_URL ? null : await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }) })
const adminUrl = process.env.BENCH_DATABASE_URL ?? embedded?.url ?? ''
const name = `bench_webhooks_${process.pid}`
const databaseUrl = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href

const admin = async (text: string) => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
const run = (roles: string) =>
  start(
    readConfig({
      ...{ DATABASE_URL: databaseUrl, PORT: '0', ROLES: roles, NODE_ENV: 'test', RATE_LIMIT: '0', OUTGOING_ALLOW_PRIVATE: '127.0.0.1' },
      ...{ SVC_SERVICES_TOKEN: 'bench-services-token-0123456789', IDENTITY_SECRET: 'bench-identity-secret-0123456789' },
    }),
    { log: pino({ level: 'warn' }), databaseUrl },
  )

// Answers a GET with the number of requests so far, and the time of the last.
const receiver = spawn(
  process.execPath,
  [
    '-e',
    `let count = 0, last = 0
    require('node:http').createServer((req, res) => {
      if (req.method === 'GET') return res.end(JSON.stringify({ count, last }))
      req.resume().on('end', () => { count++; last = Date.now(); res.writeHead(204).end() })
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const port = await new Promise<string>(resolve => receiver.stdout.once('data', chunk => resolve(String(chunk).trim())))
const url = `http://127.0.0.1:${port}/`
const state = async () => (await (await fetch(url)).json()) as { count: number; last: number }

await admin(`create database ${name}`)
try {
  await applyMigrations(databaseUrl)
  const api = await run('api,session')
  const context = createContext(api.services, {
    principal: { kind: 'system', name: 'bench', orgId: null },
    requestId: 'bench',
    door: 'system',
  })
  await api.services.database.prisma.user.create({ data: { id: 'bench', name: 'Bench' } })
  const { id: orgId } = await createOrganizationFor(context, { userId: 'bench', name: 'Bench' })
  const { key } = await insertApiKey(context, { userId: 'bench', label: 'Bench', scopes: ['*'], orgIds: [orgId] })
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  await post('/api/webhooks/v1/endpoints', { url, event_types: ['contact.created'] })

  const rates = { loop: [] as number[], ours: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const body = JSON.stringify({ type: 'contact.created', data: { text: 'x'.repeat(950) } })
    const started = performance.now()
    for (let count = 0; count < events; count++)
      await (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).arrayBuffer()
    rates.loop.push(events / ((performance.now() - started) / 1000))

    for (let first = 0; first < events; first += 100) {
      const contacts = Array.from({ length: 100 }, (_, index) => ({ email: `c${round}-${first + index}@example.com`, first_name: 'Ada' }))
      await post('/api/crm/v1/contacts/batch', { contacts })
    }
    const { count: before } = await state()
    const worker = await run('worker')
    // From the first delivery on: the start of a process is not its rate.
    while ((await state()).count === before) await sleep(2)
    const begun = Date.now()
    const already = (await state()).count
    while ((await state()).count < before + events) await sleep(50)
    rates.ours.push((before + events - already) / (((await state()).last - begun) / 1000))
    await worker.stop(2_000)
    process.stdout.write(`loop ${Math.round(rates.loop.at(-1) ?? 0)}/s, webhooks ${Math.round(rates.ours.at(-1) ?? 0)}/s\n`)
  }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const ratio = median(rates.ours) / median(rates.loop)
  process.stdout.write(`webhooks ${Math.round(median(rates.ours))}/s, ratio ${ratio.toFixed(2)} (goal ${goal})\n`)
  process.exitCode = ratio >= goal ? 0 : 1
  await api.stop(1_000)
} finally {
  receiver.kill()
  await sleep(500)
  await admin(`drop database ${name} with (force)`)
  await embedded?.stop()
  rmSync(folder, { recursive: true, force: true })
}
