// Loaded into the attacked server by --import: tells its memory and the longest delay of its event loop, on a port of its own.

import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Reading {
  /** Since the last reading. */
  longestDelayMs: number
  /** Of the thread that the event loop runs on, since the last reading: what other programs take does not count. */
  cpuMs: number
  rssMb: number
}

const resolutionMs = 2
const delays = monitorEventLoopDelay({ resolution: resolutionMs })
delays.enable()
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

let before = process.threadCpuUsage()

const server = createServer((req, res) => {
  // What the collector has not come to yet is not what was kept.
  if (req.url === '/settled') collect()
  const { user, system } = process.threadCpuUsage(before)
  before = process.threadCpuUsage()
  const reading: Reading = {
    cpuMs: (user + system) / 1000,
    longestDelayMs: delays.max / 1e6 - resolutionMs,
    rssMb: process.memoryUsage.rss() / 1e6,
  }
  delays.reset()
  res.end(JSON.stringify(reading))
})
// A program that the server starts loads this too, and finds the port taken.
server.on('error', () => {})
server.listen(Number(process.env.ATTACK_MONITOR_PORT), '127.0.0.1').unref()
