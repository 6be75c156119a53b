// A process that uses the embedded database in the folder of its argument, for tests that need several processes or kill one.
// It prints the database's URL, ends on SIGTERM or SIGINT, and prints errors to stderr.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { EmbeddedError, startEmbedded } from '../../../src/database/embedded/embedded.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  const { url, stop } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) })
  const leave = async () => {
    // The query fails if the terminal's interrupt has also stopped the database, which must run until `stop`.
    await sleep(100)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('select 1')
    await client.end()
    await stop()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, leave)
  console.log(url)
} catch (error) {
  console.error(error instanceof EmbeddedError ? error.message : error)
  process.exitCode = 1
}
