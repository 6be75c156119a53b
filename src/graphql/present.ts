// Errors as callers see them: purposeful ones with their code, everything else masked.

import { GraphQLError } from 'graphql'
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
      ...(given && { nodes: given.nodes, source: given.source, positions: given.positions, path: given.path }),
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

// The document or its variables are wrong when nothing has run yet, or when a variable turns out to be none for its argument. Any
// other error with a path is a resolver's, or an answer that does not fit the schema.
function isOfRequest({ path, originalError, message }: GraphQLError): boolean {
  return path === undefined || (message.startsWith('Argument "') && (originalError === undefined || originalError instanceof GraphQLError))
}
