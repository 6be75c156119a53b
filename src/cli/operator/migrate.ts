// migrate: apply, status, new, resolve.

import { ConfigError } from '../../config/environment.ts'
import {
  applyMigrations,
  type MigrationStatus,
  migrationStatus,
  newMigration,
  pendingWithJudgments,
  releaseOfMigration,
  resolveMigration,
} from '../../database/migrations/migrate.ts'
import { renumberRestored } from '../../database/migrations/restored.ts'
import { CommandError, exitStatus } from '../terminal.ts'
import { type Command, reachDatabase } from './command.ts'

export async function migrate(command: Command): Promise<void> {
  const { words, print } = command
  const [action = 'apply', name] = words
  const database = await reachDatabase(command)
  try {
    switch (action) {
      case 'apply': {
        const applied = await applyMigrations(database.directUrl)
        print(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'nothing to apply')
        const renumbered = await renumberRestored(database.directUrl)
        if (renumbered) print(`restored into another cluster: ${renumbered} events renumbered`)
        return
      }
      case 'status':
        return tellStatus(await migrationStatus(database.directUrl), command)
      case 'new': {
        const path = await newMigration(requireName(name, 'new'), database.directUrl)
        return print(path ? `written: ${path}` : 'prisma/schema.prisma and prisma/migrations agree: nothing to write')
      }
      case 'resolve':
        await resolveMigration(database.directUrl, requireName(name, 'resolve'))
        return print(`marked as rolled back: ${name}. Now run: npm run rolocom -- migrate`)
      default:
        throw new ConfigError([`migrate knows apply, status, new and resolve, not "${action}"`])
    }
  } finally {
    await database.leave()
  }
}

// Ends with exitStatus.unsafe where the previous release has to be stopped before, so that a deployment can ask.
function tellStatus(status: MigrationStatus, { options, print }: Command): void {
  const { applied, failed, changed, unknown } = status
  const pending = pendingWithJudgments(status).map(migration => ({ ...migration, release: releaseOfMigration(migration.name) }))
  const unsafe = pending.filter(({ isSafe }) => !isSafe)
  const lines = [
    ...applied.map(name => `applied  ${name}`),
    ...pending.map(
      ({ name, release, isSafe, reasons }) => `pending  ${name} (${release}): ${isSafe ? 'safe' : `not safe: ${reasons.join('; ')}`}`,
    ),
    ...failed.map(({ name, reason }) => `failed   ${name}: ${reason}`),
    ...changed.map(name => `changed  ${name}: the file is not what was applied`),
    ...unknown.map(name => `unknown  ${name}: applied by a newer release`),
  ]
  const json = {
    ...{ is_safe: failed.length + unsafe.length === 0, applied, failed, changed, unknown },
    pending: pending.map(({ name, release, isSafe, reasons }) => ({ name, release, is_safe: isSafe, reasons })),
  }
  print(options.json ? JSON.stringify(json, null, 2) : lines.join('\n'))
  if (failed.length > 0) throw new CommandError('A migration has failed; see migrate resolve')
  if (unsafe.length === 0) return
  const which = `${unsafe.length} of ${pending.length} pending migrations`
  throw new CommandError(
    `${which} cannot be applied while processes of the previous release serve: stop them, run migrate, start the new ones`,
    exitStatus.unsafe,
  )
}

function requireName(name: string | undefined, action: string): string {
  if (!name) throw new ConfigError([`migrate ${action} wants a name`])
  return name
}
