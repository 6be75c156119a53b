// What a tool takes, as JSON Schema: the variables of its document, described by the fields and arguments they end in.

import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql'

type JsonSchema = Record<string, unknown>

export function inputSchemaOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): JsonSchema {
  const descriptions = descriptionsOf(schema, document)
  const required: string[] = []
  const properties: Record<string, JsonSchema> = {}
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    const type = typeFromAST(schema, node as never) as GraphQLInputType
    if (isNonNullType(type) && defaultValue === undefined) required.push(name)
    const description = descriptions.get(name)
    properties[name] = { ...schemaOf(type), ...(description !== undefined && { description }) }
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

const scalars: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  EmailAddress: { type: 'string', format: 'email' },
  URL: { type: 'string', format: 'uri' },
  JSONObject: { type: 'object', additionalProperties: true },
  JSON: {},
}

function schemaOf(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return schemaOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType) }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  if (!isInputObjectType(type)) return scalars[type.name] ?? {}
  const fields = Object.values(type.getFields())
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(field => [field.name, { ...schemaOf(field.type), ...(field.description && { description: field.description }) }]),
    ),
    required: fields.filter(field => isNonNullType(field.type) && field.defaultValue === undefined).map(({ name }) => name),
    additionalProperties: false,
  }
}

function descriptionsOf(schema: GraphQLSchema, document: DocumentNode): Map<string, string> {
  const descriptions = new Map<string, string>()
  const types = new TypeInfo(schema)
  const note = (value: { kind: string; name?: { value: string } }, description: string | null | undefined) => {
    if (value.kind === 'Variable' && value.name && description) descriptions.set(value.name.value, description)
  }
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: argument => note(argument.value, types.getArgument()?.description),
      ObjectField(field) {
        const parent = getNamedType(types.getParentInputType())
        if (isInputObjectType(parent)) note(field.value, parent.getFields()[field.name.value]?.description)
      },
    }),
  )
  return descriptions
}
