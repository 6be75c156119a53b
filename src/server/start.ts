// Puts a process together in the order things depend on each other, and takes it apart in the reverse order.

import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { answerClientError } from './client-error.ts'
import { type Config, ConfigError, drainSeconds, takesHooks } from './config.ts'
import { type Sweep, startSweep } from './contacts/sweep.ts'
import type { Services } from './context.ts'
import { ledgerMoney } from './credits/ledger-money.ts'
import { createBell } from './database/bell.ts'
import { shareBudget } from './database/budget.ts'
import { openDatabase } from './database/client.ts'
import { UnusableDatabase } from './database/connection.ts'
import { createListener } from './database/listener.ts'
import { jobsByState } from './enrichment/job-queue.ts'
import { type JobWorker, startJobWorker } from './enrichment/job-worker.ts'
import { keepRecipes } from './enrichment/recipe.ts'
import { unconfiguredSteps } from './enrichment/recipe-list.ts'
import { heldToCeilings } from './gateway/ceiling.ts'
import { configuredChannels } from './gateway/channels/configured.ts'
import { type Crew, startCrew } from './gateway/crew.ts'
import { openDeliveries, openRuns } from './gateway/open-work.ts'
import { gatewayWithoutReaders } from './gateway/organization.ts'
import { createRuntime } from './gateway/runtimes/runtime.ts'
import { unconfigured } from './gateway/unconfigured.ts'
import { createAuthenticator } from './identity/authenticate.ts'
import { createIdentityProvider } from './identity/identity-provider.ts'
import { createLimiter } from './limiter.ts'
import { createMail } from './mail.ts'
import { createMetrics } from './metrics.ts'
import { createOutbox } from './outbox.ts'
import { createOutgoing } from './outgoing.ts'
import { startTasks } from './tasks.ts'
import { createTools } from './tools/catalogue.ts'
import { createTurns } from './turns.ts'
import { stopAgents } from './voice/agent-life.ts'
import { dialsSettled } from './voice/call-dispatch.ts'
import { openCalls } from './voice/open-calls.ts'
import { createTelephony } from './voice/telephony/configured.ts'
import type { Telephony } from './voice/telephony.ts'
import { taskHandlers } from './worker.ts'

export interface Running {
  url: string
  services: Services
  /**
   * Says that it is not ready and serves for DRAIN_SECONDS more; then stops taking requests, finishes those under way, and lets everything
   * go, in at most `graceMs`.
   */
  stop(graceMs?: number): Promise<void>
}

export interface Surroundings {
  log: Logger
  databaseUrl: string
  /** Tests set the clock; otherwise it is the database's. */
  now?: () => Date
  /** What must be in the database before the first request is answered. */
  prepare?: (services: Services) => Promise<void>
  /** Called once per statement sent. */
  onStatement?: (name: string) => void
  /** Telephone companies instead of the configured ones. */
  telephony?: Partial<Telephony>
}

/** The services of a process without its doors: what seeds and commands need. */
export async function startServices(config: Config, { log, databaseUrl, now, onStatement, telephony }: Surroundings) {
  const metrics = createMetrics()
  const database = openDatabase({
    url: databaseUrl,
    directUrl: config.DATABASE_DIRECT_URL,
    log,
    poolSize: config.DATABASE_POOL_SIZE,
    onStatement(name) {
      metrics.statement()
      onStatement?.(name)
    },
  })
  const listener = await createListener(database, log).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof UnusableDatabase || !config.DATABASE_DIRECT_URL) throw error
    throw new ConfigError([`DATABASE_DIRECT_URL: the database cannot be reached: ${error.message || error.code}`])
  })
  // Left open, the connections would keep a process alive that could not start.
  const letGo = async (error: unknown): Promise<never> => {
    await listener.stop()
    await database.close()
    throw error
  }
  const budget = await shareBudget(database, config.DATABASE_POOL_SIZE, log).catch(letGo)
  const bell = createBell(database, listener)
  const tasks = await startTasks(database, bell, log, { isWorker: config.ROLES.includes('worker') }).catch(letGo)
  const outbox = createOutbox(database, log, bell)
  const outgoing = createOutgoing({ allowPrivate: config.OUTGOING_ALLOW_PRIVATE })
  metrics.observe({
    pool: database.pool,
    tasks,
    open: {
      calls: () => openCalls(database),
      enrichment_jobs: () => jobsByState(database),
      runs: () => openRuns(database),
      deliveries: () => openDeliveries(database),
    },
  })
  const clock = now ?? listener.databaseNow
  const configured = createTelephony({ config, database, tasks, now: clock, outgoing }, () => services.config.PUBLIC_URL)
  const services: Services = {
    config,
    database,
    log,
    now: clock,
    tasks,
    outbox,
    bell,
    metrics,
    money: heldToCeilings(ledgerMoney),
    listener,
    outgoing,
    telephony: { ...configured, ...telephony },
    turns: createTurns(),
  }
  return {
    services,
    listener,
    simulator: configured.simulator,
    async stop(graceMs: number) {
      // A database that does not answer holds up none of them for longer.
      const left = timeLeft(graceMs)
      budget.stop()
      await within(left(), outbox.close())
      await within(left(), tasks.stop(left()))
      // Whoever is dialled has a right to be written down.
      await dialsSettled(services, left())
      await within(goodbyeMs, bell.stop())
      await listener.stop()
      await database.close()
    },
  }
}

