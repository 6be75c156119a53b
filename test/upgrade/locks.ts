// How long reads and writes wait for the locks of each migration in a large database, as PostgreSQL tells it.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { applyMigrations, type MigrationFiles } from '../../src/database/migrations/migrate.ts'
import { projectRoot } from '../crash/server.ts'
import type { Lab } from '../faults/lab.ts'
import { baseline } from './baseline.ts'
import { seedLarge } from './large.ts'
import { madeUp } from './made-up.ts'

const ours = join(projectRoot, 'prisma/migrations')
// The tables that are large are there after this one; what they have then does not change any more.
const lastOfFirst = '20261120000004_gateway'
const [lastOfRelease = ''] = Object.values<string>(JSON.parse(readFileSync(join(ours, 'releases.json'), 'utf8'))).toReversed()
const maxMs = 1_000
// What the measurement has to see, or it proves nothing.
const control: [name: string, script: string] = [
  '29990103000000_control',
  'alter table contacts add column control text; select pg_sleep(1.5);',
]
const probe = 'rolocom upgrade probe'

/** Resolves with what waited too long. */
export async function measureLocks(lab: Lab, url: string, contacts: number): Promise<string[]> {
  const files: MigrationFiles = { directory: lab.folder(), schema: join(projectRoot, 'prisma/schema.prisma') }
  const names = readdirSync(ours).filter(name => /^\d{14}_/.test(name))
  const scripts = names.map((name): [string, string] => [name, readFileSync(join(ours, name, 'migration.sql'), 'utf8')])
  const add = (name: string, script: string) => {
    mkdirSync(join(files.directory, name))
    writeFileSync(join(files.directory, name, 'migration.sql'), script)
  }
  for (const [name, script] of scripts) if (name <= lastOfFirst) add(name, script)
  await applyMigrations(url, files)
  await seedLarge(url, contacts)

  const waits: { name: string; waitMs: number; tookMs: number }[] = []
  for (const [name, script] of [...scripts.filter(([name]) => name > lastOfFirst), ...Object.entries(madeUp), control]) {
    add(name, script)
    const stop = await startProbes(url)
    const startedAt = performance.now()
    await applyMigrations(url, files)
    const tookMs = performance.now() - startedAt
    waits.push({ name, waitMs: await stop(), tookMs })
  }

  for (const { name, waitMs, tookMs } of waits.toSorted((a, b) => b.waitMs - a.waitMs).slice(0, 8))
    lab.found(`${Math.round(waitMs)} ms waited, ${Math.round(tookMs)} ms in all: ${name}`)
  const took = (some: typeof waits) => Math.round(some.reduce((sum, { tookMs }) => sum + tookMs, 0))
  const [now, before] = [
    waits.filter(({ name }) => name > lastOfRelease && name < '2999'),
    waits.filter(({ name }) => name <= lastOfRelease),
  ]
  lab.found(`${now.length} migrations since the last release: ${took(now)} ms; ${before.length} before it: ${took(before)} ms`)
  const seen = waits.find(({ name }) => name === control[0])?.waitMs ?? 0
  const tooLong = waits.filter(({ name, waitMs }) => name > baseline && name !== control[0] && waitMs > maxMs)
  return [
    ...tooLong.map(({ name, waitMs }) => `${name} made a statement wait for ${Math.round(waitMs)} ms`),
    ...(seen > maxMs ? [] : [`the measurement saw ${Math.round(seen)} ms of a migration that holds a lock for 1,500 ms`]),
  ]
}

/** Reads and writes rows of the largest tables every 10 ms; when stopped, resolves with the longest wait of one for a lock. */
async function startProbes(url: string): Promise<() => Promise<number>> {
  const opened = await Promise.all(['contacts', 'events', 'calls'].flatMap(table => [read(table), write(table)]).map(open))
  const watcher = new pg.Client({ connectionString: url })
  await watcher.connect()
  let isStopping = false
  let longestMs = 0
  const probing = opened.map(async ({ client, text }) => {
    for (; !isStopping; await sleep(10)) await client.query(text)
    await client.end()
  })
  const watching = (async () => {
    for (; !isStopping; await sleep(10)) {
      const { rows } = await watcher.query<{ ms: number | null }>(longestWait, [probe])
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0)
    }
    await watcher.end()
  })()
  // Until the probes have begun.
  await sleep(50)
  return async () => {
    isStopping = true
    await Promise.all([...probing, watching])
    return longestMs
  }

  async function open(text: string) {
    const client = new pg.Client({ connectionString: url, application_name: probe })
    await client.connect()
    return { client, text }
  }
}

const read = (table: string) => `select id from ${table} limit 1`
// One row, found by its key, and left as it is.
const write = (table: string) => `update ${table} set org_id = org_id where id = (select id from ${table} limit 1)`
const longestWait = `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float8 as ms
  from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`
