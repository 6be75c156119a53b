// Which web pages may call the MCP server: browsers name a page's origin, other clients none.

import type { Config } from '../config/environment.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a request without an Origin, or with this one, may pass. Refuses pages that reach a local server by DNS rebinding. */
export function isOwnOrigin(origin: string | undefined, { PUBLIC_URL, FRONTEND_ORIGIN }: Config): boolean {
  if (origin === undefined) return true
  return isLoopback(origin) || [PUBLIC_URL, FRONTEND_ORIGIN].some(url => url && new URL(url).origin === origin)
}

/** Whether a page of the user's own machine sends the request: tools for developers, such as the MCP Inspector, run there on any port. */
export function isLoopback(origin: string): boolean {
  const hostname = URL.parse(origin)?.hostname ?? ''
  // Browsers look up no name below localhost either (RFC 6761, 6.3).
  return loopback.has(hostname) || hostname.endsWith('.localhost')
}
