// The endpoints for orchestrators: /healthz, /readyz and /metrics.

import { setTimeout as sleep } from 'node:timers/promises'
import { Router } from 'express'
import { pendingMigrations } from '../database/migrations/migrate.ts'
import type { Services } from '../kernel/context.ts'
import { constantTimeMatcher } from '../kernel/crypto/constant-time.ts'
import { sendError } from '../rest/router/answer.ts'
import { pingShared, readOnly } from './health.sql.ts'

export function healthRoutes(services: Services, isDraining: () => boolean): Router {
  const router = Router()
  const { config, metrics } = services
  const problemNow = createReadiness(services)
  metrics.condition(
    'rolocom_ready',
    'Whether the database is migrated and answers this process on every connection path (1), as /readyz says while it does not stop.',
    async () => (await problemNow()) === undefined,
  )
  const isMetricsToken = constantTimeMatcher(config.METRICS_TOKEN ? [config.METRICS_TOKEN] : [])
  // Does not ask the database: restarting this process would not repair the database.
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

// The database is checked at most once a second, however many probes there are. A check that does not end counts as not ready.
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

// Checks every way in which requests use the database: shared connections, the pool, a transaction, and the LISTEN connection.
async function notReady({ database, listener }: Services): Promise<string | undefined> {
  try {
    const [, , pending] = await Promise.all([
      database.query(pingShared),
      database.transaction(async tx => {
        const [row] = await tx.query(readOnly)
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
