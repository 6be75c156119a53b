// Sending deliveries: each is claimed by one worker, sent, and settled; what failed is sent again later.

import { batcher } from '../../database/batcher.ts'
import { type LastingCredential, lastingPrincipals } from '../../identity/authentication/lasting-principal.ts'
import { createContext, type Services } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { mayReadEvent } from '../../kernel/nouns/nouns.ts'
import type { Principal } from '../../kernel/principal.ts'
import { type Delivery, type DeliveryState, promote } from '../deliveries/delivery.sql.ts'
import { type Endpoint, endpointsToSend, markFailing, markWorking } from '../endpoints/endpoint.sql.ts'
import { tellOfFailing } from '../endpoints/failing.ts'
import { secretsOf } from '../endpoints/secret.ts'
import { disableEndpoint } from '../endpoints/stop.ts'
import { type Outcome, send } from './attempt.ts'
import { claimDue, giveBack, releaseLost, storeResults } from './claim.sql.ts'
import { bodyOf, type ObjectOf, signedHeaders } from './payload.ts'

// Deliveries that one process sends at once, in all, of one organization and to one endpoint: slow endpoints leave room for others.
export const concurrency = 256
const perOrganization = 64
const perEndpoint = 32
// Seconds before each further attempt, 27 hours in all; up to a tenth more or less.
const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
const failingMs = 5 * 86_400_000
const releaseEveryMs = 5000
// Deliveries that finish before others are claimed in their place, and the longest wait for that.
const claimedTogether = 16
const claimEveryMs = 500

export interface Sending {
  delivery: Delivery
  endpoint: Endpoint
  token: string
}

interface Result {
  id: string
  token: string
  endpointId: string
  state: DeliveryState
  reason: string | null
  body: string | null
  attempt: Outcome['attempt'] | null
  responseStatus: number | null
  dueAt: string
  at: string
}

