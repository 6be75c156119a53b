// Adapts a handler of web-standard requests to Express: limits the body, and sets the header with the client's IP address.

import type { Request as IncomingRequest, RequestHandler } from 'express'
import { writeInTime } from '../../kernel/deadlines/deadline.ts'
import { AppError, statusOf } from '../../kernel/errors.ts'
import { readBytes } from '../../kernel/input/body.ts'
import { invitationHeader } from './address.ts'
import { problemOfRequest } from './input.ts'

/** The client's IP address as Express determines it. A header of this name from the client is replaced. */
export const addressHeader = 'x-rcm-client-ip'

// 64 KiB: the largest legitimate body is a form of a few fields.
const maxBodyBytes = 65_536

const fetchMetadata = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']

// The methods that the constructor of Request accepts; it throws for TRACE.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `count` throws RATE_LIMITED. */
interface Handled {
  /** The server's configured address, not the address in the Host header. */
  origin: string
  count(path: string, address: string | undefined): void
  handle(request: Request): Promise<Response>
}

export function webHandler({ origin, count, handle }: Handled): RequestHandler {
  const read = async (req: IncomingRequest) => {
    count(req.path, req.ip)
    return readBytes(req, maxBodyBytes)
  }
  return async (req, res) => {
    if (!methods.includes(req.method)) {
      res.status(405).set('Allow', methods.join(', ')).json({ message: 'The method is not allowed', code: 'METHOD_NOT_ALLOWED' })
      return
    }
    const body = await read(req).catch(refusalOf)
    // The client disconnected while sending the body.
    if (req.destroyed && !req.complete) return
    if (body instanceof Response) {
      const retryAfter = body.headers.get('retry-after')
      if (retryAfter !== null) res.setHeader('Retry-After', retryAfter)
      res.status(body.status).json(await body.json())
      return
    }
    const problem = problemOfRequest(req.url, body.toString())
    if (problem) {
      res.status(400).json({ message: problem, code: 'INVALID_REQUEST' })
      return
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(req.headers)) if (typeof value === 'string') headers.set(name, value)
    headers.set(addressHeader, req.ip ?? '')
    // Only the claim page may set this header, because it marks the invitation as used. Sent by clients, one invitation could admit any
    // number of users.
    headers.delete(invitationHeader)
    // Node's fetch sends the Sec-Fetch headers without an Origin, which the library refuses. Removing them is safe: a cross-site request of a
    // browser has an Origin, and a request without a cookie has no ambient credentials.
    if (!headers.has('origin') && !headers.has('cookie')) for (const name of fetchMetadata) headers.delete(name)
    const hasBody = req.method !== 'GET' && req.method !== 'HEAD' && body.length > 0
    const address = `${origin}${req.baseUrl}${req.url}`
    const request = new Request(address, { method: req.method, headers, ...(hasBody && { body: new Uint8Array(body) }) })
    // A sign-in by another provider's page is a GET, and waits for that provider.
    const answered = req.method === 'GET' ? handle(request) : writeInTime(() => handle(request))
    const handled = await answered.catch(refusalOf)
    // The library answers unknown paths with an empty 404.
    const response = handled.status === 404 && !handled.body ? nothingHere() : handled

    // The library turns failures of the database into a 500, so the database is probably unavailable.
    const isAway = response.status === 500
    res.status(isAway ? statusOf.UNAVAILABLE : response.status)
    if (isAway) res.setHeader('Retry-After', '1')
    for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value)
    for (const cookie of response.headers.getSetCookie()) res.append('Set-Cookie', cookie)
    const retryAfter = response.headers.get('x-retry-after')
    if (retryAfter) res.setHeader('Retry-After', retryAfter)
    // The responses contain tokens, so they must not be cached.
    if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store')
    res.end(Buffer.from(await response.arrayBuffer()))
  }
}

const nothingHere = () => Response.json({ message: 'Nothing is served at this address', code: 'NOT_FOUND' }, { status: 404 })

// An AppError, such as an unavailable database, in the format of the provider's own errors. Other errors are thrown again.
function refusalOf(error: unknown): Response {
  // The library decodes return addresses a second time, and throws for malformed ones.
  if (error instanceof URIError)
    return Response.json({ code: 'INVALID_REQUEST', message: 'A part of the address cannot be decoded' }, { status: 400 })
  if (!(error instanceof AppError)) throw error
  const { code, message, extras } = error
  const headers = typeof extras.retryAfter === 'number' ? { 'Retry-After': String(extras.retryAfter) } : undefined
  return Response.json({ code, message }, { status: statusOf[code], headers })
}
