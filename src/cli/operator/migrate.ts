// migrate: apply, status, new, resolve.

import { ConfigError } from '../../config/environment.ts'
import { applyMigrations, migrationStatus, newMigration, resolveMigration } from '../../database/migrations/migrate.ts'
import { renumberRestored } from '../../database/migrations/restored.ts'
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
      case 'status': {
        const { applied, pending, failed, changed, unknown } = await migrationStatus(database.directUrl)
        const lines = [
          ...applied.map(name => `applied  ${name}`),
          ...pending.map(name => `pending  ${name}`),
          ...failed.map(({ name, reason }) => `failed   ${name}: ${reason}`),
          ...changed.map(name => `changed  ${name}: the file is not what was applied`),
          ...unknown.map(name => `unknown  ${name}: applied by a newer release`),
        ]
        return print(lines.join('\n'))
      }
      case 'new': {
        const path = await newMigration(required(name, 'new'), database.directUrl)
        return print(path ? `written: ${path}` : 'prisma/schema.prisma and prisma/migrations agree: nothing to write')
      }
      case 'resolve':
        await resolveMigration(database.directUrl, required(name, 'resolve'))
        return print(`marked as rolled back: ${name}. Now run: npm run migrate`)
      default:
        throw new ConfigError([`migrate knows apply, status, new and resolve, not "${action}"`])
    }
  } finally {
    await database.leave()
  }
}

function required(name: string | undefined, action: string): string {
  if (!name) throw new ConfigError([`migrate ${action} wants a name`])
  return name
}
