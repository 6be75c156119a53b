// The gateway's worker: claims heartbeats, runs and deliveries when it is notified and every two seconds, up to its limits.

import type { Services } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { startWorker, type Worker } from '../kernel/queue/poll-loop.ts'
import type { Channels } from './channels/channel.ts'
import { reserveCredits, Unaffordable } from './charges/charge.ts'
import { claimDelivery, deliver, returnDelivery } from './delivery/send.ts'
import { claimHeartbeat } from './heartbeat/heartbeat.ts'
import { heartbeatChannel, workChannel } from './heartbeat/request.ts'
import { ModelError } from './models/runtime.ts'
import { gatewayOrganization } from './organization.ts'
import { NotAllowedAnyMore } from './runs/asker.ts'
import { type Claim, claimRun, keepLease, LeaseLost, returnRun, workerContext } from './runs/claim.ts'
import { completeRun, failRun, giveUpRun } from './runs/finish.ts'
import { type AgentPorts, takeTurn } from './runs/turn.ts'

export interface GatewayWorkerPorts extends AgentPorts {
  channels: Channels
}

// Polling makes up for notifications that were lost with their process, and finds work that has become due.
const intervalMs = 2000
const maxDeliveries = 4

interface Queue<Item> {
  concurrency: number
  claim(orgId: string): Promise<Item | null>
  work(item: Item, stopping: AbortSignal): Promise<void>
  giveBack(item: Item): Promise<void>
}

/** `stop` lets running work finish, and returns to the queue what does not. */
export function startGatewayWorker(services: Services, ports: GatewayWorkerPorts): Pick<Worker, 'stop'> {
  const { log, notifier, config, tracing } = services
  const start = <Item>(name: string, { claim, ...queue }: Queue<Item>) =>
    startWorker({
      ...queue,
      name,
      tracing,
      intervalMs,
      // One at a time, so that the processes share the work.
      async claim() {
        const claimed = await claim(await gatewayOrganization(services))
        return claimed === null ? [] : [claimed]
      },
      onError(error, item) {
        if (item !== undefined) log.warn({ err: error }, `a ${name} could not be finished here; it is taken up again`)
        // Without a database or an organization there is nothing to claim; the next poll may find them.
        else if (!(error instanceof AppError && error.code === 'UNAVAILABLE')) log.error({ err: error }, `a ${name} could not be claimed`)
      },
    })

  const runs = {
    work: (claim: Claim, stopping: AbortSignal) => executeRun(services, ports, claim, stopping),
    giveBack: (claim: Claim) => returnRun(services, claim),
  }
  let isUrgent = false
  const heartbeats = start('heartbeat', {
    ...runs,
    concurrency: 1,
    claim(orgId) {
      const urgency = { isUrgent }
      isUrgent = false
      return claimHeartbeat(services, orgId, urgency)
    },
  })
  const workers = [
    heartbeats,
    start('run', { ...runs, concurrency: config.gateway.agents.maxConcurrent, claim: orgId => claimRun(services, orgId) }),
    start('delivery', {
      concurrency: maxDeliveries,
      claim: orgId => claimDelivery(services, orgId),
      work: sending => deliver(services, ports.channels, sending),
      giveBack: sending => returnDelivery(services, sending),
    }),
  ]
  notifier.subscribe(heartbeatChannel, () => {
    isUrgent = true
    heartbeats.notify()
  })
  notifier.subscribe(workChannel, () => {
    for (const worker of workers) worker.notify()
  })

  return {
    async stop(graceMs) {
      await Promise.all(workers.map(worker => worker.stop(graceMs)))
    },
  }
}

async function executeRun(services: Services, ports: GatewayWorkerPorts, claim: Claim, stopping: AbortSignal): Promise<void> {
  const { run } = claim
  const log = services.log.child({ runId: run.id, session: run.session.key })
  const lease = keepLease(services, claim)
  const deadline = new AbortController()
  const elapsedMs = services.now().getTime() - (run.startedAt ?? run.createdAt).getTime()
  // A clock that was set back makes the time that elapsed negative, and a timer of more than 24 days would expire at once.
  const timer = setTimeout(() => deadline.abort(), Math.max(0, run.timeoutSeconds * 1000 - Math.max(0, elapsedMs)))
  const signal = AbortSignal.any([lease.signal, deadline.signal, stopping])
  try {
    const { maxAttempts } = services.config.gateway.agents
    if (run.attempt > maxAttempts) return await giveUpRun(services, claim, `it was interrupted ${maxAttempts} times`)
    await reserveCredits(workerContext(services, run.orgId, run.id), claim)
    const reply = await takeTurn(services, ports, claim, signal)
    await completeRun(services, ports.channels, claim, reply)
  } catch (error) {
    if (lease.signal.aborted || error instanceof LeaseLost) log.warn('another worker goes on with this run')
    else if (stopping.aborted) await returnRun(services, claim)
    // The lease expires, and a worker with a database continues the run.
    else if (error instanceof AppError && error.code === 'UNAVAILABLE') throw error
    else if (deadline.signal.aborted) await failRun(services, claim, `timed out after ${run.timeoutSeconds} seconds`)
    else {
      log.warn({ err: error }, 'a run failed')
      const isExplained = error instanceof ModelError || error instanceof NotAllowedAnyMore || error instanceof Unaffordable
      await failRun(services, claim, isExplained ? error.message : 'an unexpected error')
    }
  } finally {
    clearTimeout(timer)
    await lease.stop()
  }
}
