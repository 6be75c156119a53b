// The worker for enrichment jobs: claims up to ENRICHMENT_CONCURRENCY jobs, runs them, renews their leases, and aborts jobs whose claim it
// has lost.

import type { Services } from '../../kernel/context.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { startPolling, startWorker, type Worker } from '../../kernel/queue/poll-loop.ts'
import { type ClaimedJob, ClaimLost, claim, failAttempt, giveBack, giveUpLost, renew, renewMs } from './claim.ts'
import { jobChannel } from './job.ts'
import { runJob } from './run.ts'

// 2 s: finds jobs whose retry time has come, or whose notification was lost.
const intervalMs = 2000

// The share of the concurrent jobs that one organization may have. Its slow jobs then leave room for the jobs of others.
const share = 3 / 4

/** Starts the worker. `stop` waits for running jobs, and returns to the queue those that do not end in time. */
export function startJobWorker(services: Services): Pick<Worker, 'stop'> {
  const { config, log, listener, tracing } = services
  const losses = new Map<ClaimedJob, AbortController>()
  // Jobs whose steps are all done. They no longer count towards the share.
  const endings = new Set<ClaimedJob>()
  const perOrganization = Math.max(1, Math.floor(config.ENRICHMENT_CONCURRENCY * share))
  const countHeld = (): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const job of losses.keys()) if (!endings.has(job)) counts.set(job.orgId, (counts.get(job.orgId) ?? 0) + 1)
    return counts
  }

  const worker = startWorker({
    name: 'enrichment job',
    tracing,
    intervalMs,
    concurrency: config.ENRICHMENT_CONCURRENCY,
    claim: limit => claim(services, limit, perOrganization, countHeld()),
    giveBack: job => giveBack(services, job),
    async work(job, stopping, ending) {
      const loss = new AbortController()
      losses.set(job, loss)
      const onEnding = () => {
        endings.add(job)
        ending()
      }
      await services
        .fairQueue(job.orgId, () => attempt(services, job, loss.signal, stopping, onEnding), 'background')
        .finally(() => {
          losses.delete(job)
          endings.delete(job)
        })
    },
    onError(error, job) {
      if (job === undefined) log.warn({ err: error }, 'enrichment jobs could not be claimed; trying again')
      else if (!(error instanceof ClaimLost))
        log.error({ err: error, job: job.id }, 'an enrichment job could not be settled; its lease will lapse')
    },
  })
  listener.on(jobChannel, worker.notify)

  // One statement renews the leases of all running jobs.
  const renewing = startPolling({
    intervalMs: renewMs,
    async poll() {
      const held = [...losses]
      const heldIds = await renew(
        services,
        held.map(([job]) => job),
      )
      for (const [job, loss] of held) if (!heldIds.has(job.id)) loss.abort(new ClaimLost())
      await giveUpLost(services)
    },
    onError: error => log.warn({ err: error }, 'the leases of enrichment jobs could not be renewed; trying again'),
  })
  renewing.notify()

  return {
    async stop(graceMs) {
      await worker.stop(graceMs)
      await renewing.stop()
    },
  }
}

async function attempt(services: Services, job: ClaimedJob, lost: AbortSignal, stopping: AbortSignal, onEnding: () => void): Promise<void> {
  try {
    await runJob(services, job, AbortSignal.any([lost, stopping]), onEnding)
  } catch (error) {
    if (stopping.aborted) return giveBack(services, job)
    if (error instanceof ClaimLost || lost.aborted) return
    services.log.warn({ err: error, job: job.id, attempt: job.attempts }, 'an attempt at an enrichment job failed')
    await failAttempt(services, job, storableText(error instanceof Error ? error.message : String(error), { maxLength: 1000 }))
  }
}
