// GraphQL requests, for what REST has no endpoint for.

import { errorOf, RolocomError } from '../../../client/errors.ts'
import { credentialHeaders } from '../../../client/request.ts'
import { send } from '../../../client/send.ts'
import type { Terminal } from '../../terminal.ts'
import { optionsOf } from './connect.ts'
import { requireSignIn, type ServerFlags } from './server.ts'

export interface GraphqlRequest {
  query: string
  variables?: Record<string, unknown>
}

export interface GraphqlError {
  message: string
  path?: readonly (string | number)[]
  extensions?: { code?: string }
}

/** The answer: `errors` beside or instead of `data`. */
export interface GraphqlAnswer {
  data?: unknown
  errors?: readonly GraphqlError[]
  extensions?: unknown
}

/** Resolves with the answer as it is. Throws RolocomError for one that is no answer of GraphQL. */
export async function requestGraphql(
  { environment }: Terminal,
  flags: ServerFlags,
  request: GraphqlRequest,
): Promise<{ answer: GraphqlAnswer; status: number; requestId: string | null }> {
  const caller = optionsOf(requireSignIn(environment, flags))
  const headers = await credentialHeaders(caller)
  headers.set('Accept', 'application/graphql-response+json, application/json')
  headers.set('Content-Type', 'application/json')
  const response = await send(fetch, { url: `${caller.url}/graphql`, method: 'POST', headers, body: JSON.stringify(request) }, {})
  const answer: unknown = await response.json().catch(() => null)
  if (!isAnswer(answer)) throw errorOf(response, answer)
  return { answer, status: response.status, requestId: response.headers.get('X-Request-Id') }
}

/** Resolves with the data of a query of ours. Throws RolocomError for the first error. */
export async function askGraphql<Data>(terminal: Terminal, flags: ServerFlags, request: GraphqlRequest): Promise<Data> {
  const { answer, status, requestId } = await requestGraphql(terminal, flags, request)
  const [error] = answer.errors ?? []
  if (error) throw graphqlError(error, status, requestId)
  // The server answers what the query selects.
  return answer.data as Data
}

/** An error of an answer, as the calls of REST throw it. */
export const graphqlError = ({ message, extensions }: GraphqlError, status: number, requestId: string | null): RolocomError =>
  new RolocomError({
    code: codes[extensions?.code ?? ''] ?? 'unexpected_answer',
    message,
    ...{ status, requestId, retryAfterSeconds: null, details: {}, body: undefined },
  })

// The codes that commands tell apart.
const codes: Record<string, 'unauthenticated' | 'forbidden' | 'not_found'> = {
  UNAUTHENTICATED: 'unauthenticated',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'not_found',
}

const isAnswer = (answer: unknown): answer is GraphqlAnswer =>
  typeof answer === 'object' && answer !== null && ('data' in answer || ('errors' in answer && Array.isArray(answer.errors)))
