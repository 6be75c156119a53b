// How many requests to the identity provider one IP address may send.

import type { BetterAuthOptions } from 'better-auth'
import { RateLimiterMemory } from 'rate-limiter-flexible'

type Options = NonNullable<BetterAuthOptions['rateLimit']>

// 20 per minute and address: enough for an office, too few to try a list of passwords.
const window = 60
const signIn = { window, max: 20 }
const customRules = { '/sign-in/*': signIn, '/sign-up/*': signIn, '/reset-password': signIn, '/choose-password': signIn }

/** Of one process, which counts alone. */
export const requestLimits = (enabled: boolean): Options => ({ enabled, window, max: 600, customRules, customStorage: countsByMinute() })

// The library's own counts start anew only after a minute without a request, so an office that signs in every few seconds, below the limit,
// would be refused after the twentieth.
function countsByMinute(): NonNullable<Options['customStorage']> {
  // The library says with each request how many are allowed.
  const counts = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: window })
  return {
    async consume(key, { max }) {
      const { consumedPoints, msBeforeNext } = await counts.consume(key)
      const allowed = consumedPoints <= max
      return { allowed, retryAfter: allowed ? null : Math.ceil(msBeforeNext / 1000) }
    },
  }
}
