// The server under attack, a process of its own: its address, credentials, figures, and what it has logged as an error.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Server, startServer } from '../crash/server.ts'
import type { Reading } from './monitor.ts'

export const serviceToken = 'attack-service-token-0123456789'
export const hookToken = 'attack-hook-token-0123456789ab'

export interface Answer {
  status: number
  bytes: number
  // biome-ignore lint/suspicious/noExplicitAny: each chapter knows what it asked for.
  body: any
}

export interface Attacked extends Server {
  ask(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>
  /** What the monitor says; `settled` collects garbage first. */
  read(settled?: boolean): Promise<Reading>
  end(): Promise<void>
}

/** Starts a server on an embedded database of its own. */
export async function startAttacked(environment: Record<string, string> = {}): Promise<Attacked> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-attack-'))
  const monitorPort = String(await freePort())
  const server = await startServer(dataDir, undefined, {
    NODE_OPTIONS: `--import=${new URL('monitor.ts', import.meta.url).href}`,
    ATTACK_MONITOR_PORT: monitorPort,
    SVC_SERVICES_TOKEN: serviceToken,
    HOOKS_TOKEN: hookToken,
    ...environment,
  })
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
      return { status: response.status, bytes: bytes.byteLength, body: parsed(text) }
    },
    async read(settled = false) {
      const response = await fetch(`http://127.0.0.1:${monitorPort}/${settled ? 'settled' : ''}`)
      return (await response.json()) as Reading
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
