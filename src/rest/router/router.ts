// The REST door: the request handler for the routes in rest/routes/. The steps of every request, in order:
// find the route, authenticate, rate limit, authorize, parse the request, execute the stored document, send the response.

import type { Request, RequestHandler, Response } from 'express'
import findMyWay from 'find-my-way'
import { run, wireSchema } from '../../graphql/execute/run.ts'
import type { Authenticator } from '../../identity/authentication/authenticate.ts'
import { whatToSend } from '../../identity/authentication/challenge.ts'
import { type Context, createContext, organizationOf, type Services } from '../../kernel/context.ts'
import { downloadPath } from '../../kernel/downloads.ts'
import { AppError } from '../../kernel/errors.ts'
import { operationIdOf } from '../../kernel/idempotency/idempotency.ts'
import { isAllowed, isAtLeast, type Principal, tooWeak } from '../../kernel/principal.ts'
import type { Limit } from '../../server/rate-limit.ts'
import { routes } from '../routes/routes.ts'
import { detailsOfProblems, type Locate, sendError, sendFailure, sendJson, sendText } from './answer.ts'
import { hasJson } from './body.ts'
import { inputsOf, operationOf, spellingOf, variablesOf } from './document.ts'
import { downloadEndpoint } from './download.ts'
import { Details } from './problems.ts'
import { readerOf } from './request.ts'
import { dryRunBody, replierOf } from './result.ts'
import { parametersOf, type Route } from './route.ts'
import { keepIfUsed } from './upload.ts'

export interface RestOptions {
  services: Services
  authenticator: Authenticator
  /** The rate limiter. Default: no limit. */
  limit?: Limit
}

/** A handler for the routes of this process's roles, to be mounted at /api. */
export function createRest(options: RestOptions): RequestHandler {
  const { services } = options
  const served = routes.filter(route => services.config.ROLES.includes(route.role))
  // find-my-way is a radix tree; Express would test the pattern of every route in sequence.
  const addresses = findMyWay({ caseSensitive: true, querystringParser: () => ({}) })

  for (const [path, group] of Map.groupBy(served, route => route.path)) {
    const endpoints = new Map(group.map(route => [route.method as string, prepareWhenUsed(route, options)]))
    const get = endpoints.get('GET')
    if (get) endpoints.set('HEAD', get)
    // One entry per path with all its methods, so that a wrong method gets 405 and a wrong path 404.
    addresses.on('GET', pattern(path), () => {}, { endpoints, allow: [...endpoints.keys()].join(', ') } satisfies Address)
  }

  if (services.config.ROLES.includes('api')) {
    const endpoints = new Map([['GET', downloadEndpoint(options)]])
    addresses.on('GET', pattern(`${downloadPath}/{token}`), () => {}, { endpoints, allow: 'GET' } satisfies Address)
  }

  return (req, res) => {
    // find-my-way also matches a malformed percent-encoding, but returns no store.
    const found = addresses.find('GET', req.url)
    const address = found?.store as Address | null | undefined
    // An empty parameter does not match: `/contacts/` is not `/contacts/{contact_id}`.
    if (!address || Object.values(found?.params ?? {}).includes(''))
      return sendError(req, res, 'NOT_FOUND', 'Nothing is served at this address. The reference at /docs lists all addresses')
    const endpoint = address.endpoints.get(req.method)
    if (!endpoint) return sendError(req, res, 'METHOD_NOT_ALLOWED', `This address takes ${address.allow}`, { allow: address.allow })
    req.params = found?.params as Request['params']
    return endpoint(req, res)
  }
}

// `as`: the document of such a route selects the member as a text.
const textIn = (body: unknown, member: string) => (body as Record<string, string>)[member] ?? ''

type Endpoint = (req: Request, res: Response) => Promise<void>

interface Address {
  endpoints: ReadonlyMap<string, Endpoint>
  allow: string
}

// Preparing all routes would take a twentieth of a start.
function prepareWhenUsed(route: Route, options: RestOptions): Endpoint {
  let endpoint: Endpoint | undefined
  return (req, res) => (endpoint ??= endpointOf(route, options))(req, res)
}

const pattern = (path: string) => path.replace(/^\/api/, '').replace(/\{(\w+)\}/g, ':$1')

