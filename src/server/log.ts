// The log: JSON lines in production, readable lines in a terminal. It contains no secrets, tokens, bodies or query strings, except for the
// emails of a server without SMTP.

import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from '../config/environment.ts'
import { collectorOf, type TracingSettings } from '../config/tracing.ts'
import { traceFields } from '../kernel/tracing/span.ts'
import { terminalLine } from './terminal-line.ts'

export interface Where {
  isTerminal: boolean
  /** The file descriptor to write to. Default: 1. Commands that print a result to standard output use 2. */
  fd?: 1 | 2
}

type Settings = Pick<Config, 'LOG_LEVEL' | 'isProduction'> & Partial<TracingSettings>

export function createLog(config: Settings, { isTerminal, fd = 1 }: Where): Logger {
  const { LOG_LEVEL, isProduction } = config
  const options = {
    level: LOG_LEVEL,
    base: undefined,
    formatters: { level: (label: string) => ({ level: label }) },
    ...traceMixin(config),
  }
  if (isTerminal && !isProduction)
    return pino(
      options,
      pretty({ sync: true, destination: fd, translateTime: 'SYS:HH:MM:ss', hideObject: true, messageFormat: terminalLine }),
    )
  // minLength 1: with 0, flush() does not wait. maxLength 16 MB: lines are buffered while the disk is full, and further ones are lost.
  const contentMode = isProduction ? 'buffer' : 'utf8'
  const destination = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: 16_000_000, contentMode })
  surviveWriteErrors(destination)
  return pino(options, isProduction ? bufferLines(destination) : destination)
}

/** The option of pino that adds the trace's ids to the lines of requests and queue items. */
export const traceMixin = (config: Partial<TracingSettings>) => (collectorOf(config) === undefined ? {} : { mixin: traceFields })

/** Lets the process continue, and end, while the log cannot be written. The destination tries again with each new line. */
function surviveWriteErrors(destination: Destination): void {
  let isFailing = false
  destination.on('error', () => {
    isFailing = true
  })
  destination.on('write', () => {
    isFailing = false
  })
  // Runs before the destination's own exit listener, which would try for ever.
  process.prependListener('exit', () => {
    if (isFailing) destination.flushSync = () => {}
  })
}

type Destination = ReturnType<typeof pino.destination>

// With contentMode "buffer" a destination takes bytes; its types know only texts.
const asContent = (bytes: Buffer) => bytes as unknown as string

/**
 * Buffers lines for at most half a second, because a write per request would cost more CPU than many requests. The destination's own buffer
 * is slower, because it measures its whole content with each line. The buffer holds bytes, and passes bytes on: strings would survive
 * young-generation garbage collections, be freed only by a full one, and be encoded again.
 */
function bufferLines(destination: Destination): DestinationStream & { flush(done?: () => void): void } {
  const lines = Buffer.allocUnsafe(64_000)
  let length = 0
  const writeOut = () => {
    if (length > 0) destination.write(asContent(Buffer.copyBytesFrom(lines, 0, length)))
    length = 0
  }
  setInterval(writeOut, 500).unref()
  // Run before the destination's own listeners, which flush it: completely when the process ends by itself, and as far as possible without
  // waiting on process.exit().
  process.prependListener('beforeExit', writeOut)
  process.prependListener('exit', writeOut)
  return {
    write(line) {
      // A UTF-16 code unit takes at most three bytes in UTF-8.
      const maxBytes = line.length * 3
      if (length + maxBytes > lines.length) writeOut()
      if (maxBytes > lines.length) destination.write(asContent(Buffer.from(line)))
      else length += lines.write(line, length)
    },
    flush(done) {
      writeOut()
      destination.flush(done)
    },
  }
}
