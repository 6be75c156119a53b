// A tool's answer as JSON Schema: the selection of its document determines the fields, the GraphQL schema their types.

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { type JsonSchema, scalarSchemas } from '../graphql/execute/json-schema.ts'

/** The schema of the operation's only root field. */
export function outputSchemaOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): JsonSchema {
  const root = schema.getRootType(operation)
  const [field] = selectionSet.selections
  const type = field?.kind === Kind.FIELD ? root?.getFields()[field.name.value]?.type : undefined
  const named = type && getNamedType(type)
  if (field?.kind !== Kind.FIELD || !field.selectionSet || !isCompositeType(named)) throw new Error('a tool answers with an object')
  return objectSchema(named, field.selectionSet, document)
}

function objectSchema(type: GraphQLCompositeType, selections: SelectionSetNode, document: DocumentNode): JsonSchema {
  const properties = Object.fromEntries(propertiesOf(type, selections, document))
  return { type: 'object', properties, required: Object.keys(properties) }
}

function propertiesOf(type: GraphQLCompositeType, { selections }: SelectionSetNode, document: DocumentNode): [string, JsonSchema][] {
  return selections.flatMap(selection => {
    if (selection.kind === Kind.FIELD) return [[(selection.alias ?? selection.name).value, fieldSchema(type, selection, document)]]
    const set = selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragmentNamed(document, selection.name.value)
    return propertiesOf(type, set, document)
  })
}

function fieldSchema(parent: GraphQLCompositeType, node: FieldNode, document: DocumentNode): JsonSchema {
  const field = isUnionType(parent) ? undefined : parent.getFields()[node.name.value]
  if (!field) throw new Error(`No field ${parent.name}.${node.name.value}`)
  const schema = valueSchema(field.type, node, document)
  return field.description ? { ...schema, description: field.description } : schema
}

function valueSchema(type: GraphQLOutputType, node: FieldNode, document: DocumentNode): JsonSchema {
  if (isNonNullType(type)) return presentSchema(type.ofType, node, document)
  const schema = presentSchema(type, node, document)
  if (schema.type === undefined) return schema
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

function presentSchema(type: GraphQLOutputType, node: FieldNode, document: DocumentNode): JsonSchema {
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType, node, document) }
  const named = getNamedType(type)
  if (isCompositeType(named) && node.selectionSet) return objectSchema(named, node.selectionSet, document)
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map(({ name }) => name) }
  // Without formats: clients check answers by them, each with its own idea of an email address.
  const { format: _, ...schema } = scalarSchemas[named.name] ?? {}
  return schema
}

function fragmentNamed(document: DocumentNode, name: string): SelectionSetNode {
  const fragment = document.definitions.find(node => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name)
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`No fragment ${name}`)
  return fragment.selectionSet
}
