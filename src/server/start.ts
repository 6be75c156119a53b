// Starts the parts of a process in the order of their dependencies, and stops them in the reverse order.

import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { type Config, drainSeconds, takesHooks } from '../config/environment.ts'
import { startCompaction } from '../contacts/stats/compaction.ts'
import { startJobWorker } from '../enrichment/jobs/worker.ts'
import { unconfiguredSteps } from '../enrichment/recipes/list.ts'
import { keepRecipes } from '../enrichment/recipes/recipe.ts'
import { createChannels } from '../gateway/channels/configured.ts'
import { createRuntime } from '../gateway/models/configured.ts'
import { gatewayWithoutReaders } from '../gateway/organization.ts'
import { warnUnconfigured } from '../gateway/unconfigured.ts'
import { startGatewayWorker } from '../gateway/worker.ts'
import { createAuthenticator } from '../identity/authentication/authenticate.ts'
import { createIdentityProvider } from '../identity/provider/provider.ts'
import { startInboxWorker } from '../inbox/worker.ts'
import type { Context, Services } from '../kernel/context.ts'
import type { Worker } from '../kernel/queue/poll-loop.ts'
import { objectOf } from '../rest/routes/webhooks/objects.ts'
import { createAgentTools } from '../tools/catalogue.ts'
import { stopAgents } from '../voice/agents/lifecycle.ts'
import { createRelayDoor } from '../voice/conversations/relay/door.ts'
import { startOverdueDispatch } from '../voice/dispatch/overdue.ts'
import { reaperItem } from '../voice/dispatch/reaper.ts'
import { stopEndpoints } from '../webhooks/endpoints/stop.ts'
import { startWebhookWorker } from '../webhooks/worker.ts'
import { closeTimeoutMs, timeLeft, within } from './deadline.ts'
import { addDoors } from './http.ts'
import { closeAfterBody } from './lingering.ts'
import { createHttpServer, drain, listen } from './listen.ts'
import { answerClientError } from './malformed-http.ts'
import { createLimiter } from './rate-limit.ts'
import { type Surroundings, startServices } from './services.ts'

export interface Running {
  url: string
  services: Services
  /**
   * Reports that it is not ready, and serves for DRAIN_SECONDS more; then refuses new connections, finishes running requests, and closes
   * everything, within `graceMs`.
   */
  stop(graceMs?: number): Promise<void>
}

export async function start(config: Config, surroundings: Surroundings): Promise<Running> {
  const { services, listener, work, stop } = await startServices(config, surroundings)
  let draining = false
  const workers: Pick<Worker, 'stop'>[] = []
  const app = express()
  const server = createHttpServer()
  try {
    // The server listens before the routes are created, because they need its address. Requests that arrive earlier wait for them.
    const ready = Promise.withResolvers<void>()
    let answer: RequestListener = (req, res) => void ready.promise.then(() => app(req, res))
    server.on('request', (req, res) => {
      closeAfterBody(req, res)
      answer(req, res)
    })
    server.on('clientError', (error, socket) => answerClientError(error, socket, services.log))
    const address = await listen(server, config)
    const settled = { ...config, PUBLIC_URL: config.PUBLIC_URL ?? address }
    services.config = settled
    // Before the seed: if an invalid recipe stops the first start, the API key that is shown only once must not have been created yet.
    await keepRecipes(services)
    logUnconfigured(services)
    await surroundings.prepare?.(services, address)
    if (config.isProduction && config.ROLES.includes('gateway') && takesHooks(config)) {
      const sentence = await gatewayWithoutReaders(services)
      if (sentence !== null) services.log.warn(sentence)
    }

    const identityProvider = createIdentityProvider(services, { stop: stopWork, passwords: surroundings.passwords })
    const authenticator = createAuthenticator({ services, listener, identityProvider })
    const limit = await createLimiter(services)
    addDoors(app, { services, authenticator, identityProvider, limit, web: surroundings.web, isDraining: () => draining })
    const relay = createRelayDoor(services)
    server.on('upgrade', (req, socket, head) => relay.upgrade(req, socket, head))
    workers.push({ stop: relay.stop })
    ready.resolve()
    answer = app
    if (config.ROLES.includes('worker')) {
      await work()
      // At start, because an earlier process may have left calls open, and the scheduled round is up to a minute away.
      await services.queue.enqueue(reaperItem, {})
      const { models, channels } = config.gateway
      const ports = {
        runtime: createRuntime(models.providers),
        tools: createAgentTools(services),
        channels: createChannels(channels, settled.PUBLIC_URL),
      }
      workers.push(startJobWorker(services), startCompaction(services), startGatewayWorker(services, ports))
      workers.push(startOverdueDispatch(services), await startInboxWorker(services))
      workers.push(startWebhookWorker(services, objectOf))
    }

    return {
      url: address,
      services,
      async stop(graceMs = 9_000) {
        draining = true
        await sleep(drainSeconds(config) * 1000)
        const left = timeLeft(graceMs)
        // Ends subscriptions, which would keep their connections open for ever.
        await within(closeTimeoutMs, services.outbox.close())
        const maxMs = left() * 0.7
        await Promise.all([drain(server, maxMs), ...workers.map(worker => within(maxMs, worker.stop(maxMs)))])
        await stop(left() * 0.5)
      },
    }
  } catch (error) {
    await Promise.all(workers.map(worker => within(closeTimeoutMs, worker.stop(0))))
    server.close()
    // A queue item that has just begun ends before the connections that it uses.
    await stop(2 * closeTimeoutMs)
    throw error
  }
}

/** Stops the background work of an account when another person turns out to own its address. */
async function stopWork(context: Context, orgIds: readonly string[]): Promise<void> {
  await stopAgents(context, orgIds)
  await stopEndpoints(context, orgIds)
}

/** Logs at start which configured names refer to nothing: later they would show only in failed jobs and replies. */
function logUnconfigured(services: Services): void {
  const { config, log } = services
  const steps = config.ROLES.includes('worker') ? unconfiguredSteps(services) : []
  const gateway = takesHooks(config) && config.ROLES.includes('gateway') ? warnUnconfigured(config.gateway) : []
  for (const sentence of [...gateway, ...steps]) log.info(sentence)
}
