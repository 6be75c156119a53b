// Checks and executes the operation of a request: rate limit, cost and variables, in the same order for cached and new documents.

import type { Request, Response } from 'express'
import { type ExecutionResult, getVariableValues } from 'graphql'
import type { Context } from '../../kernel/context.ts'
import { AppError, type Code } from '../../kernel/errors.ts'
import { operationIdOf } from '../../kernel/idempotency/idempotency.ts'
import { isVerified, type Principal } from '../../kernel/principal.ts'
import type { Limit } from '../../server/rate-limit.ts'
import type { Compiled } from '../execute/compile.ts'
import { type Documents, InvalidDocument, type Ready } from '../execute/documents.ts'
import { presentAll } from '../execute/errors.ts'
import { execute } from '../execute/run.ts'
import { checkVariables } from '../execute/values.ts'
import { httpStatusOf, withoutHint } from './answer.ts'
import { createFollow } from './live.ts'
import type { Parameters } from './parameters.ts'
import { createShare } from './share.ts'

/** A parsed and authenticated request. */
interface OperationRequest {
  req: Request
  res: Response
  context: Context
  parameters: Parameters
  /** Authenticates the credential again. Throws when it is no longer valid. */
  authenticate(): Principal | Promise<Principal>
}

export interface Outcome<Result> {
  result: Result
  /** The HTTP status, if the HTTP request and not its operation was refused: method, rate limit, unavailable. */
  status?: number
}

export type Results = ExecutionResult | AsyncIterable<ExecutionResult>

export interface Operations {
  /** Executes a cached document, which is never a subscription. Never rejects. */
  run(request: OperationRequest, ready: Ready): Promise<Outcome<ExecutionResult>>
  /** Parses, validates and executes a document. Never rejects. */
  start(request: OperationRequest): Promise<Outcome<Results>>
}

// From 250 values on graphql-js checks the variables first, because it stops at 20 errors. graphql-jit reports every wrong value, each with
// a stack: 60 ms for 900 of them.
const manyValues = 250

// Uncached documents of guests and anonymous callers get at most a tenth of the event loop's time, so that a flood of them leaves the rest
// to authenticated callers. With a fifth, more than one in a hundred of their requests waited for an introspection of the whole schema,
// which takes some 30 ms. Persisted documents are prepared once.
const unverifiedShare = { part: 0.1, maxWaiting: 100 }

const looksLikeMutation = /^\s*mutation\b/

const refusals: ReadonlySet<Code> = new Set(['METHOD_NOT_ALLOWED', 'RATE_LIMITED', 'UNAVAILABLE'])

export function createOperations({
  documents,
  limit,
  isProduction,
}: {
  documents: Documents
  limit: Limit | undefined
  isProduction: boolean
}): Operations {
  const follow = createFollow()
  const share = createShare(unverifiedShare)
  const count = async ({ req, res, context }: OperationRequest, kind: 'read' | 'write', points?: number) => {
    if (limit) await limit(req, res, context.principal, kind, points)
  }
  /** `counted`: the kind under which `start` has counted the request before parsing; null if it has not been counted. */
  const admit = async (request: OperationRequest, { schema, operation, compiled, checkCost }: Ready, counted: 'read' | 'write' | null) => {
    const { context, req } = request
    const { variables } = request.parameters
    const isMutation = operation.operation === 'mutation'
    if (isMutation && req.method === 'GET') throw new AppError('METHOD_NOT_ALLOWED', 'Mutations are sent by POST')
    if (isMutation) {
      // Each root field is one write: `a: createContact b: createContact` counts as two.
      const writes = (compiled?.roots.length ?? 1) - (counted === 'write' ? 1 : 0)
      if (writes > 0) await count(request, 'write', writes > 1 ? writes : undefined)
      if (limit) context.countWrites = rows => count(request, 'write', rows)
    } else if (counted === null) await count(request, 'read')
    checkCost(variables)
    if (checkVariables(variables) < manyValues) return
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 20 })
    if (errors) throw new InvalidDocument(errors)
  }
  const outcomeOfError = (error: unknown, { context }: OperationRequest): Outcome<ExecutionResult> => {
    const errors = error instanceof InvalidDocument ? error.errors : [error]
    const result = forCaller({ errors: presentAll(errors, context) }, context)
    return error instanceof AppError && refusals.has(error.code) ? { result, status: httpStatusOf(error.code) } : { result }
  }
  // In production, callers who may not introspect must not learn names of the schema from suggestions.
  const forCaller = (result: ExecutionResult, { principal }: Context): ExecutionResult =>
    isProduction && !isVerified(principal) && result.errors ? { ...result, errors: result.errors.map(withoutHint) } : result

  const executeOperation = async ({ res, context, parameters }: OperationRequest, { operation }: Ready, compiled: Compiled) => {
    const result = await execute(compiled, context, parameters.variables)
    if (operation.operation === 'mutation' && !context.dryRun && !res.headersSent) res.setHeader('X-Operation-Id', operationIdOf(context))
    return { result: forCaller(result, context) }
  }

  const run = async (request: OperationRequest, ready: Ready, counted: 'read' | 'write'): Promise<Outcome<Results>> => {
    const { req, res, context, parameters, authenticate } = request
    await admit(request, ready, counted)
    if (ready.compiled) return executeOperation(request, ready, ready.compiled)
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const results = await follow(ready, context, parameters.variables, { authenticate, address: req.ip, gone: gone.signal })
    return { result: Symbol.asyncIterator in results ? results : forCaller(results, context) }
  }

  return {
    async run(request, ready) {
      try {
        await admit(request, ready, null)
        if (!ready.compiled) throw new Error('a subscription has no single answer')
        return await executeOperation(request, ready, ready.compiled)
      } catch (error) {
        return outcomeOfError(error, request)
      }
    },
    async start(request) {
      const { principal } = request.context
      const kind = looksLikeMutation.test(request.parameters.query) ? 'write' : 'read'
      const readAndRun = async () => run(request, documents.ready(principal, request.parameters), kind)
      try {
        // Counted before parsing, because invalid documents cost time too.
        await count(request, kind)
        return await (isVerified(principal) || request.parameters.isPersisted
          ? readAndRun()
          : share(readAndRun, () => request.res.destroyed))
      } catch (error) {
        return outcomeOfError(error, request)
      }
    },
  }
}
