// How many requests to the identity provider one network may send.

import { AppError } from '../../kernel/errors.ts'
import type { Limited, NetworkLimits } from '../../kernel/limits/limits.ts'

const limitOf = (path: string): Limited => {
  if (path.startsWith('/sign-in/')) return 'signIn'
  if (path.startsWith('/sign-up/')) return 'signUp'
  return path.startsWith('/reset-password') || path.startsWith('/choose-password') ? 'newPassword' : 'identityRequest'
}

/** Counts a request to a path below /idp. Throws RATE_LIMITED if the network has sent too many. */
export function countRequest(limits: NetworkLimits, path: string, address: string | undefined): void {
  const retryAfter = limits.count(limitOf(path), address)
  if (retryAfter !== null)
    throw new AppError('RATE_LIMITED', 'Too many requests from this address. Please try again later.', { retryAfter })
}
