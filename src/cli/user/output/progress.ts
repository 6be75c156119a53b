// Progress on standard error: a bar or a spinner at a terminal, elsewhere a line every ten seconds of work that takes longer.

import { progress, spinner } from '@clack/prompts'
import type { Terminal } from '../../terminal.ts'

export interface Progress {
  /** `share`: how much is done, 0 to 1. */
  advance(share: number, message: string): void
  /** Ends it with a sentence that stays. */
  stop(message: string): void
}

const steps = 1000

/** Starts a bar. */
export function startProgress({ process }: Terminal, message: string): Progress {
  if (!process.stderr.isTTY) return lines(process.stderr)
  const bar = progress({ max: steps, size: 40, output: process.stderr })
  bar.start(message)
  let done = 0
  return {
    advance(share, message) {
      const step = Math.max(0, Math.round(Math.min(share, 1) * steps) - done)
      done += step
      bar.advance(step, message)
    },
    stop: message => bar.stop(message),
  }
}

/** Starts a spinner, for work whose length nobody knows. */
export function startSpinner({ process }: Terminal, message: string): Progress {
  if (!process.stderr.isTTY) return lines(process.stderr)
  const shown = spinner({ output: process.stderr })
  shown.start(message)
  return { advance: (_share, message) => shown.message(message), stop: message => shown.stop(message) }
}

const lineMs = 10_000

function lines(output: { write(text: string): unknown }): Progress {
  let last = performance.now()
  return {
    advance(share, message) {
      if (performance.now() - last < lineMs) return
      last = performance.now()
      output.write(`${share > 0 ? `${Math.floor(share * 100)} %, ` : ''}${message}\n`)
    },
    stop() {},
  }
}
