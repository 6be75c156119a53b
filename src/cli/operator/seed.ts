// seed: adds organizations for experiments and black-box tests, whether or not a server is running.

import { seedDemo, seedOrganizations } from '../../../prisma/seed/seed.ts'
import { ConfigError } from '../../config/environment.ts'
// Loads what every new organization gets.
import '../../graphql/schema/root.ts'
import { startServices } from '../../server/services.ts'
import { type Command, reachDatabase, upToDate } from './command.ts'

export async function seed(command: Command): Promise<void> {
  const { config, log, options, print } = command
  if (config.isProduction && !options.yes)
    throw new ConfigError(['seed writes organizations with known keys; with NODE_ENV=production it wants --yes'])
  const database = await reachDatabase(command)
  try {
    await upToDate(config, database.url, log)
    // Without the worker role and info messages, which would mix with the output.
    const { services, stop } = await startServices(
      { ...config, ROLES: ['api'] },
      { log: log.child({}, { level: 'warn' }), databaseUrl: database.url },
    )
    try {
      await seedDemo(services)
      const orgs = await seedOrganizations(services, 2)
      if (options.json) print(JSON.stringify({ service_token: config.SVC_SERVICES_TOKEN, hook_token: config.HOOKS_TOKEN, orgs }, null, 2))
      else for (const org of orgs) print(`organization ${org.org_id}\n  session  ${org.session_token}\n  API key  ${org.api_key}\n`)
    } finally {
      await stop(1_000)
    }
  } finally {
    await database.leave()
  }
}
