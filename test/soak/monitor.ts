// Loaded into the server by --import: serves, on a port of its own, what the process retains after a full garbage collection.

import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Retained {
  heapMiB: number
  /** Buffers and what else native code holds for objects of the heap. */
  externalMiB: number
  rssMiB: number
  timers: number
  /** Sockets, servers and pipes. */
  handles: number
  /** Listeners of the process itself, which live as long as it does. */
  processListeners: number
  emitters: number
  abortSignals: number
}

setFlagsFromString('--expose-gc')
const gc: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void = runInNewContext('gc')
const mebibytes = (bytes: number) => bytes / 2 ** 20

// For proofs that the check finds a leak: kilobytes that are retained per second, as arrays of 128 numbers a kilobyte.
const leakedKb = Number(process.env.SOAK_LEAK_KB ?? 0)
const leaked: unknown[] = []
if (leakedKb > 0) setInterval(() => leaked.push(Array.from({ length: leakedKb * 128 }, Math.random)), 1000).unref()

// Objects on the heap that have the prototype of this function.
const countOf = (made: typeof EventEmitter | typeof AbortSignal) => queryObjects(made, { format: 'count' })

function retained(): Retained {
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { heapUsed, external } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const isTimer = (name: string) => name === 'Timeout' || name === 'Immediate'
  return {
    heapMiB: mebibytes(heapUsed),
    externalMiB: mebibytes(external),
    rssMiB: mebibytes(process.memoryUsage.rss()),
    timers: resources.filter(isTimer).length,
    handles: resources.filter(name => /Wrap$/.test(name)).length,
    processListeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    emitters: countOf(EventEmitter),
    abortSignals: countOf(AbortSignal),
  }
}

const server = createServer((_req, res) => res.end(JSON.stringify(retained())))
// Child processes of the server load this file too, and the port is already in use.
server.on('error', () => {})
server.listen(Number(process.env.SOAK_MONITOR_PORT), '127.0.0.1').unref()
