// The interface of the database for rules, inside or outside a transaction.

import type { Prisma } from './prisma-transaction.ts'
import type { Statement } from './statement.ts'

/** Statements return times as ISO 8601 text with milliseconds and `Z`. */
export interface Queries {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
  /** Prisma's client, in the same transaction if there is one. Its times are `Date`. */
  prisma: Prisma
  /** Runs the work in a transaction: commits when it resolves, rolls back when it throws. Inside a transaction, runs in that one. */
  transaction<Result>(work: (tx: Queries) => Promise<Result>, options?: TransactionOptions<Result>): Promise<Result>
  inTransaction: boolean
  /**
   * Runs work that only reads in a transaction of its own; inside a transaction, behind a savepoint that is rolled back afterwards: a statement
   * that fails or is canceled fails the work alone, and what the work sets is reset. Statements of others wait for its end.
   */
  readAside<Result>(work: (db: Queries) => Promise<Result>): Promise<Result>
  /**
   * Runs the work after the commit, before `transaction` resolves, and not after a rollback; the same function once. Outside a transaction,
   * runs it at once.
   */
  afterCommit(work: () => unknown): Promise<void>
  /** Sends a library's SQL, in the same transaction if there is one. A single statement is prepared. */
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export interface TransactionOptions<Result> {
  /** Several independent writes run in the transaction. None of them may wait for locks while it holds others. */
  isShared?: boolean
  /** The work waits for locks while it holds others. Inside a shared transaction it throws SharedTransaction. */
  isExclusive?: boolean
  /**
   * PostgreSQL may end the transaction to resolve a deadlock. The work then runs again from its beginning, so everything it does outside of
   * the transaction has to be safe to do twice.
   */
  isRepeatable?: boolean
  /** A last statement, sent with COMMIT in one round trip; if it fails, the transaction is rolled back. Ignored inside a transaction. */
  beforeCommit?: (result: Result) => [statement: Statement<never>, values: readonly unknown[]] | undefined
}
