// The schema for guests: the full schema without mutations.

import { extractExtensionsFromSchema, makeExecutableSchema } from '@graphql-tools/schema'
import { getDocumentNodeFromSchema, getResolversFromSchema, pruneSchema } from '@graphql-tools/utils'
import { type DocumentNode, type GraphQLSchema, Kind, OperationTypeNode, visit } from 'graphql'
import { perObject } from '../../kernel/per-object.ts'

/**
 * The schema without mutations and without the types that only mutations use. Rebuilt from the printed schema without its Mutation type,
 * with the same resolvers, scalars, enum values and extensions (authScopes). Takes 100 ms, once.
 */
export const readOnly = perObject((schema: GraphQLSchema): GraphQLSchema => {
  const { Mutation: _, ...resolvers } = getResolversFromSchema(schema)
  const typeDefs = withoutMutations(getDocumentNodeFromSchema(schema))
  return pruneSchema(makeExecutableSchema({ typeDefs, resolvers, schemaExtensions: extractExtensionsFromSchema(schema) }))
})

const withoutMutations = (typeDefs: DocumentNode): DocumentNode =>
  visit(typeDefs, {
    [Kind.OPERATION_TYPE_DEFINITION]: ({ operation }) => (operation === OperationTypeNode.MUTATION ? null : undefined),
    [Kind.OBJECT_TYPE_DEFINITION]: ({ name }) => (name.value === 'Mutation' ? null : undefined),
  })
