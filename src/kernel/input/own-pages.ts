// Forms of other sites: a browser sends them with its cookies, and a page of ours may set a cookie in answer, so they are refused. Every door
// that takes a form, or sets a cookie, stands behind `refuseForeignPages`.

import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config/environment.ts'
import { AppError } from '../errors.ts'

interface BrowserRequest {
  method: string
  headers: IncomingHttpHeaders
}

/**
 * Throws FORBIDDEN for a write that a page of another origin has a browser send. Browsers say where a write comes from, in Sec-Fetch-Site, or
 * in Origin, which pages cannot change; other clients send neither, and have no cookies that they do not know of.
 */
export function refuseForeignPages({ method, headers }: BrowserRequest, { PUBLIC_URL, FRONTEND_ORIGIN }: Config): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  if (origin === undefined && site === undefined) return
  const own = [PUBLIC_URL, FRONTEND_ORIGIN].flatMap(url => (url ? [new URL(url)] : []))
  if (origin !== undefined && URL.canParse(origin)) {
    const from = new URL(origin)
    // By another name than PUBLIC_URL: the page came from the same host and port as the request goes to.
    if (from.host === host || own.some(url => url.origin === origin || isSameMachine(url, from))) return
  }
  throw new AppError('FORBIDDEN', "This was sent by a page of another site. Open this server's own page, and send it from there")
}

// Browsers treat localhost and 127.0.0.1 as different origins. At the same port it is the same server.
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
const isSameMachine = (one: URL, other: URL) =>
  one.port === other.port && one.protocol === other.protocol && loopback.has(one.hostname) && loopback.has(other.hostname)
