// The JSON Schema of a response, derived from the stored document: the selection determines the fields, the GraphQL schema their types.

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import { type JsonSchema, scalarSchemas } from '../../graphql/execute/json-schema.ts'
import { answerOf, fragmentNamed, operationOf } from '../router/document.ts'

/** Component schemas by name. A fragment becomes a component, shared by all documents that spread it. */
export type Components = Record<string, JsonSchema>

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** The component's name in a reference. */
export const componentOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** `not_found` -> `NotFound` */
export const titleCase = (name: string) => name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

// Ids of the identity provider and of other systems, and those chosen by guests, which are not UUIDs.
const foreignIds = new Set([
  ...['userId', 'actorId', 'createdById', 'ownerUserId', 'assigneeUserId', 'agentId', 'targetId', 'externalId', 'hostAppId'],
  ...['providerCallId', 'providerAssistantId', 'messageId', 'messageIds', 'requestId'],
  // Of a user, where credits are the subject; of a denied number the telephone number.
  ...['subjectId', 'entityId'],
])

/** The schema of the response body of a document. Fragments become components. */
export function answerSchema(schema: GraphQLSchema, document: DocumentNode, components: Components): JsonSchema {
  const operation = operationOf(document)
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const { depth, kind } = answerOf(document)
  let selections = operation.selectionSet
  let parent = root
  let field: FieldNode | undefined
  let type: GraphQLOutputType | undefined
  for (let level = 0; level < depth; level++) {
    field = selections.selections.find((node): node is FieldNode => node.kind === Kind.FIELD && nameOf(node) === 'result')
    type = field && parent?.getFields()[field.name.value]?.type
    const inner = type && getNamedType(type)
    if (!field?.selectionSet || !isObjectType(inner)) throw new Error(`${operation.name?.value} does not answer with an object`)
    selections = field.selectionSet
    parent = inner
  }
  if (!parent) throw new Error(`${operation.name?.value} has no root type`)

  const context = { document, components }
  if (kind === 'item') {
    const item = objectSchema(parent, selections, context)
    return isListType(getNullableType(type)) ? pageSchema({ type: 'array', items: item }) : item
  }
  const whole = inlineSchema(parent, selections, context).properties as Record<string, JsonSchema>
  if (kind === 'outcome') return withoutNull(whole.item ?? {})
  if (kind === 'rows') return rowsSchema(whole)
  return pageSchema(whole.data ?? {})
}

function pageSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['data', 'has_more', 'next_cursor', 'total'],
    properties: {
      data,
      has_more: { type: 'boolean', description: 'Whether there are rows after these.' },
      next_cursor: { type: ['string', 'null'], description: 'Send it as `cursor` to read on; null on the last page.' },
      total: { type: ['integer', 'null'], description: 'Rows on all pages; only with `include=total`.' },
    },
  }
}

// The router rewrites the errors of rows into the shape of REST errors (see rowError in result.ts).
function rowsSchema(whole: Record<string, JsonSchema>): JsonSchema {
  const { items } = whole.results as { items: JsonSchema & { properties: Record<string, JsonSchema> } }
  const { error, ...columns } = items.properties
  const properties = {
    code: { type: 'string', description: 'As in an error of its own: `invalid`, `already_exists`, ...' },
    detail: { type: 'string', description: 'The error as a sentence.' },
    problems: { type: 'array', items: ref('ValidationDetail'), description: 'Everything wrong with the row.' },
  }
  const failure = { ...error, type: ['object', 'null'], required: Object.keys(properties), properties }
  const results = { ...whole.results, items: { ...items, properties: { ...columns, error: failure } } }
  return { type: 'object', required: Object.keys(whole), properties: { ...whole, results } }
}

interface Walk {
  document: DocumentNode
  components: Components
}

const nameOf = (field: FieldNode) => (field.alias ?? field.name).value

