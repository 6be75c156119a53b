// Every error that callers receive: a code, a sentence, and one table from code to HTTP status.

import { boundContext, boundInput, boundPath, cut, fitting, maxProblemBytes, maxProblems } from './input/bounded.ts'
import type { Problem } from './input/problem.ts'

/** The HTTP status of each code. GraphQL shows both in `extensions`. */
export const statusOf = {
  // 200: clients of Apollo read another status as a wrong address.
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
  AUTHORIZATION_PENDING: 400,
  SLOW_DOWN: 400,
  ACCESS_DENIED: 400,
  EXPIRED_TOKEN: 400,
  INVALID_GRANT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  GUEST_READ_ONLY: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  ALREADY_EXISTS: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  AGENT_NOT_ACTIVE: 409,
  SUGGESTION_STALE: 409,
  TARGET_NOT_FOUND: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INVALID: 422,
  IDEMPOTENCY_MISMATCH: 422,
  INSUFFICIENT_CREDITS: 402,
  RATE_LIMITED: 429,
  UPSTREAM: 502,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const

export type Code = keyof typeof statusOf

/** The meaning of each code, for the API references. Members of an error are named as in GraphQL; REST prints them in snake_case. */
export const meaningOf: Record<Code, string> = {
  PERSISTED_QUERY_NOT_SUPPORTED:
    'A GraphQL document came as a hash alone, and this server keeps no documents of clients. Send the text as `query`, now and later.',
  AUTHORIZATION_PENDING: 'The user has not entered the code of the device yet. Ask again after `interval` seconds.',
  SLOW_DOWN: 'The device asks too often. It asks again after `interval` seconds, which are 5 more than before.',
  ACCESS_DENIED: 'The user has refused the device.',
  EXPIRED_TOKEN: 'Nobody has entered the code of the device in time. Begin again.',
  INVALID_GRANT:
    'The code of an application or device is unknown, used, too old or for another one, or its sign-in has ended. Begin again.',
  UNAUTHENTICATED: 'No credential came with the request, or one that is wrong, revoked or expired.',
  FORBIDDEN: 'The credential is good, but not for this: a scope is missing, or the organization is not one of its own.',
  GUEST_READ_ONLY: 'A guest tried to change something.',
  NOT_FOUND: 'Nothing has this address or id. Objects of others look the same.',
  METHOD_NOT_ALLOWED: 'The address is known, the method is not. `Allow` lists those that are.',
  CONFLICT:
    'The state of things is against it, as the message says: it is being changed by others at this moment (try again), or it is not in a state for this (trying again does not help until that changes).',
  ALREADY_EXISTS: 'Something with this unique field exists: `field` names the field, `existingId` the other one.',
  IDEMPOTENCY_IN_FLIGHT: 'The first request with this Idempotency-Key is still running. Ask again after a second, or `Retry-After`.',
  AGENT_NOT_ACTIVE: 'The voice agent is not active, so it places no calls. The message says what it is.',
  SUGGESTION_STALE: 'The value of the record changed after the suggestion was made: see `currentValue`. Look at it again, then decide.',
  TARGET_NOT_FOUND: 'No record is the target of the suggestion: nothing can take its value.',
  PRECONDITION_FAILED: 'The version named, in REST by `If-Match`, is not the current one. Read again, then decide.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not plain `application/json` in UTF-8.',
  INVALID: 'The input did not pass the checks. `problems`, in REST `detail`, lists each problem: where, what, and the sent value.',
  IDEMPOTENCY_MISMATCH: 'The Idempotency-Key was used before, with another request.',
  INSUFFICIENT_CREDITS: 'The account has fewer credits than this costs. Nothing was taken.',
  RATE_LIMITED: 'Too many requests. `Retry-After` says when to go on, in GraphQL `retryAfter`; `RateLimit` says it beforehand.',
  UPSTREAM: 'A service outside, such as a telephone company, refused or did not answer. The message says the reason, if it is known.',
  UNAVAILABLE:
    'Something this server needs is away for a moment. Retry after `Retry-After` seconds, in GraphQL `retryAfter`. With `unconfirmed: true` it is unknown whether a write was stored: send it again with the same Idempotency-Key, or look before you do.',
  INTERNAL: 'Our mistake. The log has it under the same request id.',
}

// In characters. Longer than every sentence of this server, except those that repeat input of the caller, which may be cut.
const maxMessage = 2000

/** Further members of an answer. Those that every error has, by the same names, cannot be replaced. */
interface Extras {
  cause?: unknown
  status?: never
  requestId?: never
  [extra: string]: unknown
}

/** An error that rules throw on purpose. The message is public; details for the operator alone belong in `cause`. */
export class AppError extends Error {
  readonly code: Code
  /** Further public members of the answer, in camelCase: `existingId`, `retryAfter` (seconds), `problems`, ... */
  readonly extras: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, { cause, ...extras }: Extras = {}) {
    super(cut(message, maxMessage), cause === undefined ? undefined : { cause })
    this.name = 'AppError'
    this.code = code
    this.extras = extras
  }
}

