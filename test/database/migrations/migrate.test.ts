// Migrations: applied once by the first process, all or nothing, repaired by hand, and in agreement with schema.prisma.

import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  applyMigrations,
  difference,
  type MigrationFiles,
  migrationStatus,
  newMigration,
  pendingMigrations,
  resolveMigration,
} from '../../../src/database/migrations/migrate.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'

const prisma = join(import.meta.dirname, '../../../prisma')
const ours = readdirSync(join(prisma, 'migrations')).filter(name => /^\d{14}_/.test(name))
const tables = (url: string) =>
  query<{ name: string }>(url, `select tablename as name from pg_tables where schemaname = 'public' order by 1`).then(rows =>
    rows.map(row => row.name),
  )

let database: TestDatabase
const folders: string[] = []

/** Migrations of a test: name to SQL. */
function files(migrations: Record<string, string>): MigrationFiles {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-migrations-'))
  folders.push(folder)
  const result = { directory: join(folder, 'migrations'), schema: join(folder, 'schema.prisma') }
  mkdirSync(result.directory)
  for (const [name, sql] of Object.entries(migrations)) add(result, name, sql)
  return result
}

function add({ directory }: MigrationFiles, name: string, sql: string): void {
  mkdirSync(join(directory, name), { recursive: true })
  writeFileSync(join(directory, name, 'migration.sql'), sql)
}

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
})
afterEach(() => database.drop())
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('applyMigrations', () => {
  test('brings an empty database up to date, and has nothing to do the second time', async () => {
    expect(await pendingMigrations(database.url)).toEqual(ours)

    expect(await applyMigrations(database.url)).toEqual(ours)

    expect(await applyMigrations(database.url)).toEqual([])
    expect(await migrationStatus(database.url)).toEqual({ applied: ours, pending: [], failed: [], changed: [], unknown: [] })
    expect(await tables(database.url)).toContain('contacts')
  })

  test('applies only what a database lacks', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int)' })
    await applyMigrations(database.url, own)
    add(own, '20260102000000_b', 'create table b (id int); create function f() returns int language sql as $$ select 1; $$')

    expect(await applyMigrations(database.url, own)).toEqual(['20260102000000_b'])
    expect(await tables(database.url)).toEqual(['_prisma_migrations', 'a', 'b'])
  })

  test('at once by several: one applies, the others wait and find nothing', async () => {
    const own = files({
      '20260101000000_a': 'select pg_sleep(0.3); create table a (id int)',
      '20260102000000_b': 'create table b (id int)',
    })

    const results = await Promise.all([1, 2, 3, 4].map(() => applyMigrations(database.url, own)))

    expect(results.flat().sort()).toEqual(['20260101000000_a', '20260102000000_b'])
    expect(await migrationStatus(database.url, own)).toMatchObject({ pending: [], failed: [] })
  })

  test('keeps the rows that are there', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int); insert into a select generate_series(1, 1000)' })
    await applyMigrations(database.url, own)
    add(own, '20260102000000_b', `alter table a add column name text not null default 'x'`)

    await applyMigrations(database.url, own)

    expect(await query(database.url, `select count(*)::int as rows, min(name) as name from a`)).toEqual([{ rows: 1000, name: 'x' }])
  })
})

test('a database that cannot be reached is named, its password is not', async () => {
  const url = 'postgresql://someone:secret@127.0.0.1:1/nowhere'

  await expect(applyMigrations(url)).rejects.toThrow(/^The database nowhere at 127.0.0.1:1 cannot be reached: .*ECONNREFUSED/)
  await expect(newMigration('x', url)).rejects.toThrow(/cannot be reached|could not be compared/)
})

