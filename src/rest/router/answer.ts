// Answers: JSON bodies, and errors in the two shapes of the contract.

import type { Request, Response } from 'express'
import { type AppError, type Code, type Problem, statusOf } from '../errors.ts'
import { type Detail, validationBody } from './problems.ts'

/** A short name for each code; it never changes, the sentence in `detail` may. */
export const titles = {
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

/** Answers with JSON. `headers` are added to those set before. */
export function sendJson(res: Response, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length, ...headers })
  // ASCII is the same in both encodings, and latin1 is copied instead of encoded: a tenth of a page's cost.
  res.end(text, length === text.length ? 'latin1' : 'utf8')
}

/** Answers with an error of the given code. `extras` in camelCase become further members of the body. */
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

/** Answers 422 with everything that is wrong. */
export function sendDetails(res: Response, details: readonly Detail[], omitted = 0): void {
  sendJson(res, 422, validationBody(details, omitted))
}

/** Spells the path of a rule's problem as the `loc` its caller knows. */
export type Locate = (path: Problem['path']) => string[]

/** Answers with an AppError. */
export function sendFailure(req: Request, res: Response, error: AppError, locate: Locate = located): void {
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
export function detailsOfProblems(error: AppError, locate: Locate = located): Detail[] {
  const { problems, details } = error.extras as { problems?: readonly Problem[]; details?: readonly Detail[] }
  if (details) return [...details]
  if (problems && problems.length > 0) return problems.map(problem => detailOf(problem, locate))
  return [{ loc: ['body'], msg: error.message, type: 'value_error', input: null, ctx: {} }]
}

/** One problem of a rule as an item of the 422 body. */
export function detailOf(problem: Problem, locate: Locate): Detail {
  const { path, type, message, input = null, context = {} } = problem
  return { loc: locate(path), msg: message, type, input, ctx: context }
}

const located = (path: Problem['path']) => path.map(String)

// Seconds after which a retry is worth while, where the error says nothing itself.
const retryAfterOf: Partial<Record<Code, number>> = { IDEMPOTENCY_IN_FLIGHT: 1, RATE_LIMITED: 60, UNAVAILABLE: 1 }

/** `existingId` -> `existing_id` */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

// `field` names a field of the input, so its value is a name too.
function snakeCased(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      snakeCase(name),
      name === 'field' && typeof value === 'string' ? snakeCase(value) : value,
    ]),
  )
}
