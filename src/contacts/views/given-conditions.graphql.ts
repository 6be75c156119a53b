// GraphQL: the conditions that a view is saved with, as typed input. Each noun has a field of the type of its list's filter, so a view takes
// a new condition of a list at once.

import { type GraphQLInputField, GraphQLInputObjectType, type GraphQLInputType, type GraphQLSchema, isInputObjectType } from 'graphql'
import { camelCase } from '../../kernel/input/case.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import { type ViewNoun, viewNouns } from './view.sql.ts'

/** Adds `conditions` to the inputs that write views, in the given schema itself. */
export function addConditionsInput(schema: GraphQLSchema, filterOf: (noun: ViewNoun) => GraphQLInputType): void {
  const type = new GraphQLInputObjectType({
    name: 'ViewConditionsInput',
    description: "The conditions of a saved view: one field, named as the list of the view's noun.",
    isOneOf: true,
    fields: Object.fromEntries(
      viewNouns.values.map(noun => [camelCase(noun), { type: filterOf(noun), description: `Of a view of \`${camelCase(noun)}\`.` }]),
    ),
  })
  schema.getTypeMap()[type.name] = type
  for (const name of ['CreateSavedViewInput', 'UpdateSavedViewInput']) {
    const input = schema.getType(name)
    if (!isInputObjectType(input)) throw new Error(`The schema has no ${name}`)
    input.getFields().conditions = field(type)
  }
}

const field = (type: GraphQLInputType): GraphQLInputField => ({
  ...{ name: 'conditions', type, extensions: {}, astNode: undefined, defaultValue: undefined, deprecationReason: undefined },
  description: "The list's `filter`. Default: none.",
})

interface Given {
  /** Where it stands in the input, for problems. */
  path: readonly string[]
  /** Undefined: the input has none. Null resets it. */
  value: Readonly<Record<string, unknown>> | null | undefined
  /** Whether GraphQL has coerced it: enums have the values that rules use, and times are `Date`. */
  isTyped: boolean
  problems: Problem[]
}

/** The filter of an input: the value of `conditions` for the noun, or the deprecated `filter`. */
export function givenFilter(noun: ViewNoun, input: { filter?: Record<string, unknown> | null }): Given {
  const conditions = conditionsOf(input)
  if (conditions === undefined) return { path: ['filter'], value: input.filter, isTyped: false, problems: [] }
  const refused = (reason: string, ...path: string[]): Given => ({
    path,
    value: undefined,
    isTyped: true,
    problems: [valueError(['conditions', ...path], reason)],
  })
  if (input.filter !== undefined) return refused('leave out `filter`, which is the same without types')
  const name = camelCase(noun)
  const path = ['conditions', name]
  if (conditions === null) return { path, value: null, isTyped: true, problems: [] }
  const [only, ...others] = Object.keys(conditions)
  if (only === undefined || others.length > 0) return refused(`it takes one field, \`${name}\` for this view`)
  if (only !== name) return refused(`this is a view of \`${name}\`, so its conditions are in \`${name}\``, only)
  const value = conditions[name]
  return value ? { path, value, isTyped: true, problems: [] } : refused('it is null; null for `conditions` removes them', name)
}

type Conditions = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>

/** `conditions` of an input. GraphQL has coerced them by the type that `addConditionsInput` adds, which the schema builder does not know. */
const conditionsOf = (input: object) => ('conditions' in input ? (input.conditions as Conditions | null | undefined) : undefined)
