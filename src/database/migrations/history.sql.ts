// The migration history of a database: the table _prisma_migrations of Prisma's own tools.

import { statement } from '../statement.ts'
import { boolean, rows, text } from '../table.ts'

const migration = rows({ name: text, checksum: text, finished: boolean, logs: text.orNull() })
export type MigrationRow = ReturnType<typeof migration.row>

/** Every migration that was begun and not rolled back, in order. */
export const selectMigrations = statement(
  'migrations_read',
  `select migration_name::text as name, checksum::text, finished_at is not null as finished, logs
   from _prisma_migrations where rolled_back_at is null order by started_at`,
  migration,
)

/**
 * Marks the running migration as finished. Sent in the script's own transaction, so that the history is correct even if the process dies.
 * Only one process migrates at a time, so no other row is unfinished.
 */
export const finishMigration = statement(
  'migration_finish',
  'update _prisma_migrations set finished_at = now() where finished_at is null and rolled_back_at is null',
)

/** Marks an unfinished migration as rolled back, so that it is applied again. $1: its name. */
export const forgetMigration = statement(
  'migration_forget',
  'update _prisma_migrations set rolled_back_at = now() where migration_name = $1 and finished_at is null and rolled_back_at is null',
)

/** The lock is held by the process that migrates. It is the advisory lock of Prisma's own tools, so that they wait for us too. */
export const lockMigrations = statement('migrations_lock', 'select pg_try_advisory_lock(72707369) as locked', rows({ locked: boolean }))
/** The same until the transaction ends. */
export const lockMigrationsWithin = statement(
  'migrations_lock_within',
  'select pg_try_advisory_xact_lock(72707369) as locked',
  rows({ locked: boolean }),
)
