// A migration of a busy table comes while somebody reads it for 20 s: the migration waits, the callers do not.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { applyMigrations } from '../../../src/database/migrations/migrate.ts'
import type { Row } from '../row.ts'
import { ask } from '../traffic.ts'

const prisma = join(import.meta.dirname, '../../../prisma')
const readerMs = 20_000

export const row: Row = {
  name: 'a migration behind a reader of 20 s: no request waits for more than 2 s, and the migration is applied in the end',
  isShort: false,
  async run(lab) {
    const cluster = await lab.cluster()
    const server = await lab.server({ DATABASE_URL: cluster.url() })
    const folder = lab.folder()
    cpSync(join(prisma, 'migrations'), join(folder, 'migrations'), { recursive: true })
    mkdirSync(join(folder, 'migrations/29990101000000_note'))
    writeFileSync(join(folder, 'migrations/29990101000000_note/migration.sql'), 'alter table contacts add column shoe_size integer;\n')
    const files = { directory: join(folder, 'migrations'), schema: join(prisma, 'schema.prisma') }
    const traffic = lab.traffic([server])
    await sleep(1_000)

    const reader = new pg.Client({ connectionString: cluster.url() })
    await reader.connect()
    await reader.query('begin')
    await reader.query('select count(*) from contacts')
    const startedAt = performance.now()
    const migrating = applyMigrations(cluster.url(), files).then(() => performance.now())
    let maxMs = 0
    while (performance.now() - startedAt < readerMs) {
      const sentAt = performance.now()
      await ask(server, 'GET', '/api/crm/v1/contacts?limit=1', 30_000)
      maxMs = Math.max(maxMs, performance.now() - sentAt)
      await sleep(5)
    }
    await reader.query('rollback')
    const endedAt = performance.now()
    await reader.end()
    const migratedAfterMs = (await migrating) - endedAt
    await sleep(1_000)
    return { maxOutageMs: maxMs, migratedAfterMs, recoveryMs: traffic.recoveryMs(endedAt), ...(await traffic.verdict()) }
  },
  // The pauses between its attempts grow to some seconds in the time of the reader.
  limits: { maxOutageMs: 2_000, migratedAfterMs: 20_000 },
}
