// How this program names itself in requests that it sends.

import { release } from './release.ts'

export const userAgent = `Rolocom/${release}`

/** For libraries that name themselves: the request as they made it, with our name before theirs. */
export function named(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('user-agent', [userAgent, headers.get('user-agent')].filter(Boolean).join(' '))
  return { ...init, headers }
}
