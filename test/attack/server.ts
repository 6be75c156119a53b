// The server under attack, a separate process: its URL, credentials, measurements and logged errors.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../crash/server.ts'
import { freePort } from '../support/free-port.ts'
import type { Reading } from './monitor.ts'

export const serviceToken = 'attack-service-token-0123456789'
export const hookToken = 'attack-hook-token-0123456789ab'

interface Answer {
  status: number
  headers: Headers
  bytes: number
  // biome-ignore lint/suspicious/noExplicitAny: the type of the body depends on the request.
  body: any
}

export interface Attacked extends Server {
  ask(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>
  read(): Promise<Reading>
  /** How much slower than the machine for which the limits are given this one is right now; at least 1. */
  slowness(): Promise<number>
  /** Collects the server's garbage. */
  settle(): Promise<void>
  /** The memory that the server retains, in MB. Takes ten seconds. */
  retainedMb(): Promise<number>
  end(): Promise<void>
}

// glibc keeps freed memory for later allocations, 20 to 40 MB more after each new peak, which RSS cannot tell from a leak. Buffers above
// 16 kB are mapped instead, and unmapped when they are freed. A fixed threshold: by default it rises to the largest buffer seen.
const returnFreedMemory = { MALLOC_MMAP_THRESHOLD_: '16384', MALLOC_TRIM_THRESHOLD_: '131072' }

// What parsing and printing 1 MB of JSON takes on a machine for which the limits in milliseconds are given. Shared processors are at times
// three times slower, whatever the server does.
const referenceMs = 11

/** Starts a server with its own embedded database. */
export async function startAttacked(environment: Record<string, string> = {}): Promise<Attacked> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-attack-'))
  const monitorPort = String(await freePort())
  const server = await startServer(dataDir, undefined, {
    NODE_OPTIONS: `--import=${new URL('monitor.ts', import.meta.url).href}`,
    ATTACK_MONITOR_PORT: monitorPort,
    SVC_SERVICES_TOKEN: serviceToken,
    HOOKS_TOKEN: hookToken,
    ...returnFreedMemory,
    ...environment,
  })
  const monitored = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${monitorPort}${path}`)).json()
  const reading = async (path: string) => (await monitored(path)) as Reading
  return {
    ...server,
    async ask(method, path, { body, headers = {} } = {}) {
      const response = await fetch(server.url + path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const bytes = await response.arrayBuffer()
      const text = Buffer.from(bytes).toString()
      return { status: response.status, headers: response.headers, bytes: bytes.byteLength, body: parsed(text) }
    },
    read: () => reading('/'),
    slowness: async () => Math.max(1, Number(await monitored('/reference')) / referenceMs),
    async settle() {
      await reading('/settled')
    },
    async retainedMb() {
      let lowest = Number.POSITIVE_INFINITY
      // Timers, idle connections and V8's other threads release memory some seconds later; what is retained is in every reading.
      for (let second = 0; second < 10; second++) {
        lowest = Math.min(lowest, (await reading('/settled')).rssMb)
        await sleep(1000)
      }
      return lowest
    },
    async end() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
