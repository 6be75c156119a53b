// Sends responses: JSON bodies, and errors in the two formats of the contract (problem details and 422 details).

import type { Request, Response } from 'express'
import { type AppError, type Code, statusOf } from '../../kernel/errors.ts'
import { snakeCase } from '../../kernel/input/case.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { type Detail, detailAt, validationBody } from './problems.ts'

/** The `title` of each code. Titles are stable; the sentence in `detail` may change. */
export const titles = {
  PERSISTED_QUERY_NOT_SUPPORTED: 'Send the text of the document',
  AUTHORIZATION_PENDING: 'Not approved yet',
  SLOW_DOWN: 'Asked too often',
  ACCESS_DENIED: 'Refused by the user',
  EXPIRED_TOKEN: 'Device code expired',
  INVALID_GRANT: 'Code not valid',
  UNAUTHENTICATED: 'Authentication required',
  FORBIDDEN: 'Not allowed',
  GUEST_READ_ONLY: 'Guests may only read',
  NOT_FOUND: 'Not found',
  METHOD_NOT_ALLOWED: 'Method not allowed',
  CONFLICT: 'Conflict',
  ALREADY_EXISTS: 'Already exists',
  IDEMPOTENCY_IN_FLIGHT: 'Still running',
  AGENT_NOT_ACTIVE: 'Agent not active',
  SUGGESTION_STALE: 'Suggestion out of date',
  TARGET_NOT_FOUND: 'Target not found',
  PRECONDITION_FAILED: 'Precondition failed',
  PAYLOAD_TOO_LARGE: 'Body too large',
  UNSUPPORTED_MEDIA_TYPE: 'Unsupported media type',
  INVALID: 'Validation failed',
  IDEMPOTENCY_MISMATCH: 'Idempotency key used before',
  INSUFFICIENT_CREDITS: 'Not enough credits',
  RATE_LIMITED: 'Too many requests',
  UPSTREAM: 'Upstream failure',
  UNAVAILABLE: 'Temporarily unavailable',
  INTERNAL: 'Internal error',
} satisfies Record<Code, string>

/** Sends JSON. `headers` are added to those already set. */
export function sendJson(res: Response, status: number, body: unknown, headers: Record<string, string> = {}): void {
  sendText(res, status, JSON.stringify(body), { 'Content-Type': 'application/json; charset=utf-8', ...headers })
}

/** Sends a text. `headers` has its media type. */
export function sendText(res: Response, status: number, text: string, headers: Record<string, string>): void {
  const length = Buffer.byteLength(text)
  res.writeHead(status, { 'Content-Length': length, ...headers })
  // For ASCII text both encodings give the same bytes, and latin1 is copied without encoding, which saves a tenth of the cost of a page.
  res.end(text, length === text.length ? 'latin1' : 'utf8')
}

/** Sends an error with the given code. `extras` become members of the body, their names converted to snake_case. */
export function sendError(req: Request, res: Response, code: Code, detail: string, extras: Readonly<Record<string, unknown>> = {}): void {
  const status = statusOf[code]
  const { allow, retryAfter = retryAfterOf[code], problems: _, ...members } = extras
  if (code === 'UNAUTHENTICATED') res.setHeader('WWW-Authenticate', 'Bearer')
  if (typeof allow === 'string') res.setHeader('Allow', allow)
  if (typeof retryAfter === 'number') res.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfter)))
  const type = req.headers.accept?.includes('application/problem+json') ? 'application/problem+json' : 'application/json; charset=utf-8'
  const name = code.toLowerCase()
  const body = { type: `/docs/errors#${name}`, title: titles[code], status, detail, code: name, request_id: req.id, ...snakeCased(members) }
  sendJson(res, status, body, { 'Content-Type': type })
}

/** Sends 422 with all problems. */
function sendDetails(res: Response, details: readonly Detail[], omitted = 0): void {
  sendJson(res, 422, validationBody(details, omitted))
}

/** Converts the path of a rule's problem to the `loc` of the REST request. */
export type Locate = (path: Problem['path']) => string[]

/** Sends an AppError. */
export function sendFailure(req: Request, res: Response, error: AppError, locate: Locate = textPath): void {
  if (error.code === 'IDEMPOTENCY_MISMATCH')
    sendDetails(res, [
      {
        loc: ['header', 'Idempotency-Key'],
        msg: error.message,
        type: 'idempotency_mismatch',
        input: req.headers['idempotency-key'],
        ctx: {},
      },
    ])
  else if (error.code === 'INVALID') sendDetails(res, detailsOfProblems(error, locate), Number(error.extras.omitted ?? 0))
  else sendError(req, res, error.code, error.message, error.extras)
}

/** The problems of an INVALID error as items of the 422 body. */
export function detailsOfProblems(error: AppError, locate: Locate = textPath): Detail[] {
  const { problems, details } = error.extras as { problems?: readonly Problem[]; details?: readonly Detail[] }
  if (details) return [...details]
  if (problems && problems.length > 0) return problems.map(problem => detailOf(problem, locate))
  return [{ loc: ['body'], msg: error.message, type: 'value_error', input: null, ctx: {} }]
}

/** One problem of a rule as an item of the 422 body. */
export function detailOf(problem: Problem, locate: Locate): Detail {
  return detailAt(locate(problem.path), problem)
}

const textPath = (path: Problem['path']) => path.map(String)

// Retry-After in seconds for errors without a `retryAfter` of their own.
const retryAfterOf: Partial<Record<Code, number>> = { IDEMPOTENCY_IN_FLIGHT: 1, RATE_LIMITED: 60, UNAVAILABLE: 1 }

// The value of `field` is the name of an input field, so it is converted too.
function snakeCased(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      snakeCase(name),
      name === 'field' && typeof value === 'string' ? snakeCase(value) : isPlain(value) ? snakeCased(value) : value,
    ]),
  )
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
