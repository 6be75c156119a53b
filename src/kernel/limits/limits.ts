// Limits per network of callers whom no credential names, or whose credential is wrong. Each process counts alone, in windows of fixed
// length that begin with the first count. Limits per credential are in server/rate-limit.ts, those per account in counted.ts.

import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/environment.ts'
import { networkOf } from './network.ts'

/**
 * A limit of one network. Each limit is declared where it is counted, and has counts of its own, so that no two things use up one limit.
 */
export interface NetworkLimit {
  max: number | ((config: Config) => number)
  seconds: number
}

export interface NetworkLimits {
  /** Counts one of the address's network. Returns the seconds to wait if that is too many, else null. */
  count(limit: NetworkLimit, address: string | undefined): number | null
  /** Forgets the counts of the address's network. `address` is called only if there are counts, because Express computes it each time. */
  forget(limit: NetworkLimit, address: () => string | undefined): void
}

// 10,000 networks for each limit: 2 MB at most.
const maxNetworks = 10_000

/** `time`: milliseconds that only go forward. */
export function createNetworkLimits(config: Config, time: () => number = () => performance.now()): NetworkLimits {
  if (!config.RATE_LIMIT) return { count: () => null, forget() {} }
  const counts = new Map<NetworkLimit, LRUCache<string, { count: number; until: number }>>()
  return {
    count(limit, address) {
      const { max, seconds } = limit
      const network = networkOf(address)
      const counted = counts.get(limit) ?? new LRUCache({ max: maxNetworks })
      counts.set(limit, counted)
      const now = time()
      const before = counted.get(network)
      const entry = before && before.until > now ? before : { count: 0, until: now + seconds * 1000 }
      entry.count++
      counted.set(network, entry)
      const most = typeof max === 'number' ? max : max(config)
      return entry.count > most ? Math.max(1, Math.ceil((entry.until - now) / 1000)) : null
    },
    forget(limit, address) {
      const counted = counts.get(limit)
      if (counted && counted.size > 0) counted.delete(networkOf(address()))
    },
  }
}
