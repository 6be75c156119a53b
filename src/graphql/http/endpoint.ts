// The GraphQL door: authenticates, parses and executes a request. Cached documents bypass Yoga.
//
// Protection from cross-site requests: every credential is a header that another site cannot set without a CORS preflight, and cookies
// are ignored, so a request that a browser sends by itself is unauthenticated. POST requires application/json, which needs a preflight
// too, so the body of a cross-site form is never parsed. GET executes no mutations.

import type { Request, RequestHandler, Response as ServerResponse } from 'express'
import type { GraphQLSchema } from 'graphql'
import type { Authenticator, CredentialKind } from '../../identity/authentication/authenticate.ts'
import { type Context, createContext, type Services } from '../../kernel/context.ts'
import { AppError, type Code, invalid } from '../../kernel/errors.ts'
import { idempotencyKeyPattern } from '../../kernel/idempotency/idempotency.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { readJson } from '../../kernel/input/json-text.ts'
import type { Limit } from '../../server/rate-limit.ts'
import { createDocuments } from '../execute/documents.ts'
import { present } from '../execute/errors.ts'
import { publicOf } from '../schema/public.ts'
import { schema as wholeSchema } from '../schema/root.ts'
import { answerOf, httpStatusOf, jsonTypeOf, send } from './answer.ts'
import { createOperations } from './operations.ts'
import { type PersistedDocuments, parametersOf, parametersOfUrl } from './parameters.ts'
import { createYogaHandler } from './yoga.ts'

export interface GraphqlOptions {
  services: Services
  authenticator: Authenticator
  /** The rate limiter. Default: no limit. */
  limit?: Limit
  /** Default: no persisted documents. */
  persisted?: PersistedDocuments
  /** Default: the public part of the schema of `schema/root.ts`. */
  schema?: GraphQLSchema
}

// The identity provider's JWT and the service secrets are accepted only by the REST endpoints that the contract lists for them.
const accepts: readonly CredentialKind[] = ['api_key', 'session', 'user_header', 'guest']

/** The request handler. It reads the body itself: no body parser may run before it. */
export function createGraphqlEndpoint(options: GraphqlOptions): RequestHandler {
  const { services, authenticator, limit, persisted = new Map(), schema = publicOf(wholeSchema) } = options
  const { isProduction } = services.config
  const documents = createDocuments(schema, { isProduction })
  const operations = createOperations({ documents, limit, isProduction })
  const yoga = createYogaHandler({ isProduction })

  const contextOf = async (req: Request, res: ServerResponse): Promise<Context> => {
    const found = authenticator.authenticate(req, accepts)
    const principal = found instanceof Promise ? await found : found
    res.locals.principal = principal
    return createContext(services, {
      principal,
      requestId: req.id,
      door: 'graphql',
      requestedOrgId: req.get('x-org-id')?.toLowerCase() || null,
      idempotencyKey: idempotencyKeyOf(req),
    })
  }

  return async (req, res) => {
    const type = jsonTypeOf(req.headers.accept)
    let context = createContext(services, { principal: { kind: 'anonymous' }, requestId: req.id, door: 'graphql' })
    try {
      if (req.method !== 'GET' && req.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED', 'GraphQL is asked by GET or POST')
      if (!isProduction && opensPage(req)) return await forward(await yoga.fetch(address, { headers: { accept: 'text/html' } }), res)

      context = await contextOf(req, res)
      if (req.method === 'POST') limit?.beforeBody(req, context.principal)
      const parameters = req.method === 'GET' ? parametersOfUrl(req.url, persisted) : parametersOf(await bodyOf(req), persisted)
      const request = { req, res, context, parameters, authenticate: () => authenticator.authenticate(req, accepts) }
      const known = documents.find(context.principal, parameters)
      if (known && type) {
        const { result, status } = await operations.run(request, known)
        return send(res, answerOf(result, type, context, status))
      }
      // Yoga negotiates between JSON and event streams. JSON responses are identical to those above.
      const run = () => operations.start(request)
      const headers = { accept: streamable(req.headers.accept) }
      const response = await yoga.fetch(address, { method: req.method, headers }, { parsed: { context, parameters, run } })
      if (response.status !== 406) return await forward(response, res)
      const refusal = present(new AppError('INVALID', notAcceptable), context)
      send(res, answerOf({ errors: [refusal] }, type ?? 'application/json', context, response.status))
    } catch (error) {
      if (res.headersSent || res.destroyed) return void res.destroy()
      const refusal = present(error, context)
      const { code } = refusal.extensions as { code: Code }
      send(res, answerOf({ errors: [refusal] }, type ?? 'application/json', context, httpStatusOf(code)))
    } finally {
      res.locals.operation = context.operation
    }
  }
}

async function bodyOf(req: Request): Promise<unknown> {
  // Too deep variables are refused like other values beyond a limit, by `checkVariables`. Each level is one of the counted values.
  const { value, problem } = await readJson(req, { levels: Number.POSITIVE_INFINITY })
  if (problem) throw invalid(problem)
  return value
}

const notAcceptable =
  'The Accept header asks for no type that this can be answered in: send Accept: text/event-stream for a subscription, and application/json for anything else'

// Yoga answers a subscription in the last of its own types that the header allows, which for `*/*` is multipart.
const streamable = (accept = '*/*'): string => accept.replace('*/*', 'application/json, text/event-stream')

// The URL passed to Yoga. Constant, so that the caller's Host header has no effect.
const address = 'http://graphql/graphql'

const opensPage = (req: Request) => req.method === 'GET' && (req.headers.accept?.includes('text/html') ?? false)

function idempotencyKeyOf(req: Request): string | null {
  const key = req.get('idempotency-key')
  if (key === undefined || idempotencyKeyPattern.test(key)) return key ?? null
  throw invalid({
    path: ['header', 'Idempotency-Key'],
    type: 'string_pattern_mismatch',
    message: 'String should have 1 to 255 visible ASCII characters',
    input: cutText(key, 1000),
    context: { pattern: idempotencyKeyPattern.source },
  })
}

// GraphiQL has inline scripts and styles, which the Content-Security-Policy of all other pages forbids.
const pagePolicy =
  "default-src 'self'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; font-src data:; img-src data: https:; worker-src blob:; frame-ancestors 'none'"

async function forward(response: Response, res: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  if (response.headers.get('content-type')?.startsWith('text/html')) headers['content-security-policy'] = pagePolicy
  res.writeHead(response.status, headers)
  for await (const chunk of response.body ?? []) {
    if (res.destroyed) return
    if (!res.write(chunk)) await waitForDrain(res)
  }
  res.end()
}

// Resolves when the client has read the buffered data, or has disconnected.
const waitForDrain = (res: ServerResponse) =>
  new Promise<void>(resolve => {
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.once('drain', done).once('close', done)
  })
