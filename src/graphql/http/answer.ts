// Formats results as HTTP responses: media type, status and headers according to GraphQL over HTTP.

import type { ServerResponse } from 'node:http'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Context } from '../../kernel/context.ts'
import { type Code, statusOf } from '../../kernel/errors.ts'

export type JsonType = 'application/json' | 'application/graphql-response+json'

/**
 * The first supported JSON type of an Accept header; undefined if it accepts only a stream. Unsupported types get application/json,
 * because a 406 after a mutation has run would wrongly suggest that it has not.
 */
export function jsonTypeOf(accept: string | undefined): JsonType | undefined {
  if (accept === undefined || accept === '*/*' || accept === '') return 'application/json'
  for (const part of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = part.split(';').map(piece => piece.trim())
    if (parameters.some(parameter => /^q=0(\.0*)?$|^charset=(?!"?utf-?8)/.test(parameter))) continue
    if (type === 'application/graphql-response+json') return type
    if (type === 'application/json' || type === 'application/*' || type === '*/*') return 'application/json'
  }
  return /text\/event-stream|multipart\/mixed/i.test(accept) ? undefined : 'application/json'
}

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

/**
 * `status` is set for a request that was refused before execution. Without it, application/json is sent with 200, as its clients
 * expect, and application/graphql-response+json with the status of the first error if there is no data.
 */
export function answerOf(result: ExecutionResult, type: JsonType, context: Context, status?: number): Answer {
  const text = JSON.stringify(result)
  const headers: Record<string, string> = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
  }
  if (context.idempotency?.replayed) headers['Idempotent-Replayed'] = 'true'
  if (result.errors === undefined || result.data !== undefined) return { status: 200, headers, text }

  const [first] = result.errors
  const { code, retryAfter } = (first?.extensions ?? {}) as { code?: Code; retryAfter?: number }
  if (code === 'UNAUTHENTICATED') headers['WWW-Authenticate'] = 'Bearer'
  if (code === 'METHOD_NOT_ALLOWED') headers.Allow = 'GET, POST'
  if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE' || retryAfter !== undefined) headers['Retry-After'] = String(retryAfter ?? 1)
  return { status: status ?? (type === 'application/json' ? 200 : httpStatusOf(code)), headers, text }
}

/** The HTTP status of an error code. INVALID is 400 here: GraphQL over HTTP does not use 422. */
export const httpStatusOf = (code: Code = 'INTERNAL') => (code === 'INVALID' ? 400 : statusOf[code])

export function send(res: ServerResponse, { status, headers, text }: Answer): void {
  res.writeHead(status, headers)
  res.end(text)
}

/** The error without graphql-js's "Did you mean" suggestion, which reveals names of the schema. */
export function withoutHint(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error
  return message.includes(hint)
    ? new GraphQLError(message.slice(0, message.indexOf(hint)), { nodes, source, positions, path, extensions })
    : error
}
const hint = ' Did you mean '
