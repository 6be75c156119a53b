// What a change of the schema breaks.

import { findBreakingChanges, type GraphQLSchema } from 'graphql'

/** A sentence for each thing that valid documents of the schema `before` would no longer find. Further types, fields and values break none. */
export const breakingChanges = (before: GraphQLSchema, after: GraphQLSchema): string[] =>
  findBreakingChanges(before, after).map(({ description }) => description)
