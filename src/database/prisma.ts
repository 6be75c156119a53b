// Prisma's client on the process's pool. Loaded on first use, because loading takes about 0.1 s of CPU.

import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { translateError } from './errors.ts'
import { adopt, type InTurn, type Prisma, prismaWhenReady } from './prisma-transaction.ts'

export interface LazyPrisma {
  prisma: Prisma
  /** Prisma inside a transaction that is open on the connection. Call `end` before the transaction ends. */
  within(connection: pg.PoolClient, inTurn: InTurn): { prisma: Prisma; end(isCommitted: boolean): Promise<void> }
  close(): Promise<void>
}

export function lazyPrisma(pool: pg.Pool): LazyPrisma {
  let loading: Promise<PrismaClient> | undefined
  const client = () => {
    loading ??= load(pool)
    return loading
  }
  let translating: Promise<Prisma> | undefined
  return {
    prisma: prismaWhenReady(() => {
      translating ??= client().then(withTranslatedErrors)
      return translating
    }),
    within: (connection, inTurn) => adopt(client(), connection, inTurn),
    async close() {
      await loading?.then(
        loaded => loaded.$disconnect(),
        () => {},
      )
    },
  }
}

async function load(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([import('../generated/prisma/client.ts'), import('@prisma/adapter-pg')])
  return new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: nameOf }) })
}

// Statements with a list are sent without a name: each length of the list is a different text, and would stay prepared on every connection.
const list = / IN \(\$\d+,/
const nameOf = ({ sql }: { sql: string }) => (list.test(sql) ? '' : createHash('sha1').update(sql).digest('base64url'))

const withTranslatedErrors = (client: PrismaClient): Prisma =>
  client.$extends({
    query: {
      $allOperations: ({ args, query }) =>
        query(args).catch((error: unknown) => {
          throw translateError(error)
        }),
    },
    // An extended client has another type with the same members.
  }) as unknown as Prisma
