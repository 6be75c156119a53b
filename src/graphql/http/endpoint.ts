// The GraphQL door: who asks, what is asked, and the shortest way to the answer.
//
// Every credential is a header that a page of another site cannot set without asking first (CORS preflight), and no cookie is ever
// looked at: what a browser sends by itself is nobody's request and reads nothing. Operations by POST must be application/json, which
// needs asking too, so nothing from a form of another site gets as far as being parsed. GET only reads.

import type { Request, RequestHandler, Response as ServerResponse } from 'express'
import type { GraphQLSchema } from 'graphql'
import { type Context, createContext, type Services } from '../context.ts'
import { AppError, type Code, invalid } from '../errors.ts'
import type { Authenticator, CredentialKind } from '../identity/authenticate.ts'
import type { Limit } from '../limiter.ts'
import { answerOf, httpStatusOf, jsonTypeOf, send } from './answer.ts'
import { readBody } from './body.ts'
import { createDocuments } from './documents.ts'
import { createOperations } from './operations.ts'
import { type PersistedDocuments, parametersOf, parametersOfUrl } from './parameters.ts'
import { present } from './present.ts'
import { schema as wholeSchema } from './schema.ts'
import { createYogaHandler } from './yoga.ts'

export interface GraphqlOptions {
  services: Services
  authenticator: Authenticator
  /** Counts the request. Default: nothing is counted. */
  limit?: Limit
  /** Default: none. */
  persisted?: PersistedDocuments
  /** Default: the product's. */
  schema?: GraphQLSchema
}

// The identity provider's JWT and the service secrets are good only where the contract shows them, which is not here.
const accepts: readonly CredentialKind[] = ['api_key', 'session', 'user_header', 'guest']

/** The handler of one address. It reads the body itself: no body parser may stand before it. */
export function createGraphqlEndpoint(options: GraphqlOptions): RequestHandler {
  const { services, authenticator, limit, persisted = new Map(), schema = wholeSchema } = options
  const { isProduction } = services.config
  const documents = createDocuments(schema, { isProduction })
  const operations = createOperations({ documents, limit, isProduction })
  const yoga = createYogaHandler({ isProduction })

  const authenticated = async (req: Request, res: ServerResponse): Promise<Context> => {
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

      context = await authenticated(req, res)
      const parameters = req.method === 'GET' ? parametersOfUrl(req.url, persisted) : parametersOf(await readBody(req), persisted)
      const asked = { req, res, context, parameters, whoAsks: () => authenticator.authenticate(req, accepts) }
      const known = documents.known(context.principal, parameters)
      if (known && type) {
        const { result, status } = await operations.run(asked, known)
        return send(res, answerOf(result, type, context, status))
      }
      // Yoga chooses between JSON and event streams; what it answers in JSON is the same to the byte.
      const run = () => operations.start(asked)
      const headers = { accept: req.headers.accept ?? '*/*' }
      const response = await yoga.fetch(address, { method: req.method, headers }, { asking: { context, parameters, run } })
      if (response.status !== 406) return await forward(response, res)
      const refusal = present(new AppError('INVALID', notAcceptable), context)
      send(res, answerOf({ errors: [refusal] }, type ?? 'application/json', context, response.status))
    } catch (error) {
      if (res.headersSent || res.destroyed) return void res.destroy()
      const refusal = present(error, context)
      const { code } = refusal.extensions as { code: Code }
      // The client of an unknown persisted document sends it whole next, unless it takes the 404 for the address's.
      const status = code === 'NOT_FOUND' ? undefined : httpStatusOf(code)
      send(res, answerOf({ errors: [refusal] }, type ?? 'application/json', context, status))
    } finally {
      res.locals.operation = context.operation
    }
  }
}

const notAcceptable =
  'The Accept header asks for no type that this can be answered in: send Accept: text/event-stream for a subscription, and application/json for anything else'

// What Yoga takes for the address; the caller's Host header is not asked.
const address = 'http://graphql/graphql'

const opensPage = (req: Request) => req.method === 'GET' && (req.headers.accept?.includes('text/html') ?? false)

const visible = /^[\x21-\x7e]{1,255}$/

function idempotencyKeyOf(req: Request): string | null {
  const key = req.get('idempotency-key')
  if (key === undefined || visible.test(key)) return key ?? null
  throw invalid({
    path: ['header', 'Idempotency-Key'],
    type: 'string_pattern_mismatch',
    message: 'String should have 1 to 255 visible ASCII characters',
    input: key.slice(0, 1000),
    context: { pattern: visible.source },
  })
}

// GraphiQL is one page with everything inside, which the policy of all other pages forbids.
const pagePolicy =
  "default-src 'self'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; font-src data:; img-src data: https:; worker-src blob:; frame-ancestors 'none'"

async function forward(response: Response, res: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  if (response.headers.get('content-type')?.startsWith('text/html')) headers['content-security-policy'] = pagePolicy
  res.writeHead(response.status, headers)
  for await (const chunk of response.body ?? []) {
    if (res.destroyed) return
    if (!res.write(chunk)) await drained(res)
  }
  res.end()
}

// A slow reader is waited for; one that is gone ends the waiting.
const drained = (res: ServerResponse) =>
  new Promise<void>(resolve => {
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.once('drain', done).once('close', done)
  })
