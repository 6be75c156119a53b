// Measures the delivery of webhooks beside a bare loop of fetch: `npm run bench -- webhooks`.
//
// The receiver is a process of its own. The loop posts to it, one after the other, a body and headers that a delivery had. Ours are the
// changes of as many contacts, made while no worker runs; then one starts, and reads, stores, signs and sends them, and stores the answers.
// For comparison, the rate of a loop with as many requests at once as a delivery has. EVENTS=3000 sets their number, ROUNDS=3 how often.

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
import { median } from '../support/median.ts'

const events = Number(process.env.EVENTS ?? 3000)
const rounds = Number(process.env.ROUNDS ?? 3)
const atOnce = 32
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

// Answers a GET with the number of requests so far, the time of the last, and its headers and body.
const receiver = spawn(
  process.execPath,
  [
    '-e',
    `let count = 0, last = 0, headers = {}, body = ''
    require('node:http').createServer((req, res) => {
      if (req.method === 'GET') return res.end(JSON.stringify({ count, last, headers, body }))
      const chunks = []
      req.on('data', chunk => chunks.push(chunk)).on('end', () => {
        count++; last = Date.now(); headers = req.headers; body = String(Buffer.concat(chunks)); res.writeHead(204).end()
      })
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const port = await new Promise<string>(resolve => receiver.stdout.once('data', chunk => resolve(String(chunk).trim())))
const url = `http://127.0.0.1:${port}/`
interface State {
  count: number
  last: number
  headers: Record<string, string>
  body: string
}
const state = async () => (await (await fetch(url)).json()) as State

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

  const addContacts = async (name: string, count: number) => {
    for (let first = 0; first < count; first += 100) {
      const contacts = Array.from({ length: Math.min(100, count - first) }, (_, index) => ({
        email: `${name}-${first + index}@example.com`,
        first_name: 'Ada',
      }))
      await post('/api/crm/v1/contacts/batch', { contacts })
    }
  }
  const deliverOne = async () => {
    const worker = await run('worker')
    await addContacts('first', 1)
    while ((await state()).count === 0) await sleep(50)
    await worker.stop(2_000)
    return state()
  }
  const { headers, body } = await deliverOne()
  const names = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  const request = { method: 'POST', headers: Object.fromEntries(names.map(name => [name, headers[name] ?? ''])), body }
  const loop = async (concurrency: number) => {
    const started = performance.now()
    let left = events
    const one = async () => {
      while (left-- > 0) await (await fetch(url, request)).arrayBuffer()
    }
    await Promise.all(Array.from({ length: concurrency }, one))
    return events / ((performance.now() - started) / 1000)
  }

  const rates = { loop: [] as number[], together: [] as number[], ours: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.loop.push(await loop(1))
    rates.together.push(await loop(atOnce))
    await addContacts(`c${round}`, events)
    const { count: before } = await state()
    const worker = await run('worker')
    // From the first delivery on: the start of a process is not its rate.
    while ((await state()).count === before) await sleep(2)
    const begun = Date.now()
    const already = (await state()).count
    while ((await state()).count < before + events) await sleep(50)
    rates.ours.push((before + events - already) / (((await state()).last - begun) / 1000))
    await worker.stop(2_000)
    const last = (values: readonly number[]) => Math.round(values.at(-1) ?? 0)
    process.stdout.write(`loop ${last(rates.loop)}/s, ${atOnce} at once ${last(rates.together)}/s, webhooks ${last(rates.ours)}/s\n`)
  }
  const ratio = median(rates.ours) / median(rates.loop)
  process.stdout.write(`webhooks ${Math.round(median(rates.ours))}/s of ${body.length} bytes, ratio ${ratio.toFixed(2)} (goal ${goal})\n`)
  process.exitCode = ratio >= goal ? 0 : 1
  await api.stop(1_000)
} finally {
  receiver.kill()
  await sleep(500)
  await admin(`drop database ${name} with (force)`)
  await embedded?.stop()
  rmSync(folder, { recursive: true, force: true })
}
