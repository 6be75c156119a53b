// A server in a separate process, to be paused by the test that started it. Prints its address when it is ready.

import { pino } from 'pino'
import { readConfig } from '../../src/config/environment.ts'
import { start } from '../../src/server/start.ts'

const config = readConfig(process.env)
const { url } = await start(config, { log: pino({ level: 'silent' }), databaseUrl: config.DATABASE_URL ?? '' })
process.stdout.write(`${url}\n`)
