// start: database, migrations, first seed, doors; then until a signal comes.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FirstStart } from '../../prisma/seed.ts'
import { type Config, drainSeconds } from '../config.ts'
import { type Command, reachDatabase, upToDate } from './command.ts'
import { welcome } from './first-start.ts'
import { requireProduction } from './production.ts'

export async function serve(command: Command): Promise<void> {
  const { config, log, print } = command
  requireProduction(config)
  // Listened for from the beginning: a signal that comes while starting ends what was started.
  const signal = firstSignal(drainSeconds(config))
  // One request's mistake must not end everybody else's; it is for a developer to see.
  process.on('unhandledRejection', error => log.error({ err: error }, 'a rejection that nobody handled'))
  const begin = performance.now()
  log.info(startingLine(config))
  const reaching = reachDatabase(command)
  // Reading all of the program takes as long as making a database, and is done meanwhile.
  const program = Promise.all([import('../start.ts'), import('../../prisma/seed.ts')])
  const database = await reaching
  try {
    log.info('the database answers; loading the program')
    const [{ start }, { seedFirst, seedUnclaimed }] = await program
    await upToDate(config, database.url, log)
    log.info('opening the doors')

    // In production there is no demo and no key that nobody has asked for.
    const seed = config.isProduction ? seedUnclaimed : seedFirst
    const first: { start: FirstStart | null } = { start: null }
    const running = await start(config, {
      log,
      databaseUrl: database.url,
      prepare: async services => {
        first.start = await seed(services)
      },
    })
    try {
      log.info(`started in ${((performance.now() - begin) / 1000).toFixed(1)} s`)
      print(welcome(running.url, config, first.start, command.isTerminal))
      await signal
      log.info('stopping: what is under way is finished, nobody new is taken')
    } finally {
      await running.stop()
    }
  } finally {
    await database.leave()
  }
  // A second: whoever reads the log may have gone before.
  await Promise.race([new Promise<void>(resolve => log.flush(() => resolve())), sleep(1_000)])
  process.exit(0)
}

// Before anything that takes seconds, so that nobody wonders.
function startingLine({ isEmbedded, DATA_DIR }: Config): string {
  if (!isEmbedded) return 'connecting to the database at DATABASE_URL'
  const isThere = existsSync(join(DATA_DIR, 'postgres'))
  return `${isThere ? 'starting' : 'first start: making'} the embedded database in ${resolve(DATA_DIR)}`
}

// Ctrl-C reaches the process twice: from the terminal, which tells the whole foreground group, and from npm, which passes it on.
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
