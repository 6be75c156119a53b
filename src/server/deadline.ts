// Time limits of a stop.

import { setTimeout as sleep } from 'node:timers/promises'

// 500 ms: a step that takes longer waits for a database that does not answer.
export const closeTimeoutMs = 500

export const timeLeft = (graceMs: number) => {
  const until = performance.now() + graceMs
  return () => Math.max(0, until - performance.now())
}

// Errors and timeouts while stopping are ignored, because no caller is left.
export const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), sleep(ms, undefined, { ref: false })])
