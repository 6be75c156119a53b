// Loaded into the attacked server by --import: serves its memory and its longest event loop delay on a separate port.

import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Reading {
  /** The longest delay since the last reading. */
  maxDelayMs: number
  /** CPU time of the event loop's thread since the last reading. Unlike the delay, it excludes other programs. */
  cpuMs: number
  rssMb: number
}

const resolutionMs = 2
const delays = monitorEventLoopDelay({ resolution: resolutionMs })
delays.enable()
setFlagsFromString('--expose-gc')
const gc: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void = runInNewContext('gc')

let before = process.threadCpuUsage()

// 1 MB of JSON, the size of the largest hostile bodies.
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ id: index, name: `name ${index}`, tags: ['a', 'b'] })))

/** CPU time of parsing and printing it, in ms: the lowest of five, so that compilation and other programs do not count. */
function referenceMs(): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let time = 0; time < 5; time++) {
    const started = process.threadCpuUsage()
    JSON.stringify(JSON.parse(text))
    const { user, system } = process.threadCpuUsage(started)
    lowest = Math.min(lowest, (user + system) / 1000)
  }
  return lowest
}

const server = createServer((req, res) => {
  if (req.url === '/reference') {
    res.end(JSON.stringify(referenceMs()))
    return
  }
  // Collects garbage first, so that only retained memory is measured. After a regular collection V8 keeps up to 150 MB of the young
  // generation's pages for the next objects; after this one it returns them.
  if (req.url === '/settled') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  const reading: Reading = {
    cpuMs: (user + system) / 1000,
    maxDelayMs: delays.max / 1e6 - resolutionMs,
    rssMb: process.memoryUsage.rss() / 1e6,
  }
  delays.reset()
  res.end(JSON.stringify(reading))
})
// Child processes of the server load this file too, and the port is already in use.
server.on('error', () => {})
server.listen(Number(process.env.ATTACK_MONITOR_PORT), '127.0.0.1').unref()
