// The User-Agent header of outgoing requests.

import { release } from './release.ts'

export const userAgent = `Rolocom/${release}`

/** For libraries that set their own User-Agent: prepends ours to it, and adds `others`. */
export function named(init: RequestInit = {}, others: Record<string, string> = {}): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('user-agent', [userAgent, headers.get('user-agent')].filter(Boolean).join(' '))
  for (const [name, value] of Object.entries(others)) headers.set(name, value)
  return { ...init, headers }
}
