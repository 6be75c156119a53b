// Errors of PostgreSQL, its driver and Prisma, and which of them become UNAVAILABLE, so that callers retry.

import { AppError } from '../kernel/errors.ts'
import { mixedUp, UnusableDatabase } from './connections/connection.ts'

// The server is unreachable, full or restarting, or the statement was canceled or could not get a lock.
const unavailableStates = /^(08|53|57|40001|40P01|25006|25P03|58)/
const unavailableErrors = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/
const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|not queryable/
// Prisma's codes for the same conditions: unreachable, timed out, closed, no free connection, write conflict.
const unavailableInPrisma = /^P(1001|1002|1008|1017|2024|2028|2034|2037)$/

/** UNAVAILABLE for errors that a retry may solve; other errors are returned unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = (error as { code?: unknown }).code
  const state = sqlState(error) ?? ''
  const unavailable =
    error instanceof UnusableDatabase ||
    unavailableStates.test(state) ||
    mixedUp.test(state) ||
    unavailableErrors.test(state) ||
    (typeof code === 'string' && unavailableInPrisma.test(code)) ||
    unavailableMessages.test(error.message)
  return unavailable ? new AppError('UNAVAILABLE', 'The database is not available; try again', { cause: error, retryAfter: 1 }) : error
}

/** Whether the connection was lost, so that it is unknown whether the last statement has had an effect. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error) ?? ''
  return unavailableErrors.test(state) || lostStates.test(state) || unavailableMessages.test(error.message)
}
// The connection failed, or its backend was ended.
const lostStates = /^(08|57P)/

/** The SQLSTATE of a database error, including errors wrapped by Prisma; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  type Wrapped = { code?: unknown; meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null
  const wrapped = error as Wrapped
  const code = wrapped?.meta?.driverAdapterError?.cause?.originalCode ?? wrapped?.code
  return typeof code === 'string' ? code : undefined
}

/** Whether PostgreSQL ended the transaction to resolve a deadlock, so that it certainly was rolled back. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (sqlState(error) === '40P01' || isDeadlock(error.cause))
}
