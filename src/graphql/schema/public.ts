// The schema that `/graphql` shows and executes: the whole schema without what only the other doors use.

import { filterSchema, pruneSchema } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'
import { perObject } from '../../kernel/per-object.ts'
import { authScopesOf } from './root.ts'

/**
 * The schema without fields that are marked `isInternal`, without root fields that no credential of `/graphql` may execute, and without
 * the types that only they use. The doors execute their stored operations against the whole schema. Takes 50 ms, once.
 */
export const publicOf = perObject(
  (schema: GraphQLSchema): GraphQLSchema =>
    pruneSchema(
      filterSchema({
        schema,
        rootFieldFilter: (_operation, _name, { extensions }) => isForCallers(extensions),
        objectFieldFilter: (_typename, _name, { extensions }) => extensions?.isInternal !== true,
        interfaceFieldFilter: (_typename, _name, { extensions }) => extensions?.isInternal !== true,
      }),
    ),
)

// Principals of these scopes come through other doors only: backends, the identity provider's token, hooks, and the server itself.
const ofOtherDoors: ReadonlySet<string> = new Set(['service', 'identity', 'hook', 'system'])

const isForCallers = (extensions: unknown): boolean =>
  Object.entries(authScopesOf(extensions) ?? {}).some(([scope, required]) => required && !ofOtherDoors.has(scope))
