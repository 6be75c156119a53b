// Claims: a worker takes the lease of a run's session, and writes to the run only while it holds the lease.

import type { Queries } from '../../database/client.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { startPolling } from '../../kernel/queue/poll-loop.ts'
import { findRuns, type Run, runEvents } from './row.ts'
import { countRunning, leaseSeconds, lockClaims, renewLease, selectNextRun, startRun, takeLease } from './run.sql.ts'

/** A run that this worker has claimed, and the token of the lease. */
export interface Claim {
  run: Run
  token: string
}

/** The worker no longer holds the lease: another one may continue the run. */
export class LeaseLost extends Error {}

/** The context of a worker. */
export const workerContext = (services: Services, orgId: string, requestId: string): Context =>
  createContext(services, { principal: { kind: 'system', name: 'gateway', orgId }, requestId, door: 'tasks', operation: 'agentRun' })

/** Claims the next run. Null if there is none, or if the maximum is running. */
export async function claimRun(services: Services, orgId: string): Promise<Claim | null> {
  return services.database.transaction(async db => {
    await db.query(lockClaims)
    const [count] = await db.query(countRunning)
    if ((count?.running ?? 0) >= services.config.gateway.agents.maxConcurrent) return null
    const [next] = await db.query(selectNextRun, [orgId])
    return next ? beginRun(services, db, next.id) : null
  })
}

/** Starts the run and takes its session's lease. The caller has locked the session's row. Null if the run has already finished. */
export async function beginRun(services: Services, db: Queries, id: string): Promise<Claim | null> {
  await db.query(startRun, [id, services.now().toISOString()])
  const [run] = await findRuns(db, { where: { id, status: 'running' } })
  if (!run) return null
  const token = newId()
  await db.query(takeLease, [run.sessionId, token])
  const context = inTransaction(workerContext(services, run.orgId, run.id), db)
  await recordEvent(context, { type: runEvents.started, entityId: run.id, changes: { kind: run.kind, attempt: run.attempt } })
  return { run, token }
}

/**
 * Renews the lease, in the transaction that writes to the run. Reserves numbers for `turns` new turns and returns the first. Throws
 * LeaseLost.
 */
export async function renew(context: Context, { run, token }: Claim, turns = 0): Promise<number> {
  const [held] = await context.db.query(renewLease, [run.sessionId, token, turns, context.now().toISOString()])
  if (!held) throw new LeaseLost(`the lease of session ${run.session.key} was lost`)
  return held.turnCount - turns + 1
}

/** Ends the lease, in the transaction that finishes the run. Throws LeaseLost. */
export async function endLease(db: Queries, { run, token }: Claim): Promise<void> {
  const { count } = await db.prisma.gatewaySession.updateMany({
    where: { id: run.sessionId, leaseToken: token },
    data: { leaseToken: null, leaseUntil: null },
  })
  if (count === 0) throw new LeaseLost(`the lease of session ${run.session.key} was lost`)
}

/** Returns an unfinished run to the queue, because this process stops. */
export async function returnRun(services: Services, claim: Claim): Promise<void> {
  await services.database
    .transaction(async db => {
      await endLease(db, claim)
      await db.prisma.gatewayRun.updateMany({
        where: { id: claim.run.id, status: 'running', kind: 'hook' },
        data: { status: 'accepted', attempt: { decrement: 1 } },
      })
      // A heartbeat stays unfinished, and is claimed again before a new one.
      await db.prisma.gatewayRun.updateMany({
        where: { id: claim.run.id, status: 'running', kind: 'heartbeat' },
        data: { attempt: { decrement: 1 } },
      })
    })
    .catch((error: unknown) => {
      if (!(error instanceof LeaseLost)) throw error
    })
}

/** Renews the lease until it is stopped. The signal aborts with LeaseLost if the lease is lost. */
export function keepLease(services: Services, claim: Claim): { signal: AbortSignal; stop(): Promise<void> } {
  const lost = new AbortController()
  const context = workerContext(services, claim.run.orgId, claim.run.id)
  let renewedAt = performance.now()
  const renewing = startPolling({
    intervalMs: (leaseSeconds * 1000) / 3,
    async poll() {
      await renew(context, claim)
      renewedAt = performance.now()
    },
    onError(error) {
      // While the database is unavailable no worker can take the lease. After the time of the lease one may have taken it.
      if (error instanceof LeaseLost || performance.now() - renewedAt > leaseSeconds * 1000) lost.abort(new LeaseLost('the lease was lost'))
    },
  })
  return { signal: lost.signal, stop: renewing.stop }
}
