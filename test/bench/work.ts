// How many calls and enrichment jobs a second are done, from the requests to the last one's end, beside the least that could be done instead:
// `npm run bench -- work`.
//
// One process of all roles on an embedded PostgreSQL, and 32 connections that post one after the other. Beside it bare statements with pg, on
// as many connections, write copies of the rows that are then there into tables with the same columns and indexes: for each event of a call
// or job one transaction, with the event, what came with it, and an update of the row. ITEMS=600 of each, ROUNDS=3, whose median counts, after
// one that warms up and fills the tables, which are then analyzed as autovacuum would do.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap from 'p-map'
import pg from 'pg'
import { pino } from 'pino'
import { Pool } from 'undici'
import { readConfig } from '../../src/config/environment.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../src/database/migrations/migrate.ts'
import { startServices } from '../../src/server/services.ts'
import { median } from '../support/median.ts'
import { bareInserts, makeBareTables, type Row } from './bare.ts'
import { given, organizationWithKey } from './prepare.ts'
import { type Server, startServer } from './servers.ts'

const items = Number(process.env.ITEMS ?? 600)
const rounds = Number(process.env.ROUNDS ?? 3)
const atOnce = 32
const floor = 0.5

interface Kind {
  table: 'calls' | 'enrichment_jobs'
  entity: 'call' | 'enrichment_job'
  path: string
  body(n: number): object
  /** Of the row `r`: whether something of it is not done yet. */
  isOpen: string
  isDone: string
  /** Rows of other tables that belong to the row `r`: those of the first transaction, of the last one, and of the last ones in turn. */
  first: Record<string, string>
  last: Record<string, string>
  each: Record<string, string>
}
/** The columns by which rows are in the order of their transactions, where it is not `created_at`. */
const timeOf: Record<string, string> = { provider_events: 'received_at', call_transcripts: 'written_at' }
const suggested = (column: 'call_id' | 'job_id') => ({
  suggestions: `t.${column} = r.id`,
  events: `t.org_id = r.org_id and t.entity = 'suggestion' and t.entity_id in (select s.id::text from suggestions s where s.${column} = r.id)`,
})
const kindsWith = (agentId: string): Kind[] => [
  {
    table: 'calls',
    entity: 'call',
    path: '/api/voice/v1/calls',
    body: n => ({ agent_id: agentId, to_number: `+1555${2_000_000 + n}` }),
    isOpen: 'r.ended_at is null or not exists (select from suggestions s where s.call_id = r.id)',
    isDone: `status = 'completed'`,
    first: {
      contacts: 't.id = r.contact_id',
      events: `t.org_id = r.org_id and t.entity_id = r.contact_id::text and t.type = 'contact.created'`,
    },
    last: { ...suggested('call_id'), call_transcripts: 't.id = r.id' },
    each: { provider_events: 't.call_id = r.id' },
  },
  {
    table: 'enrichment_jobs',
    entity: 'enrichment_job',
    path: '/api/enrich/v1/jobs',
    body: n => ({ target: { host_app: 'bench', id: `work-${n}`, kind: 'person' }, options: { phone: '+442079460000' } }),
    isOpen: 'r.finished_at is null',
    isDone: `status = 'completed'`,
    first: {},
    last: suggested('job_id'),
    each: {},
  },
]