/** The worker of deliveries. `onClaimable` is called when more can be claimed. */
export function createSender(services: Services, objectOf: ObjectOf, onClaimable: () => void) {
  const { database, log } = services
  const flying = new Map<string, { orgId: string; number: number }>()
  let releasedAt = Number.NEGATIVE_INFINITY
  let claimedAt = Number.NEGATIVE_INFINITY
  let hasNew = false
  let finished = 0

  const count = ({ id, orgId }: Endpoint, change: number) => {
    const number = (flying.get(id)?.number ?? 0) + change
    if (number > 0) flying.set(id, { orgId, number })
    else flying.delete(id)
  }
  const principalOf = batcher<LastingCredential, Principal | null>(credentials => lastingPrincipals(database, credentials, services.now()))
  // Makes those due that wait behind deliveries that are over.
  const promoteBehind = async (over: readonly Pick<Delivery, 'endpointId' | 'entityId'>[]): Promise<void> => {
    if (over.length === 0) return
    const pairs = [over.map(({ endpointId }) => endpointId), over.map(({ entityId }) => entityId)]
    if ((await database.query(promote, pairs)).length === 0) return
    hasNew = true
    onClaimable()
  }
  const store = batcher<Result, void>(
    async results => {
      const records = results.map(({ endpointId, responseStatus, dueAt, ...result }) => ({
        ...result,
        endpoint_id: endpointId,
        response_status: responseStatus,
        due_at: dueAt,
      }))
      const stored = await database.query(storeResults, [storedJson(records)])
      const over = stored.filter(({ state }) => state !== 'pending')
      await promoteBehind(over)
      return results.map(() => undefined)
      // One batch at a time: nobody waits for a result, so batches are as large as they can be.
    },
    { concurrency: 1 },
  )

  const settle = async ({ delivery, endpoint, token }: Sending, result: Pick<Result, 'state' | 'reason'> & Partial<Result>) => {
    const at = services.now().toISOString()
    const nothing = { body: null, attempt: null, responseStatus: null, dueAt: at }
    await store({ id: delivery.id, token, endpointId: endpoint.id, at, ...nothing, ...result })
  }

  const finish = async (sending: Sending, body: string, outcome: Outcome): Promise<void> => {
    const { delivery, endpoint } = sending
    const { meaning, reason, attempt, retryAfterSeconds } = outcome
    const now = services.now().getTime()
    const isTaken = meaning === 'taken'
    // By the attempts in the log: attempts of workers that died do not count.
    const delay = meaning === 'retry' ? retryDelaysSeconds[delivery.attemptLog.length] : undefined
    const state = isTaken ? 'delivered' : delay === undefined ? 'failed' : 'pending'
    const seconds = Math.max((delay ?? 0) * (0.9 + Math.random() / 5), retryAfterSeconds)
    const dueAt = new Date(now + (state === 'pending' ? seconds * 1000 : 0)).toISOString()
    // Before the result is stored, which makes the next delivery due.
    const isOver = endpoint.failingSince !== null && now - Date.parse(endpoint.failingSince) >= failingMs
    if (meaning === 'gone') await disableEndpoint(services, endpoint, 'gone')
    else if (meaning === 'retry' && isOver) await disableEndpoint(services, endpoint, 'failing')
    else if (meaning === 'retry') await tellOfFailing(services, endpoint)
    await settle(sending, { state, reason, body, attempt, responseStatus: attempt.status, dueAt })
    if (isTaken && endpoint.failingSince !== null) await database.query(markWorking, [[endpoint.id]])
    if (isTaken) return
    log.info({ endpointId: endpoint.id, deliveryId: delivery.id, state, reason }, 'a webhook was not taken')
    if (endpoint.failingSince === null) await database.query(markFailing, [[endpoint.id], new Date(now).toISOString()])
  }

  const returnUnsent = ({ delivery, token }: Sending) => database.query(giveBack, [delivery.id, token])

  return {
    /** Makes the next claim look, whatever is in progress. */
    wake(): void {
      hasNew = true
    },

    async claim(limit: number): Promise<Sending[]> {
      // Not one by one as they finish: a claim of several costs as much as a claim of one.
      if (!hasNew && flying.size > 0 && finished < claimedTogether && performance.now() - claimedAt < claimEveryMs) return []
      hasNew = false
      finished = 0
      claimedAt = performance.now()
      if (performance.now() - releasedAt > releaseEveryMs) {
        releasedAt = performance.now()
        await promoteBehind(await database.query(releaseLost, [services.now().toISOString()]))
      }
      const token = newId()
      const busy = storedJson([...flying].map(([id, { orgId, number }]) => ({ endpoint_id: id, org_id: orgId, count: number })))
      const deliveries = await database.query(claimDue, [services.now().toISOString(), busy, limit, perEndpoint, token, perOrganization])
      if (deliveries.length === 0) return []
      const endpoints = await database.query(endpointsToSend, [[...new Set(deliveries.map(({ endpointId }) => endpointId))]])
      const byId = new Map(endpoints.map(endpoint => [endpoint.id, endpoint]))
      const sendings = deliveries.flatMap(delivery => {
        const endpoint = byId.get(delivery.endpointId)
        return endpoint ? [{ delivery, endpoint, token }] : []
      })
      for (const { endpoint } of sendings) count(endpoint, 1)
      return sendings
    },

    async work(sending: Sending, signal: AbortSignal): Promise<void> {
      const { delivery, endpoint } = sending
      let isSent = false
      const leave = () => {
        if (isSent) return
        isSent = true
        count(endpoint, -1)
        finished++
      }
      try {
        const { orgId, makerUserId, makerKeyId } = endpoint
        const principal = await principalOf({ orgId, userId: makerUserId, keyId: makerKeyId })
        if (principal === null) {
          await disableEndpoint(services, endpoint, 'maker_left')
          return await settle(sending, {
            state: 'canceled',
            reason: 'the membership or the API key that the endpoint reads with has ended',
          })
        }
        const context = createContext(services, { principal, requestId: delivery.id, door: 'tasks', operation: 'webhooks' })
        const { entity, entityId, event } = delivery
        if (!(await mayReadEvent(context, { entity, entityId, changes: event.changes })))
          return await settle(sending, { state: 'canceled', reason: 'the endpoint may not read it any more' })
        const body = delivery.body ?? (await bodyOf(objectOf, context, endpoint, delivery))
        const headers = signedHeaders(secretsOf(services.config, endpoint, services.now()), delivery.messageId, body, services.now())
        const outcome = await send(services, endpoint, headers, body, signal)
        if (signal.aborted && outcome.attempt.status === null) return void (await returnUnsent(sending))
        // Others are sent to the endpoint while this result is stored. After a failure they wait for it: it may disable the endpoint.
        if (outcome.meaning === 'taken') {
          leave()
          onClaimable()
        }
        await finish(sending, body, outcome)
      } finally {
        leave()
      }
    },

    async giveBack(sending: Sending): Promise<void> {
      count(sending.endpoint, -1)
      await returnUnsent(sending)
    },

    onError(error: unknown, item?: Sending): void {
      if (item) log.warn({ err: error, deliveryId: item.delivery.id }, 'a webhook could not be settled; it is sent again')
      else if (!(error instanceof AppError && error.code === 'UNAVAILABLE')) log.error({ err: error }, 'webhooks could not be claimed')
    },
  }
}
