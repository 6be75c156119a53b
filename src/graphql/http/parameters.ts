// Parses the parameters of a GraphQL request from a JSON body or a URL: document, variables, operation name.

import { AppError, invalid } from '../../kernel/errors.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { OversizedJson, parseJson } from '../../kernel/input/json-text.ts'

export interface Parameters {
  query: string
  variables: Record<string, unknown>
  operationName: string | undefined
  /** True for a document of the web app, which the client named by its hash. */
  isPersisted: boolean
}

/** Persisted documents by the SHA-256 of their text, in hexadecimal. */
export type PersistedDocuments = ReadonlyMap<string, string>

/**
 * Validates the members of a request. The document is sent as `query`, or named: as `documentId` (persisted documents of GraphQL over HTTP),
 * or by the extension of Apollo's clients. Throws INVALID if it is not a GraphQL request, NOT_FOUND for an unknown name.
 */
export function parametersOf(body: unknown, persisted: PersistedDocuments): Parameters {
  if (Array.isArray(body)) throw new AppError('INVALID', 'Send one operation per request; batches are not taken')
  if (!isObject(body)) throw wrong('body', 'The body must be an object with a query')
  for (const name in body)
    if (!known.has(name) && body[name] != null) throw wrong(name, `${cutText(name, 100)} is no member of a GraphQL request`)
  const { documentId, extensions } = body
  // Tools that have a field for each send them empty.
  const [variables, operationName] = [body.variables, body.operationName].map(given => (given === '' ? null : given))
  // Some clients of Apollo's send an empty text with a hash.
  const query = body.query === '' && isObject(extensions) && isObject(extensions.persistedQuery) ? null : body.query
  if (variables != null && !isObject(variables)) throw wrong('variables', 'variables must be an object')
  if (operationName != null && typeof operationName !== 'string') throw wrong('operationName', 'operationName must be a string')
  if (extensions != null && !isObject(extensions)) throw wrong('extensions', 'extensions must be an object')
  if (query != null && typeof query !== 'string') throw wrong('query', 'query must be a string')
  if (documentId != null && typeof documentId !== 'string') throw wrong('documentId', 'documentId must be a string')
  if (query != null && documentId != null) throw wrong('documentId', 'Send query or documentId, not both')
  return {
    query: query ?? (documentId == null ? documentOfExtension(extensions ?? undefined, persisted) : documentOf(documentId, persisted)),
    isPersisted: query == null,
    variables: variables ?? {},
    operationName: operationName ?? undefined,
  }
}

// `operationType` is sent by graphql-sse's recipe for Apollo Client. It is accepted and ignored: the query determines the type.
const known = new Set(['query', 'documentId', 'variables', 'operationName', 'extensions', 'operationType'])

/** Like `parametersOf`, for a URL, in which variables and extensions are JSON. */
export function parametersOfUrl(url: string, persisted: PersistedDocuments): Parameters {
  const start = url.indexOf('?')
  const given = new URLSearchParams(start < 0 ? '' : url.slice(start))
  const json = (name: string): unknown => {
    const text = given.get(name)
    if (!text) return undefined
    try {
      return parseJson(text)
    } catch (error) {
      throw wrong(name, error instanceof OversizedJson ? `${name} ${error.message}` : `${name} must be JSON`)
    }
  }
  const body = {
    query: given.get('query') || undefined,
    documentId: given.get('documentId') || undefined,
    operationName: given.get('operationName') || undefined,
    variables: json('variables'),
    extensions: json('extensions'),
  }
  return parametersOf(body, persisted)
}

// The prefix of the draft; its other identifiers are not used here.
const sha256 = /^sha256:(?<hash>[0-9a-f]{64})$/

function documentOf(documentId: string, persisted: PersistedDocuments): string {
  const hash = sha256.exec(documentId)?.groups?.hash
  if (hash === undefined) throw wrong('documentId', 'documentId must be sha256: and the 64 lower-case hexadecimal digits of the hash')
  const text = persisted.get(hash)
  if (text === undefined)
    throw new AppError('NOT_FOUND', 'This server has no such persisted document: send its text as query, or reload the app that sent it', {
      documentId,
    })
  return text
}

function documentOfExtension(extensions: Record<string, unknown> | undefined, persisted: PersistedDocuments): string {
  const persistedQuery = extensions?.persistedQuery
  if (!isObject(persistedQuery)) throw wrong('query', 'A query is required')
  const { sha256Hash } = persistedQuery
  const text = typeof sha256Hash === 'string' ? persisted.get(sha256Hash) : undefined
  // Documents that clients send are never registered. Apollo's clients then send the text, and no more hashes. After PersistedQueryNotFound
  // they would ask twice for each operation, for ever.
  if (text === undefined) throw new AppError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
  return text
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

const wrong = (name: string, message: string) => invalid({ path: [cutText(name, 100)], type: 'value_error', message })
