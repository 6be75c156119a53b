// Endpoints that fail for long: an event says so, once until the next success.

import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { type Endpoint, endpointEvents, markTold } from './endpoint.sql.ts'

// An hour: shorter tells of every restart of a receiver, longer leaves less time before the first deliveries are given up, after 27 hours.
const longMs = 3_600_000

export async function tellOfFailing(services: Services, { orgId, id, failingSince, failingToldAt }: Endpoint): Promise<void> {
  const now = services.now()
  const since = new Date(now.getTime() - longMs)
  if (failingSince === null || failingToldAt !== null || new Date(failingSince) > since) return
  const principal = { kind: 'system', name: 'webhooks', orgId } as const
  const context = createContext(services, { principal, requestId: newId(), door: 'tasks', operation: 'tellOfFailing' })
  await services.database.transaction(async db => {
    const [told] = await db.query(markTold, [id, now.toISOString(), since.toISOString()])
    if (told) await recordEvent(inTransaction(context, db), { type: endpointEvents.failing, entityId: id, orgId })
  })
}
