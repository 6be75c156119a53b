// How many requests to the identity provider one network may send.

import { AppError } from '../../kernel/errors.ts'
import type { NetworkLimit, NetworkLimits } from '../../kernel/limits/limits.ts'

// 20: enough for an office, too few to try a list of passwords.
export const signIns: NetworkLimit = { max: 20, seconds: 60 }
export const signUps: NetworkLimit = { max: 20, seconds: 60 }
const newPasswords: NetworkLimit = { max: 20, seconds: 60 }
const otherRequests: NetworkLimit = { max: 600, seconds: 60 }

const limitOf = (path: string): NetworkLimit => {
  if (path.startsWith('/sign-in/')) return signIns
  if (path.startsWith('/sign-up/')) return signUps
  return path.startsWith('/reset-password') || path.startsWith('/choose-password') ? newPasswords : otherRequests
}

/** Counts a request to a path below /idp. Throws RATE_LIMITED if the network has sent too many. */
export function countRequest(limits: NetworkLimits, path: string, address: string | undefined): void {
  const retryAfter = limits.count(limitOf(path), address)
  if (retryAfter !== null)
    throw new AppError('RATE_LIMITED', 'Too many requests from this address. Please try again later.', { retryAfter })
}
