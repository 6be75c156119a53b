// Sends requests to /graphql: with the hash in place of the document, and the caller's headers. Signs out when the server refuses the session.

import { callerHeaders, currentCaller, forgetCaller } from '../session/caller.ts'
import { storedOperation } from './stored.ts'

export const graphqlAddress = '/graphql'

// A server of another release does not know this page's documents. From the first such answer on, requests carry the documents' texts.
let sendsHashes = true

/** `fetch` for GraphQL, used by urql and by graphql-sse. Signs out when the server no longer knows the session. */
export const graphqlFetch: typeof fetch = async (input, init) => {
  const asked = currentCaller()
  const headers = { ...callerHeaders(), ...headersOf(init?.headers) }
  const send = (body: BodyInit | null | undefined) => fetch(input, { ...init, headers, ...(body != null && { body }) })
  const hashed = sendsHashes ? withHash(init?.body) : null
  let response = await send(hashed ?? init?.body)
  if (hashed && (await isUnknownDocument(response))) {
    sendsHashes = false
    response = await send(init?.body)
  }
  // Only the refused session is forgotten: another tab may have signed in meanwhile.
  if (response.status === 401 && currentCaller() === asked) forgetCaller()
  return response
}

function withHash(body: BodyInit | null | undefined): string | null {
  if (typeof body !== 'string') return null
  const { operationName, variables, query }: { operationName?: string; variables?: unknown; query?: string } = JSON.parse(body)
  const stored = storedOperation(operationName ?? /^\s*(?:query|mutation|subscription)\s+(\w+)/.exec(query ?? '')?.[1] ?? '')
  return stored ? JSON.stringify({ documentId: `sha256:${stored.id}`, variables }) : null
}

/** A 404 about the document. The server refused it before it ran anything, so a repeated request cannot write twice. */
async function isUnknownDocument(response: Response): Promise<boolean> {
  if (response.status !== 404) return false
  const answer: { errors?: { extensions?: { documentId?: string } }[] } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return answer.errors?.some(({ extensions }) => extensions?.documentId !== undefined) ?? false
}

function headersOf(headers: HeadersInit | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(headers))
}
