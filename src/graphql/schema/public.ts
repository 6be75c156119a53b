// The schema of `/graphql`: the whole schema without the parts that only other doors use.

import { GraphQLSchema, isInterfaceType, isObjectType, lexicographicSortSchema } from 'graphql'
import { perObject } from '../../kernel/per-object.ts'
import { authScopesOf } from './root.ts'

/**
 * The schema in alphabetical order, without fields marked `isInternal`, without root fields that no credential of `/graphql` may execute, and
 * without types that only those use. The other doors execute their stored operations on the whole schema. Takes 20 ms, once.
 */
export const publicOf = perObject((schema: GraphQLSchema): GraphQLSchema => {
  // Fields are removed from the sorted copy: another copy would cost every start 20 ms.
  const { types, ...config } = lexicographicSortSchema(schema).toConfig()
  const roots = [config.query, config.mutation, config.subscription]
  for (const type of types) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    const fields = type.getFields()
    for (const [name, { extensions }] of Object.entries(fields))
      if (extensions.isInternal === true || (roots.some(root => root === type) && !isForCallers(extensions))) delete fields[name]
  }
  // GraphQL collects what the root types lead to; only the types behind an interface are named for it. The second schema keeps the order.
  const used = new GraphQLSchema({ ...config, types: types.filter(type => isObjectType(type) && type.getInterfaces().length > 0) })
  // Validated by a test: validating it at the first request would take as long again.
  return new GraphQLSchema({ ...config, types: types.filter(({ name }) => used.getType(name)), assumeValid: true })
})

// The authScopes of principals that only other doors authenticate: backends, the identity provider's token, hooks, and the server itself.
const ofOtherDoors: ReadonlySet<string> = new Set(['service', 'identity', 'hook', 'system'])

const isForCallers = (extensions: unknown): boolean =>
  Object.entries(authScopesOf(extensions) ?? {}).some(([scope, required]) => required && !ofOtherDoors.has(scope))
