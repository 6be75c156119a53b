// What is asked, run: the same checks in the same order whichever way it came.

import type { Request, Response } from 'express'
import { type ExecutionResult, getVariableValues } from 'graphql'
import type { Context } from '../context.ts'
import { AppError, type Code } from '../errors.ts'
import type { Principal } from '../identity/principal.ts'
import type { Limit } from '../limiter.ts'
import { httpStatusOf, withoutHint } from './answer.ts'
import { type Documents, InvalidDocument, isKnown, type Ready } from './documents.ts'
import { createFollow } from './live.ts'
import type { Parameters } from './parameters.ts'
import { presentAll } from './present.ts'
import { execute } from './run.ts'
import { createShare } from './share.ts'
import { checkVariables } from './storable.ts'

/** A request that has been read, from a caller who is known. */
export interface Asked {
  req: Request
  res: Response
  context: Context
  parameters: Parameters
  /** Who asks, as the credential stands now. Throws when it is no longer valid. */
  whoAsks(): Principal | Promise<Principal>
}

export interface Outcome<Result> {
  result: Result
  /** The HTTP status, when the request was refused for what it is and not for what it asks. */
  status?: number
}

export type Results = ExecutionResult | AsyncIterable<ExecutionResult>

export interface Operations {
  /** Runs a document that is known to be good and no subscription. Never rejects. */
  run(asked: Asked, ready: Ready): Promise<Outcome<ExecutionResult>>
  /** Runs any document. Never rejects. */
  start(asked: Asked): Promise<Outcome<Results>>
}

// Compiled documents name every wrong value, one by one; among so many that would take seconds. graphql-js stops at the twentieth.
const manyValues = 1000

// A fifth of the time is for documents of callers for whom nobody vouches: honest ones hardly notice, and many leave the rest to others.
const strangersShare = { part: 0.2, maxWaiting: 100 }

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
  const share = createShare(strangersShare)
  const count = async ({ req, res, context }: Asked, kind: 'read' | 'write', points?: number) => {
    if (limit) await limit(req, res, context.principal, kind, points)
  }
  /** `counted`: as what the request was counted, once, before it was known what it is. */
  const admit = async (asked: Asked, { schema, operation, compiled, checkCost }: Ready, counted: 'read' | 'write' | null) => {
    const { context, req } = asked
    const { variables } = asked.parameters
    const isMutation = operation.operation === 'mutation'
    if (isMutation && req.method === 'GET') throw new AppError('METHOD_NOT_ALLOWED', 'Mutations are sent by POST')
    if (isMutation) {
      // Each root field writes: `a: createContact b: createContact` is two.
      const writes = (compiled?.roots.length ?? 1) - (counted === 'write' ? 1 : 0)
      if (writes > 0) await count(asked, 'write', writes > 1 ? writes : undefined)
      if (limit) context.countWrites = rows => count(asked, 'write', rows)
    } else if (counted === null) await count(asked, 'read')
    checkCost(variables)
    if (checkVariables(variables) < manyValues) return
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 20 })
    if (errors) throw new InvalidDocument(errors)
  }
  const failed = (error: unknown, { context }: Asked): Outcome<ExecutionResult> => {
    const errors = error instanceof InvalidDocument ? error.errors : [error]
    const result = forCaller({ errors: presentAll(errors, context) }, context)
    return error instanceof AppError && refusals.has(error.code) ? { result, status: httpStatusOf(error.code) } : { result }
  }
  // Suggestions spell out the schema to those who may not read it.
  const forCaller = (result: ExecutionResult, { principal }: Context): ExecutionResult =>
    isProduction && !isKnown(principal) && result.errors ? { ...result, errors: result.errors.map(withoutHint) } : result

  const run = async (asked: Asked, ready: Ready, counted: 'read' | 'write'): Promise<Outcome<Results>> => {
    const { req, res, context, parameters, whoAsks } = asked
    await admit(asked, ready, counted)
    if (ready.compiled) return { result: forCaller(await execute(ready.compiled, context, parameters.variables), context) }
    const gone = new AbortController()
    res.once('close', () => gone.abort())
    const results = await follow(ready, context, parameters.variables, { whoAsks, address: req.ip, gone: gone.signal })
    return { result: Symbol.asyncIterator in results ? results : forCaller(results, context) }
  }

  return {
    async run(asked, ready) {
      try {
        await admit(asked, ready, null)
        if (!ready.compiled) throw new Error('a subscription has no single answer')
        return { result: forCaller(await execute(ready.compiled, asked.context, asked.parameters.variables), asked.context) }
      } catch (error) {
        return failed(error, asked)
      }
    },
    async start(asked) {
      const { principal } = asked.context
      const kind = looksLikeMutation.test(asked.parameters.query) ? 'write' : 'read'
      const readAndRun = async () => run(asked, documents.ready(principal, asked.parameters), kind)
      try {
        // Before the document is looked at: what is wrong with it costs its reader too.
        await count(asked, kind)
        return await (isKnown(principal) ? readAndRun() : share(readAndRun, () => asked.res.destroyed))
      } catch (error) {
        return failed(error, asked)
      }
    },
  }
}
