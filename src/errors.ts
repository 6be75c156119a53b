// Every error a caller can meet: a code, a sentence, and one table from code to HTTP status.

/** Code to HTTP status, for the doors. GraphQL carries both in `extensions`. */
export const statusOf = {
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

/**
 * One thing wrong with an input, in the words of Pydantic v2 (decisions §2). `path` is in the input's own camelCase words;
 * the REST router spells it as `loc`. A path that begins with `header` stays as it is.
 */
export interface Problem {
  path: readonly (string | number)[]
  type: string
  message: string
  input?: unknown
  context?: Record<string, unknown>
}

/** An error made on purpose. The message is public; what only the operator may see belongs in `cause`. */
export class AppError extends Error {
  readonly code: Code
  /** Further public members of the answer, in camelCase: `existingId`, `retryAfter` (seconds), `problems`, ... */
  readonly extras: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, { cause, ...extras }: { cause?: unknown; [extra: string]: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AppError'
    this.code = code
    this.extras = extras
  }
}

/** INVALID with every problem found, never only the first. */
export function invalid(...problems: Problem[]): AppError {
  const [first] = problems
  const where = first ? `${first.path.join('.')}: ${first.message}` : 'The input is not valid'
  return new AppError('INVALID', problems.length > 1 ? `${where} (and ${problems.length - 1} more)` : where, { problems })
}

/** NOT_FOUND for an id that was asked for. Another organization's rows look the same as no row at all. */
export const notFound = (what: string, id: string) => new AppError('NOT_FOUND', `No ${what} ${id}`)
