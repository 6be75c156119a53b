// The worker of enrichment jobs: takes as many as it may, runs each by the clock, and lets go of what is no longer its own.

import type { Services } from '../context.ts'
import { jobChannel } from './job.ts'
import { type ClaimedJob, ClaimLost, claim, failAttempt, giveBack, giveUpLost, renew, renewMs } from './job-claim.ts'
import { runJob } from './job-run.ts'

export interface JobWorker {
  /** Takes no more, finishes what runs for at most the given time, and gives back the rest. */
  stop(graceMs: number): Promise<void>
}

interface Running {
  job: ClaimedJob
  abort: AbortController
  done: Promise<void>
}

// A ring that was lost is made up for by looking.
const lookMs = 2000

export function startJobWorker(services: Services): JobWorker {
  const { config, log } = services
  const running = new Map<string, Running>()
  let stopping = false
  let looking: Promise<void> | undefined
  let again = false

  const begin = (job: ClaimedJob) => {
    const abort = new AbortController()
    const done = attempt(services, job, abort.signal)
      .catch((error: unknown) => {
        if (!(error instanceof ClaimLost))
          log.error({ err: error, job: job.id }, 'an enrichment job could not be settled; its lease will lapse')
      })
      .finally(() => {
        running.delete(job.claim + job.id)
        look()
      })
    running.set(job.claim + job.id, { job, abort, done })
  }
  const takeAll = async () => {
    do {
      again = false
      while (!stopping && running.size < config.ENRICHMENT_CONCURRENCY) {
        const claimed = await claim(services, config.ENRICHMENT_CONCURRENCY - running.size)
        if (claimed.length === 0) break
        claimed.forEach(begin)
      }
    } while (again && !stopping)
  }
  const look = () => {
    if (stopping) return
    again = true
    looking ??= takeAll()
      .catch((error: unknown) => log.warn({ err: error }, 'enrichment jobs could not be claimed; trying again'))
      .finally(() => {
        looking = undefined
      })
  }
  const keep = async () => {
    const held = [...running.values()]
    const ours = await renew(
      services,
      held.map(({ job }) => job),
    )
    for (const { job, abort } of held) if (!ours.has(job.id)) abort.abort(new ClaimLost())
    await giveUpLost(services)
  }
  const keeping = () =>
    keep().catch((error: unknown) => log.warn({ err: error }, 'the leases of enrichment jobs could not be renewed; trying again'))

  services.listener.on(jobChannel, look)
  const looks = setInterval(look, lookMs).unref()
  const keeps = setInterval(keeping, renewMs).unref()
  keeping()
  look()

  return {
    async stop(graceMs) {
      stopping = true
      clearInterval(looks)
      await looking
      const all = Promise.all([...running.values()].map(({ done }) => done))
      await Promise.race([all, sleep(graceMs)])
      clearInterval(keeps)
      const left = [...running.values()]
      for (const { job, abort } of left) {
        abort.abort(new ClaimLost())
        await giveBack(services, job).catch(() => {})
      }
    },
  }
}

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms).unref())

async function attempt(services: Services, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  try {
    await runJob(services, job, signal)
  } catch (error) {
    if (error instanceof ClaimLost || signal.aborted) return
    services.log.warn({ err: error, job: job.id, attempt: job.attempts }, 'an attempt at an enrichment job failed')
    await failAttempt(services, job, error instanceof Error ? error.message : String(error))
  }
}
