// Finds the breaking changes of the schema.

import { findBreakingChanges, type GraphQLSchema } from 'graphql'

/** A sentence for each breaking change between two schemas. New types, fields and values do not break documents. */
export const breakingChanges = (before: GraphQLSchema, after: GraphQLSchema): string[] =>
  findBreakingChanges(before, after).map(({ description }) => description)
