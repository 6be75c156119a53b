// JSON Schema of the variables and results of stored documents, for the doors that publish it: the scalars, and the descriptions of
// variables.

import {
  type ArgumentNode,
  type DocumentNode,
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

/**
 * The descriptions of the fields or arguments to which variables are passed, by variable name. For a variable of an input type also the
 * descriptions of its fields, by `variable.field`.
 */
export function descriptionsOf(schema: GraphQLSchema, document: DocumentNode): Map<string, string> {
  const descriptions = new Map<string, string>()
  const types = new TypeInfo(schema)
  const note = ({ value }: Pick<ArgumentNode, 'value'>, description: string | null | undefined) => {
    if (value.kind !== Kind.VARIABLE) return
    const name = value.name.value
    if (description) descriptions.set(name, description)
    const type = getNamedType(types.getInputType())
    if (!isInputObjectType(type)) return
    for (const field of Object.values(type.getFields())) if (field.description) descriptions.set(`${name}.${field.name}`, field.description)
  }
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: argument => note(argument, types.getArgument()?.description),
      ObjectField(field) {
        const parent = getNamedType(types.getParentInputType())
        if (isInputObjectType(parent)) note(field, parent.getFields()[field.name.value]?.description)
      },
    }),
  )
  return descriptions
}
