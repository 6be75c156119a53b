// The argument `dryRun` of mutations, and the secrets that a dry run withholds.

import {
  defaultFieldResolver,
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Context } from '../../kernel/context.ts'
import { canBeTried } from './builder.ts'

export const dryRunArgument = 'dryRun'

/**
 * Adds the argument `dryRun` to every mutation that supports it, in the given schema itself: a copy would cost every start 30 ms. An argument,
 * not a header or the request's `extensions`: a misspelled argument, or one that an older process does not know, is refused instead of
 * ignored, so a dry run is never executed by mistake.
 */
export function withDryRun(schema: GraphQLSchema): GraphQLSchema {
  const mutations = schema.getMutationType()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (type === mutations && canBeTried(field)) {
        field.args = [...field.args, argument]
        if (field.resolve) field.resolve = unaware(field.resolve)
      } else if (field.extensions.isSecret === true) field.resolve = withhold(field)
    }
  }
  return schema
}

const argument: GraphQLArgument = {
  name: dryRunArgument,
  type: GraphQLBoolean,
  description: 'Only tries it: nothing changes, and `extensions.dryRun` tells what would. The same for all fields of a mutation.',
  defaultValue: undefined,
  deprecationReason: undefined,
  extensions: {},
  astNode: undefined,
}

type Resolve = GraphQLFieldResolver<unknown, unknown>

// Removes `dryRun` before the resolver is called: run.ts has already read it, and rules do not depend on it.
const unaware =
  (resolve: Resolve): Resolve =>
  (parent, args, context, info) => {
    if (!(dryRunArgument in args)) return resolve(parent, args, context, info)
    const { [dryRunArgument]: _, ...others } = args
    return resolve(parent, others, context, info)
  }

// A secret of a dry run opens nothing, and an existing one is not for trying: the field is null, or empty where it is never null.
function withhold({ type, resolve = defaultFieldResolver }: GraphQLField<unknown, unknown>): Resolve {
  const empty = isNonNullType(type) ? (isListType(type.ofType) ? [] : '') : null
  // `as`: the context of every operation is a Context.
  return (parent, args, context, info) => ((context as Context).dryRun ? empty : resolve(parent, args, context, info))
}
