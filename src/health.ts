// What orchestrators ask: is it alive, is it ready, what does it measure.

import { Router } from 'express'
import type { Services } from './context.ts'
import { statement } from './database/client.ts'
import { pendingMigrations } from './database/migrate.ts'

const ping = statement<{ ok: number }>('ping', 'select 1 as ok')

export function healthRoutes(services: Services, isDraining: () => boolean): Router {
  const router = Router()
  // Alive answers without the database: restarting the process would not bring that back.
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (_req, res) => {
    const problem = isDraining() ? 'stopping' : await notReady(services)
    if (problem) res.status(503).set('Retry-After', '1').json({ status: 'unavailable', problem })
    else res.json({ status: 'ok' })
  })
  router.get('/metrics', async (_req, res) => void res.type(services.metrics.contentType).send(await services.metrics.text()))
  return router
}

async function notReady({ database }: Services): Promise<string | undefined> {
  try {
    await database.query(ping)
    const pending = await pendingMigrations(database)
    return pending.length > 0 ? `migrations are missing: ${pending.join(', ')}` : undefined
  } catch {
    return 'the database does not answer'
  }
}
