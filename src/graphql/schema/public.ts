// The schema of `/graphql`: the whole schema without the parts that only other doors use.

import { filterSchema } from '@graphql-tools/utils'
import { GraphQLSchema, isObjectType } from 'graphql'
import { perObject } from '../../kernel/per-object.ts'
import { authScopesOf } from './root.ts'

/**
 * The schema without fields marked `isInternal`, without root fields that no credential of `/graphql` may execute, and without types that
 * only those use. The other doors execute their stored operations on the whole schema. Takes 30 ms, once.
 */
export const publicOf = perObject((schema: GraphQLSchema): GraphQLSchema => {
  const { types, ...config } = filterSchema({
    schema,
    rootFieldFilter: (_operation, _name, { extensions }) => extensions?.isInternal !== true && isForCallers(extensions),
    objectFieldFilter: (_typename, _name, { extensions }) => extensions?.isInternal !== true,
    interfaceFieldFilter: (_typename, _name, { extensions }) => extensions?.isInternal !== true,
  }).toConfig()
  // GraphQL collects what the root types lead to; only the types behind an interface are named for it. The second schema keeps the order.
  const used = new GraphQLSchema({ ...config, types: types.filter(type => isObjectType(type) && type.getInterfaces().length > 0) })
  return new GraphQLSchema({ ...config, types: types.filter(({ name }) => used.getType(name)) })
})

// The authScopes of principals that only other doors authenticate: backends, the identity provider's token, hooks, and the server itself.
const ofOtherDoors: ReadonlySet<string> = new Set(['service', 'identity', 'hook', 'system'])

const isForCallers = (extensions: unknown): boolean =>
  Object.entries(authScopesOf(extensions) ?? {}).some(([scope, required]) => required && !ofOtherDoors.has(scope))
