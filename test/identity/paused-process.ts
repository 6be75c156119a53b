// A server in a process of its own, to be paused by the test that started it. Prints its address when it is ready.

import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/start.ts'

const config = readConfig(process.env)
const { url } = await start(config, { log: pino({ level: 'silent' }), databaseUrl: config.DATABASE_URL ?? '' })
process.stdout.write(`${url}\n`)
