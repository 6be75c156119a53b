// Reads the outbox for webhooks: every committed event becomes one delivery for each endpoint that asks for it and may read it, in the
// transaction that stores how far the outbox was read.

import type { Queries } from '../../database/client.ts'
import { renumberRestored } from '../../database/migrations/restored.ts'
import { lastingPrincipals } from '../../identity/authentication/lasting-principal.ts'
import { createContext, type Services } from '../../kernel/context.ts'
import type { OutboxEvent } from '../../kernel/events/event.sql.ts'
import { snapshotOf } from '../../kernel/events/position.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { allBulkOperations } from '../../kernel/nouns/events.ts'
import { mayReadEvent } from '../../kernel/nouns/nouns.ts'
import { deliveryRecord, insertDeliveries, promote } from '../deliveries/delivery.sql.ts'
import { type Endpoint, enabledEndpoints, restartEndpoints } from '../endpoints/endpoint.sql.ts'
import { disableEndpoint } from '../endpoints/stop.ts'
import { asksFor } from './match.ts'
import { lockFreeReader, moveReader, type ReaderState, readPending, restartReader } from './reader.sql.ts'

// Events of one transaction: about 50 ms of work.
const maxEvents = 1000

/** The result of one reading. `isIdle`: there is no endpoint, so nothing is read until one is added. */
export interface Reading {
  isIdle: boolean
  hasMore: boolean
  added: number
}

const nothing: Reading = { isIdle: false, hasMore: false, added: 0 }

/** A reader, which keeps the endpoints in memory while they do not change. */
export function createReader(services: Services): () => Promise<Reading> {
  let known: { generation: number; endpoints: readonly Endpoint[] } | null = null

  const endpointsIn = async (db: Queries, { generation }: ReaderState): Promise<readonly Endpoint[]> => {
    if (known?.generation !== generation) known = { generation, endpoints: await db.query(enabledEndpoints) }
    return known.endpoints
  }

  return async () => {
    const orphans = new Set<Endpoint>()
    const pairs: [endpoints: string[], entities: string[]] = [[], []]
    const reading = await services.database.transaction(async (db): Promise<Reading> => {
      const [state] = await db.query(lockFreeReader)
      // Another process reads.
      if (!state) return nothing
      if (state.since === null) return { ...nothing, isIdle: true }
      const endpoints = await endpointsIn(db, state)
      if (endpoints.length === 0) {
        await db.query(moveReader, [null, null, state.sequence, state.currentCluster])
        return { ...nothing, isIdle: true }
      }
      if (isElsewhere(state)) return await beginElsewhere(services, db, state)
      const from = beginOf(state)
      const orgIds = [...new Set(endpoints.map(({ orgId }) => orgId))]
      const events = await db.query(readPending, [
        from.since.next,
        from.since.running,
        from.until,
        from.behind,
        maxEvents,
        orgIds,
        allBulkOperations(),
      ])
      const deliveries = await deliveriesOf(services, db, endpoints, events, orphans)
      const waiting = deliveries.length > 0 ? await db.query(insertDeliveries, [storedJson(deliveries.map(deliveryRecord))]) : []
      for (const { endpointId, entityId } of waiting) {
        pairs[0].push(endpointId)
        pairs[1].push(entityId)
      }
      const hasMore = events.length === maxEvents
      const sequence = Math.max(state.sequence, events.at(-1)?.sequence ?? 0)
      const position = hasMore ? [from.sinceText, from.until, sequence] : [from.until, null, sequence]
      if (hasMore || from.until !== state.since) await db.query(moveReader, [...position, state.currentCluster])
      return { isIdle: false, hasMore, added: deliveries.length }
    })
    // After the commit: a worker that finishes the delivery in front of these makes them due if its commit is the later one.
    if (pairs[0].length > 0) await services.database.query(promote, pairs)
    for (const endpoint of orphans) await disableEndpoint(services, endpoint, 'maker_left')
    return reading
  }
}

/** Whether the database was restored in another cluster, in which the stored snapshots mean nothing. */
const isElsewhere = ({ cluster, currentCluster, since, snapshot }: ReaderState): boolean =>
  cluster !== currentCluster || snapshotOf(snapshot).next < snapshotOf(since ?? snapshot).next

async function beginElsewhere({ database, log }: Services, db: Queries, state: ReaderState): Promise<Reading> {
  log.warn('the database was replaced by a restored one; webhooks go on behind the last event that they have read')
  const renumbered = await renumberRestored(database.url)
  await db.query(restartReader, [renumbered === null ? state.snapshot : null])
  await db.query(restartEndpoints)
  return { ...nothing, hasMore: true }
}

/** `behind`: only events behind this sequence number are missing from the events up to `until`. */
function beginOf({ since, until, sequence, snapshot }: ReaderState) {
  const sinceText = since ?? snapshot
  return { since: snapshotOf(sinceText), sinceText, until: until ?? snapshot, behind: until === null ? 0 : sequence }
}

async function deliveriesOf(
  services: Services,
  db: Queries,
  endpoints: readonly Endpoint[],
  events: readonly OutboxEvent[],
  orphans: Set<Endpoint>,
) {
  const byOrganization = Map.groupBy(endpoints, ({ orgId }) => orgId)
  const asked = events.flatMap(event =>
    (byOrganization.get(event.orgId) ?? []).filter(endpoint => asksFor(endpoint, event)).map(endpoint => ({ event, endpoint })),
  )
  if (asked.length === 0) return []
  const concerned = [...new Set(asked.map(({ endpoint }) => endpoint))]
  const credentials = concerned.map(({ orgId, makerUserId, makerKeyId }) => ({ orgId, userId: makerUserId, keyId: makerKeyId }))
  const principals = await lastingPrincipals(db, credentials, services.now())
  const contexts = new Map(
    concerned.map((endpoint, index) => {
      const principal = principals[index] ?? null
      if (principal === null) orphans.add(endpoint)
      return [endpoint, principal && createContext(services, { principal, requestId: endpoint.id, door: 'tasks', operation: 'webhooks' })]
    }),
  )
  const now = services.now().toISOString()
  const deliveries = []
  for (const { event, endpoint } of asked) {
    const context = contexts.get(endpoint)
    if (!context || !(await mayReadEvent({ ...context, db }, event))) continue
    const { contactId, companyId, dealId, actor, changes, createdAt } = event
    deliveries.push({
      ...{ id: newId(), orgId: event.orgId, endpointId: endpoint.id, messageId: event.id, type: event.type, entity: event.entity },
      ...{ entityId: event.entityId, event: { contactId, companyId, dealId, actor, changes, createdAt }, replayOf: null },
      ...{ dueAt: now, createdAt: now },
    })
  }
  return deliveries
}
