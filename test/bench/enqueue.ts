// How many enrichment jobs a second are accepted, each with an Idempotency-Key, beside the bare `send` of pg-boss on the same database,
// in turns: node test/bench/enqueue.ts. BENCH_DATABASE_URL names a server on which a database may be created. JOBS and ROUNDS count.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { Pool } from 'undici'
import { readConfig } from '../../src/config/environment.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { insertApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { createContext } from '../../src/kernel/context.ts'
import { startServices } from '../../src/server/services.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const serverUrl = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres'
const jobs = Number(process.env.JOBS ?? 2000)
const rounds = Number(process.env.ROUNDS ?? 3)
const atOnce = 32

const name = `rolocom_bench_${process.pid}`
const url = new URL(serverUrl)
url.pathname = `/${name}`
const settings = {
  DATABASE_URL: url.href,
  SVC_SERVICES_TOKEN: 'bench-services-token-0123456789',
  HOOKS_TOKEN: 'bench-hooks-token-0123456789ab',
  IDENTITY_SECRET: 'bench-identity-secret-0123456789',
  RATE_LIMIT: '0',
  ENRICHMENT_QUEUE_LIMIT: '1000000',
  LOG_LEVEL: 'warn',
}

const admin = new pg.Client({ connectionString: serverUrl })
await admin.connect()
await admin.query(`create database ${name}`)
try {
  await applyMigrations(url.href)
  const key = await keyOfNewOrganization()
  const boss = new PgBoss({ connectionString: url.href, max: 16, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.createQueue('bench')
  const server = spawn(process.execPath, ['src/main.ts'], { cwd: root, env: { ...process.env, ...settings, PORT: '0', ROLES: 'api' } })
  const [hello] = (await once(server.stdout, 'data')) as [Buffer]
  const address = /http:\/\/[\d.:]+/.exec(hello.toString())?.[0] ?? ''
  const client = new Pool(address, { connections: atOnce })

  let number = 0
  const ask = async (isKeyed: boolean) => {
    const target = { host_app: 'bench', id: String(++number), kind: 'contact' }
    const answer = await client.request({
      method: 'POST',
      path: '/api/enrich/v1/jobs',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(isKeyed && { 'idempotency-key': `bench-${number}` }),
      },
      body: JSON.stringify({ target }),
    })
    await answer.body.dump()
    if (answer.statusCode !== 202) throw new Error(`answered ${answer.statusCode}`)
  }
  const contenders = {
    'pg-boss send': () => boss.send('bench', { target: { host_app: 'bench', id: String(++number), kind: 'contact' } }),
    'POST /jobs': () => ask(false),
    'POST /jobs with Idempotency-Key': () => ask(true),
  }
  const best: Record<string, number> = {}
  for (let round = 0; round <= rounds; round++)
    for (const [contender, one] of Object.entries(contenders)) {
      const perSecond = await rate(one)
      // The first round warms up.
      if (round > 0) best[contender] = Math.max(best[contender] ?? 0, perSecond)
    }
  const base = best['pg-boss send'] ?? 1
  for (const [contender, perSecond] of Object.entries(best))
    console.log(`${contender.padEnd(34)} ${Math.round(perSecond).toString().padStart(6)}/s  ${(perSecond / base).toFixed(2)}`)

  await client.close()
  server.kill('SIGTERM')
  await once(server, 'exit')
  await boss.stop({ graceful: false })
} finally {
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}

async function rate(one: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let left = jobs
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await one()
    }),
  )
  return jobs / ((performance.now() - started) / 1000)
}

async function keyOfNewOrganization(): Promise<string> {
  const { services, stop } = await startServices(readConfig({ ...settings, ROLES: 'api' }), {
    log: pino({ level: 'warn' }),
    databaseUrl: url.href,
  })
  const context = createContext(services, { principal: { kind: 'system', name: 'bench', orgId: null }, requestId: 'bench', door: 'system' })
  await services.database.prisma.user.create({ data: { id: 'bench', name: 'Bench' } })
  const { id: orgId } = await createOrganizationFor(context, { userId: 'bench', name: 'Bench' })
  const { key } = await insertApiKey(context, { label: 'Bench', scopes: ['*'], orgIds: [orgId], userId: 'bench', expiresAt: null })
  await stop(1000)
  return key
}
