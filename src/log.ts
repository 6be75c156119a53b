// The log: JSON lines in production, readable lines in a terminal. No secret, token, body or query string gets in, but for the
// mails of a server without SMTP.

import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'
import { terminalLine } from './terminal-line.ts'

export interface Where {
  isTerminal: boolean
  /** The file descriptor to write to; 1 unless standard output is for a command's answer. */
  fd?: 1 | 2
}

export function createLog({ LOG_LEVEL, isProduction }: Pick<Config, 'LOG_LEVEL' | 'isProduction'>, { isTerminal, fd = 1 }: Where): Logger {
  const options = {
    level: LOG_LEVEL,
    base: undefined,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (isTerminal && !isProduction)
    return pino(
      options,
      pretty({ sync: true, destination: fd, translateTime: 'SYS:HH:MM:ss', hideObject: true, messageFormat: terminalLine }),
    )
  // minLength 1: with 0, its flush does not wait. maxLength 16 MB: lines wait while the disk is full, and those beyond are lost.
  const destination = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: 16_000_000 })
  outlive(destination)
  return pino(options, isProduction ? gathering(destination) : destination)
}

/** Lets the process go on while nothing can be written, and end. The destination tries again with each line that comes. */
function outlive(destination: Destination): void {
  let isFailing = false
  destination.on('error', () => {
    isFailing = true
  })
  destination.on('write', () => {
    isFailing = false
  })
  // Before the destination's own listener, which would try for ever.
  process.prependListener('exit', () => {
    if (isFailing) destination.flushSync = () => {}
  })
}

type Destination = ReturnType<typeof pino.destination>

/**
 * Passes lines on together, half a second old at most: a write to the disk for every request costs more than many a request. The
 * destination could gather by itself, but measures all that it has again with each line. They wait as bytes: as texts they would outlive
 * their requests, and the collector would carry each of them to where only a full collection gets rid of it.
 */
function gathering(destination: Destination): DestinationStream & { flush(done?: () => void): void } {
  const lines = Buffer.allocUnsafe(64_000)
  let length = 0
  const passOn = () => {
    if (length > 0) destination.write(lines.toString('utf8', 0, length))
    length = 0
  }
  setInterval(passOn, 500).unref()
  // Before the destination's own listeners, which write down what it has: all of it where the process ends by itself, and as much as the
  // reader takes at once where it is ended.
  process.prependListener('beforeExit', passOn)
  process.prependListener('exit', passOn)
  return {
    write(line) {
      // No character of a text takes more than three bytes.
      const most = line.length * 3
      if (length + most > lines.length) passOn()
      if (most > lines.length) destination.write(line)
      else length += lines.write(line, length)
    },
    flush(done) {
      passOn()
      destination.flush(done)
    },
  }
}
