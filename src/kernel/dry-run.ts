// Dry runs: a write runs in a transaction that is rolled back. Its effects outside the transaction are replaced: work that follows a commit
// is dropped, and a rule that calls an outside service is refused.

import type { Database, Queries } from '../database/client.ts'
import type { Context, KernelServices, Ports, Services } from './context.ts'
import { AppError } from './errors.ts'
import { newId } from './ids.ts'

/** Thrown inside the transaction to roll it back. */
class RolledBack extends Error {}

/** Runs the work in a transaction of its own, and rolls it back. */
export async function dryRun<Result>(context: Context, work: (context: Context) => Promise<Result>): Promise<Result> {
  let finished: { result: Result } | undefined
  try {
    await context.services.database.transaction(async tx => {
      const db = within(tx, context.services.database.url)
      const services = servicesWithin(context.services, db)
      finished = { result: await work({ ...context, db, services, idempotency: null, steps: undefined }) }
      throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack) || !finished) throw error
  }
  if (!finished) throw new Error('A dry run was committed')
  return finished.result
}

// A database whose every statement runs in the transaction `tx`, so that statements outside a rule's own transaction are rolled back too.
function within(tx: Queries, url: string): Database {
  const db: Database = {
    url,
    inTransaction: true,
    query: (statement, values) => tx.query(statement, values),
    execute: (text, values) => tx.execute(text, values),
    get prisma() {
      return tx.prisma
    },
    transaction: work => work(db),
    readAside: work => tx.readAside(work),
    // A dry run never commits, so the work is dropped.
    async afterCommit() {},
    get pool(): never {
      throw impossible('a connection of its own')
    },
    connect: async () => {
      throw impossible('a connection of its own')
    },
    close: async () => {
      throw impossible('to close the database')
    },
  }
  return db
}

// A new object, so that a dry run shares no batches, queues or caches that are stored per `Services` object. Every service is named here,
// and every port in `portsInDryRun`, so that a new one does not compile until someone decides how dry runs treat it. Methods of outside
// services that are not replaced refuse.
function servicesWithin(services: Services, database: Database): Services {
  const { config, log, now, metrics, tracing, fairQueue, networkLimits } = services
  const own: KernelServices = {
    // These are settings and figures, or work in the context's transaction.
    ...{ config, log, now, metrics, tracing, fairQueue, networkLimits },
    database,
    replicas: null,
    queue: { ...unreachable(services.queue, 'the queue'), enqueue: async () => newId() },
    outbox: { ...unreachable(services.outbox, 'the stream of events'), announce() {} },
    notifier: { ...unreachable(services.notifier, 'the other processes'), notify() {} },
    listener: { ...unreachable(services.listener, 'the other processes'), async settle() {} },
    outgoing: unreachable(services.outgoing, 'an address outside'),
  }
  return { ...own, ...portsWithin(services), portsInDryRun: services.portsInDryRun }
}

function portsWithin(services: Services): Ports {
  const { portsInDryRun } = services
  const replacement = <Name extends keyof Ports>(name: Name) => [name, portsInDryRun[name](services[name])] as const
  // `as`: `portsInDryRun` has exactly the names of the ports, and each function returns a port of its type.
  return Object.fromEntries((Object.keys(portsInDryRun) as (keyof Ports)[]).map(replacement)) as unknown as Ports
}

/** The port with its properties. Its methods throw, except those that only read what they are given. */
export const unreachable = <Port extends object>(port: Port, name: string, reading: readonly string[] = []): Port =>
  new Proxy(port, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function' || reading.includes(String(property))) return value
      return () => {
        throw impossible(name)
      }
    },
  })

const impossible = (what: string) => new AppError('INVALID', `This write cannot be tried without happening: it needs ${what}`)
