// The token of a request, and the limit of failures per address.

import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'

export interface Presented {
  token: string
  from: 'bearer' | 'header' | 'query'
}

/** The token of a request, from the first source that is not empty. Null if there is none. */
export function presentedToken(headers: IncomingHttpHeaders, query: URLSearchParams | null): Presented | null {
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

export interface Throttle {
  /** Counts a failure. Returns the seconds to wait if the address has too many; null otherwise. */
  fail(address: string): number | null
  /** Removes the failures of the address, after a valid token. */
  forgive(address: string): void
  /** Whether no address has failures. */
  isEmpty(): boolean
}

const failuresPerMinute = 20
const windowMs = 60_000

/** Limits failures to 20 per address and minute in this process. Remembers the 10,000 most recent addresses. */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  const failures = new LRUCache<string, { count: number; until: number }>({ max: 10_000 })
  return {
    fail(given) {
      const address = networkOf(given)
      const time = now()
      let entry = failures.get(address)
      if (!entry || entry.until <= time) failures.set(address, (entry = { count: 0, until: time + windowMs }))
      entry.count++
      return entry.count > failuresPerMinute ? Math.max(1, Math.ceil((entry.until - time) / 1000)) : null
    },
    forgive: address => void failures.delete(networkOf(address)),
    isEmpty: () => failures.size === 0,
  }
}

// One sender may use all 2^64 addresses of an IPv6 network, so the network is counted.
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  if (tail !== undefined) while (groups.length < 8 - tail.split(':').filter(Boolean).length) groups.push('0')
  return groups.slice(0, 4).join(':')
}
