// A tool's answer as JSON Schema: the selection of its document determines the fields, the GraphQL schema their types.

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
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

/** The document with its fragments, and the schema of their types. */
interface Asked {
  schema: GraphQLSchema
  document: DocumentNode
}

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
  return objectSchema(named, field.selectionSet, { schema, document })
}

function objectSchema(type: GraphQLCompositeType, selections: SelectionSetNode, asked: Asked): JsonSchema {
  if (isUnionType(type)) return { type: 'object', anyOf: type.getTypes().map(one => objectSchema(one, selections, asked)) }
  const properties = Object.fromEntries(propertiesOf(type, selections, asked))
  return { type: 'object', properties, required: Object.keys(properties) }
}

function propertiesOf(type: GraphQLCompositeType, { selections }: SelectionSetNode, asked: Asked): [string, JsonSchema][] {
  return selections.flatMap(selection => {
    if (selection.kind === Kind.FIELD) return [[(selection.alias ?? selection.name).value, fieldSchema(type, selection, asked)]]
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentNamed(asked.document, selection.name.value)
    const about = asked.schema.getType(fragment.typeCondition?.name.value ?? type.name)
    const isAsked = about === type || (isAbstractType(about) && !isUnionType(type) && asked.schema.isSubType(about, type))
    return isAsked ? propertiesOf(type, fragment.selectionSet, asked) : []
  })
}

function fieldSchema(parent: GraphQLCompositeType, node: FieldNode, asked: Asked): JsonSchema {
  const field = isUnionType(parent) ? undefined : parent.getFields()[node.name.value]
  if (!field) throw new Error(`No field ${parent.name}.${node.name.value}`)
  const schema = valueSchema(field.type, node, asked)
  return field.description ? { ...schema, description: field.description } : schema
}

function valueSchema(type: GraphQLOutputType, node: FieldNode, asked: Asked): JsonSchema {
  if (isNonNullType(type)) return presentSchema(type.ofType, node, asked)
  const schema = presentSchema(type, node, asked)
  if (schema.type === undefined) return schema
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

function presentSchema(type: GraphQLOutputType, node: FieldNode, asked: Asked): JsonSchema {
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType, node, asked) }
  const named = getNamedType(type)
  if (isCompositeType(named) && node.selectionSet) return objectSchema(named, node.selectionSet, asked)
  if (isEnumType(named)) return { type: 'string', enum: named.getValues().map(({ name }) => name) }
  // Without formats: clients check answers by them, each with its own idea of an email address.
  const { format: _, ...schema } = scalarSchemas[named.name] ?? {}
  return schema
}

function fragmentNamed(document: DocumentNode, name: string) {
  const fragment = document.definitions.find(node => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name)
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error(`No fragment ${name}`)
  return fragment
}
