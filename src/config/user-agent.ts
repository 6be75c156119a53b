// The User-Agent header of outgoing requests.

import { release } from './release.ts'

export const userAgent = `Rolocom/${release}`

/** For libraries that set their own User-Agent: prepends ours to it. */
export function withUserAgent(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('user-agent', [userAgent, headers.get('user-agent')].filter(Boolean).join(' '))
  return { ...init, headers }
}
