// What guests see: the same types and resolvers, and nothing that changes anything.

import { extractExtensionsFromSchema, makeExecutableSchema } from '@graphql-tools/schema'
import { getDocumentNodeFromSchema, getResolversFromSchema, pruneSchema } from '@graphql-tools/utils'
import { type DocumentNode, type GraphQLSchema, Kind, OperationTypeNode, visit } from 'graphql'
import { ofEach } from '../own.ts'

/**
 * The schema without its mutations, and without the types that only they use: its own description with a root taken away, made again
 * with its own resolvers, scalars, enum values and what its fields say of who may ask. That takes a tenth of a second, once.
 */
export const readOnly = ofEach((schema: GraphQLSchema): GraphQLSchema => {
  const { Mutation: _, ...resolvers } = getResolversFromSchema(schema)
  const typeDefs = withoutMutations(getDocumentNodeFromSchema(schema))
  return pruneSchema(makeExecutableSchema({ typeDefs, resolvers, schemaExtensions: extractExtensionsFromSchema(schema) }))
})

const withoutMutations = (description: DocumentNode): DocumentNode =>
  visit(description, {
    [Kind.OPERATION_TYPE_DEFINITION]: ({ operation }) => (operation === OperationTypeNode.MUTATION ? null : undefined),
    [Kind.OBJECT_TYPE_DEFINITION]: ({ name }) => (name.value === 'Mutation' ? null : undefined),
  })
