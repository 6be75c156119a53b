// serve: starts the database, migrates it, seeds it at the first start, and serves until a signal.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError, drainSeconds } from '../../config/environment.ts'
import { openWebApp } from '../../server/web/app.ts'
import { type Command, lostSecret, reachDatabase, upToDate } from './command.ts'
import { welcome } from './first-start.ts'
import { requireProduction } from './production.ts'
import { keepAddress } from './server-address.ts'

export async function serve(command: Command): Promise<void> {
  const { config, log, print } = command
  requireProduction(config)
  const web = config.ROLES.includes('web') ? openWebApp({ isProduction: config.isProduction, log }) : undefined
  // Registered first, so that a signal during the start stops the parts that are already running.
  const signal = firstSignal(drainSeconds(config))
  // A bug in one request must not end the process and with it all other requests.
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled promise rejection'))
  const begin = performance.now()
  log.info(startingLine(config))
  const reaching = reachDatabase(command)
  // Importing the program takes as long as creating or starting a database, so both run at the same time. The import blocks the event loop,
  // so PostgreSQL's own process is started before it.
  await Promise.race([reaching, sleep(spawnedAfterMs)])
  const program = Promise.all([
    import('../../server/start.ts'),
    import('../../../prisma/seed/seed.ts'),
    import('../../identity/provider/signing-key.ts'),
    import('../../gateway/first-organization.ts'),
  ])
  const database = await reaching
  try {
    log.info(config.isEmbedded ? 'connected to the database; loading the program' : 'loading the program')
    const [{ start }, { seedFirst, seedUnclaimed }, { isSecretLost, makeSigningKey }, { settleFirstOrganization }] = await program
    await upToDate(config, database.url, log)
    log.info('starting to listen')

    // In production the first start creates neither a demo organization nor an API key.
    const seed = config.isProduction ? seedUnclaimed : seedFirst
    let welcomeText = ''
    const running = await start(config, {
      log,
      databaseUrl: database.url,
      web,
      // The secrets of a first start are stored before the server is ready, so that scripts that wait for /readyz find them.
      prepare: async (services, address) => {
        if (await isSecretLost(services)) throw new ConfigError([lostSecret])
        await makeSigningKey(services)
        await settleFirstOrganization(services)
        welcomeText = welcome(address, config, await seed(services), command.isTerminal)
      },
    })
    const forget = config.PUBLIC_URL ? () => {} : keepAddress(config, running.url)
    try {
      log.info(`started in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
      print(welcomeText)
      web?.build()
      await signal
      log.info('stopping: finishing current requests, accepting no new ones')
    } finally {
      web?.stop()
      forget()
      await running.stop()
    }
  } finally {
    await database.leave()
  }
  // At most a second: the reader of the log may be gone already.
  await Promise.race([new Promise<void>(resolve => log.flush(() => resolve())), sleep(1_000)])
  process.exit(0)
}

// 20 ms: looking for the port and the files of the embedded database takes 10. If it takes longer, the database is only started later.
const spawnedAfterMs = 20

// Printed before the steps that take seconds.
function startingLine({ isEmbedded, DATA_DIR }: Config): string {
  if (!isEmbedded) return 'connecting to the database at DATABASE_URL'
  const isThere = existsSync(join(DATA_DIR, 'postgres'))
  return `${isThere ? 'starting' : 'first start: making'} the embedded database in ${resolve(DATA_DIR)}`
}

// Ctrl-C reaches the process twice: from the terminal, which signals the whole foreground group, and from npm, which forwards it.
const sameSignalMs = 2_000

/** Resolves at the first SIGTERM or SIGINT. The process then has 10 s to end by itself once it has drained; a signal 2 s later or more ends it at once. */
function firstSignal(drainSeconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let stoppingSince: number | undefined
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince >= sameSignalMs) process.exit(130)
      return
    }
    stoppingSince = performance.now()
    setTimeout(() => process.exit(1), drainSeconds * 1000 + 9_900).unref()
    resolve()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return promise
}
