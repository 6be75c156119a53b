// Prisma inside a transaction that is already open: it uses the transaction's connection, and does not send BEGIN or COMMIT itself.

import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { inStatementSpan } from './connections/span.ts'

export type Prisma = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'>

/** Sends a statement after the previous one was answered. */
export type InTurn = <Result>(send: () => Promise<Result>) => Promise<Result>

// The connection that Prisma gets when it asks the pool for one, while this is set.
const lent = new AsyncLocalStorage<{ connection: pg.PoolClient; inTurn: InTurn }>()

/** The connection of the open transaction, with the interface that Prisma's adapter uses; undefined outside of `adopt`. */
export function lentConnection() {
  const open = lent.getStore()
  return open && asAdapterUses(open)
}

const transactionControl = /^(BEGIN|COMMIT|ROLLBACK)$/

function asAdapterUses({ connection, inTurn }: { connection: pg.PoolClient; inTurn: InTurn }) {
  return {
    query(config: { text: string } | string, values?: unknown[]) {
      const text = typeof config === 'string' ? config : config.text
      if (transactionControl.test(text)) return Promise.resolve({ rows: [], fields: [], rowCount: 0, command: text })
      return inTurn(() => inStatementSpan(text, () => connection.query(config as string, values)))
    },
    on() {},
    removeListener() {},
    release() {},
  }
}

/** Opens a Prisma interactive transaction on the connection of the open transaction. */
export function adopt(client: Promise<PrismaClient>, connection: pg.PoolClient, inTurn: InTurn) {
  const started = Promise.withResolvers<Prisma>()
  const finished = Promise.withResolvers<void>()
  const whole = client.then(loaded =>
    lent.run({ connection, inTurn }, () =>
      loaded.$transaction(
        tx => {
          started.resolve(tx as unknown as Prisma)
          return finished.promise
        },
        // Longer than the session's statement and idle timeouts, so that those apply.
        { timeout: 60_000, maxWait: 5_000 },
      ),
    ),
  )
  whole.catch(started.reject)
  // Nobody waits for it where the client could not be loaded, and the process must not die of the rollback in place of that.
  finished.promise.catch(() => {})
  return {
    prisma: prismaWhenReady(() => started.promise),
    async end(isCommitted: boolean) {
      if (isCommitted) finished.resolve()
      else finished.reject(new Error('rolled back'))
      await whole.catch(() => {})
    },
  }
}

/** A client that can be used at once; its calls wait until the real client is loaded. */
export function prismaWhenReady(ready: () => Promise<Prisma>): Prisma {
  type Model = Record<string, (...args: unknown[]) => Promise<unknown>>
  const model = (name: string) =>
    new Proxy({} as Model, {
      get:
        (_target, method: string) =>
        async (...args: unknown[]) => {
          const client = (await ready()) as unknown as Record<string, Model>
          return client[name]?.[method]?.(...args)
        },
    })
  return new Proxy({} as Prisma, {
    get: (_target, name: string) =>
      name.startsWith('$') ? async (...args: unknown[]) => ((await ready()) as unknown as Model)[name]?.(...args) : model(name),
  })
}
