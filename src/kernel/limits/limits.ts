// Limits per network of callers whom no credential names, or whose credential is wrong. Each process counts alone, in windows of fixed
// length that begin with the first count. Limits per credential are in server/rate-limit.ts, those per account in counted.ts.

import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/environment.ts'
import { networkOf } from './network.ts'

/** Everything that is counted per network. Each has counts of its own, so that no two things use up one limit. */
const limitsOf = ({ SIGN_UPS_PER_HOUR }: Config) => ({
  // 600: a client that keeps sending a revoked key gets 401 instead of 429, and 122 random bits cannot be guessed at this rate.
  wrongCredential: { max: 600, seconds: 60 },
  wrongHookCredential: { max: 20, seconds: 60 },
  forgedProviderMessage: { max: 20, seconds: 60 },
  // 20: enough for an office, too few to try a list of passwords.
  signIn: { max: 20, seconds: 60 },
  signUp: { max: 20, seconds: 60 },
  newPassword: { max: 20, seconds: 60 },
  identityRequest: { max: 600, seconds: 60 },
  newUser: { max: SIGN_UPS_PER_HOUR, seconds: 3600 },
  // 30: enough for mistyped passwords. Tokens are too long to be guessed at any rate.
  invitation: { max: 30, seconds: 60 },
  // A client registers once, and refreshes once an hour.
  clientRegistration: { max: 20, seconds: 3600 },
  oauthRequest: { max: 120, seconds: 60 },
  // A code waits for 10 minutes. 30: enough for an office on its first day, and no more codes of a network wait at once to be guessed.
  deviceAuthorization: { max: 30, seconds: 600 },
})

export type Limited = keyof ReturnType<typeof limitsOf>

export interface NetworkLimits {
  /** Counts one of the address's network. Returns the seconds to wait if that is too many, else null. */
  count(what: Limited, address: string | undefined): number | null
  /** Forgets what was counted of the address's network. `address` is called only if anything was, because Express computes it each time. */
  forget(what: Limited, address: () => string | undefined): void
}

// 10,000 networks for each limit: 2 MB at most.
const maxNetworks = 10_000

/** `time`: milliseconds that only go forward. */
export function createNetworkLimits(config: Config, time: () => number = () => performance.now()): NetworkLimits {
  if (!config.RATE_LIMIT) return { count: () => null, forget() {} }
  const limits = limitsOf(config)
  const counts = new Map<string, LRUCache<string, { count: number; until: number }>>()
  return {
    count(what, address) {
      const { max, seconds } = limits[what]
      const network = networkOf(address)
      const counted = counts.get(what) ?? new LRUCache({ max: maxNetworks })
      counts.set(what, counted)
      const now = time()
      const before = counted.get(network)
      const entry = before && before.until > now ? before : { count: 0, until: now + seconds * 1000 }
      entry.count++
      counted.set(network, entry)
      return entry.count > max ? Math.max(1, Math.ceil((entry.until - now) / 1000)) : null
    },
    forget(what, address) {
      const counted = counts.get(what)
      if (counted && counted.size > 0) counted.delete(networkOf(address()))
    },
  }
}
