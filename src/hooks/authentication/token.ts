// The token of a request.

import type { IncomingHttpHeaders } from 'node:http'

export interface Presented {
  token: string
  from: 'bearer' | 'header' | 'query'
}

/** The token of a request, from the first source that is not empty. Null if there is none. */
export function tokenOf(headers: IncomingHttpHeaders, query: URLSearchParams | null): Presented | null {
  const { authorization } = headers
  if (authorization !== undefined && authorization.slice(0, 7).toLowerCase() === 'bearer ') {
    const token = authorization.slice(7).trim()
    if (token !== '') return { token, from: 'bearer' }
  }
  const header = headers['x-svc-token']
  if (typeof header === 'string' && header.trim() !== '') return { token: header.trim(), from: 'header' }
  const values = query?.getAll('token') ?? []
  // Two tokens are ambiguous, so they are treated as one invalid token.
  const token = values.length > 1 ? ' ' : (values[0] ?? '')
  return token === '' ? null : { token, from: 'query' }
}
