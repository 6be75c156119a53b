// The MCP server at /mcp, over Streamable HTTP: authentication, limits and sessions. No process keeps anything between requests.

import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express'
import { v4 as randomId } from 'uuid'
import { present } from '../graphql/execute/errors.ts'
import type { Authenticator } from '../identity/authentication/authenticate.ts'
import { bearerChallenge, whatToSend } from '../identity/authentication/challenge.ts'
import { type Context, createContext, type Services } from '../kernel/context.ts'
import { AppError, type Code, invalid, statusOf } from '../kernel/errors.ts'
import { cutText } from '../kernel/input/cut.ts'
import { readJson } from '../kernel/input/json-text.ts'
import type { Limit } from '../server/rate-limit.ts'
import { formOf, inForm } from './accept.ts'
import { isOwnOrigin } from './origin.ts'
import { createOffered, createServer } from './server.ts'

interface Surroundings {
  services: Services
  authenticator: Authenticator
  /** Undefined when rate limits are off. */
  limit: Limit | undefined
}

const accepts = ['api_key', 'access_token'] as const

export function createMcpEndpoint({ services, authenticator, limit }: Surroundings): RequestHandler {
  const offered = createOffered()

  const answer = async (req: HttpRequest, res: HttpResponse): Promise<{ response: Response; context: Context }> => {
    if (req.method !== 'POST')
      throw new AppError('METHOD_NOT_ALLOWED', 'Messages are sent by POST; there is no stream to GET and no session to DELETE')
    if (!isOwnOrigin(req.headers.origin, services.config)) throw new AppError('FORBIDDEN', 'Pages of this origin may not call this server')
    const principal = await authenticator.authenticate(req, accepts)
    res.locals.principal = principal
    if (principal.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', `Authentication is required. ${whatToSend(accepts)}`)

    limit?.beforeBody(req, principal)
    const { value: message, problem } = await readJson(req)
    if (problem) throw invalid(problem)
    if (Array.isArray(message)) throw new AppError('INVALID', 'Send one message in each request, not a list of them')
    if (limit) await limit(req, res, principal, offered.tools.isWrite(message) ? 'write' : 'read')

    const context = createContext(services, {
      principal,
      requestId: req.id,
      door: 'mcp',
      // For the log, until a stored operation runs.
      operation: cutText(String(methodOf(message)), 100),
      requestedOrgId: req.get('x-org-id')?.toLowerCase() || null,
    })
    if (limit) context.countWrites = rows => limit(req, res, principal, 'write', rows)
    // The client sends this id with its later requests, so that a repeated one is recognized: see repeated.ts. Nothing is stored under it.
    if (methodOf(message) === 'initialize') res.setHeader('Mcp-Session-Id', randomId())
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const handler = createMcpHandler(() => createServer(context, offered), {
      // A server that keeps nothing between requests has no changes to announce.
      maxSubscriptions: 0,
      onerror: error => services.log.debug({ err: error, requestId: req.id }, 'an MCP message was refused'),
    })
    const request = new Request(address, { method: 'POST', headers: headersOf(req), signal: gone.signal })
    const response = await handler.fetch(request, { parsedBody: message })
    return { response: await inForm(response, formOf(req.headers.accept)), context }
  }

  return async (req, res) => {
    try {
      const { response, context } = await answer(req, res)
      await forward(response, res)
      // Known only now: the response begins before the operation runs.
      res.locals.operation = context.operation
    } catch (error) {
      if (res.headersSent || res.destroyed) return void res.destroy()
      const context = createContext(services, { principal: { kind: 'anonymous' }, requestId: req.id, door: 'mcp' })
      const failure = present(error, context)
      if (failure.extensions.code === 'UNAUTHENTICATED')
        res.setHeader('WWW-Authenticate', bearerChallenge(services.config, { wasSent: req.headers.authorization !== undefined }))
      refuse(res, failure)
    }
  }
}

// Only its path is read, and the caller's Host header has no effect.
const address = 'http://mcp/mcp'

const methodOf = (message: unknown) => (message as { method?: unknown } | null)?.method

const passedHeaders = ['idempotency-key', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name']

// Without the credential, which no later step needs. The SDK requires exactly these two types.
function headersOf({ headers }: HttpRequest): Headers {
  const passed = passedHeaders.flatMap(name => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])) as [string, string][]
  return new Headers([['accept', 'application/json, text/event-stream'], ['content-type', 'application/json'], ...passed])
}

/** Answers a request that was refused before its message was read: an HTTP status, and a JSON-RPC error without an id. */
function refuse(res: HttpResponse, { message, extensions }: ReturnType<typeof present>): void {
  const { code, status: _, ...extras } = extensions as { code: Code; status: number; retryAfter?: number }
  if (code === 'METHOD_NOT_ALLOWED') res.setHeader('Allow', 'POST')
  if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE') res.setHeader('Retry-After', String(extras.retryAfter ?? 1))
  // JSON-RPC: -32600 is an invalid request, -32000 begins the errors that servers define.
  const error = { code: code === 'INVALID' ? -32600 : -32000, message, data: { code, ...extras } }
  res.status(code === 'INVALID' ? 400 : statusOf[code]).json({ jsonrpc: '2.0', id: null, error })
}

async function forward(response: Response, res: HttpResponse): Promise<void> {
  res.writeHead(response.status, { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' })
  for await (const chunk of response.body ?? []) {
    if (res.destroyed) return
    // The response is one message of bounded size, so a slow client need not be waited for.
    res.write(chunk)
  }
  res.end()
}
