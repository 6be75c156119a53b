// The database of a read that runs on a replica. The primary does the rest.

import { AppError } from '../../kernel/errors.ts'
import { sqlState } from '../errors.ts'
import type { Queries } from '../queries.ts'

/** Statements go to `replica`; those that fail there for a reason of the replica go to `primary`, and so does all that may write. */
export function readsOn(replica: Queries, primary: Queries, onFailure: (error: unknown) => void): Queries {
  const orElse = <Result>(error: unknown, repeat: () => Promise<Result>): Promise<Result> => {
    if (!isOfReplica(error)) throw error
    if (!isConflict(error)) onFailure(error)
    return repeat()
  }
  return {
    inTransaction: false,
    query: (statement, values) => replica.query(statement, values).catch(error => orElse(error, () => primary.query(statement, values))),
    readAside: work => replica.readAside(work).catch(error => orElse(error, () => primary.readAside(work))),
    // Few lists use Prisma, and its client is bound to one pool.
    prisma: primary.prisma,
    transaction: (work, options) => primary.transaction(work, options),
    execute: (text, values) => primary.execute(text, values),
    afterCommit: work => primary.afterCommit(work),
  }
}

// A statement that took too long (57014) would take too long on the primary as well.
const isOfReplica = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && sqlState(error.cause) !== '57014'

// 40001: the statement used rows that replay had to remove. 25006: the statement writes. Neither is a fault of the server.
const isConflict = (error: AppError) => ['40001', '25006'].includes(sqlState(error.cause) ?? '')
