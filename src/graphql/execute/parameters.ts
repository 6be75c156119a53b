// What a GraphQL request says, from a JSON body or a URL: document, variables, operation name.

import { AppError, invalid } from '../errors.ts'

export interface Parameters {
  query: string
  variables: Record<string, unknown>
  operationName: string | undefined
}

/** Documents that may be asked for by the SHA-256 of their text, in hexadecimal. */
export type PersistedDocuments = ReadonlyMap<string, string>

/** Checks and completes the members of a request. Throws INVALID for one that is no GraphQL request; NOT_FOUND for an unknown hash. */
export function parametersOf(body: unknown, persisted: PersistedDocuments): Parameters {
  if (Array.isArray(body)) throw new AppError('INVALID', 'Send one operation per request; batches are not taken')
  if (!isObject(body)) throw wrong('body', 'The body must be an object with a query')
  for (const name in body)
    if (!known.has(name) && body[name] != null) throw wrong(name, `${name.slice(0, 100)} is no member of a GraphQL request`)
  const { query, variables, operationName, extensions } = body
  if (variables != null && !isObject(variables)) throw wrong('variables', 'variables must be an object')
  if (operationName != null && typeof operationName !== 'string') throw wrong('operationName', 'operationName must be a string')
  if (extensions != null && !isObject(extensions)) throw wrong('extensions', 'extensions must be an object')
  if (query != null && typeof query !== 'string') throw wrong('query', 'query must be a string')
  return {
    query: query ?? persistedDocument(extensions ?? undefined, persisted),
    variables: variables ?? {},
    operationName: operationName ?? undefined,
  }
}

// `operationType` stands beside the query in the body that graphql-sse's recipe for Apollo Client sends. It says nothing that the query does not.
const known = new Set(['query', 'variables', 'operationName', 'extensions', 'operationType'])

/** The same from a URL, where variables and extensions are JSON. */
export function parametersOfUrl(url: string, persisted: PersistedDocuments): Parameters {
  const start = url.indexOf('?')
  const given = new URLSearchParams(start < 0 ? '' : url.slice(start))
  const json = (name: string): unknown => {
    const text = given.get(name)
    if (!text) return undefined
    try {
      return JSON.parse(text)
    } catch {
      throw wrong(name, `${name} must be JSON`)
    }
  }
  const body = {
    query: given.get('query') || undefined,
    operationName: given.get('operationName') || undefined,
    variables: json('variables'),
    extensions: json('extensions'),
  }
  return parametersOf(body, persisted)
}

function persistedDocument(extensions: Record<string, unknown> | undefined, persisted: PersistedDocuments): string {
  const asked = extensions?.persistedQuery
  if (!isObject(asked)) throw wrong('query', 'A query is required')
  const { sha256Hash } = asked
  const text = typeof sha256Hash === 'string' ? persisted.get(sha256Hash) : undefined
  // Clients know both messages: they send the whole document next, and after the second no hash again. None that they send is kept.
  if (text === undefined) throw new AppError('NOT_FOUND', persisted.size > 0 ? 'PersistedQueryNotFound' : 'PersistedQueryNotSupported')
  return text
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

const wrong = (name: string, message: string) => invalid({ path: [name.slice(0, 100)], type: 'value_error', message })
