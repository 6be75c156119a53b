// Errors as callers see them: purposeful ones with their code, everything else masked.

import { GraphQLError } from 'graphql'
import { cut, maxProblemBytes, maxProblems } from '../bounded.ts'
import type { Context } from '../context.ts'
import { AppError, type Code, statusOf } from '../errors.ts'
import { isAllowed, type Principal, type Scope } from '../identity/principal.ts'

/** The error as its caller may see it: purposeful ones with code, status and extras; anything else masked, and logged with its cause. */
export function present(error: unknown, context: Context): GraphQLError {
  const given = error instanceof GraphQLError ? error : undefined
  const original = given?.originalError ?? error
  const { requestId } = context
  const presented = (message: string, code: Code, extras: object = {}) =>
    new GraphQLError(message, {
      // The places of a field are found by its path: graphql-jit knows none, and both answer alike.
      ...(given?.path ? { path: given.path } : given && { nodes: given.nodes, source: given.source, positions: given.positions }),
      extensions: { code, status: statusOf[code], requestId, ...extras },
    })

  if (original instanceof AppError) {
    const { code, message, extras, cause } = original
    if (cause !== undefined) context.services.log.warn({ err: cause, requestId, code }, message)
    return presented(message, code, visibleExtras(code, extras, context.principal))
  }
  // 1,000 characters: graphql-js quotes what it was given, whatever its length.
  if (given && isOfRequest(given)) return presented(given.message.slice(0, 1000), 'INVALID')
  context.services.log.error({ err: original, requestId, operation: context.operation }, 'unexpected error')
  return presented('Unexpected error', 'INTERNAL')
}

// Extras that tell something of a noun, and the scopes for it, one of which is enough: an error says no more than an answer would.
const scopesOfExtras: Partial<Record<Code, Readonly<Record<string, readonly Scope[]>>>> = {
  ALREADY_EXISTS: { existingId: ['contacts:read', 'contacts:write'] },
  SUGGESTION_STALE: { currentValue: ['contacts:read'] },
  INSUFFICIENT_CREDITS: { available: ['credits:read'], shortfall: ['credits:read'] },
}

function visibleExtras(code: Code, extras: AppError['extras'], principal: Principal): AppError['extras'] {
  const scopes = scopesOfExtras[code]
  // Backends with the service token keep the books.
  if (!scopes || principal.kind === 'service') return extras
  return Object.fromEntries(Object.entries(extras).filter(([name]) => scopes[name]?.some(scope => isAllowed(principal, scope)) ?? true))
}

/** The errors of one answer, of very many the first hundred that 48 kB hold; the last then says how many more there are. */
export function presentAll(errors: readonly unknown[], context: Context): GraphQLError[] {
  const kept: GraphQLError[] = []
  let left = maxProblemBytes
  for (const error of errors.slice(0, maxProblems)) {
    const presented = present(error, context)
    left -= Buffer.byteLength(JSON.stringify(presented))
    if (left < 0) break
    kept.push(presented)
  }
  if (kept.length === errors.length) return kept
  const [first] = kept
  // One that is too large by itself points at very many places of its document.
  if (!first) {
    const { message, extensions } = present(errors[0], context)
    const { code, status, requestId } = extensions
    return [new GraphQLError(cut(message), { extensions: { code, status, requestId } })]
  }
  const listed = kept.slice(0, maxProblems - 1)
  const omitted = errors.length - listed.length
  const extensions = { code: first.extensions.code, status: first.extensions.status, requestId: context.requestId, omitted }
  return [...listed, new GraphQLError(`${omitted} more errors are not listed`, { extensions })]
}

// The document or its variables are wrong when nothing has run yet, or when a variable turns out to be none for its argument. Any
// other error with a path is a resolver's, or an answer that does not fit the schema.
function isOfRequest({ path, originalError, message }: GraphQLError): boolean {
  return path === undefined || (message.startsWith('Argument "') && (originalError === undefined || originalError instanceof GraphQLError))
}
