// Before all tests: one database server, and on it one migrated database that every test file copies.

import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/database/embedded.ts'
import { applyMigrations } from '../../src/database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which databases may be created, and the database to copy. */
    testServer: { url: string; template: string }
  }
}

export default async function setup(project: TestProject) {
  const server = process.env.TEST_DATABASE_URL ? outside(process.env.TEST_DATABASE_URL) : await embedded()
  const template = `rolocom_template_${randomUUID().replaceAll('-', '')}`
  const templateUrl = new URL(server.url)
  templateUrl.pathname = `/${template}`
  await query(server.url, `create database ${template}`)
  await applyMigrations(templateUrl.href)
  project.provide('testServer', { url: server.url, template })
  return async () => {
    await query(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

const outside = (url: string) => ({ url, stop: async () => {} })

async function embedded() {
  const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-test-'))
  chmodSync(dataDir, 0o711)
  const server = await startEmbedded({
    dataDir,
    log: pino({ level: 'warn' }),
    // Nothing here outlives the run.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  return {
    url: server.url,
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