function endpointOf(route: Route, options: RestOptions): Endpoint {
  const { services, authenticator, limit } = options
  const isWrite = route.method !== 'GET'
  const kind = isWrite ? 'write' : 'read'
  const usual = prepareRoute(route, route.document)
  const read = readerOf(route, usual)
  const open = route.withoutCredential && endpointOf(route.withoutCredential, options)
  const instead = route.instead && { given: route.instead.given, ...prepareRoute(route, route.instead.document) }

  return async (req: Request, res: Response): Promise<void> => {
    res.locals.operation = usual.name
    res.locals.route = route.path
    // Converts the paths of the rules' problems according to the document that is executed.
    let locate = usual.locate
    try {
      if (route.isRaw) checkSigned(route, req)
      const isTriedRaw = route.isRaw && isRawDryRun(req.url)
      const found = route.isRaw ? unverifiedSender : authenticator.authenticate(req, route.callers)
      const principal = found instanceof Promise ? await found : found
      if (open && principal.kind === 'anonymous' && hasJson(req)) return await open(req, res)
      res.locals.principal = principal
      if (limit && !route.isRaw) await limit(req, res, principal, kind)
      checkCaller(route, principal)

      const context = createContext(services, {
        principal,
        requestId: req.id,
        door: 'rest',
        operation: usual.name,
        requestedOrgId: req.get('x-org-id')?.toLowerCase() || null,
        idempotencyKey: isWrite && !route.isRaw ? req.get('idempotency-key') : null,
      })
      if (limit && isWrite && !route.isRaw) context.countWrites = rows => limit(req, res, principal, kind, rows)
      if (isTriedRaw) context.dryRun = {}
      const values = await read(req, context, organizationProblems(route, context))
      const operation = instead && values[instead.given] !== undefined ? instead : usual
      locate = operation.locate
      res.locals.operation = operation.name
      let data: unknown
      try {
        const ran = run(operation.document, variablesOf(operation.inputs, values) as never, context)
        data = await (route.isUpload ? keepIfUsed(ran, context, String(values.upload_id)) : ran)
      } finally {
        if (isWrite && !context.dryRun) res.setHeader('X-Operation-Id', operationIdOf(context))
      }

      if (route.isRaw) services.networkLimits.forget(forgedMessages, () => req.ip)

      const { status, body, headers } = operation.reply(data, req)
      if (context.dryRun) return sendJson(res, 200, dryRunBody(status, body, context.dryRun), { 'Cache-Control': 'no-store' })
      res.setHeader('Cache-Control', route.isSecret ? 'no-store' : 'private, no-cache')
      if (context.idempotency?.replayed) headers['Idempotent-Replayed'] = 'true'
      if (route.textOf) sendText(res, status, textIn(body, route.textOf.member), { 'Content-Type': route.textOf.type, ...headers })
      else if (body === undefined) res.writeHead(status, headers).end()
      else sendJson(res, status, body, headers)
    } catch (error) {
      fail(req, res, services, route.isRaw ? countForged(services, req, error) : error, locate)
    }
  }
}

function checkSigned({ signedBy }: Route, { params, headers }: Request): void {
  const names = signedBy?.(params) ?? []
  if (names.some(name => headers[name] !== undefined)) return
  throw new AppError(
    'UNAUTHENTICATED',
    names.length === 0
      ? 'Nobody can speak for this provider here'
      : `The request is not signed: the header ${names.join(' or ')} is missing`,
  )
}

const forgedMessages = { max: 20, seconds: 60 }

// Forged messages are counted after their signature was checked, so that a genuine one of the same network is never refused.
function countForged({ networkLimits, metrics }: Services, { ip }: Request, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'UNAUTHENTICATED') return error
  const retryAfter = networkLimits.count(forgedMessages, ip)
  if (retryAfter === null) return error
  metrics.countRefusal('forged messages')
  return new AppError('RATE_LIMITED', 'Too many messages from this address whose signature is not valid', { retryAfter })
}

// Nothing else of a raw request is parsed. Read decoded, so that `dry%5Frun` is never executed by mistake.
function isRawDryRun(url: string): boolean {
  const [value = 'false', ...others] = new URLSearchParams(url.split('?').slice(1).join('?')).getAll('dry_run')
  if (others.length > 0 || (value !== 'true' && value !== 'false'))
    throw new AppError('INVALID', 'dry_run: must be true or false, and given once')
  return value === 'true'
}

// The principal of requests to raw routes, which have a signature instead of a credential. The rule verifies the signature and finds the
// organization.
const unverifiedSender: Principal = { kind: 'system', name: 'unverified sender', orgId: null }

function prepareRoute(route: Route, document: Route['document']) {
  const inputs = inputsOf(wireSchema(), document, route.path)
  const spell = spellingOf(inputs)
  const parts = new Map<string, string>([
    ...parametersOf(route.path).map(name => [name, 'path'] as const),
    ...Object.keys(route.query?.shape ?? {}).map(name => [name, 'query'] as const),
  ])
  const locate: Locate = path => {
    if (path[0] === 'header') return path.map(String)
    const spelled = spell(path)
    const [first = ''] = spelled
    return first === 'if_version' ? ['header', 'If-Match'] : [parts.get(first) ?? 'body', ...spelled]
  }
  return {
    name: operationOf(document).name?.value ?? route.operationId,
    document,
    inputs,
    locate,
    reply: replierOf(route, document, locate),
  }
}

// Runs before the body is read: a caller without the scope gets 401 or 403, not validation errors.
function checkCaller({ scope, orRole, method, callers }: Route, principal: Principal): void {
  if (principal.kind === 'anonymous' && callers.length > 0)
    throw new AppError('UNAUTHENTICATED', `Authentication is required. ${whatToSend(callers)}`)
  if (principal.kind === 'guest' && method !== 'GET') throw new AppError('GUEST_READ_ONLY', 'Guests may only read')
  const hasRole = orRole && principal.kind === 'session' && principal.role !== null && isAtLeast(principal.role, orRole)
  if (scope && !hasRole && !isAllowed(principal, scope)) {
    if (principal.kind === 'session' && principal.role !== null) throw new AppError('FORBIDDEN', tooWeak(principal.role))
    throw new AppError('FORBIDDEN', `The credential lacks the scope ${scope}`)
  }
}

// Checks which organization the request acts on. One that the caller does not belong to is 403 at once; a missing choice between several
// is reported together with the other problems of the request.
function organizationProblems({ scope, inOrganization }: Route, context: Context): Details {
  if (!scope && !inOrganization) return new Details()
  try {
    organizationOf(context)
    return new Details()
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID') return new Details(detailsOfProblems(error))
    throw error
  }
}

function fail(req: Request, res: Response, { log }: Services, error: unknown, locate: Locate): void {
  if (error instanceof AppError) {
    if (error.cause !== undefined) log.warn({ err: error.cause, requestId: req.id, code: error.code }, error.message)
    sendFailure(req, res, error, locate)
  } else {
    log.error({ err: error, requestId: req.id, operation: res.locals.operation }, 'unexpected error')
    sendError(req, res, 'INTERNAL', 'Unexpected error')
  }
}
