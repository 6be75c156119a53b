// A tool's input as JSON Schema: the variables of its document, with the descriptions of the fields and arguments they are passed to.

import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import { type JsonSchema, scalarSchemas, targetsOf } from '../graphql/execute/json-schema.ts'

export function inputSchemaOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): JsonSchema {
  const targets = targetsOf(schema, document)
  const required: string[] = []
  const properties: Record<string, JsonSchema> = {}
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    const type = typeFromAST(schema, node as never) as GraphQLInputType
    if (isNonNullType(type) && defaultValue === undefined) required.push(name)
    const description = targets.get(name)?.description
    properties[name] = { ...schemaOf(type), ...(description && { description }) }
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

function schemaOf(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return schemaOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType) }
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  if (!isInputObjectType(type)) return type.name === 'ID' ? { type: 'string' } : (scalarSchemas[type.name] ?? {})
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
