// Starts what all parts of a process share, and stops it in the reverse order.

import type { Logger } from 'pino'
import { type Config, ConfigError, takesHooks } from '../config/environment.ts'
import { ledgerMoney } from '../credits/accounts/hold.ts'
import { openDatabase } from '../database/client.ts'
import { shareBudget } from '../database/connections/budget.ts'
import { UnusableDatabase } from '../database/connections/connection.ts'
import { createListener } from '../database/notifications/listener.ts'
import { createNotifier } from '../database/notifications/notifier.ts'
import { createReplicas } from '../database/replicas/replicas.ts'
import { jobsByState } from '../enrichment/jobs/queue.ts'
import { withRunCeilings } from '../gateway/charges/ceiling.ts'
import { countOpenDeliveries } from '../gateway/delivery/delivery.sql.ts'
import { createRuntime } from '../gateway/models/configured.ts'
import { gatewayMembers } from '../gateway/organization.ts'
import { countOpenRuns } from '../gateway/runs/run.sql.ts'
import { createHookMappings } from '../hooks/mappings/testing.ts'
import type { PasswordHashing } from '../identity/provider/embedded.ts'
import type { Services } from '../kernel/context.ts'
import { createOutbox } from '../kernel/events/outbox.ts'
import { createFairQueue } from '../kernel/fair-queue.ts'
import { createNetworkLimits } from '../kernel/limits/limits.ts'
import { createMetrics } from '../kernel/metrics.ts'
import { createOutgoing } from '../kernel/outgoing/http.ts'
import { startQueue } from '../kernel/queue/queue.ts'
import { createThinker } from '../voice/conversations/model-thinker.ts'
import { dialsSettled } from '../voice/dispatch/dispatch.ts'
import { stuckCalls } from '../voice/dispatch/reaper.ts'
import { createTelephony } from '../voice/providers/configured.ts'
import { type Telephony, unreachableTelephony } from '../voice/providers/telephony.ts'
import { openCalls } from '../voice/stats/stats.ts'
import { openDeliveries } from '../webhooks/sending/open.ts'
import { closeTimeoutMs, timeLeft, within } from './deadline.ts'
import { startTracing } from './monitoring/collector.ts'
import { observe } from './monitoring/gauges.ts'
import { countWorkers, oldestDue, readLastBackup } from './monitoring/work.sql.ts'
import { queueHandlers } from './queue/handlers.ts'
import type { WebApp } from './web/app.ts'

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

/** For a port that works in the context's transaction, or only reads. */
const itself = <Port>(port: Port): Port => port

/** Starts the services of a process without answering requests, for seeds and commands. */
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
  const listener = await createListener(database, log, { isWorker: config.ROLES.includes('worker') }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error instanceof UnusableDatabase || !config.DATABASE_DIRECT_URL) throw error
      throw new ConfigError([`DATABASE_DIRECT_URL: the database cannot be reached: ${error.message || error.code}`])
    },
  )
  // Open connections would keep a process alive that could not start.
  const closeAndThrow = async (error: unknown): Promise<never> => {
    await listener.stop()
    await database.close()
    throw error
  }
  const budget = await shareBudget(database, config.DATABASE_POOL_SIZE, log).catch(closeAndThrow)
  const notifier = createNotifier(database, listener)
  const queue = await startQueue(database, notifier, log, { isWorker: config.ROLES.includes('worker'), tracing }).catch(closeAndThrow)
  const outbox = createOutbox(database, log, notifier)
  const outgoing = createOutgoing({ allowPrivate: config.OUTGOING_ALLOW_PRIVATE })
  const readable = config.DATABASE_READ_URLS?.map(url => openDatabase({ ...options, url, isReplica: true }))
  const replicas = readable ? createReplicas(readable, { primary: database, log, onRead: metrics.read }) : null
  observe(
    {
      pool: database.pool,
      replicas,
      listener,
      queue,
      stuckCalls: () => stuckCalls({ database, now: clock }),
      workers: async () => (await database.query(countWorkers))[0]?.workers,
      oldestDue: () => database.query(oldestDue, [clock().toISOString()]),
      lastBackup: async () => (await database.query(readLastBackup))[0]?.at ?? 0,
      gatewayMembers: takesHooks(config) && config.ROLES.includes('gateway') ? () => gatewayMembers(services) : null,
      open: {
        calls: () => openCalls(database),
        enrichment_jobs: () => jobsByState(database),
        runs: () => database.query(countOpenRuns),
        deliveries: () => database.query(countOpenDeliveries),
        webhooks: () => openDeliveries(database),
      },
    },
    metrics.registers,
  )
  const clock = now ?? listener.databaseNow
  const configured = createTelephony({ config, database, queue, now: clock, outgoing }, () => services.config.PUBLIC_URL)
  const services: Services = {
    config,
    database,
    replicas,
    log,
    now: clock,
    queue,
    outbox,
    notifier,
    metrics,
    tracing,
    money: withRunCeilings(ledgerMoney),
    listener,
    outgoing,
    telephony: { ...configured, ...telephony },
    hookMappings: createHookMappings(config.gateway.hooks, clock),
    thinker: createThinker({ runtime: createRuntime(config.gateway.models.providers) }),
    portsInDryRun: { money: itself, hookMappings: itself, telephony: unreachableTelephony, thinker: itself },
    fairQueue: createFairQueue(),
    networkLimits: createNetworkLimits(config),
  }
  return {
    services,
    listener,
    /** Works on queue items until `stop`. */
    work: () => queue.work(queueHandlers(services, configured.simulator)),
    async stop(graceMs: number) {
      // Each step has a time limit, because the database may not answer.
      const left = timeLeft(graceMs)
      budget.stop()
      await within(left(), outbox.close())
      await within(left(), queue.stop(left()))
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