export async function start(config: Config, surroundings: Surroundings): Promise<Running> {
  const { services, listener, simulator, stop } = await startServices(config, surroundings)
  let draining = false
  let crew: Crew | undefined
  let jobs: JobWorker | undefined
  let sweep: Sweep | undefined
  const server = createServer({
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 65_000,
  })
  try {
    // The address is known, and taken, before the doors are made; whoever comes that early waits for them.
    const made = Promise.withResolvers<RequestListener>()
    let answer: RequestListener = (req, res) => void made.promise.then(app => app(req, res))
    server.on('request', (req, res) => answer(req, res))
    server.on('clientError', (error, socket) => answerClientError(error, socket, services.log))
    const address = await listen(server, config)
    const settled = { ...config, PUBLIC_URL: config.PUBLIC_URL ?? address }
    services.config = settled
    // Before anything is prepared: a first start that a recipe stops must not have used up the key that is shown once.
    await keepRecipes(services)
    sayUnconfigured(services)
    await surroundings.prepare?.(services)
    if (config.isProduction && config.ROLES.includes('gateway') && takesHooks(config)) {
      const sentence = await gatewayWithoutReaders(services)
      if (sentence !== null) services.log.warn(sentence)
    }

    const identityProvider = createIdentityProvider(services, stopAgents)
    const authenticator = createAuthenticator({ services, listener, identityProvider })
    const limit = await createLimiter(services)
    const app = createApp({ services, authenticator, identityProvider, limit, isDraining: () => draining })
    made.resolve(app)
    answer = app
    if (config.ROLES.includes('worker')) {
      await services.tasks.work(taskHandlers(services, { sendMail: createMail(config, surroundings.log), simulator }))
      // What a process before has left lying about is not left for another minute.
      await services.tasks.enqueue('call-watch', {})
      jobs = startJobWorker(services)
      sweep = startSweep(services)
      const { models, channels } = config.gateway
      const runtime = createRuntime(models.providers)
      crew = startCrew(services, { runtime, tools: createTools(services), channels: configuredChannels(channels, settled.PUBLIC_URL) })
    }

    return {
      url: address,
      services,
      async stop(graceMs = 9_000) {
        draining = true
        await sleep(drainSeconds(config) * 1000)
        const left = timeLeft(graceMs)
        // Live streams would hold their connections open for ever.
        await within(goodbyeMs, services.outbox.close())
        const most = left() * 0.7
        await Promise.all([drain(server, most), crew?.stop(most), jobs?.stop(most * 0.8), sweep && within(most, sweep.stop())])
        await stop(left() * 0.5)
      },
    }
  } catch (error) {
    await crew?.stop(0)
    await jobs?.stop(0)
    await sweep?.stop()
    server.close()
    await stop(0)
    throw error
  }
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

// What an operator can mend gets a sentence.
function refused(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return new ConfigError([`PORT: another process listens on ${port} of ${host} already`])
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return new ConfigError([`HOST: ${host} is no address of this machine`])
  if (error.code === 'EACCES') return new ConfigError([`PORT: this user may not listen on ${port}`])
  return error
}

// 500 ms: what takes longer is waiting for a database that is not there.
const goodbyeMs = 500

const timeLeft = (graceMs: number) => {
  const until = performance.now() + graceMs
  return () => Math.max(0, until - performance.now())
}

// What fails while stopping, or is not done in time, has no caller any more.
const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), sleep(ms, undefined, { ref: false })])

// A quarter of a second: what a client has just sent on a connection that was idle until then is answered, and ends it.
const lastRequestsMs = 250

// New connections are refused at once; requests under way get their answer, streams that never end are cut at the deadline.
function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
    let sweeping: NodeJS.Timeout | undefined
    // A connection whose request is answered by now would be kept alive for the next one.
    const sweepLater = setTimeout(() => {
      server.closeIdleConnections()
      sweeping = setInterval(() => server.closeIdleConnections(), 50)
    }, lastRequestsMs)
    // That of http would close all idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline)
      clearTimeout(sweepLater)
      clearInterval(sweeping)
      resolve()
    })
  })
}

/** What is named and not there, while somebody looks: later it shows only in what becomes of a job or a reply. */
function sayUnconfigured(services: Services): void {
  const { config, log } = services
  const steps = config.ROLES.includes('worker') ? unconfiguredSteps(services) : []
  const gateway = takesHooks(config) && config.ROLES.includes('gateway') ? unconfigured(config.gateway) : []
  for (const sentence of [...gateway, ...steps]) log.info(sentence)
}
