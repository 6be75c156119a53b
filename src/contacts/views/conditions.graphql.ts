// GraphQL: the filter of a saved view with types. For each list that views are made for, the schema gets an object type that mirrors the
// list's filter, field by field: a new condition of a list is one of its views at once.

import {
  type GraphQLField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLUnionType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { camelCase } from '../../kernel/input/case.ts'
import { addConditionsInput } from './given-conditions.graphql.ts'
import { type SavedView, type ViewNoun, viewNouns } from './view.sql.ts'

/** Adds `SavedView.conditions`, and `conditions` of the inputs that write views, in the given schema itself. */
export function withConditions(schema: GraphQLSchema): GraphQLSchema {
  const view = schema.getType('SavedView')
  if (!isObjectType(view)) throw new Error('The schema has no SavedView')
  const mirrored = new Map<string, GraphQLObjectType>()
  const ofNoun = new Map<ViewNoun, GraphQLObjectType>(viewNouns.values.map(noun => [noun, mirror(filterOf(schema, noun), mirrored)]))
  const union = new GraphQLUnionType({
    name: 'ViewConditions',
    description: "The conditions of a saved view, in the type of its noun's list.",
    types: [...ofNoun.values()],
  })
  for (const type of [union, ...mirrored.values()]) schema.getTypeMap()[type.name] = type
  view.getFields().conditions = conditionsField(new GraphQLNonNull(union), ofNoun)
  addConditionsInput(schema, noun => filterOf(schema, noun))
  return schema
}

function conditionsField(
  type: GraphQLNonNull<GraphQLUnionType>,
  ofNoun: ReadonlyMap<ViewNoun, GraphQLObjectType>,
): GraphQLField<SavedView, unknown> {
  return {
    ...{ name: 'conditions', type, args: [], extensions: {}, astNode: undefined, subscribe: undefined, deprecationReason: undefined },
    description: "The list's `filter`, with the types of its conditions. Conditions that the list no longer has are left out.",
    resolve: ({ noun, filter }) => ({ ...filter, __typename: ofNoun.get(noun)?.name }),
  }
}

/** The filter of a list. The root field `enrichmentJobs` is the list of `enrichment_jobs`. */
function filterOf(schema: GraphQLSchema, noun: ViewNoun): GraphQLInputType {
  const filter = schema
    .getQueryType()
    ?.getFields()
    [camelCase(noun)]?.args.find(({ name }) => name === 'filter')
  if (!filter) throw new Error(`The list of ${noun} has no filter`)
  return getNullableType(filter.type)
}

/** An object type with the fields of an input type. */
function mirror(given: GraphQLInputType, mirrored: Map<string, GraphQLObjectType>): GraphQLObjectType {
  const input = getNullableType(given)
  if (!isInputObjectType(input)) throw new Error(`${input} is not an input object`)
  const name = `${input.name.replace(/(?:Filter)?(?:Input)?$/, '')}Conditions`
  const known = mirrored.get(name)
  if (known) return known
  const type = new GraphQLObjectType({
    name,
    description: `Conditions of a list, as \`${input.name}\` takes them.`,
    fields: () =>
      Object.fromEntries(
        Object.values(input.getFields()).map(({ name, description, type }) => [
          name,
          { description: description ?? null, type: mirrorType(type, mirrored) },
        ]),
      ),
  })
  mirrored.set(name, type)
  // Reads the fields now, because nested types have to be known too.
  type.getFields()
  return type
}

function mirrorType(type: GraphQLInputType, mirrored: Map<string, GraphQLObjectType>): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(mirrorType(type.ofType, mirrored) as never)
  if (isListType(type)) return new GraphQLList(mirrorType(type.ofType, mirrored))
  return isInputObjectType(type) ? mirror(type, mirrored) : type
}
