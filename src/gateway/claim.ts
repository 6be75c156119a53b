// Who works on what: a run is worked on by whoever has the lease of its session, and writes only while it has it.

import { v7 as uuid } from 'uuid'
import { type Context, createContext, inTransaction, type Services } from '../context.ts'
import { type Queries, statement } from '../database/client.ts'
import { recordEvent } from '../events.ts'
import { type Run, runColumns, runTables } from './run.sql.ts'
import { mainSessionKey } from './words.ts'

/** A run that is this worker's until its lease ends. */
export interface Claim {
  run: Run
  token: string
}

/** Thrown into a worker that no longer has its lease: another one goes on where it stopped. */
export class LeaseLost extends Error {}

/** Renewed every third of it. A worker that dies is missed for this long; one that stalls longer loses its work to another. */
export const leaseSeconds = 15

const lease = `now() + interval '${leaseSeconds} seconds'`

// Claims are few and short; one at a time, the count of what runs is exact.
const queueUp = statement<never>('gateway_claim_lock', 'select pg_advisory_xact_lock(7240031)')
const countBusy = statement<{ busy: number }>(
  'gateway_count_busy',
  `select count(*)::int as busy from ${runTables} where r.status = 'running' and r.kind = 'hook' and s.lease_until > now()`,
)
// The oldest run whose session nobody works on and that has none before it.
const selectNext = statement<Run>(
  'gateway_next_run',
  `select ${runColumns} from ${runTables}
   where r.status in ('accepted', 'running') and r.kind = 'hook' and r.org_id = $1 and (s.lease_until is null or s.lease_until <= now())
     and not exists (select 1 from gateway_runs e
       where e.session_id = r.session_id and e.status in ('accepted', 'running') and e.position < r.position)
   order by r.position limit 1 for update of s`,
)
const takeLease = statement<never>(
  'gateway_take_lease',
  `update gateway_sessions set lease_token = $2, lease_until = ${lease} where id = $1`,
)
// Waiting for the session's row, PostgreSQL reads that again but not the run, which may be over by now.
const begin = statement<{ attempt: number; startedAt: string }>(
  'gateway_begin_run',
  `update gateway_runs set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, $2)
   where id = $1 and status in ('accepted', 'running') returning attempt, started_at as "startedAt"`,
)
const holdLease = statement<{ turnCount: number }>(
  'gateway_hold_lease',
  `update gateway_sessions set lease_until = ${lease}, turn_count = turn_count + $3, updated_at = $4 where id = $1 and lease_token = $2
   returning turn_count as "turnCount"`,
)
const dropLease = statement<{ id: string }>(
  'gateway_drop_lease',
  'update gateway_sessions set lease_token = null, lease_until = null where id = $1 and lease_token = $2 returning id',
)
const giveBack = statement<never>(
  'gateway_give_back_run',
  `update gateway_runs set status = 'accepted', attempt = attempt - 1 where id = $1 and status = 'running' and kind = 'hook'`,
)

/** The gateway itself as it works on a run. */
export const workingOn = (services: Services, orgId: string, requestId: string): Context =>
  createContext(services, { principal: { kind: 'system', name: 'gateway', orgId }, requestId, door: 'tasks', operation: 'agentRun' })

/** Claims the next run that is to be done; null when there is none, as many run already as may, or its worker finished it just now. */
export async function claimRun(services: Services, orgId: string): Promise<Claim | null> {
  return services.database.transaction(async db => {
    await db.query(queueUp)
    const [count] = await db.query(countBusy)
    if ((count?.busy ?? 0) >= services.config.gateway.agents.maxConcurrent) return null
    const [run] = await db.query(selectNext, [orgId])
    return run ? beginRun(services, db, run) : null
  })
}

/** Takes the session's lease for the run, whose session row the caller has locked. Null when the run is over by now. */
export async function beginRun(services: Services, db: Queries, run: Run): Promise<Claim | null> {
  const [begun] = await db.query(begin, [run.id, services.now().toISOString()])
  if (!begun) return null
  const token = uuid()
  await db.query(takeLease, [run.sessionId, token])
  const context = inTransaction(workingOn(services, run.orgId, run.id), db)
  await recordEvent(context, { type: 'agent_run.started', entityId: run.id, changes: { kind: run.kind, attempt: begun.attempt } })
  return { run: { ...run, status: 'running', ...begun }, token }
}

/**
 * Makes sure, inside the transaction that writes, that the lease is still held, and renews it. Reserves numbers for `turns` new turns and
 * returns the first. Throws LeaseLost.
 */
export async function hold(context: Context, { run, token }: Claim, turns = 0): Promise<number> {
  const [held] = await context.db.query(holdLease, [run.sessionId, token, turns, context.now().toISOString()])
  if (!held) throw new LeaseLost(`the lease of session ${run.sessionKey} was lost`)
  return held.turnCount - turns + 1
}

/** Ends the lease, in the transaction that finishes the run. */
export async function letGo(db: Queries, { run, token }: Claim): Promise<void> {
  const [dropped] = await db.query(dropLease, [run.sessionId, token])
  if (!dropped) throw new LeaseLost(`the lease of session ${run.sessionKey} was lost`)
}

/** Gives a run back unfinished, for the next worker to go on with: this process stops. */
export async function handBack(services: Services, claim: Claim): Promise<void> {
  await services.database
    .transaction(async db => {
      await letGo(db, claim)
      await db.query(giveBack, [claim.run.id])
    })
    .catch((error: unknown) => {
      if (!(error instanceof LeaseLost)) throw error
    })
}

/** Keeps the lease while the work goes on. The signal aborts with LeaseLost when it is lost. */
export function keepLease(services: Services, claim: Claim): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController()
  const context = workingOn(services, claim.run.orgId, claim.run.id)
  let renewedAt = performance.now()
  const timer = setInterval(
    async () => {
      try {
        await hold(context, claim)
        renewedAt = performance.now()
      } catch (error) {
        // A database that is away for a moment takes no lease away; for longer than the lease, it may have been given to another.
        if (error instanceof LeaseLost || performance.now() - renewedAt > leaseSeconds * 1000)
          lost.abort(new LeaseLost('the lease was lost'))
      }
    },
    (leaseSeconds * 1000) / 3,
  )
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}

export const isMain = ({ sessionKey }: Run) => sessionKey === mainSessionKey
