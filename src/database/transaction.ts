// A transaction on one connection of the pool, for statements, Prisma and libraries. BEGIN is sent with the first statement, and COMMIT with
// the statement of `beforeCommit`, each pair in one write. Without that, each costs another round trip to PostgreSQL (a write of one statement
// takes three instead of two), during which the transaction holds its connection and its row locks.

import type pg from 'pg'
import { unconfirmedError } from '../kernel/deadlines/deadline.ts'
import { inOneWrite } from './connections/connection.ts'
import type { Sender } from './connections/sender.ts'
import { isDeadlock, isLost, sqlState, translateError } from './errors.ts'
import type { LazyPrisma } from './prisma.ts'
import type { InTurn, Prisma } from './prisma-transaction.ts'
import type { Queries, TransactionOptions } from './queries.ts'
import type { Statement } from './statement.ts'

/**
 * Thrown when an exclusive transaction runs inside a shared one. The writes are rolled back, and each is repeated in a transaction of its
 * own.
 */
class SharedTransaction extends Error {}

// A transaction that waits first locks nothing, so a second deadlock is rare; a fourth is a bug.
const maxAttempts = 4

/** Begins a transaction, runs the work in it, and commits or rolls back. */
export async function runTransaction<Result>(
  pool: pg.Pool,
  sender: Sender,
  prisma: LazyPrisma,
  work: (tx: Queries) => Promise<Result>,
  options: TransactionOptions<Result> = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, sender, prisma, work, options)
    } catch (error) {
      if (!options.isRepeatable || !isDeadlock(error) || attempt === maxAttempts) throw error
    }
  }
}

async function runOnce<Result>(
  pool: pg.Pool,
  sender: Sender,
  prisma: LazyPrisma,
  work: (tx: Queries) => Promise<Result>,
  { isShared = false, beforeCommit }: TransactionOptions<Result>,
): Promise<Result> {
  const connection = await pool.connect().catch((error: unknown) => {
    throw translateError(error)
  })
  let isBroken = false
  const onError = () => {
    isBroken = true
  }
  connection.on('error', onError)
  const tx = new Transaction(connection, sender, prisma, isShared)
  let result: Result
  let isCommitting = false
  try {
    result = await work(tx)
    await tx.endPrisma(true)
    isCommitting = true
    await tx.commit(beforeCommit?.(result))
  } catch (error) {
    await tx.endPrisma(false)
    tx.isOver = true
    // The server has become read-only, so it is no longer the primary: the connection is closed, and the next one is made to the primary.
    if (sqlState(error) === readOnly) onError()
    // A connection that cannot roll back is closed instead of released to the pool.
    await tx.rollback().catch(onError)
    throw isCommitting && isLost(error)
      ? unconfirmedError('The database was lost while it stored this', { cause: error })
      : translateError(error)
  } finally {
    tx.isOver = true
    connection.removeListener('error', onError)
    connection.release(isBroken)
  }
  for (const callback of tx.callbacks) await callback()
  return result
}

const readOnly = '25006'

// A class, so that all transactions have one hidden class. An object literal with a getter would create one each time, which V8 keeps, with
// everything it refers to, until the next full garbage collection.
class Transaction implements Queries {
  readonly inTransaction = true
  readonly callbacks = new Set<() => unknown>()
  /** After its end the transaction refuses statements: they would run outside a transaction, or in the connection's next one. */
  isOver = false
  readonly #connection: pg.PoolClient
  readonly #sender: Sender
  readonly #lazyPrisma: LazyPrisma
  readonly #isShared: boolean
  #prisma: ReturnType<LazyPrisma['within']> | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** The answer to BEGIN, which is sent with the first statement. */
  #begun: Promise<unknown> | undefined

  constructor(connection: pg.PoolClient, sender: Sender, lazyPrisma: LazyPrisma, isShared: boolean) {
    this.#connection = connection
    this.#sender = sender
    this.#lazyPrisma = lazyPrisma
    this.#isShared = isShared
  }

  get prisma(): Prisma {
    this.#prisma ??= this.#lazyPrisma.within(this.#connection, send => this.#inTurn(send))
    return this.#prisma.prisma
  }

  query<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#inTurn(() => this.#sender.query(this.#connection, statement, values))
  }

  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return this.#inTurn(() => this.#sender.execute(this.#connection, text, values))
  }

  async transaction<Result>(
    work: (tx: Queries) => Promise<Result>,
    { isExclusive = false }: TransactionOptions<Result> = {},
  ): Promise<Result> {
    if (isExclusive && this.#isShared) throw new SharedTransaction()
    return work(this)
  }

  readAside<Result>(work: (db: Queries) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      const inside = new Transaction(this.#connection, this.#sender, this.#lazyPrisma, this.#isShared)
      inside.#begun = this.#begun
      await this.#sender.control(this.#connection, 'SAVEPOINT aside')
      try {
        return await work(inside)
      } catch (error) {
        throw translateError(error)
      } finally {
        await inside.endPrisma(false)
        inside.isOver = true
        await this.#sender.control(this.#connection, 'ROLLBACK TO aside; RELEASE aside')
      }
    })
  }

  async afterCommit(callback: () => unknown): Promise<void> {
    this.callbacks.add(callback)
  }

  /** Sends COMMIT, after `last`. Neither waits for answers: if a statement has failed, PostgreSQL rolls back instead. */
  async commit(last: ReturnType<NonNullable<TransactionOptions<unknown>['beforeCommit']>>): Promise<void> {
    if (!this.#begun && !last) return
    const sent = inOneWrite(this.#connection, () => [
      this.#begin(),
      ...(last ? [this.#sender.query(this.#connection, ...last)] : []),
      this.#sender.control(this.#connection, 'COMMIT'),
    ])
    await allSettled(sent)
  }

  async rollback(): Promise<void> {
    if (this.#begun) await this.#connection.query('ROLLBACK')
  }

  async endPrisma(isCommitted: boolean): Promise<void> {
    await this.#prisma?.end(isCommitted)
  }

  // Resolvers run concurrently, but a connection executes one statement after the other.
  #inTurn: InTurn = send => {
    const answered = this.#last.then(() => {
      if (this.isOver) throw new Error('The transaction is over already')
      if (this.#begun) return send()
      return inOneWrite(this.#connection, () => {
        this.#begin().catch(() => {})
        return send()
      })
    })
    this.#last = answered.catch(() => {})
    return answered
  }

  #begin(): Promise<unknown> {
    this.#begun ??= this.#sender.control(this.#connection, 'BEGIN')
    return this.#begun
  }
}

// Waits for all answers, even when the first has failed, because the connection is busy until then.
async function allSettled(all: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason
}
