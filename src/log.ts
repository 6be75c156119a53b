// The log: JSON lines in production, readable lines in a terminal. No secret, token, body or query string ever gets in.

import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

export function createLog({ LOG_LEVEL, isProduction }: Config, { isTerminal }: { isTerminal: boolean }): Logger {
  const options = {
    level: LOG_LEVEL,
    base: undefined,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (isTerminal && !isProduction) return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l', singleLine: true }))
  // Gathered: a write to the disk for every request costs more than many a request. Nothing waits longer than half a second. No more than
  // ten lines or so: what has been gathered is measured again with each line.
  return pino(options, pino.destination({ sync: false, minLength: isProduction ? 4000 : 0, periodicFlush: isProduction ? 500 : 0 }))
}
