// A process that uses the embedded database in the folder it is told, for tests that need several processes, or want to kill one.
// It prints the address, and leaves on SIGTERM or SIGINT; what goes wrong it prints to stderr.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { EmbeddedError, startEmbedded } from '../../src/database/embedded.ts'

const [dataDir = ''] = process.argv.slice(2)
try {
  const { url, stop } = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) })
  const leave = async () => {
    // Whoever interrupts us must not have stopped the database as well: it is still needed for a moment.
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