describe('a migration of a table that is in use', () => {
  /** Reads the table again and again; when stopped, resolves with the duration of the slowest read. */
  const readMeanwhile = async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    let isStopping = false
    let maxMs = 0
    const reading = (async () => {
      while (!isStopping) {
        const sentAt = performance.now()
        await client.query('select count(*) from a')
        maxMs = Math.max(maxMs, performance.now() - sentAt)
        await sleep(10)
      }
    })()
    return async () => {
      isStopping = true
      await reading
      await client.end()
      return maxMs
    }
  }
  const inTransaction = async (text: string) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('begin')
    await client.query(text)
    return { end: () => client.query('rollback').then(() => client.end()) }
  }

  test('waits for a long reader, and lets no other statement wait for more than two seconds', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int)' })
    await applyMigrations(database.url, own)
    add(own, '20260102000000_b', 'alter table a add column name text')
    const longReader = await inTransaction('select from a')
    const stopReading = await readMeanwhile()

    const applied = applyMigrations(database.url, own)
    await sleep(6_000)
    await longReader.end()

    expect(await applied).toEqual(['20260102000000_b'])
    expect(await stopReading()).toBeLessThan(2_000)
    expect(await migrationStatus(database.url, own)).toMatchObject({ pending: [], failed: [] })
  }, 30_000)

  test('is tried again after a deadlock with a writer, who goes on', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int)' })
    await applyMigrations(database.url, own)
    // Holds back writers, and then wants readers gone as well, as a foreign key before a column does.
    add(
      own,
      '20260102000000_b',
      'lock table a in share row exclusive mode; select pg_advisory_xact_lock(1); alter table a add column name text',
    )
    const gate = await inTransaction('select pg_advisory_lock(1)')
    const writer = new pg.Client({ connectionString: database.url })
    await writer.connect()
    await writer.query('begin; select from a')
    const waiting = async (count: number) =>
      vi.waitFor(
        async () =>
          expect(
            await query(database.url, `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
          ).toHaveLength(count),
        10_000,
      )

    const applied = applyMigrations(database.url, own, { lockTimeoutMs: 60_000, attempts: 2 })
    await waiting(1)
    const written = writer.query('insert into a values (1); commit')
    await waiting(2)
    await gate.end()

    await written
    expect(await applied).toEqual(['20260102000000_b'])
    expect(await query(database.url, 'select id, name from a')).toEqual([{ id: 1, name: null }])
    await writer.end()
  })

  test('gives up in the end, with nothing left behind', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int)' })
    await applyMigrations(database.url, own)
    add(own, '20260102000000_b', 'create table b (id int); alter table a add column name text')
    const longReader = await inTransaction('select from a')

    await expect(applyMigrations(database.url, own, { lockTimeoutMs: 50, attempts: 2 })).rejects.toThrow(
      'Migration 20260102000000_b failed and left nothing behind: canceling statement due to lock timeout.',
    )

    await longReader.end()
    expect(await tables(database.url)).toEqual(['_prisma_migrations', 'a'])
  })

  test('builds its indexes beside writers where it asks to be sent outside a transaction', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int)' })
    await applyMigrations(database.url, own)
    add(
      own,
      '20260102000000_b',
      '-- outside a transaction\n-- For lists.\ncreate index concurrently if not exists a_id on a (id);\ncreate index concurrently if not exists a_later on a (id)\n  where id > 5;\n',
    )
    const longWriter = await inTransaction('insert into a values (1)')
    const applied = applyMigrations(database.url, own)
    // The build has begun, and waits for the transaction of the earlier writer.
    await vi.waitFor(async () => expect(await query(database.url, 'select from pg_index where not indisvalid')).toHaveLength(1), 10_000)
    await query(database.url, `set lock_timeout = '1s'; insert into a values (2)`)
    await longWriter.end()

    expect(await applied).toEqual(['20260102000000_b'])
    expect(await indexes()).toEqual([
      { name: 'a_id', isValid: true },
      { name: 'a_later', isValid: true },
    ])
  }, 30_000)

  test('rebuilds the invalid index of an interrupted build', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int); insert into a values (1), (1)' })
    await applyMigrations(database.url, own)
    add(own, '20260102000000_b', '-- outside a transaction\ncreate unique index concurrently if not exists a_id on a (id);')
    await expect(applyMigrations(database.url, own)).rejects.toThrow(
      'Migration 20260102000000_b failed: Unique constraint failed: a_id. When the cause is removed',
    )
    expect(await indexes()).toEqual([{ name: 'a_id', isValid: false }])
    await query(database.url, 'delete from a where ctid = (select min(ctid) from a)')
    await resolveMigration(database.url, '20260102000000_b', own)

    expect(await applyMigrations(database.url, own)).toEqual(['20260102000000_b'])
    expect(await indexes()).toEqual([{ name: 'a_id', isValid: true }])
  })

  const indexes = () =>
    query(
      database.url,
      `select c.relname as name, i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'a'::regclass order by 1`,
    )
})

describe('a migration that fails', () => {
  const broken = { '20260101000000_a': 'create table a (id int)', '20260102000000_b': 'create table b (id int); select 1/0;' }

  test('is rolled back with its reason, and prevents the following ones', async () => {
    const own = files({ ...broken, '20260103000000_c': 'create table c (id int)' })

    await expect(applyMigrations(database.url, own)).rejects.toThrow(
      'Migration 20260102000000_b failed and left nothing behind: division by zero. When the cause is removed, run: npm run rolocom -- migrate resolve 20260102000000_b',
    )

    expect(await tables(database.url)).toEqual(['_prisma_migrations', 'a'])
    expect(await migrationStatus(database.url, own)).toMatchObject({
      applied: ['20260101000000_a'],
      pending: ['20260102000000_b', '20260103000000_c'],
      failed: [{ name: '20260102000000_b', reason: 'division by zero' }],
    })
    await expect(applyMigrations(database.url, own)).rejects.toThrow('Migration 20260102000000_b failed')
  })

  test('is repaired: corrected, resolved, applied', async () => {
    const own = files(broken)
    await applyMigrations(database.url, own).catch(() => {})
    add(own, '20260102000000_b', 'create table b (id int)')

    await resolveMigration(database.url, '20260102000000_b', own)

    expect(await applyMigrations(database.url, own)).toEqual(['20260102000000_b'])
    expect(await migrationStatus(database.url, own)).toEqual({
      applied: ['20260101000000_a', '20260102000000_b'],
      pending: [],
      failed: [],
      changed: [],
      unknown: [],
    })
  })

  test('only a failed one can be resolved', async () => {
    const own = files(broken)
    await applyMigrations(database.url, own).catch(() => {})

    await expect(resolveMigration(database.url, '20260101000000_a', own)).rejects.toThrow(
      'No migration 20260101000000_a has failed in this database: only 20260102000000_b',
    )
  })
})

describe('a process killed while it migrates', () => {
  const migrateElsewhere = (url: string, { directory, schema }: MigrationFiles): ChildProcess => {
    const module = JSON.stringify(join(import.meta.dirname, '../../../src/database/migrations/migrate.ts'))
    const script = `const { applyMigrations } = await import(${module}); await applyMigrations(...${JSON.stringify([url, { directory, schema }])})`
    return spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
  }
  const isSleeping = async () =>
    (await query(database.url, `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`)).length > 0

  test('leaves its script to PostgreSQL; the next process waits for it and goes on', async () => {
    const own = files({
      '20260101000000_a': 'create table a (id int); select pg_sleep(1.5)',
      '20260102000000_b': 'create table b (id int)',
    })
    const child = migrateElsewhere(database.url, own)
    while (!(await isSleeping())) await sleep(20)

    child.kill('SIGKILL')
    const applied = await applyMigrations(database.url, own)

    // The server has finished the script, or noticed that the client is gone and rolled it back: both are complete states.
    expect([['20260101000000_a', '20260102000000_b'], ['20260102000000_b']]).toContainEqual(applied)
    expect(await tables(database.url)).toEqual(['_prisma_migrations', 'a', 'b'])
    expect(await migrationStatus(database.url, own)).toMatchObject({ pending: [], failed: [] })
  })

  test('whose script was rolled back does not prevent the next try', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int); select pg_sleep(60)' })
    const child = migrateElsewhere(database.url, own)
    while (!(await isSleeping())) await sleep(20)
    child.kill('SIGKILL')
    await query(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    )
    expect(await migrationStatus(database.url, own)).toMatchObject({ failed: [{ name: '20260101000000_a', reason: 'it was interrupted' }] })
    add(own, '20260101000000_a', 'create table a (id int)')

    expect(await applyMigrations(database.url, own)).toEqual(['20260101000000_a'])
  })
})

describe('migrationStatus', () => {
  test('names files that changed after they were applied, and migrations of a newer release', async () => {
    const own = files({ '20260101000000_a': 'create table a (id int)', '20260102000000_b': 'create table b (id int)' })
    await applyMigrations(database.url, own)
    add(own, '20260101000000_a', 'create table a (id bigint)')
    rmSync(join(own.directory, '20260102000000_b'), { recursive: true })

    expect(await migrationStatus(database.url, own)).toEqual({
      applied: ['20260101000000_a'],
      pending: [],
      failed: [],
      changed: ['20260101000000_a'],
      unknown: ['20260102000000_b'],
    })
  })
})

describe('newMigration', () => {
  test('prisma/migrations and prisma/schema.prisma agree', async () => {
    expect(await difference(database.url)).toBeNull()
  })

  test('writes what the schema has and the migrations lack, and then finds nothing to write', async () => {
    const own = files({})
    cpSync(join(prisma, 'migrations'), own.directory, { recursive: true })
    const schema = readFileSync(join(prisma, 'schema.prisma'), 'utf8')
    writeFileSync(own.schema, schema.replace('model Contact {', 'model Contact {\n  birthday DateTime? @db.Date'))

    const path = await newMigration('Add contact birthday!', database.url, own)

    expect(path).toMatch(/migrations\/\d{14}_add_contact_birthday\/migration\.sql$/)
    expect(readFileSync(path ?? '', 'utf8')).toBe('-- AlterTable\nALTER TABLE "contacts" ADD COLUMN     "birthday" DATE;\n')
    expect(await newMigration('again', database.url, own)).toBeNull()
    // Retried, because another run on the same server may have a scratch database at this moment.
    await vi.waitFor(async () => {
      expect(await query(database.url, `select datname from pg_database where datname like 'rolocom_scratch_%'`)).toEqual([])
    }, 20_000)
  })

  test('requires a name', async () => {
    await expect(newMigration('…', database.url)).rejects.toThrow('A migration needs a name of letters or digits')
  })
})
