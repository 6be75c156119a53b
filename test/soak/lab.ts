// The server under load, with the settings of production, its embedded PostgreSQL, and a receiver of what it sends.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { startServer } from '../crash/server.ts'
import { freePort } from '../support/free-port.ts'
import type { Target } from './client.ts'
import { type Sampled, sample } from './sample.ts'

const metricsToken = 'soak-metrics-token-0123456789abcdef'

export interface Lab {
  target: Target
  sample(): Promise<Sampled>
  /** What the server has logged so far as a warning or worse. */
  output(): string
  close(): Promise<number>
}

export async function openLab(): Promise<Lab> {
  const root = mkdtempSync(join(tmpdir(), 'rolocom-soak-'))
  const dataDir = join(root, 'data')
  const temporary = join(root, 'tmp')
  for (const folder of [dataDir, temporary]) mkdirSync(folder)
  const receiver = await startReceiver()
  const gateway = join(root, 'gateway.json5')
  writeFileSync(
    gateway,
    JSON.stringify({
      channels: { telegram: { botToken: '1:soak', baseUrl: receiver.url, defaultTo: '42' } },
      heartbeat: { deliver: false },
    }),
  )
  const hookToken = 'soak-hook-token-0123456789abcdef'
  const port = String(await freePort())
  const monitorPort = String(await freePort())
  // The database outlives both starts. It is vacuumed every 5 s instead of every minute, so that a few minutes show what is never vacuumed.
  const embedded = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), settings: { autovacuum_naptime: '5s' } })
  const environment = {
    PORT: port,
    TMPDIR: temporary,
    GATEWAY_CONFIG: gateway,
    HOOKS_ENABLED: '1',
    HOOKS_TOKEN: hookToken,
    SVC_SERVICES_TOKEN: 'soak-service-token-0123456789abcdef',
    IDENTITY_SECRET: 'soak-identity-secret-0123456789abcdef',
    METRICS_TOKEN: metricsToken,
    CREDITS_NEW_USER_GRANT: '100000000',
    OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
    SIMULATOR_SPEED: '0',
  }
  // Only a first start outside production makes an API key.
  const first = await startServer(dataDir, undefined, environment)
  await first.stop()
  const server = await startServer(dataDir, first.key, {
    ...environment,
    NODE_ENV: 'production',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MAIL_LINKS: '0',
    SIGN_UP: 'open',
    DRAIN_SECONDS: '0',
    RATE_LIMIT: '1',
    NODE_OPTIONS: `--max-old-space-size=1024 --max-semi-space-size=16 --disable-warning=ExperimentalWarning --import=${new URL('monitor.ts', import.meta.url).href}`,
    SOAK_MONITOR_PORT: monitorPort,
    SOAK_LEAK_KB: process.env.SOAK_LEAK_KB ?? '0',
  })
  const database = new pg.Client({ connectionString: embedded.url })
  await database.connect()
  const metrics = async () =>
    (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}`, connection: 'close' } })).text()
  return {
    target: { url: server.url, key: first.key, hookToken, receiver },
    sample: () =>
      sample({ pid: server.pid, monitorUrl: `http://127.0.0.1:${monitorPort}`, folders: [temporary, dataDir], database, metrics }),
    output: server.output,
    async close() {
      await database.end()
      const status = await server.stop()
      await embedded.stop()
      await receiver.close()
      rmSync(root, { recursive: true, force: true })
      return status
    },
  }
}

/** Takes webhooks, and messages as Telegram does. */
async function startReceiver() {
  const counts = { webhooks: 0, messages: 0 }
  const server = createServer((req, res) => {
    req.resume().once('end', () => {
      counts[req.url === '/' ? 'webhooks' : 'messages']++
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result: { message_id: counts.messages } }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