const scratch = mkdtempSync(join(tmpdir(), 'rolocom-work-'))
chmodSync(scratch, 0o711)
const log = pino({ level: 'warn' })
const embedded = await startEmbedded({ dataDir: scratch, log, settings: { shared_buffers: '256MB', max_wal_size: '4GB', jit: 'off' } })
const environment = {
  ...{ ...given, DATABASE_URL: embedded.url, LOG_LEVEL: 'info', NODE_ENV: 'test', RATE_LIMIT: '0', ROLES: 'api,session,gateway,worker' },
  ...{ SIMULATOR_SPEED: '0', VOICE_CONCURRENCY: '100', ENRICHMENT_QUEUE_LIMIT: '1000000' },
}
const database = new pg.Pool({ connectionString: embedded.url, max: atOnce })
// When the cluster stops.
database.on('error', () => {})
let server: Server | undefined
let client: Pool | undefined
let isBelow = false
try {
  await applyMigrations(embedded.url)
  const { services, stop } = await startServices(readConfig({ ...environment, ROLES: 'session' }), { log, databaseUrl: embedded.url })
  const { key } = await organizationWithKey(services, 'Work')
  await stop(1000)
  server = await startServer('project', environment, scratch)
  const pool = (client = new Pool(server.url, { connections: atOnce, pipelining: 1 }))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    return text
  }
  const { id: agentId } = JSON.parse(await post('/api/voice/v1/agents', { name: 'Work' })) as { id: string }
  console.error(`load of the machine ${loadavg()[0]?.toFixed(1)}; done per second, and by bare statements`)
  let n = 0
  for (const kind of kindsWith(agentId)) {
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const begun = new Date().toISOString()
      const ours = await rate(async () => {
        await pMap(Array.from({ length: items }), () => post(kind.path, kind.body(++n)), { concurrency: atOnce })
        // The latest first, of which one is open until nearly the end. Every 20 ms, this query took a tenth of the CPU of PostgreSQL.
        const open = `select from ${kind.table} r where r.created_at >= $1 and (${kind.isOpen}) order by r.id desc limit 1`
        while ((await database.query(open, [begun])).rowCount !== 0) await sleep(50)
      })
      const copies = await transactionsSince(begun, kind)
      await makeBareTables(database, new Set([kind.table, 'events', ...Object.keys({ ...kind.first, ...kind.last, ...kind.each })]))
      const bare = await rate(() => pMap(copies, each => writeAll(kind, each), { concurrency: atOnce }))
      if (round === 0) {
        await database.query('analyze')
        continue
      }
      ratios.push(ours / bare)
      console.error(
        `${kind.table}: ${ours.toFixed(0)} ${bare.toFixed(0)}, ${(ours / bare).toFixed(2)}; transactions of one: ${copies[0]?.length}`,
      )
    }
    const ratio = median(ratios)
    if (ratio < floor) isBelow = true
    console.log(`${kind.table.padEnd(16)} ${ratio.toFixed(2)} of the bare statements (floor ${floor})`)
  }
} finally {
  await client?.destroy()
  await server?.stop()
  await database.end()
  await embedded.stop()
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(isBelow ? 1 : 0)

async function rate(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return items / ((performance.now() - began) / 1000)
}

/** The rows that one transaction inserts, by table. */
type Inserts = Record<string, Row[]>

/** For each call or job since then, the transactions that it takes, in order. */
async function transactionsSince(begun: string, { table, entity, isDone, first, last, each }: Kind): Promise<Inserts[][]> {
  const parts = Object.entries({ first, last, each }).flatMap(([part, tables]) =>
    Object.entries(tables).map(([name, condition]) => ({ part, name, condition })),
  )
  const read = parts.map(
    ({ part, name, condition }) =>
      `coalesce((select json_agg(t order by t.${timeOf[name] ?? 'created_at'}) from ${name} t where ${condition}), '[]') as ${part}_${name}`,
  )
  const { rows } = await database.query<{ row: Row; events: Row[] } & Record<string, Row[]>>(
    `select to_json(r) as row, (select json_agg(t order by t.sequence) from events t
       where t.org_id = r.org_id and t.entity = '${entity}' and t.entity_id = r.id::text) as events ${read.map(text => `, ${text}`).join('')}
     from ${table} r where created_at >= $1 and ${isDone}`,
    [begun],
  )
  if (rows.length !== items) throw new Error(`${rows.length} of ${items} ${table} were completed`)
  return rows.map(({ row, events, ...others }) => {
    const transactions: Inserts[] = events.map(event => ({ events: [event] }))
    const add = (at: number, name: string, given: Row[]) => {
      const inserts = transactions.at(at) ?? {}
      inserts[name] = [...(inserts[name] ?? []), ...given]
    }
    add(0, table, [row])
    for (const { part, name } of parts) {
      const given = others[`${part}_${name}`] ?? []
      if (part !== 'each') add(part === 'first' ? 0 : -1, name, given)
      else for (const [index, one] of given.entries()) add(index - given.length, name, [one])
    }
    return transactions
  })
}

async function writeAll({ table }: Kind, transactions: readonly Inserts[]): Promise<void> {
  const id = transactions[0]?.[table]?.[0]?.id
  for (const [index, inserts] of transactions.entries()) {
    const names = Object.keys(inserts).sort()
    const change = `update bare.${table} set status = $${names.length + 1} where id = $${names.length + 2}`
    const text = `${bareInserts(names)} ${index === 0 ? 'select' : change}`
    const values = [...names.map(name => JSON.stringify(inserts[name])), ...(index === 0 ? [] : [`state ${index}`, id])]
    await database.query({ name: `${table} ${names.join()} ${index === 0}`, text, values })
  }
}
