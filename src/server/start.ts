// Starts the parts of a process in the order of their dependencies, and stops them in the reverse order.

import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, ConfigError, drainSeconds, takesHooks } from '../config/environment.ts'
import { startCompaction } from '../contacts/stats/compaction.ts'
import { ledgerMoney } from '../credits/accounts/hold.ts'
import { openDatabase } from '../database/client.ts'
import { shareBudget } from '../database/connections/budget.ts'
import { UnusableDatabase } from '../database/connections/connection.ts'
import { createListener } from '../database/notifications/listener.ts'
import { createNotifier } from '../database/notifications/notifier.ts'
import { createReplicas } from '../database/replicas/replicas.ts'
import { jobsByState } from '../enrichment/jobs/queue.ts'
import { startJobWorker } from '../enrichment/jobs/worker.ts'
import { unconfiguredSteps } from '../enrichment/recipes/list.ts'
import { keepRecipes } from '../enrichment/recipes/recipe.ts'
import { mayReadEvent } from '../entities/changes.ts'
import { configuredChannels } from '../gateway/channels/configured.ts'
import { withRunCeilings } from '../gateway/charges/ceiling.ts'
import { countOpenDeliveries } from '../gateway/delivery/delivery.ts'
import { createRuntime } from '../gateway/models/configured.ts'
import { gatewayWithoutReaders } from '../gateway/organization.ts'
import { countOpenRuns } from '../gateway/runs/run.ts'
import { unconfigured } from '../gateway/unconfigured.ts'
import { startGatewayWorker } from '../gateway/worker.ts'
import { createHookMappings } from '../hooks/mappings/testing.ts'
import { createAuthenticator } from '../identity/authentication/authenticate.ts'
import type { PasswordHashing } from '../identity/provider/embedded.ts'
import { createIdentityProvider } from '../identity/provider/provider.ts'
import type { Context, Services } from '../kernel/context.ts'
import { createOutbox } from '../kernel/events/outbox.ts'
import { createFairQueue } from '../kernel/fair-queue.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { createOutgoing } from '../kernel/outgoing/http.ts'
import type { Worker } from '../kernel/tasks/poll-loop.ts'
import { startTasks } from '../kernel/tasks/tasks.ts'
import { objectOf } from '../rest/webhooks/objects.ts'
import { createTools } from '../tools/catalogue.ts'
import { stopAgents } from '../voice/agents/lifecycle.ts'
import { dialsSettled } from '../voice/dispatch/dispatch.ts'
import { stuckCalls } from '../voice/dispatch/reaper.ts'
import { createTelephony } from '../voice/providers/configured.ts'
import type { Telephony } from '../voice/providers/telephony.ts'
import { openCalls } from '../voice/stats/stats.ts'
import { stopEndpoints } from '../webhooks/endpoints/stop.ts'
import { openDeliveries } from '../webhooks/sending/open.ts'
import { startWebhookWorker } from '../webhooks/worker.ts'
import { createApp } from './http.ts'
import { createMail } from './mail.ts'
import { answerClientError } from './malformed-http.ts'
import { startTracing } from './monitoring/collector.ts'
import { createLimiter } from './rate-limit.ts'
import { taskHandlers } from './tasks/worker.ts'
import type { WebApp } from './web/app.ts'

export interface Running {
  url: string
  services: Services
  /**
   * Reports that it is not ready, and serves for DRAIN_SECONDS more; then refuses new connections, finishes running requests, and closes
   * everything, within `graceMs`.
   */
  stop(graceMs?: number): Promise<void>
}

export interface Surroundings {
  log: Logger
  databaseUrl: string
  /** The clock. Default: the database's. Tests set it. */
  now?: () => Date
  /** Runs before the first request is answered, such as a seed. `address`: where the server listens. */
  prepare?: (services: Services, address: string) => Promise<void>
  /** Called for each statement that is sent. */
  onStatement?: (name: string) => void
  /** Telephony providers in place of the configured ones. */
  telephony?: Partial<Telephony>
  /** How the embedded identity provider stores passwords. Default: its own way, which is slow on purpose. */
  passwords?: PasswordHashing
  /** The web app. Default: none; its pages are 404. */
  web?: WebApp | undefined
}

