// The hook token: where senders put it, whether it is right, and how often an address may be wrong.

import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'

export interface Presented {
  token: string
  from: 'bearer' | 'header' | 'query'
}

/** The token of a request: the first source that is not empty is final. Null when there is none. */
export function presentedToken(headers: IncomingHttpHeaders, query: URLSearchParams | null): Presented | null {
  const { authorization } = headers
  if (authorization !== undefined && authorization.slice(0, 7).toLowerCase() === 'bearer ') {
    const token = authorization.slice(7).trim()
    if (token !== '') return { token, from: 'bearer' }
  }
  const header = headers['x-svc-token']
  if (typeof header === 'string' && header.trim() !== '') return { token: header.trim(), from: 'header' }
  const values = query?.getAll('token') ?? []
  // Two tokens are none: which of them counts would be anybody's guess.
  const token = values.length > 1 ? ' ' : (values[0] ?? '')
  return token === '' ? null : { token, from: 'query' }
}

export interface Throttle {
  /** Counts a failure. Null while the address may go on, the seconds to wait when it may not. */
  fail(address: string): number | null
  /** A right token forgives. */
  forgive(address: string): void
  /** Whether nobody has failed lately. */
  isEmpty(): boolean
}

const failuresPerMinute = 20
const windowMs = 60_000

/** Failures per address and minute, in this process. The newest 10,000 addresses are remembered. */
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

// Whoever has one IPv6 address has 2^64 of them.
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  if (tail !== undefined) while (groups.length < 8 - tail.split(':').filter(Boolean).length) groups.push('0')
  return groups.slice(0, 4).join(':')
}
