// A backup of the embedded database while it is used: PostgreSQL's files, copied as its low-level interface for backups prescribes
// (https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP), with the log that replay needs.
//
// npm's PostgreSQL comes without pg_dump and pg_basebackup.

import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { syncPath } from '../../../config/durable-file.ts'
import { release } from '../../../config/release.ts'
import { startEmbedded } from '../embedded.ts'
import { EmbeddedError } from '../program.ts'
import { type Archive, writeArchive } from './archive.ts'

export interface BackupOptions {
  dataDir: string
  /** The archive to write, which must not exist. */
  file: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * Writes the database and the generated secrets to an archive, as they are at the end of the backup. Starts the database if it does not
 * run. An interrupted backup leaves `<file>.part`. Throws EmbeddedError with one sentence.
 */
export async function backUp({ dataDir, file, log }: BackupOptions): Promise<void> {
  const home = join(resolve(dataDir), 'postgres')
  if (!existsSync(join(home, 'data'))) throw new EmbeddedError(`${dataDir} has no embedded database: set DATA_DIR to the folder of yours.`)
  if (existsSync(file)) throw new EmbeddedError(`${file} exists: name another file, or remove it.`)
  const database = await startEmbedded({ dataDir, log })
  const client = new pg.Client({ connectionString: database.url, application_name: 'rolocom backup' })
  client.on('error', () => {})
  const part = `${file}.part`
  try {
    await client.connect()
    await rm(part, { force: true })
    await writeArchive(part, async archive => {
      const at = await addCluster(client, join(home, 'data'), archive)
      await archive.file('postgres/password', join(home, 'password'))
      await archive.file('secrets.json', join(dataDir, 'secrets.json'))
      return { release, at: at.toISOString() }
    })
    await rename(part, file)
    syncPath(dirname(resolve(file)))
    await record(client)
  } finally {
    await client.end()
    await database.stop()
  }
}

// Folders and files that are useless or harmful in a copy: https://www.postgresql.org/docs/current/protocol-replication.html, under BASE_BACKUP.
const withoutContent = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans']
const leftOut = /^(postmaster\.(pid|opts)|backup_label|tablespace_map|current_logfiles)$|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)$/
// Copied last, so that it is not older than the other files.
const control = 'global/pg_control'

/** Resolves with a time until which everything that was committed is in the archive. */
async function addCluster(client: pg.Client, data: string, archive: Archive): Promise<Date> {
  // The slot keeps the log that is written during the backup. It ends with the connection.
  await client.query(`select pg_create_physical_replication_slot('rolocom_backup_' || pg_backend_pid(), true, true)`)
  await client.query(`select pg_backup_start('rolocom', true)`)
  await addFolder(archive, data, '')
  await archive.file(nameOf(control), join(data, control))
  // Before the end of the backup and not after it: commits in between would be missing.
  const [ending] = (await client.query<{ at: Date }>('select clock_timestamp() as at')).rows
  if (!ending) throw new Error('PostgreSQL did not tell the time')
  const { rows } = await client.query<{ label: string; last: string }>(
    'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
  )
  const [{ label, last } = { label: '', last: '' }] = rows
  const first = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!first) throw new Error(`PostgreSQL's label of the backup names no file of its log: ${label}`)
  await archive.text(nameOf('backup_label'), label)
  for (const name of (await readdir(join(data, 'pg_wal'))).sort())
    if (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
      await archive.file(nameOf(`pg_wal/${name}`), join(data, 'pg_wal', name))
  return ending.at
}

const undefinedTable = '42P01'

/** Tells the server, whose metrics show the age of the last backup. A database of an older release has no table for it. */
async function record(client: pg.Client): Promise<void> {
  await client.query('insert into backups default values').catch((error: pg.DatabaseError) => {
    if (error.code !== undefinedTable) throw error
  })
}

const nameOf = (path: string) => `postgres/data/${path}`

async function addFolder(archive: Archive, data: string, path: string): Promise<void> {
  for (const entry of await readdir(join(data, path), { withFileTypes: true })) {
    const inside = path === '' ? entry.name : `${path}/${entry.name}`
    if (leftOut.test(inside) || inside === control) continue
    if (entry.isDirectory()) {
      await archive.folder(nameOf(inside))
      if (!withoutContent.includes(inside)) await addFolder(archive, data, inside)
    } else if (entry.isFile()) await archive.file(nameOf(inside), join(data, inside))
  }
}
