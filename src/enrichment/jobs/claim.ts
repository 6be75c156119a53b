// The worker's operations on jobs: claim (round-robin over organizations), renew the lease, store progress, end, retry.

import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/client.ts'
import { type Context, createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { eventRecord } from '../../kernel/events/event.sql.ts'
import { announce, enterTimelines, eventRow, recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import type { Reading } from '../providers/provider.ts'
import { type RecordIds, recordIdsOf } from '../targets/record.ts'
import { endedJob, type HeldJob, type Job, type JobResult, jobEvents, type StepFinding, type StepRecord } from './job.sql.ts'
import {
  claimJobs,
  endJobs,
  lockClaimed,
  lostInLastAttempt,
  maxAttempts,
  renewJobs,
  saveProgress,
  workerLost,
  workerName,
  workerOperation,
} from './queue.sql.ts'

/** A job that this worker holds until its lease ends. Every write checks the claim. */
export interface ClaimedJob extends HeldJob {
  /** Whether the lease of its previous worker has expired. */
  isTakenOver: boolean
}

/** Thrown when another worker has claimed the job after the lease expired, or when the job was canceled. */
export class ClaimLost extends Error {}

// 20 s: renewed every 5 s, so only a dead or stopped worker loses its jobs, and those run again within half a minute.
const leaseMs = 20_000
export const renewMs = 5000

/**
 * Claims at most `limit` jobs, and records that they run: first those whose lease has expired, then in turns of the organizations. An
 * organization gets at most `perOrganization`; `held` is the number that it has already, by organization.
 */
export async function claim(
  { database, now, outbox }: Services,
  limit: number,
  perOrganization: number,
  held: ReadonlyMap<string, number>,
): Promise<ClaimedJob[]> {
  const time = now()
  const lease = new Date(time.getTime() + leaseMs).toISOString()
  const eventIds = Array.from({ length: limit }, newId)
  // One claim id for all rows of the statement; writes name the job id as well.
  const values = [time.toISOString(), limit, randomUUID(), lease, perOrganization, [...held.keys()], [...held.values()], eventIds]
  const claimed = await database.query(claimJobs, values)
  if (claimed.length > 0) outbox.announce()
  return claimed
}

/** Renews the leases; resolves with the ids of the jobs that this worker still holds. */
export async function renew({ database, now }: Services, jobs: readonly ClaimedJob[]): Promise<Set<string>> {
  if (jobs.length === 0) return new Set()
  const lease = new Date(now().getTime() + leaseMs).toISOString()
  const rows = await database.query(renewJobs, [jobs.map(({ id }) => id), jobs.map(job => job.claim), lease])
  return new Set(rows.map(({ id }) => id))
}

/** Fails the jobs whose worker was lost during their last attempt, or for the third time. */
export async function giveUpLost(services: Services): Promise<void> {
  for (const job of await services.database.query(lostInLastAttempt, [services.now().toISOString()]))
    await giveUp(services, job, workerLost).catch(error => {
      if (!(error instanceof ClaimLost)) throw error
    })
}

/** The context that a job runs in. */
export const asWorker = (services: Services, job: Job): Context =>
  createContext(services, {
    principal: { kind: 'system', name: workerName, orgId: job.orgId },
    requestId: `job-${job.id}`,
    door: 'tasks',
    operation: workerOperation,
  })

/** The results of the steps so far, stored so that another worker or attempt continues after them. */
export interface Progress {
  steps: StepRecord[]
  findings: StepFinding[]
  readings: Reading[]
}

/** Stores the progress. Throws ClaimLost. */
export async function storeProgress(context: Context, job: HeldJob, { steps, findings, readings }: Progress): Promise<void> {
  const values = [steps, findings, readings].map(storedJson)
  const [kept] = await context.db.query(saveProgress, [job.id, job.claim, ...values])
  if (!kept) throw new ClaimLost()
}

/** Locks the jobs for the rest of the transaction. Returns the ids of the jobs that are still claimed. */
export async function lockClaims(tx: Queries, jobs: readonly HeldJob[]): Promise<Set<string>> {
  const locked = await tx.query(lockClaimed, [jobs.map(({ id }) => id), jobs.map(job => job.claim)])
  return new Set(locked.map(({ id }) => id))
}

export interface Ending extends RecordIds {
  job: HeldJob
  /** Inside the transaction in which the job ends. */
  context: Context
  status: 'completed' | 'insufficient_credits' | 'failed'
  result: JobResult | null
  error: string | null
  suggestionCount: number
  chargedMicro: bigint
  /** Null: the stored value. */
  progress: Pick<Progress, 'steps' | 'findings'> | null
}

/** Ends jobs whose claims are locked. All contexts are in the same transaction. */
export async function endAll(endings: readonly Ending[]): Promise<void> {
  const [first] = endings
  if (!first) return
  const ended = endings.map(({ job: { id, claim }, progress, chargedMicro, ...ending }) => {
    const { steps, findings } = progress ?? { steps: null, findings: null }
    return endedJob.record({ id, claim, ...ending, steps, findings, creditsChargedMicro: Number(chargedMicro) })
  })
  const events = endings.map(({ job, context, status, result, error, suggestionCount, ...ids }) => {
    const changes = { recipe: job.recipe, result, suggestionCount, ...(error !== null && { error }) }
    return eventRow(context, { type: jobEvents[status], entityId: job.id, ...recordIdsOf(ids), changes })
  })
  const { context } = first
  await context.db.query(endJobs, [storedJson(ended), context.now().toISOString(), storedJson(events.map(eventRecord))])
  await enterTimelines(context, events)
  await announce(context)
}

/** Returns a claimed job to the queue. False if the claim is lost. */
async function queueAgain(
  { prisma }: Queries,
  { id, claim, attempts }: HeldJob,
  change: { runAfter: Date; error: string | null; attempts?: number },
) {
  const data = { status: 'queued', claim: null, leaseUntil: null, attempts, ...change }
  const { count } = await prisma.enrichmentJob.updateMany({ where: { id, claim, status: 'running' }, data })
  return count > 0
}

/** Queues the job again with a backoff; after the last attempt the job fails with the reason. Throws ClaimLost. */
export async function failAttempt(services: Services, job: HeldJob, reason: string): Promise<void> {
  const context = asWorker(services, job)
  if (job.attempts < maxAttempts) {
    await services.database.transaction(async tx => {
      if (!(await queueAgain(tx, job, { runAfter: retryAt(context.now(), job.attempts), error: reason }))) throw new ClaimLost()
      const changes = { attempt: job.attempts, reason }
      await recordEvent(inTransaction(context, tx), { type: jobEvents.retried, entityId: job.id, changes })
    })
    return
  }
  await giveUp(services, job, reason)
}

/** Fails the job. Throws ClaimLost. */
async function giveUp(services: Services, job: HeldJob, reason: string): Promise<void> {
  const context = asWorker(services, job)
  await services.database.transaction(async tx => {
    const inside = inTransaction(context, tx)
    if ((await lockClaims(tx, [job])).size === 0) throw new ClaimLost()
    if (job.holdId !== null) await services.money.release(inside, job.holdId)
    const error = `Given up after ${job.attempts} attempts: ${reason}`
    const nothing = { result: null, suggestionCount: 0, chargedMicro: 0n, progress: null }
    const { contactId, companyId } = job
    await endAll([{ job, context: inside, status: 'failed', error, contactId, companyId, ...nothing }])
  })
}

/** Returns a job to the queue at shutdown. The attempt is not counted. */
export async function giveBack(services: Services, job: ClaimedJob): Promise<void> {
  await queueAgain(services.database, job, { runAfter: services.now(), error: null, attempts: job.attempts - 1 })
}

// 1, 2, 4, 8 s with up to 50 % jitter, so that jobs that failed together are not retried together.
function retryAt(now: Date, attempts: number): Date {
  const delayMs = 1000 * 2 ** (attempts - 1)
  return new Date(now.getTime() + delayMs * (1 + Math.random() / 2))
}
