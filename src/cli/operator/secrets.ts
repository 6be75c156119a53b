// secrets: says whether the secrets belong to the database, and accepts that they are lost.

import { ConfigError } from '../../config/environment.ts'
import { forgetSigningKeys, isSecretLost } from '../../identity/provider/signing-key.ts'
import { startServices } from '../../server/services.ts'
import { type Command, lostSecret, reachDatabase, upToDate } from './command.ts'

export async function secrets(command: Command): Promise<void> {
  const { config, log, words, print } = command
  const [action = 'check'] = words
  if (action !== 'check' && action !== 'accept-loss') throw new ConfigError(['secrets knows check and accept-loss'])
  const database = await reachDatabase(command)
  try {
    await upToDate(config, database.url, log)
    const { services, stop } = await startServices({ ...config, ROLES: ['api'] }, { log, databaseUrl: database.url })
    try {
      if (!(await isSecretLost(services))) return print('IDENTITY_SECRET belongs to this database')
      if (action === 'check') throw new ConfigError([lostSecret])
      await forgetSigningKeys(services)
      print(
        'The next start makes a new signing key. Signing secrets of agents and webhook endpoints have changed: give receivers the new ones',
      )
    } finally {
      await stop(1_000)
    }
  } finally {
    await database.leave()
  }
}
