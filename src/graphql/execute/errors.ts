// Formats errors for callers: an AppError with its code, any other error masked.

import { GraphQLError } from 'graphql'
import type { Context } from '../../kernel/context.ts'
import { AppError, type Code, statusOf } from '../../kernel/errors.ts'
import { cut, maxProblemBytes, maxProblems } from '../../kernel/input/bounded.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { isAllowed, type Principal, type Scope } from '../../kernel/principal.ts'

/** Formats an error for the caller: an AppError with code, status and extras; any other error is masked, and logged with its cause. */
export function present(error: unknown, context: Context): GraphQLError {
  const given = error instanceof GraphQLError ? error : undefined
  const original = given?.originalError ?? error
  const { requestId } = context
  const errorFor = (message: string, code: Code, extras: object = {}) =>
    new GraphQLError(message, {
      // With a path, locations are added later by locations.ts, so that graphql-jit and graphql-js return the same error.
      ...(given?.path ? { path: given.path } : given && { nodes: given.nodes, source: given.source, positions: given.positions }),
      extensions: { code, status: statusOf[code], requestId, ...extras },
    })

  if (original instanceof AppError) {
    const { code, message, extras, cause } = original
    if (cause !== undefined) context.services.log.warn({ err: cause, requestId, code }, message)
    return errorFor(message, code, visibleExtras(code, extras, context.principal))
  }
  // 1,000 characters: graphql-js quotes invalid values at any length.
  if (given && isOfRequest(given)) return errorFor(cutText(given.message, 1000), 'INVALID')
  context.services.log.error({ err: original, requestId, operation: context.operation }, 'unexpected error')
  return errorFor('Unexpected error', 'INTERNAL')
}

// Extras that contain data, and the scopes that show them; the caller needs one. An error must not reveal data that a query would hide.
const scopesOfExtras: Partial<Record<Code, Readonly<Record<string, readonly Scope[]>>>> = {
  ALREADY_EXISTS: { existingId: ['contacts:read', 'contacts:write'] },
  SUGGESTION_STALE: { currentValue: ['contacts:read'] },
  INSUFFICIENT_CREDITS: { available: ['credits:read'], shortfall: ['credits:read'] },
}

function visibleExtras(code: Code, extras: AppError['extras'], principal: Principal): AppError['extras'] {
  const scopes = scopesOfExtras[code]
  // Backends with the service token manage credit accounts and may see every extra.
  if (!scopes || principal.kind === 'service') return extras
  return Object.fromEntries(Object.entries(extras).filter(([name]) => scopes[name]?.some(scope => isAllowed(principal, scope)) ?? true))
}

/** Formats the errors of one response: at most 100 errors and 48 kB. If some are left out, the last entry says how many. */
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
  // An error that alone exceeds the limit has very many locations; they are left out.
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

// The request is at fault if nothing has run (no path), or if a variable has the wrong type for its argument. Any other error with a path
// comes from a resolver, or from a value that does not match the schema.
function isOfRequest({ path, originalError, message }: GraphQLError): boolean {
  return path === undefined || (message.startsWith('Argument "') && (originalError === undefined || originalError instanceof GraphQLError))
}
