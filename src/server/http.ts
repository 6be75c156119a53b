// The HTTP application: middleware of all requests, then the doors in order, then the error handler.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { SpanKind } from '@opentelemetry/api'
import cors, { type CorsOptions } from 'cors'
import type { Express as Application, ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'
import { takesHooks } from '../config/environment.ts'
import { frameAncestorsOf } from '../dashboard/widgets/embed.ts'
import { gatewayOrganization } from '../gateway/organization.ts'
import { keepPayload } from '../gateway/payloads/payload.ts'
import { createGraphqlEndpoint } from '../graphql/http/endpoint.ts'
import { readPersisted } from '../graphql/http/persisted.ts'
import { createHooks } from '../hooks/router.ts'
import type { Authenticator } from '../identity/authentication/authenticate.ts'
import { createClaims } from '../identity/invitations/claims.ts'
import { createOauth } from '../identity/oauth/endpoint.ts'
import type { IdentityProvider } from '../identity/provider/provider.ts'
import type { Services } from '../kernel/context.ts'
import { downloadPath } from '../kernel/downloads.ts'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { refuseForeignPages } from '../kernel/input/own-pages.ts'
import { actorOf, type Principal } from '../kernel/principal.ts'
import { type Active, markFailed, withSpan } from '../kernel/tracing/span.ts'
import { isLoopback } from '../mcp/origin.ts'
import { docsRoutes } from '../rest/docs/docs.ts'
import { guideAddresses } from '../rest/docs/guides.ts'
import { sendError } from '../rest/router/answer.ts'
import { createRest } from '../rest/router/router.ts'
import { healthRoutes } from './health.ts'
import type { Limit } from './rate-limit.ts'
import type { WebApp } from './web/app.ts'
import { installableRoutes } from './web/installable.ts'
import { createWebPages } from './web/pages.ts'

declare global {
  namespace Express {
    interface Request {
      /** The request's id, also sent as X-Request-Id. */
      id: string
    }
    interface Locals {
      /** Set by the doors for the log. */
      principal?: Principal
      operation?: string
      /** The path of the route with its parameters' names, for traces. */
      route?: string
    }
  }
}

export interface Doors {
  services: Services
  authenticator: Authenticator
  /** Null when an outside provider is configured. */
  identityProvider: IdentityProvider | null
  /** Undefined when rate limits are off. */
  limit: Limit | undefined
  /** Undefined where no pages are served. */
  web: WebApp | undefined
  isDraining: () => boolean
}

/** Adds middleware, doors and pages to a new application. */
export function addDoors(app: Application, { services, authenticator, identityProvider, limit, web, isDraining }: Doors): void {
  const { config } = services
  const hasRole = (role: (typeof config.ROLES)[number]) => config.ROLES.includes(role)
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  if (config.TRUST_PROXY) app.set('trust proxy', /^\d+$/.test(config.TRUST_PROXY) ? Number(config.TRUST_PROXY) : config.TRUST_PROXY)

  app.use(identify(services, isDraining))
  const isBehindTls = config.isProduction && config.TRUST_PROXY !== undefined
  if (isBehindTls) app.use(httpsOnly)
  app.use(securityHeaders(isBehindTls))
  app.use(crossOrigin(config.FRONTEND_ORIGIN))

  // The busiest doors first. None gets a parsed body: each reads its own.
  if (hasRole('gateway') && takesHooks(config))
    app.use(createHooks({ services, organization: () => gatewayOrganization(services), keep: keepPayload(services) }))
  if (hasRole('api') || hasRole('session')) app.use('/api', createRest({ services, authenticator, limit }))
  if (hasRole('api') || hasRole('web'))
    app.all('/graphql', createGraphqlEndpoint({ services, authenticator, limit, persisted: readPersisted() }))
  if (hasRole('api')) app.all('/mcp', mcpEndpoint({ services, authenticator, limit }))
  const pages =
    web && hasRole('web') ? createWebPages(web, { doors: ownAddresses, frameAncestorsOf: id => frameAncestorsOf(services, id) }) : undefined
  if (identityProvider && hasRole('session')) {
    app.use([...formAddresses], ownPagesOnly(config))
    app.use('/idp', identityProvider.handler)
    // Browsers get the app there, which asks this address for JSON.
    if (pages) app.get('/claim/:token', pages.page)
    app.use('/claim', createClaims({ services, authenticator, identityProvider }))
  }
  if (hasRole('api') || hasRole('session')) app.use(createOauth(services))
  app.use(healthRoutes(services, isDraining))
  app.all([...probes], readOnly)
  if (hasRole('api') || hasRole('session') || hasRole('web'))
    for (const file of ['base.css', 'icon.svg']) app.get(`/${file}`, (_req, res) => res.sendFile(file, { root: pageFiles, maxAge: '1h' }))
  if (hasRole('api')) app.use(docsRoutes()).all(['/docs', '/docs/errors', ...guideAddresses, '/openapi.json'], readOnly)
  if (pages) app.use('/assets', pages.assets).use(installableRoutes()).use(pages.page).all('/', readOnly)

  app.use((req, res) => sendError(req, res, 'NOT_FOUND', 'Nothing is served at this address. The reference at /docs lists all addresses'))
  app.use(errorHandler(services))
}

// Addresses that take forms or set cookies. Requests from pages of other sites are refused there.
const formAddresses = ['/idp', '/claim']

function ownPagesOnly(config: Services['config']): RequestHandler {
  return (req, res, next) => {
    try {
      refuseForeignPages(req, config)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return sendError(req, res, error.code, error.message)
    }
    next()
  }
}

// Loaded at the first request: the MCP SDK takes 40 ms, which would delay every start.
function mcpEndpoint(surroundings: Pick<Doors, 'services' | 'authenticator' | 'limit'>): RequestHandler {
  let endpoint: Promise<RequestHandler> | undefined
  return async (req, res, next) => {
    endpoint ??= import('../mcp/endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(surroundings))
    await (await endpoint)(req, res, next)
  }
}

// The style sheet and the icon to which pages of every role link.
const pageFiles = fileURLToPath(new URL('public', import.meta.url))

const printable = /^[\x20-\x7e]{1,128}$/

// Gives the request an id and a span, and logs and counts it at its end.
function identify({ log, metrics, tracing }: Services, isDraining: () => boolean): RequestHandler {
  return (req, res, next) => {
    const started = performance.now()
    // UUIDv7: its time makes it possible to find the events of a write by its id.
    req.id = newId()
    res.setHeader('X-Request-Id', req.id)
    // The caller's own id is logged beside ours, which is unique and not chosen by the caller.
    const given = req.headers['x-request-id']
    const clientRequestId = typeof given === 'string' && printable.test(given) ? given : undefined
    if (clientRequestId !== undefined) res.setHeader('X-Client-Request-Id', clientRequestId)
    // While draining, the connection is closed after the answer, so that the next request goes to another process.
    if (isDraining()) res.setHeader('Connection', 'close')
    // The path without the query, which may contain a token; the paths of a claim and of a download contain one too.
    const path = withoutToken(req.path)
    const span = probes.has(req.path) ? undefined : tracing.begin(() => aboutRequest(req), oneOf(req.headers.traceparent))
    const onClose = () => {
      const seconds = (performance.now() - started) / 1000
      const { principal, operation } = res.locals
      const door = path.slice(1, path.indexOf('/', 1) < 0 ? undefined : path.indexOf('/', 1))
      const isKnown = doors.has(door)
      metrics.request(isKnown ? door : 'other', req.method, res.statusCode, seconds)
      if (span) endRequest(span, req, res, isKnown ? `/${door}` : undefined)
      log.info(
        {
          requestId: req.id,
          ...(clientRequestId !== undefined && { clientRequestId }),
          method: req.method,
          path,
          status: res.statusCode,
          durationMs: Math.round(seconds * 1e5) / 100,
          ...(principal && { principal: actorOf(principal) }),
          ...(operation && { operation }),
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      )
    }
    res.once('close', () => withSpan(span, onClose))
    withSpan(span, next)
  }
}

// Without the path, which may contain tokens and what users chose. The route stands for it.
const aboutRequest = ({ id, method, protocol }: Request) => ({
  name: method,
  kind: SpanKind.SERVER,
  attributes: { 'http.request.method': method, 'url.scheme': protocol, 'rolocom.request.id': id },
})

function endRequest({ span }: Active, { method }: Request, { locals, statusCode }: Response, door: string | undefined): void {
  const route = locals.route ?? door
  if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route)
  span.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) markFailed(span, String(statusCode))
  span.end()
}

const oneOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

const secretPaths = ['/claim/', `${downloadPath}/`]
const withoutToken = (path: string) => {
  const found = secretPaths.find(start => path.startsWith(start))
  return found === undefined ? path : `${found}...`
}
const doors = new Set(['graphql', 'api', 'idp', 'claim', 'hooks', 'mcp', 'oauth', 'docs', 'healthz', 'readyz', 'metrics', 'assets'])
// The first segments of addresses at which the web app has no page.
const ownAddresses = new Set([...doors, 'openapi.json'].filter(name => name !== 'claim' && name !== 'oauth'))

// Refuses other methods on read-only paths.
const readOnly: RequestHandler = (req, res) =>
  sendError(req, res, 'METHOD_NOT_ALLOWED', 'This address takes GET and HEAD', { allow: 'GET, HEAD' })

// Probes are sent to the process directly, not through the proxy.
const probes = new Set(['/healthz', '/readyz', '/metrics'])
const httpsOnly: RequestHandler = (req, res, next) => {
  if (req.secure || probes.has(req.path)) next()
  else sendError(req, res, 'FORBIDDEN', 'This server is reached over HTTPS only')
}

// Helmet's headers are the same for every answer, so they are computed once.
function securityHeaders(isBehindTls: boolean): RequestHandler {
  const headers: [string, string][] = []
  const recorder = { setHeader: (name: string, value: string) => headers.push([name, value]), removeHeader() {} }
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        imgSrc: ["'self'", 'data:', 'https:'],
      },
    },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isBehindTls,
  })({} as IncomingMessage, recorder as unknown as ServerResponse, () => {})
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    next()
  }
}

// Addresses that take requests from pages on the user's own machine, such as the MCP Inspector, whose port varies.
const forAgents = /^\/(?:mcp|oauth\/(?:register|token|revoke)|\.well-known\/.+)\/?$/

// No answer depends on cookies, so `credentials` is not set.
function crossOrigin(frontend: string | undefined): RequestHandler {
  const own = frontend ? new URL(frontend).origin : false
  const shared: CorsOptions = {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'X-Request-Id',
      'X-Client-Request-Id',
      'Location',
      'ETag',
      'Idempotent-Replayed',
      'X-Operation-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Mcp-Session-Id',
      'WWW-Authenticate',
    ],
    maxAge: 600,
  }
  return cors<Request>((req, answer) => {
    const { origin } = req.headers
    answer(null, { ...shared, origin: origin !== undefined && forAgents.test(req.path) && isLoopback(origin) ? origin : own })
  })
}

// Handles unexpected errors: the caller gets a general sentence, the log the whole error.
function errorHandler({ log }: Services): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error)
    log.error({ err: error, requestId: req.id }, 'unexpected error')
    sendError(req, res, 'INTERNAL', 'Unexpected error')
  }
}
