// What guests see: the same types and resolvers, and nothing that changes anything.

import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'

/**
 * The schema without its mutations, and without the types that only they use. It is the given one with a root taken away, so
 * enum values, scalars and who may read what cannot come out different.
 */
export function readOnly(schema: GraphQLSchema): GraphQLSchema {
  return pruneSchema(mapSchema(schema, { [MapperKind.MUTATION]: () => null }))
}
