// A database as an earlier release made it, for tests of what a migration does to rows that are read and written meanwhile.

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyMigrations } from '../../../src/database/migrations/migrate.ts'
import { createTestDatabase } from './database.ts'

const prisma = join(import.meta.dirname, '../../../prisma')

/** With the migrations before `next`. `migrate` applies the others, or those before `end`, and resolves with their names. */
export async function openBefore(next: string) {
  const database = await createTestDatabase({ empty: true })
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-migrating-'))
  const files = { directory: join(folder, 'migrations'), schema: join(prisma, 'schema.prisma') }
  const names = readdirSync(join(prisma, 'migrations')).filter(name => /^\d/.test(name))
  const copy = (wanted: (name: string) => boolean) => {
    for (const name of names.filter(wanted)) cpSync(join(prisma, 'migrations', name), join(files.directory, name), { recursive: true })
  }
  copy(name => name < next)
  await applyMigrations(database.url, files)
  return {
    url: database.url,
    migrate: (end?: string) => {
      copy(name => end === undefined || name < end)
      return applyMigrations(database.url, files)
    },
    close: async () => {
      await database.drop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Does `work` until `migrating` is over and twenty times more. */
export async function workWhile(migrating: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const ending = migrating.finally(() => {
    isOver = true
  })
  for (let after = 0; after < 20; after += isOver ? 1 : 0) await work()
  await ending
}
