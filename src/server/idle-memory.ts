// Gives memory back to the system after a start, and a while after each time of work.
//
// V8 does this by itself as late as 100 s after its last full collection: its timer asks for a low allocation rate, and takes a process whose
// C++ objects allocate nothing, as in Node, for one with a high rate. Until then it keeps the pages of the young generation of a start, 65 MiB.

import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// How long it is watched before it counts as idle.
const everyMs = 20_000
// An idle process with all roles uses 1 to 2 % of a core for its workers.
const busyShare = 0.05
// How many times of `everyMs` a process is idle before a collection. After work 5 minutes: a full collection also drops compiled functions
// whose objects are gone, so requests take twice the CPU for some seconds after it.
const afterStart = 1
const afterWork = 15

/** `busy`: the share of the time since its last call in which the event loop worked. Returns how it is ended. */
export function releaseMemoryWhenIdle(collect: () => void = collectAll, busy: () => number = sinceLastCall()): () => void {
  let left = afterStart
  const timer = setInterval(() => {
    if (busy() > busyShare) left = afterWork
    // Once for each time of work, because it holds requests up for 0.2 s.
    else if (left > 0 && --left === 0) collect()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

function sinceLastCall(): () => number {
  const { eventLoopUtilization } = performance
  let last = eventLoopUtilization()
  return () => {
    const now = eventLoopUtilization()
    const { utilization } = eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

// V8 shows `gc` to contexts that are made while the flag is set. `last-resort` is the kind that gives pages back.
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}
