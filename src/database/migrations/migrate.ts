// Migrations: prisma/migrations has them all, the table _prisma_migrations lists those that a database has.

import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { addressesOf, hostsOf } from '../connections/address.ts'
import { Pool } from '../connections/pool.ts'
import { finishMigration, forgetMigration } from './history.sql.ts'
import { exclusively, forgetInterrupted, MigrationError, type Queryable, queryable, readRows, withConnection } from './history.ts'
import { releaseOf } from './releases.ts'
import { judgePending, type PendingMigration } from './review/reviews.ts'
import { type MigrationList, openEngine, reasonOf } from './schema-engine.ts'
import { outsideTransaction, sendScript, type Waiting } from './script.ts'

export { MigrationError } from './history.ts'

/** The files of the migrations and the schema. Tests pass other files than ours. */
export interface MigrationFiles {
  directory: string
  schema: string
}

const ours: MigrationFiles = {
  directory: fileURLToPath(new URL('../../../prisma/migrations', import.meta.url)),
  schema: fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url)),
}

export interface MigrationStatus {
  applied: string[]
  pending: string[]
  /** Migrations that were begun and not finished; `resolveMigration` allows another try. */
  failed: { name: string; reason: string }[]
  /** Applied migrations whose files have changed since. */
  changed: string[]
  /** Applied migrations that this release does not have, because a newer one has used the database. */
  unknown: string[]
}

/** The migrations that the database lacks, read with one statement: cheap enough for a readiness check. */
export async function pendingMigrations(database: string | Queryable, files = ours): Promise<string[]> {
  const rows = await rowsOf(database)
  const finished = new Set(rows.filter(row => row.finished).map(({ name }) => name))
  return namesIn(files.directory).filter(name => !finished.has(name))
}

const rowsOf = (database: string | Queryable) => (typeof database === 'string' ? withConnection(database, readRows) : readRows(database))

export async function migrationStatus(database: string | Queryable, { directory } = ours): Promise<MigrationStatus> {
  const rows = await rowsOf(database)
  const finished = new Map(rows.filter(row => row.finished).map(row => [row.name, row.checksum]))
  const names = namesIn(directory)
  return {
    applied: names.filter(name => finished.has(name)),
    pending: names.filter(name => !finished.has(name)),
    failed: rows.filter(row => !row.finished).map(({ name, logs }) => ({ name, reason: logs ? reasonOf(logs) : 'it was interrupted' })),
    changed: names.filter(name => finished.has(name) && finished.get(name) !== checksum(scriptOf(directory, name))),
    unknown: [...finished.keys()].filter(name => !names.includes(name)),
  }
}

/** The release that brought the migration. */
export const releaseOfMigration = (name: string): string => releaseOf(ours.directory, name)

/** Of each pending migration, whether processes of the previous release may serve while it is applied. */
export const pendingWithJudgments = ({ pending, applied, unknown }: MigrationStatus, { directory } = ours): PendingMigration[] =>
  judgePending(directory, pending, [...applied, ...unknown])

/**
 * Applies pending migrations, each in one transaction or outside of one, and returns their names. Processes that migrate at once wait for
 * each other. Locks are requested with a short timeout and again later, so that other statements do not queue behind them. Throws
 * MigrationError; a failed migration in a transaction is rolled back.
 */
export async function applyMigrations(url: string, files = ours, waiting?: Waiting): Promise<string[]> {
  const before = await migrationStatus(url, files)
  if (before.pending.length === 0 && before.failed.length === 0) return []
  return await exclusively(url, async pool => {
    await forgetInterrupted(pool)
    const list = listOf(files.directory)
    const scripts = new Set(list.migrationDirectories.map(({ migrationFile }) => migrationFile.content.value))
    const send = (script: string) => sendScript(pool, script, scripts.has(script) ? finishMigration.text : undefined, waiting)
    const engine = await openEngine(pool, { send })
    try {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: list, filters: nothingElse })
      return appliedMigrationNames
    } catch (error) {
      const [failed] = (await migrationStatus(queryable(pool), files).catch(() => before)).failed
      if (!failed) throw new MigrationError(`The database could not be migrated: ${reasonOf(error)}`, { cause: error })
      const left = scriptOf(files.directory, failed.name).startsWith(outsideTransaction) ? 'failed' : 'failed and left nothing behind'
      throw new MigrationError(
        `Migration ${failed.name} ${left}: ${failed.reason}. When the cause is removed, run: npm run rolocom -- migrate resolve ${failed.name}`,
        { cause: error },
      )
    } finally {
      engine.free()
    }
  })
}

/** Allows the next `applyMigrations` to try a failed migration again. Throws MigrationError when it has not failed. */
export async function resolveMigration(url: string, name: string, files = ours): Promise<void> {
  await exclusively(url, async pool => {
    const { failed } = await migrationStatus(queryable(pool), files)
    if (!failed.some(migration => migration.name === name)) {
      const others = failed.length > 0 ? `: only ${failed.map(migration => migration.name).join(', ')}` : ''
      throw new MigrationError(`No migration ${name} has failed in this database${others}`)
    }
    await queryable(pool).query(forgetMigration, [name])
  })
}

/**
 * Writes the difference between prisma/migrations and prisma/schema.prisma as a new migration, and returns its path; null when there is
 * none. `url`: any server on which a scratch database may be created.
 */
export async function newMigration(name: string, url: string, files = ours): Promise<string | null> {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  if (!slug) throw new MigrationError('A migration needs a name of letters or digits, such as add_contact_birthday')

  const sql = await difference(url, files)
  if (sql === null) return null
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(files.directory, `${time}_${slug}`)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'migration.sql')
  writeFileSync(path, sql)
  return path
}

/** The SQL that prisma/migrations lacks for schema.prisma; null when they agree. */
export async function difference(url: string, { directory, schema } = ours): Promise<string | null> {
  const pool = new Pool({ hosts: hostsOf(url), max: 1 })
  pool.on('error', () => {})
  try {
    const engine = await openEngine(pool, { scratch: () => scratchDatabase(url) })
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'migrations', ...listOf(directory) },
      to: { tag: 'schemaDatamodel', files: [{ path: schema, content: readFileSync(schema, 'utf8') }] },
      script: true,
      exitCode: true,
      filters: nothingElse,
    })
    return exitCode === 0 ? null : stdout
  } catch (error) {
    throw new MigrationError(`The schema could not be compared with the migrations: ${reasonOf(error)}`, { cause: error })
  } finally {
    await pool.end()
  }
}

async function scratchDatabase(url: string) {
  const name = `rolocom_scratch_${randomUUID().replaceAll('-', '')}`
  await withConnection(url, client => client.query({ name: '', text: `create database ${name}` }))
  const scratch = new URL(addressesOf(url)[0] ?? url)
  scratch.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: scratch.href, max: 1 })
  pool.on('error', () => {})
  return {
    pool,
    async drop() {
      await pool.end()
      await withConnection(url, client => client.query({ name: '', text: `drop database ${name} with (force)` }))
    },
  }
}

const nothingElse = { externalTables: [], externalEnums: [] }
const checksum = (script: string) => createHash('sha256').update(script).digest('hex')
const scriptOf = (directory: string, name: string) => readFileSync(join(directory, name, 'migration.sql'), 'utf8')

const namesIn = (directory: string) =>
  readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()

const listOf = (directory: string) =>
  ({
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: namesIn(directory).map(name => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: scriptOf(directory, name) } },
    })),
  }) satisfies MigrationList
