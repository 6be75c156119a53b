// Errors: one class, whose `code` tells what happened and which members there are.

import type { components, ErrorCode } from './generated/api.ts'

/** One problem of a request that did not pass the checks: where (`loc`), what (`msg`, `type`) and the sent value (`input`). */
export type ValidationProblem = components['schemas']['ValidationDetail']

// Codes of this client for errors without a code of the server.
interface OwnMembers {
  /** No answer came, after all attempts. `cause` is the last failure. */
  unreachable: object
  /** No attempt was answered within its `timeoutMs`. */
  timed_out: object
  /** 304: the version in the `If-None-Match` of the request is current. */
  not_modified: object
  /** An answer that this client cannot read, such as a page of a proxy: see `status` and `body`. */
  unexpected_answer: object
}

/** Further members of an error, by its code. Absent where the answer had none. */
interface ServerMembers extends Record<ErrorCode, object> {
  /** `field` exists already; `existing_id` has it, and is null where that one may not be read. */
  already_exists: { field?: string; existing_id?: string | null }
  conflict: { existing_id?: string | null; merged_into?: string }
  /** In credits. Absent without the scope `credits:read`. */
  insufficient_credits: { required?: number; available?: number; shortfall?: number }
  /** Every problem at once; the last one counts the rest where there are more than 100. */
  invalid: { problems?: readonly ValidationProblem[] }
  /** `merged_into`: the id of the contact into which the contact was merged. */
  not_found: { merged_into?: string }
  /** The current version of the record. */
  precondition_failed: { version?: number }
  /** The field of the suggestion, and its current value. */
  suggestion_stale: { field?: string; current_value?: unknown }
}

type Members = ServerMembers & OwnMembers

/** A code of the server (`/docs/errors` explains each), or one of this client. */
export type Code = keyof Members

/** Members of every error. */
export interface Failure<Name extends Code = Code> {
  code: Name
  /** The error as a sentence. */
  message: string
  /** The HTTP status; null if no answer came. */
  status: number | null
  /** The server's id of the request, by which its log line is found; null if no answer came. */
  requestId: string | null
  /** Seconds after which it is worth asking again; null if the answer does not say. */
  retryAfterSeconds: number | null
  /** The members that errors of this code have. */
  details: Members[Name]
  /** The body of the answer, parsed if it is JSON; undefined if no answer came. */
  body: unknown
}

/** An error of a call. Narrow it by `isRolocomError`, then by `code`. */
export class RolocomError<Name extends Code = Code> extends Error implements Failure<Name> {
  readonly code: Name
  readonly status: number | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly details: Members[Name]
  readonly body: unknown

  constructor({ code, message, status, requestId, retryAfterSeconds, details, body }: Failure<Name>, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RolocomError'
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.details = details
    this.body = body
  }
}

/** Every error that a call may end with, as a union by `code`. */
export type AnyRolocomError = { [Name in Code]: RolocomError<Name> }[Code]

/** Whether a caught value is an error of a call; `error.code` then tells which members `error.details` has. */
export const isRolocomError = (error: unknown): error is AnyRolocomError => error instanceof RolocomError

/** The error of a call that no answer came for. */
export function noAnswerError(code: 'unreachable' | 'timed_out', message: string, cause: unknown): RolocomError {
  const nothing = { status: null, requestId: null, retryAfterSeconds: null, body: undefined }
  return new RolocomError({ code, message, ...nothing, details: {} }, { cause })
}

/** The error of an answer whose status is not 2xx. `body` is its body, parsed if it is JSON. */
export function errorOf({ status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>, body: unknown): RolocomError {
  const {
    code,
    detail,
    message,
    error,
    type: _type,
    title: _title,
    status: _status,
    request_id: _id,
    ...members
  } = isObject(body) ? body : {}
  const problems = isProblems(detail) ? detail : undefined
  // `detail` of REST, `message` of the identity provider, `error` of hooks.
  const sentence = [detail, message, error, problems && sentenceOf(problems)].find(text => typeof text === 'string')
  return new RolocomError({
    code: problems ? codeOf(problems) : isCode(code) ? code : (codeOfStatus[status] ?? 'unexpected_answer'),
    message: sentence ?? `The answer is ${status} ${statusText}`.trim(),
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfterSeconds: secondsOf(headers.get('Retry-After')),
    details: problems ? { problems } : members,
    body,
  })
}

/** The seconds of a `Retry-After`, which is a number of them or a date; null for anything else. */
export function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

// Hooks and the identity provider have no codes of the contract.
const codeOfStatus: Record<number, Code> = {
  304: 'not_modified',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'invalid',
  429: 'rate_limited',
  500: 'internal',
  503: 'unavailable',
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isProblems = (detail: unknown): detail is ValidationProblem[] => Array.isArray(detail)
// A newer server may have codes that are not in the type yet. The identity provider's are in capitals, and no codes of the contract.
const isCode = (code: unknown): code is Code => typeof code === 'string' && /^[a-z_]+$/.test(code)

// The one problem that has a code of its own.
const codeOf = (problems: readonly ValidationProblem[]) =>
  problems[0]?.type === 'idempotency_mismatch' ? 'idempotency_mismatch' : 'invalid'

const sentenceOf = (problems: readonly ValidationProblem[]) => problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