/** The error of one row in an operation on many rows, where the other rows are not affected. */
export interface RowError {
  code: Code
  message: string
  /** The problems of INVALID; null for other codes. */
  problems: readonly Problem[] | null
}

export function rowErrorOf({ code, message, extras }: AppError): RowError {
  const { problems = null } = extras as { problems?: readonly Problem[] }
  return { code, message, problems }
}

/** INVALID with all problems that were found, at most the first hundred; `omitted` says how many more there are. */
export function invalid(found: Problem | readonly Problem[], maxItems?: number): AppError {
  const all = 'type' in found ? [found] : found
  const problems = boundProblems(all, undefined, maxItems)
  const [first] = problems
  const where = first ? `${first.path.join('.')}: ${first.message}` : 'The input is not valid'
  return new AppError('INVALID', all.length > 1 ? `${where} (and ${all.length - 1} more)` : where, {
    problems,
    ...(all.length > problems.length && { omitted: all.length - problems.length }),
  })
}

/** The first problems, as many as fit into an answer. */
function boundProblems(all: readonly Problem[], maxBytes?: number, maxItems = maxProblems): Problem[] {
  const problems = all.slice(0, maxItems).map(problem => ({
    ...problem,
    path: boundPath(problem.path),
    message: cut(problem.message),
    ...(problem.input !== undefined && { input: boundInput(problem.input) }),
    ...(problem.context && { context: boundContext(problem.context) }),
  }))
  return fitting(problems, maxBytes, maxItems)
}

/**
 * The problems of several rows, as many as fit into one answer: the first problem of each row, then further problems while there is room.
 * Returns lists in the order of `rows`, null for a row without problems.
 */
export function boundedRows(rows: readonly (readonly Problem[] | null)[]): (readonly Problem[] | null)[] {
  const first = rows.map(problems => problems?.[0] && [briefly(problems[0])])
  let left = maxProblemBytes - Buffer.byteLength(JSON.stringify(first))
  let items = maxProblems - first.length
  return rows.map((problems, row) => {
    const shown = first[row] ?? problems
    if (problems === null || problems.length < 2 || left <= 0 || items <= 0) return shown
    const others = boundProblems(problems.slice(1), left, items)
    left -= Buffer.byteLength(JSON.stringify(others))
    items -= others.length
    return [...(shown ?? []), ...others]
  })
}

// At most 400 bytes, so a hundred rows take 40 kB.
function briefly(problem: Problem): Problem {
  const whole = boundProblems([problem], 400)[0]
  return whole ?? { path: boundPath(problem.path).slice(0, 4), type: problem.type, message: cut(problem.message, 200) }
}

/** NOT_FOUND for an id that was asked for. Another organization's rows look the same as no row at all. */
export const notFound = (what: string, id: string) => new AppError('NOT_FOUND', `No ${what} ${cut(id, 100)}`)
