// The workers of the gateway in one process: they take what is due, as much at once as they may, and come back when the bell rings.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../context.ts'
import { AppError } from '../errors.ts'
import { ModelError } from './agent-runtime.ts'
import type { Channels } from './channels.ts'
import { keepCredits, Unaffordable } from './charge.ts'
import { type Claim, claimRun, handBack, keepLease, LeaseLost, workingOn } from './claim.ts'
import { claimDelivery, deliver, returnDelivery } from './delivery.ts'
import { completeRun, failRun } from './finish.ts'
import { claimHeartbeat } from './heartbeat.ts'
import { heartbeatChannel, workChannel } from './heartbeat-bell.ts'
import { gatewayOrganization } from './organization.ts'
import { type AgentPorts, takeTurn } from './turn.ts'

export interface CrewPorts extends AgentPorts {
  channels: Channels
}

export interface Crew {
  /** Takes nothing new, lets what runs finish for at most the given time, and hands the rest back. */
  stop(graceMs: number): Promise<void>
}

// A bell that was lost with its process is made up for this much later.
const lookMs = 2000
const deliveriesAtOnce = 4

/** What was claimed: it is begun, or where the process stops given back as if it had never been claimed. */
interface Taken {
  begin(): Promise<void>
  giveBack(): Promise<void>
}

export function startCrew(services: Services, ports: CrewPorts): Crew {
  const { log, bell, config } = services
  const cut = new AbortController()
  let isStopping = false
  // Claims under way as well: begun behind the back of a stop, what they take would go on without a database.
  const running = new Set<Promise<void>>()

  /** Repeats `take` until there is nothing to take, at most `most` at once; a call while it looks has it look again. */
  const line = (name: string, most: number, take: (isUrgent: boolean) => Promise<Taken | null>) => {
    let busy = 0
    let isLooking = false
    let again = false
    let urgent = false
    const look = (isUrgent = false): void => {
      urgent ||= isUrgent
      again = true
      if (isLooking) return
      isLooking = true
      const looked = takeAll().finally(() => running.delete(looked))
      running.add(looked)
    }
    const takeAll = async (): Promise<void> => {
      try {
        while (again && busy < most && !isStopping) {
          again = false
          const wasUrgent = urgent
          urgent = false
          const taken = await take(wasUrgent)
          if (!taken) continue
          if (isStopping) return await taken.giveBack()
          again = true
          busy++
          const done = taken
            .begin()
            .catch((error: unknown) => log.warn({ err: error }, `${name} could not be finished here; it is taken up again`))
            .finally(() => {
              busy--
              running.delete(done)
              look()
            })
          running.add(done)
        }
      } catch (error) {
        // Without a database or an organization there is nothing to do; the next look may find them.
        if (!(error instanceof AppError && error.code === 'UNAVAILABLE')) log.error({ err: error }, `looking for ${name} failed`)
      } finally {
        isLooking = false
      }
    }
    return look
  }

  const work = (claim: Claim): Taken => ({
    begin: () => takeRun(services, ports, claim, cut.signal),
    giveBack: () => handBack(services, claim),
  })
  const heartbeats = line('a heartbeat', 1, async isUrgent => {
    const claim = await claimHeartbeat(services, await gatewayOrganization(services), { isUrgent })
    return claim && work(claim)
  })
  const runs = line('a run', config.gateway.agents.maxConcurrent, async () => {
    const claim = await claimRun(services, await gatewayOrganization(services))
    return claim && work(claim)
  })
  const deliveries = line('a delivery', deliveriesAtOnce, async () => {
    const sending = await claimDelivery(services, await gatewayOrganization(services))
    return sending && { begin: () => deliver(services, ports.channels, sending), giveBack: () => returnDelivery(services, sending) }
  })
  const lookAll = () => {
    heartbeats()
    runs()
    deliveries()
  }
  bell.heard(heartbeatChannel, () => heartbeats(true))
  bell.heard(workChannel, lookAll)
  const timer = setInterval(lookAll, lookMs)
  lookAll()

  return {
    async stop(graceMs) {
      clearInterval(timer)
      isStopping = true
      const allDone = () => Promise.allSettled([...running])
      // Half of the time to finish; then what still runs is cut short, and handed back within the other half.
      await Promise.race([allDone(), sleep(graceMs / 2)])
      cut.abort(new Error('the process stops'))
      await Promise.race([allDone(), sleep(graceMs / 2)])
    },
  }
}

async function takeRun(services: Services, ports: CrewPorts, claim: Claim, cut: AbortSignal): Promise<void> {
  const { run } = claim
  const log = services.log.child({ runId: run.id, session: run.sessionKey })
  const lease = keepLease(services, claim)
  const deadline = new AbortController()
  const remainingMs = run.timeoutSeconds * 1000 - (services.now().getTime() - Date.parse(run.startedAt ?? run.createdAt))
  const timer = setTimeout(() => deadline.abort(), Math.max(0, remainingMs))
  const signal = AbortSignal.any([lease.signal, deadline.signal, cut])
  try {
    const { maxAttempts } = services.config.gateway.agents
    if (run.attempt > maxAttempts) return await failRun(services, claim, `it was interrupted ${maxAttempts} times`)
    await keepCredits(workingOn(services, run.orgId, run.id), claim)
    const reply = await takeTurn(services, ports, claim, signal)
    await completeRun(services, ports.channels, claim, reply)
  } catch (error) {
    if (lease.signal.aborted || error instanceof LeaseLost) log.warn('another worker goes on with this run')
    else if (cut.aborted) await handBack(services, claim)
    // The lease ends by itself, and whoever then has a database goes on.
    else if (error instanceof AppError && error.code === 'UNAVAILABLE') throw error
    else if (deadline.signal.aborted) await failRun(services, claim, `timed out after ${run.timeoutSeconds} seconds`)
    else {
      log.warn({ err: error }, 'a run failed')
      await failRun(services, claim, error instanceof ModelError || error instanceof Unaffordable ? error.message : 'an unexpected error')
    }
  } finally {
    clearTimeout(timer)
    lease.stop()
  }
}
