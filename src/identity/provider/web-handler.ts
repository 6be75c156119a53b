// Serves a handler of web-standard requests from Express: the body is capped, and the caller's address is ours to say.

import type { Request as ExpressRequest, RequestHandler } from 'express'
import { AppError, statusOf } from '../errors.ts'
import { invitationHeader } from './identity-address.ts'
import { faultInRequest } from './provider-input.ts'

/** Carries the caller's address as Express worked it out. Whatever a caller sends under this name is replaced. */
export const addressHeader = 'x-rcm-client-ip'

// 64 KiB: the largest honest body is a form of a few fields.
const maxBodyBytes = 65_536

const fetchMetadata = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']

// Those that a web-standard request can have; TRACE is none of them.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `origin` is the server's own, not what the Host header says. */
export function webHandler(origin: string, handle: (request: Request) => Promise<Response>): RequestHandler {
  return async (req, res) => {
    if (!methods.includes(req.method)) {
      res.status(405).set('Allow', methods.join(', ')).json({ message: 'The method is not allowed', code: 'METHOD_NOT_ALLOWED' })
      return
    }
    const body = await bodyOf(req)
    // The caller hung up while sending: nobody is there to answer.
    if (req.destroyed && !req.complete) return
    if (body === null) {
      // What is left of the body is not read, so the connection cannot carry another request.
      res.status(413).set('Connection', 'close').json({ message: 'The body is too large', code: 'PAYLOAD_TOO_LARGE' })
      return
    }
    const fault = faultInRequest(req.url, body.toString())
    if (fault) {
      res.status(400).json({ message: fault, code: 'INVALID_REQUEST' })
      return
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(req.headers)) if (typeof value === 'string') headers.set(name, value)
    headers.set(addressHeader, req.ip ?? '')
    // Only the claim page says it, which uses the invitation up: sent from outside, one would let in any number.
    headers.delete(invitationHeader)
    // Node's fetch says how a browser fetches, but not from where. A browser says both with whatever another site could send, and a request
    // without a cookie is nobody's but its sender's.
    if (!headers.has('origin') && !headers.has('cookie')) for (const name of fetchMetadata) headers.delete(name)
    const hasBody = req.method !== 'GET' && req.method !== 'HEAD' && body.length > 0
    const address = `${origin}${req.baseUrl}${req.url}`
    const handled = await handle(new Request(address, { method: req.method, headers, ...(hasBody && { body }) })).catch(refusalOf)
    // The library says nothing about what it does not serve.
    const response = handled.status === 404 && !handled.body ? nothingHere() : handled

    // Where the library catches a failure itself it says 500, and what failed is the database it wanted to read.
    const isAway = response.status === 500
    res.status(isAway ? statusOf.UNAVAILABLE : response.status)
    if (isAway) res.setHeader('Retry-After', '1')
    for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value)
    for (const cookie of response.headers.getSetCookie()) res.append('Set-Cookie', cookie)
    const retryAfter = response.headers.get('x-retry-after')
    if (retryAfter) res.setHeader('Retry-After', retryAfter)
    // Tokens are in these answers.
    if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-store')
    res.end(Buffer.from(await response.arrayBuffer()))
  }
}

const nothingHere = () => Response.json({ message: 'Nothing is served at this address', code: 'NOT_FOUND' }, { status: 404 })

// What was thrown on purpose, such as a database that is away, in the shape of the provider's own errors. Anything else goes on.
function refusalOf(error: unknown): Response {
  // Addresses to return to are decoded twice.
  if (error instanceof URIError)
    return Response.json({ code: 'INVALID_REQUEST', message: 'A part of the address cannot be decoded' }, { status: 400 })
  if (!(error instanceof AppError)) throw error
  const { code, message, extras } = error
  const headers = typeof extras.retryAfter === 'number' ? { 'Retry-After': String(extras.retryAfter) } : undefined
  return Response.json({ code, message }, { status: statusOf[code], headers })
}

/** The whole body, or null when it is too large. */
async function bodyOf(req: ExpressRequest): Promise<Buffer<ArrayBuffer> | null> {
  if (Number(req.headers['content-length'] ?? 0) > maxBodyBytes) return null
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > maxBodyBytes) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}