/** Starts the services of a process without its doors, for seeds and commands. */
export async function startServices(config: Config, { log, databaseUrl, now, onStatement, telephony }: Surroundings) {
  const metrics = createMetrics()
  const tracing = await startTracing(config, log)
  const options = {
    log,
    poolSize: config.DATABASE_POOL_SIZE,
    onStatement(name: string) {
      metrics.statement()
      onStatement?.(name)
    },
  }
  const database = openDatabase({ ...options, url: databaseUrl, directUrl: config.DATABASE_DIRECT_URL })
  const listener = await createListener(database, log).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof UnusableDatabase || !config.DATABASE_DIRECT_URL) throw error
    throw new ConfigError([`DATABASE_DIRECT_URL: the database cannot be reached: ${error.message || error.code}`])
  })
  // Open connections would keep a process alive that could not start.
  const closeAndThrow = async (error: unknown): Promise<never> => {
    await listener.stop()
    await database.close()
    throw error
  }
  const budget = await shareBudget(database, config.DATABASE_POOL_SIZE, log).catch(closeAndThrow)
  const notifier = createNotifier(database, listener)
  const tasks = await startTasks(database, notifier, log, { isWorker: config.ROLES.includes('worker'), tracing }).catch(closeAndThrow)
  const outbox = createOutbox(database, log, notifier)
  const outgoing = createOutgoing({ allowPrivate: config.OUTGOING_ALLOW_PRIVATE })
  const readable = config.DATABASE_READ_URLS?.map(url => openDatabase({ ...options, url, isReplica: true }))
  const replicas = readable ? createReplicas(readable, { primary: database, log, onRead: metrics.read }) : null
  metrics.observe({
    pool: database.pool,
    replicas,
    listener,
    tasks,
    stuckCalls: () => stuckCalls({ database, now: clock }),
    open: {
      calls: () => openCalls(database),
      enrichment_jobs: () => jobsByState(database),
      runs: () => countOpenRuns(database),
      deliveries: () => countOpenDeliveries(database),
      webhooks: () => openDeliveries(database),
    },
  })
  const clock = now ?? listener.databaseNow
  const configured = createTelephony({ config, database, tasks, now: clock, outgoing }, () => services.config.PUBLIC_URL)
  const services: Services = {
    config,
    database,
    replicas,
    log,
    now: clock,
    tasks,
    outbox,
    notifier,
    metrics,
    tracing,
    money: withRunCeilings(ledgerMoney),
    listener,
    outgoing,
    telephony: { ...configured, ...telephony },
    hookMappings: createHookMappings(config.gateway.hooks, clock),
    fairQueue: createFairQueue(),
  }
  return {
    services,
    listener,
    simulator: configured.simulator,
    async stop(graceMs: number) {
      // Each step has a time limit, because the database may not answer.
      const left = timeLeft(graceMs)
      budget.stop()
      await within(left(), outbox.close())
      await within(left(), tasks.stop(left()))
      // Waits until the results of running dial requests are stored.
      await dialsSettled(services, left())
      await within(closeTimeoutMs, notifier.stop())
      await listener.stop()
      await replicas?.close()
      await database.close()
      await tracing.stop()
    },
  }
}

export async function start(config: Config, surroundings: Surroundings): Promise<Running> {
  const { services, listener, simulator, stop } = await startServices(config, surroundings)
  let draining = false
  const workers: Pick<Worker, 'stop'>[] = []
  const server = createServer({
    headersTimeout: 15_000,
    // For uploads of 100 MB on a line of 3 Mbit/s. Other bodies have 30 s (kernel/input/body.ts).
    requestTimeout: 300_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000,
  })
  try {
    // The server listens before the doors are created, because they need its address. Requests that arrive earlier wait for the doors.
    const made = Promise.withResolvers<RequestListener>()
    let answer: RequestListener = (req, res) => void made.promise.then(app => app(req, res))
    server.on('request', (req, res) => answer(req, res))
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
    const app = createApp({ services, authenticator, identityProvider, limit, web: surroundings.web, isDraining: () => draining })
    made.resolve(app)
    answer = app
    if (config.ROLES.includes('worker')) {
      await services.tasks.work(taskHandlers(services, { sendMail: createMail(config, surroundings.log), simulator }))
      // At start, because an earlier process may have left calls open, and the scheduled round is up to a minute away.
      await services.tasks.enqueue('call-watch', {})
      const { models, channels } = config.gateway
      const ports = {
        runtime: createRuntime(models.providers),
        tools: createTools(services),
        channels: configuredChannels(channels, settled.PUBLIC_URL),
      }
      workers.push(startJobWorker(services), startCompaction(services), startGatewayWorker(services, ports))
      workers.push(startWebhookWorker(services, { mayRead: mayReadEvent, objectOf }))
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
    await stop(0)
    throw error
  }
}

/** What goes on by itself for an account stops when another person turns out to own its address. */
async function stopWork(context: Context, orgIds: readonly string[]): Promise<void> {
  await stopAgents(context, orgIds)
  await stopEndpoints(context, orgIds)
}

function listen(server: Server, { HOST, PORT }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(refused(error, HOST, PORT)))
    server.listen(PORT, HOST, () => {
      server.removeAllListeners('error')
      const { port } = server.address() as AddressInfo
      const host = HOST.includes(':') ? `[${HOST}]` : HOST
      resolve(`http://${host}:${port}`)
    })
  })
}

// Errors that the operator can correct become sentences.
function refused(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new ConfigError([`PORT: another process listens on ${port} of ${host} already`])
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return new ConfigError([`HOST: ${host} is no address of this machine`])
  if (error.code === 'EACCES') return new ConfigError([`PORT: this user may not listen on ${port}`])
  return error
}

// 500 ms: a step that takes longer waits for a database that does not answer.
const closeTimeoutMs = 500

const timeLeft = (graceMs: number) => {
  const until = performance.now() + graceMs
  return () => Math.max(0, until - performance.now())
}

// Errors and timeouts while stopping are ignored, because no caller is left.
const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), sleep(ms, undefined, { ref: false })])

// 250 ms: requests that clients send on idle connections in this time are still answered.
const lastRequestsMs = 250

// Refuses new connections at once, lets running requests finish, and closes the remaining connections at the deadline.
function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
    let closing: NodeJS.Timeout | undefined
    // Connections are kept alive after an answer, so idle ones are closed again and again.
    const closeIdleLater = setTimeout(() => {
      server.closeIdleConnections()
      closing = setInterval(() => server.closeIdleConnections(), 50)
    }, lastRequestsMs)
    // Not http's own close(), which would close all idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline)
      clearTimeout(closeIdleLater)
      clearInterval(closing)
      resolve()
    })
  })
}

/** Logs at start which configured names refer to nothing: later they would show only in failed jobs and replies. */
function logUnconfigured(services: Services): void {
  const { config, log } = services
  const steps = config.ROLES.includes('worker') ? unconfiguredSteps(services) : []
  const gateway = takesHooks(config) && config.ROLES.includes('gateway') ? unconfigured(config.gateway) : []
  for (const sentence of [...gateway, ...steps]) log.info(sentence)
}
