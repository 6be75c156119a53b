// Which web pages may call the MCP server: browsers name a page's origin, other clients none.

import type { Config } from '../config/environment.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a request without an Origin, or with this one, may pass. Refuses pages that reach a local server by DNS rebinding. */
export function isOwnOrigin(origin: string | undefined, { PUBLIC_URL, FRONTEND_ORIGIN }: Config): boolean {
  if (origin === undefined) return true
  const own = [PUBLIC_URL, FRONTEND_ORIGIN].flatMap(url => (url ? [new URL(url)] : []))
  if (own.some(url => url.origin === origin)) return true
  // Tools for developers run on other ports of the machine that the server runs on.
  return URL.canParse(origin) && loopback.has(new URL(origin).hostname) && own.some(({ hostname }) => loopback.has(hostname))
}
