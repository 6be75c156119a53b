// The schema builder: scalars and authorization. Every *.graphql.ts registers its types here.

import SchemaBuilder, { type FieldNullability, type InputFieldMap, type SchemaTypes, type TypeParam } from '@pothos/core'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import { type GraphQLField, GraphQLScalarType } from 'graphql'
import { DateResolver, DateTimeResolver, EmailAddressResolver, JSONObjectResolver, JSONResolver, URLResolver } from 'graphql-scalars'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { isAllowed, isAtLeast, type Principal, type Role, type Scope, tooWeak } from '../../kernel/principal.ts'

/** The credentials that a field can require. Denied by default: root.ts throws at startup if a root field declares no authScopes. */
export interface AuthScopes {
  /**
   * A scope of an API key. A session has the scopes of the user's role in the organization of the request; guests have the reading scopes.
   */
  scope: Scope
  /** A user's session with at least this role in the organization of the request. For operations that no API key may execute. */
  role: Role
  /** A user's session. For data that belongs to the user and not to an organization. */
  signedIn: boolean
  /** The identity provider's JWT, which is exchanged for a session. */
  identity: boolean
  /** The shared service secret. */
  service: boolean
  /** The server itself. No credential grants it. */
  system: boolean
  /** The sender of a hook. */
  hook: boolean
  /** Any credential except the identity provider's JWT; includes guests. */
  someone: boolean
  /** No credential. */
  public: boolean
}

export const builder = new SchemaBuilder<{
  Context: Context
  AuthScopes: AuthScopes
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    // Rows of SQL have times as ISO 8601 text, rows of Prisma as `Date`. Both serialize to the same JSON.
    DateTime: { Input: Date; Output: string | Date }
    Date: { Input: Date; Output: string }
    EmailAddress: { Input: string; Output: string }
    URL: { Input: URL; Output: string }
    JSON: { Input: unknown; Output: unknown }
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> }
  }
}>({
  plugins: [ScopeAuthPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    // Authorization runs when the client subscribes, not at the first event.
    authorizeOnSubscribe: true,
    authScopes: ({ principal }) => grantsOf(principal),
    // Not the operation: compiled mutations are queries of this type (execute/compile.ts).
    unauthorizedError: (_parent, context, info) => refusal(context, info.parentType.name === 'Mutation'),
  },
})

/**
 * Validates the arguments of a root field without executing it. Required arguments may be absent. May read from the database, must not
 * write. Paths of problems begin below `input`.
 */
export type CheckArguments<Args> = (args: Args, context: Context) => readonly Problem[] | Promise<readonly Problem[]>

/** The `extensions` of a root field whose arguments can be validated without executing it. */
export const checkWith = <Args>(problemsOf: CheckArguments<Args>) => ({ problemsOf })

/** The extensions of a field that only stored operations select, such as another field in REST's spelling: see public.ts. */
export const isInternal = { isInternal: true }

/**
 * The extensions of a nullable field that is null only with an error at its path, so that the failure of one part leaves the others. REST
 * answers with that error, so its documentation shows no null.
 */
export const nullOnError = { nullOnError: true }

/** The effect of a mutation, for agents and for the API reference. */
export interface Effect {
  /** Whether it changes or removes existing data, rather than only adding to it. */
  overwrites: boolean
  /** How it is undone; null when it cannot be. */
  undoneBy: string | null
  /** Whether repeating it with the same input changes nothing further. */
  isIdempotent: boolean
  /** Whether it reaches people or services outside this server. */
  reachesOutside: boolean
  /** Null when it costs nothing. */
  cost: Cost | null
  /** The reason why it supports no dry run, for readers of the code. Null if it does: its rule then runs wholly in one transaction. */
  cannotBeTried: string | null
}

/** A price in credits. */
interface Cost {
  /** The setting with the price of one unit; null when the price depends on the input. */
  setting: 'VOICE_PRICE_PER_MINUTE' | null
  /** The unit, and the credits reserved beforehand. */
  per: string
}

declare global {
  namespace PothosSchemaTypes {
    // The parameters repeat the interface that this extends.
    interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Default: it adds something that cannot be undone, reaches nothing outside, and costs nothing. */
      effect: Partial<Effect>
    }
  }
}

const usual: Effect = {
  overwrites: false,
  undoneBy: null,
  isIdempotent: false,
  reachesOutside: false,
  cost: null,
  cannotBeTried: null,
}

/** The effect that a mutation declares; undefined for another field. */
export function effectOf({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): Effect | undefined {
  const { effect } = (extensions as { pothosOptions?: { effect?: Partial<Effect> } }).pothosOptions ?? {}
  return effect && { ...usual, ...effect }
}

/** Whether a mutation supports dry runs. */
export const canBeTried = (mutation: Pick<GraphQLField<unknown, unknown>, 'extensions'>): boolean =>
  effectOf(mutation)?.cannotBeTried === null

/** The AuthScopes that the principal has. */
export function grantsOf(principal: Principal) {
  const { kind } = principal
  return {
    scope: (scope: Scope) => isAllowed(principal, scope),
    role: (needed: Role) => kind === 'session' && principal.role !== null && isAtLeast(principal.role, needed),
    signedIn: kind === 'session',
    identity: kind === 'identity',
    service: kind === 'service',
    system: kind === 'system',
    hook: kind === 'hook' && principal.runId === null,
    someone: kind !== 'anonymous' && kind !== 'identity',
    public: true,
  }
}

/** The error for a caller without the required scope, depending on the kind of principal. */
export function refusal({ principal }: Context, isMutation: boolean): AppError {
  if (principal.kind === 'anonymous')
    return new AppError('UNAUTHENTICATED', 'Authentication is required. Send the header Authorization: Bearer <API key or session token>')
  if (principal.kind === 'identity')
    return new AppError('UNAUTHENTICATED', "The identity provider's token opens a session, and nothing else")
  if (principal.kind === 'guest' && isMutation) return new AppError('GUEST_READ_ONLY', 'Guests may only read')
  if (principal.kind === 'session' && principal.role !== null) return new AppError('FORBIDDEN', tooWeak(principal.role))
  return new AppError('FORBIDDEN', 'The credential does not allow this')
}

/** Rules return times as ISO 8601 text and other values in wire form. Validating them again in each field would cost more than the query. */
export const passOn = (value: unknown) => value
const asIs = (scalar: GraphQLScalarType) => new GraphQLScalarType({ ...scalar.toConfig(), serialize: passOn })

builder.addScalarType('DateTime', asIs(DateTimeResolver))
builder.addScalarType('Date', asIs(DateResolver))
builder.addScalarType('EmailAddress', asIs(EmailAddressResolver))
builder.addScalarType('URL', asIs(URLResolver))
builder.addScalarType('JSON', JSONResolver)
builder.addScalarType('JSONObject', asIs(JSONObjectResolver))

/** The argument of a field that returns one object by its id. */
export const byId = builder.args(t => ({ id: t.id({ required: true, description: 'Its id.' }) }))

/** The input type of a mutation on one object, with the object's id as its only field. */
export const inputOfId = (name: `${string}Input`, description: string) => {
  const type = builder.inputType(name, { description, fields: t => ({ id: t.id({ required: true, description: 'Its id.' }) }) })
  return builder.args(t => ({ input: t.field({ type, required: true, description }) }))
}

builder.queryType({ description: 'All reads.' })
builder.mutationType({ description: 'All writes. Send an `Idempotency-Key` header to make a retry safe.' })
builder.subscriptionType({ description: 'Live updates, over server-sent events.' })
