// The log: JSON lines in production, readable lines in a terminal. No secret, token, body or query string ever gets in.

import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

export function createLog({ LOG_LEVEL, isProduction }: Config, { isTerminal }: { isTerminal: boolean }): Logger {
  const options = {
    level: LOG_LEVEL,
    base: undefined,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (isTerminal && !isProduction) return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l', singleLine: true }))
  const destination = pino.destination({ sync: false })
  return pino(options, isProduction ? gathering(destination) : destination)
}

/**
 * Passes lines on together, half a second old at most: a write to the disk for every request costs more than many a request. The
 * destination could gather by itself, but measures all that it has again with each line.
 */
function gathering(destination: ReturnType<typeof pino.destination>): DestinationStream & { flush(done?: () => void): void } {
  let lines: string[] = []
  let length = 0
  const passOn = () => {
    if (lines.length > 0) destination.write(lines.join(''))
    lines = []
    length = 0
  }
  setInterval(passOn, 500).unref()
  // Before the destination's own listener, which writes down what it has.
  process.prependListener('exit', passOn)
  return {
    write(line) {
      lines.push(line)
      length += line.length
      if (length >= 64_000) passOn()
    },
    flush(done) {
      passOn()
      destination.flush(done)
    },
  }
}
