// Before all tests: one database server, and on it one migrated database that every test file copies.

import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { applyMigrations } from '../../../src/database/migrations/migrate.ts'
import { outsidePostgres } from './outside.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which databases may be created, the database to copy, and how. */
    testServer: { url: string; template: string; strategy: 'file_copy' | 'wal_log' }
  }
}

export default async function setup(project: TestProject) {
  const server = project.name === 'postgres' ? await outside() : await embedded()
  const template = `rolocom_template_${randomUUID().replaceAll('-', '')}`
  const templateUrl = new URL(server.url)
  templateUrl.pathname = `/${template}`
  await query(server.url, `create database ${template}`)
  await applyMigrations(templateUrl.href)
  project.provide('testServer', { url: server.url, template, strategy: server.strategy })
  return async () => {
    await query(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

async function outside() {
  const found = await outsidePostgres()
  if ('lacking' in found) throw new Error(found.lacking)
  return { url: found.url, strategy: 'wal_log' as const, stop: async () => {} }
}

async function embedded() {
  const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-test-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbedded({
    dataDir,
    log: pino({ level: 'warn' }),
    // The data need not survive the run.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  return {
    url: server.url,
    // Without fsync a copy of the files costs half of a copy through the WAL; with it the two checkpoints cost more.
    strategy: 'file_copy' as const,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
