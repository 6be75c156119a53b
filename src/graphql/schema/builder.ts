// The schema builder: scalars, connections, and who may read what. Every *.graphql.ts registers its types here.

import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import RelayPlugin from '@pothos/plugin-relay'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import { GraphQLScalarType } from 'graphql'
import { DateResolver, DateTimeResolver, EmailAddressResolver, JSONObjectResolver, JSONResolver, URLResolver } from 'graphql-scalars'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { isAllowed, type Principal, type Scope } from '../identity/principal.ts'

/** What a field can require. Default deny: graphql/schema.ts refuses to start while a root field requires nothing. */
export interface AuthScopes {
  /** A scope of an API key; sessions have all, guests the reading ones. */
  scope: Scope
  /** A user's own session. */
  signedIn: boolean
  /** The identity provider's JWT: the handshake. */
  identity: boolean
  /** The shared service secret. */
  service: boolean
  /** The product itself: no credential of any door is. */
  system: boolean
  /** The sender of a hook. */
  hook: boolean
  /** Any credential that lasts, a guest's included. */
  someone: boolean
  /** Nobody in particular. */
  public: boolean
}

export const builder = new SchemaBuilder<{
  Context: Context
  AuthScopes: AuthScopes
  DefaultFieldNullability: false
  DefaultInputFieldRequiredness: false
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: Date; Output: string }
    Date: { Input: Date; Output: string }
    EmailAddress: { Input: string; Output: string }
    URL: { Input: URL; Output: string }
    JSON: { Input: unknown; Output: unknown }
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> }
  }
}>({
  plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    // A subscription is refused when it is asked for, not at its first event.
    authorizeOnSubscribe: true,
    authScopes: ({ principal }) => granted(principal),
    unauthorizedError: (_parent, context, info) => refusal(context, info.operation.operation === 'mutation'),
  },
  relay: {
    // Plain ids: they are UUIDv7, unique everywhere, and the same in REST, hooks and GraphQL, so nothing needs translating.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodesOnConnection: true,
    cursorType: 'String',
    edgesFieldOptions: { nullable: false },
    nodeFieldOptions: { nullable: false },
  },
  complexity: {
    defaultComplexity: 1,
    // A list costs its page: connections say so themselves, from `first`.
    defaultListMultiplier: 10,
  },
})

/** What the principal has of all that fields can require. */
export function granted(principal: Principal) {
  const { kind } = principal
  return {
    scope: (scope: Scope) => isAllowed(principal, scope),
    signedIn: kind === 'session',
    identity: kind === 'identity',
    service: kind === 'service',
    system: kind === 'system',
    hook: kind === 'hook' && principal.runId === null,
    someone: kind !== 'anonymous' && kind !== 'identity',
    public: true,
  }
}

/** The error for a caller that may not: who it is decides which. */
export function refusal({ principal }: Context, isMutation: boolean): AppError {
  if (principal.kind === 'anonymous')
    return new AppError('UNAUTHENTICATED', 'Authentication is required. Send the header Authorization: Bearer <API key or session token>')
  if (principal.kind === 'identity')
    return new AppError('UNAUTHENTICATED', "The identity provider's token opens a session, and nothing else")
  if (principal.kind === 'guest' && isMutation) return new AppError('GUEST_READ_ONLY', 'Guests may only read')
  return new AppError('FORBIDDEN', 'The credential does not allow this')
}

// Rules return times as ISO 8601 text and everything else in its wire form already; checking again at every field would cost more
// than the query.
const asIs = (scalar: GraphQLScalarType) => new GraphQLScalarType({ ...scalar.toConfig(), serialize: value => value })

builder.addScalarType('DateTime', asIs(DateTimeResolver))
builder.addScalarType('Date', asIs(DateResolver))
builder.addScalarType('EmailAddress', asIs(EmailAddressResolver))
builder.addScalarType('URL', asIs(URLResolver))
builder.addScalarType('JSON', JSONResolver)
builder.addScalarType('JSONObject', asIs(JSONObjectResolver))

builder.queryType({ description: 'What can be read.' })
builder.mutationType({ description: 'What can be changed. Send an `Idempotency-Key` header to make a retry safe.' })
builder.subscriptionType({ description: 'What can be followed live, over server-sent events.' })