// A selection of a single fragment becomes a component.
/** The schema of the fragment that is all of `result` in the document, whatever else the field may return. */
export function fragmentSchema(schema: GraphQLSchema, document: DocumentNode, components: Components): JsonSchema {
  const { selectionSet } = answerOf(document).field
  const [spread] = selectionSet?.selections ?? []
  const fragment = spread?.kind === Kind.FRAGMENT_SPREAD ? fragmentNamed(document, spread.name.value) : undefined
  const type = fragment && schema.getType(fragment.typeCondition.name.value)
  if (!selectionSet || !isObjectType(type)) throw new Error(`${operationOf(document).name?.value} does not answer with a fragment`)
  return objectSchema(type, selectionSet, { document, components })
}

function objectSchema(type: GraphQLObjectType | GraphQLInterfaceType, { selections }: SelectionSetNode, walk: Walk): JsonSchema {
  const [only, ...others] = selections
  if (only?.kind !== Kind.FRAGMENT_SPREAD || others.length > 0) return inlineSchema(type, { kind: Kind.SELECTION_SET, selections }, walk)
  const name = only.name.value
  if (!walk.components[name]) {
    const fragment = fragmentNamed(walk.document, name)
    if (!fragment) throw new Error(`No fragment ${name}`)
    // Registered before its schema is complete, so that recursive fragments terminate.
    walk.components[name] = {}
    Object.assign(walk.components[name], { title: name }, inlineSchema(type, fragment.selectionSet, walk))
  }
  return ref(name)
}

function inlineSchema(type: GraphQLObjectType | GraphQLInterfaceType, { selections }: SelectionSetNode, walk: Walk): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) {
      const set =
        selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragmentNamed(walk.document, selection.name.value)?.selectionSet
      if (set) Object.assign(properties, inlineSchema(type, set, walk).properties)
      continue
    }
    const field = type.getFields()[selection.name.value]
    if (!field) throw new Error(`No field ${type.name}.${selection.name.value}`)
    properties[nameOf(selection)] = withDescription(schemaOf(field, selection, walk), field.description)
  }
  return { type: 'object', ...(type.description && { description: type.description }), required: Object.keys(properties), properties }
}

function schemaOf({ type, extensions }: GraphQLField<unknown, unknown>, field: FieldNode, walk: Walk): JsonSchema {
  return extensions.nullOnError === true ? presentSchema(getNullableType(type), field, walk) : valueSchema(type, field, walk)
}

function valueSchema(type: GraphQLOutputType, field: FieldNode, walk: Walk): JsonSchema {
  return isNonNullType(type) ? presentSchema(type.ofType, field, walk) : orNull(presentSchema(type, field, walk))
}

function presentSchema(type: GraphQLOutputType, field: FieldNode, walk: Walk): JsonSchema {
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType, field, walk) }
  if ((isObjectType(type) || isInterfaceType(type)) && field.selectionSet) return objectSchema(type, field.selectionSet, walk)
  if (isEnumType(type)) return enumSchema(type, walk.components)
  if (foreignIds.has(field.name.value)) return { type: 'string' }
  const scalar = scalarSchemas[getNamedType(type).name]
  if (!scalar) throw new Error(`The scalar of ${nameOf(field)} has no JSON Schema`)
  return scalar
}

/** A GraphQL enum becomes a component with the same name. */
export function enumSchema(type: GraphQLEnumType, components: Components): JsonSchema {
  components[type.name] ??= {
    type: 'string',
    title: type.name,
    enum: type.getValues().map(({ name }) => name),
    ...(type.description && { description: type.description }),
  }
  return ref(type.name)
}

export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.$ref) return { anyOf: [schema, { type: 'null' }] }
  if (schema.type === undefined) return schema
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

/** Whether the schema allows null. */
export const isNullable = ({ anyOf, type }: JsonSchema): boolean =>
  Array.isArray(anyOf) ? anyOf.some(one => (one as JsonSchema).type === 'null') : Array.isArray(type) && type.includes('null')

/** The schema without null: the inverse of `orNull`. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema
  if (Array.isArray(anyOf)) return { ...rest, ...(anyOf.find(one => (one as JsonSchema).type !== 'null') as JsonSchema) }
  if (!Array.isArray(type)) return schema
  return {
    ...schema,
    type: type.find(one => one !== 'null'),
    ...(Array.isArray(schema.enum) && { enum: schema.enum.filter(one => one !== null) }),
  }
}

// OpenAPI 3.1 allows a description beside a $ref, which applies to this use only.
const withDescription = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema
