// What orchestrators ask: is it alive, is it ready, what does it measure.

import { setTimeout as sleep } from 'node:timers/promises'
import { Router } from 'express'
import type { Services } from './context.ts'
import { shortRead, statement } from './database/client.ts'
import { pendingMigrations } from './database/migrate.ts'
import { sendError } from './rest/answer.ts'
import { secretChecker } from './secret-checker.ts'

const pingShared = shortRead('ping', 'select 1', () => true)
const writable = statement<{ readOnly: string }>('ping_writer', `select current_setting('transaction_read_only') as "readOnly"`)

export function healthRoutes(services: Services, isDraining: () => boolean): Router {
  const router = Router()
  const { config, metrics } = services
  const problemNow = createReadiness(services)
  const isMetricsToken = secretChecker(config.METRICS_TOKEN ? [config.METRICS_TOKEN] : [])
  // Alive answers without the database: restarting the process would not bring that back.
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (_req, res) => {
    const problem = isDraining() ? 'stopping' : await problemNow()
    if (problem) res.status(503).set('Retry-After', '1').json({ status: 'unavailable', problem })
    else res.json({ status: 'ok' })
  })
  router.get('/metrics', async (req, res) => {
    if (!config.METRICS_TOKEN && config.isProduction)
      return sendError(req, res, 'FORBIDDEN', 'In production /metrics is read with METRICS_TOKEN, which is not set')
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(req.get('authorization') ?? '') ?? []
    if (config.METRICS_TOKEN && !isMetricsToken(token))
      return sendError(req, res, 'UNAUTHENTICATED', '/metrics is read with Authorization: Bearer and the METRICS_TOKEN')
    res.type(metrics.contentType).send(await metrics.text())
  })
  return router
}

// Once a second, however many ask; a check that hangs itself is what it looks for.
const freshMs = 1_000
const patienceMs = 2_000

function createReadiness(services: Services): () => Promise<string | undefined> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let checked: Promise<string | undefined> = Promise.resolve(undefined)
  return () => {
    if (performance.now() - checkedAt >= freshMs) {
      checkedAt = performance.now()
      checked = Promise.race([notReady(services), sleep(patienceMs, 'the database does not answer in time', { ref: false })])
    }
    return checked
  }
}

// The ways that requests take: the connections that short reads share, the pool, a transaction, and the connection that listens.
async function notReady({ database, listener }: Services): Promise<string | undefined> {
  try {
    const [, , pending] = await Promise.all([
      database.query(pingShared),
      database.transaction(async tx => {
        const [row] = await tx.query(writable)
        if (row?.readOnly === 'on') throw new Error('read-only')
      }),
      pendingMigrations(database),
    ])
    if (pending.length > 0) return `migrations are missing: ${pending.join(', ')}`
    return listener.isConnected() ? undefined : 'the listening connection to the database is lost'
  } catch {
    return 'the database does not answer'
  }
}
