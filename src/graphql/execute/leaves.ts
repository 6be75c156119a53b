// Schemas for graphql-jit, in which leaf values that need no serialization have a type that it does not serialize. For every other leaf it
// calls `serialize` through two functions and allocates the place of an error that does not happen: three quarters of the time in which a
// page of contacts (W6) is turned into its answer.

import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  type GraphQLLeafType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { perObject } from '../../kernel/per-object.ts'
import { passOn } from '../schema/builder.ts'

// With `disableLeafSerialization` graphql-jit passes on the values of enums and of GraphQL's own scalars, and serializes custom scalars.

/** For values in wire form, which are not serialized. */
export const inWireForm = perObject((schema: GraphQLSchema) =>
  withLeaves(schema, leaf => (isScalarType(leaf) && !isSpecifiedScalarType(leaf) ? GraphQLString : leaf)),
)

/** Texts, times and what else is passed on are not serialized; ids, numbers, booleans, enums and JSON are, each by a custom scalar. */
export const withTextsPassedOn = perObject((schema: GraphQLSchema) => {
  const others = new Map<GraphQLLeafType, GraphQLScalarType>()
  return withLeaves(schema, leaf => {
    // Resolvers return strings for String: the schema builder's types say so.
    if (leaf === GraphQLString || (isScalarType(leaf) && leaf.serialize === passOn)) return GraphQLString
    const serialized = others.get(leaf) ?? scalarFor(leaf)
    others.set(leaf, serialized)
    return serialized
  })
})

const scalarFor = (leaf: GraphQLLeafType) =>
  new GraphQLScalarType({ name: `Serialized${leaf.name}`, serialize: value => leaf.serialize(value) })

function withLeaves(schema: GraphQLSchema, leafFor: (leaf: GraphQLLeafType) => GraphQLLeafType): GraphQLSchema {
  const mapType = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(mapType(type.ofType))
    if (isListType(type)) return new GraphQLList(mapType(type.ofType))
    return isScalarType(type) || isEnumType(type) ? leafFor(type) : type
  }
  return mapSchema(schema, {
    [MapperKind.COMPOSITE_FIELD]: field => (isLeafType(getNamedType(field.type)) ? { ...field, type: mapType(field.type) } : undefined),
  })
}
