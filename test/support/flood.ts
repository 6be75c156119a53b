// Requests from a process of their own, whose work does not hold up what the test measures.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Flood {
  url: string
  key: string
  connections: number
  path: string
  /** With `{{n}}` and `{{4}}` for what differs, see flooder.ts. */
  body: string
  /** How long a connection waits after a refusal. Default: 0. */
  pauseMs?: number
  /** Runs with the lowest priority: on machines of their own its clients would take no CPU from the server. */
  isNice?: boolean
}

/** Posts over all connections until `end`, which resolves with the accepted requests per second. */
export function startFlood({ url, key, connections, path, body, pauseMs = 0, isNice = false }: Flood) {
  const program = [process.execPath, join(import.meta.dirname, 'flooder.ts'), url, key, String(connections), path, body, String(pauseMs)]
  const [command = '', ...args] = isNice ? ['nice', '-n', '19', ...program] : program
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', chunk => (said += chunk))
  const closed = once(child, 'close')
  return {
    async end(): Promise<number> {
      child.kill('SIGTERM')
      await closed
      return Number(said)
    },
  }
}
