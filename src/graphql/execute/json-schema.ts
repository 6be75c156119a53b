// JSON Schema of the variables and results of stored documents, for the doors that publish it: the scalars, and what
// the variables are passed to.

import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

export type JsonSchema = Record<string, unknown>

/** The schema of each scalar, by its name. */
export const scalarSchemas: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  EmailAddress: { type: 'string', format: 'email' },
  URL: { type: 'string', format: 'uri' },
  JSON: {},
  JSONObject: { type: 'object', additionalProperties: true },
}

/** The `extensions` of an input field that bound its values. Of a list, `maxLength` and the numbers apply to each item. */
export interface Bounds {
  /** In characters. */
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export const boundsOf = ({ extensions }: Pick<GraphQLInputField, 'extensions'>): Bounds => extensions as Bounds

/** The input fields and arguments to which variables are passed, by variable name. */
export function targetsOf(schema: GraphQLSchema, document: DocumentNode): Map<string, GraphQLArgument | GraphQLInputField> {
  const targets = new Map<string, GraphQLArgument | GraphQLInputField>()
  const types = new TypeInfo(schema)
  const note = ({ value }: Pick<ArgumentNode, 'value'>, target: GraphQLArgument | GraphQLInputField | null | undefined) => {
    if (value.kind === Kind.VARIABLE && target) targets.set(value.name.value, target)
  }
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: argument => note(argument, types.getArgument()),
      ObjectField(field) {
        const parent = getNamedType(types.getParentInputType())
        if (isInputObjectType(parent)) note(field, parent.getFields()[field.name.value])
      },
    }),
  )
  return targets
}
