// What requests look like in the OpenAPI document: the shapes of the table as JSON Schema, described by the GraphQL schema.

import { isEnumType } from 'graphql'
import { z } from 'zod'
import { wireSchema } from '../graphql/run.ts'
import { snakeCase } from './answer.ts'
import { type Components, componentOf, enumSchema, type JsonSchema, orNull, ref, titleCase } from './answer-schema.ts'
import type { Route } from './route.ts'

/** `descriptions` are those of document.ts. */
export function queryParameters(route: Route, descriptions: Map<string, string>, schemas: Components): JsonSchema[] {
  if (!route.query) return []
  const { properties = {}, required = [] } = inputSchema(route.query, schemas) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, unlessGiven, ...schema }]) => {
    const isList = schema.type === 'array'
    const meaning = [description ?? descriptions.get(name) ?? [], isList ? 'Repeat the parameter for several.' : []].flat().join(' ')
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(isList && { style: 'form', explode: true }),
      ...(meaning !== '' && { description: meaning }),
      schema: { ...schema, ...(unlessGiven !== undefined && { default: unlessGiven }) },
    }
  })
}

/** The body, and as a component what is in it. */
export function requestBody(route: Route, body: z.ZodObject, descriptions: Map<string, string>, schemas: Components): JsonSchema {
  const schema = inputSchema(body, schemas)
  const name = typeof schema.$ref === 'string' ? componentOf(schema.$ref) : `${titleCase(snakeCase(route.operationId))}Body`
  schemas[name] = withDescriptions(schemas[name] ?? schema, descriptions)
  for (const [field, { items }] of Object.entries(schemas[name].properties as Record<string, { items?: JsonSchema }>)) {
    const row = typeof items?.$ref === 'string' ? componentOf(items.$ref) : ''
    if (schemas[row]) schemas[row] = withDescriptions(schemas[row], descriptions, `${field}.`)
  }
  const example = route.examples?.body
  return {
    required: !route.bodyMayBeAbsent,
    content: { 'application/json': { schema: ref(name), ...(example !== undefined && { example }) } },
  }
}

// What the GraphQL schema says of the field that a value ends in holds for the value too.
function withDescriptions(schema: JsonSchema, descriptions: Map<string, string>, prefix = ''): JsonSchema {
  const { properties = {}, ...rest } = schema as { properties?: Record<string, JsonSchema> }
  const described = Object.entries(properties).map(([field, { unlessGiven, ...value }]) => {
    // A default in the schema of a body makes the field one that generated types require.
    const meaning = String(value.description ?? descriptions.get(prefix + field) ?? '')
    const isSaid = unlessGiven === undefined || meaning.includes('Default: ')
    const description = [meaning.replace(/(?<=Default: )[A-Z_]+/, word => word.toLowerCase()), isSaid ? '' : `Default: ${unlessGiven}.`]
    return [field, meaning === '' ? value : { ...value, description: description.join(' ').trim() }]
  })
  return { ...rest, properties: Object.fromEntries(described) }
}

// Shapes with an id become components. A format says what its pattern repeats at length; zod drops the defaults of parsed texts.
function inputSchema(shape: z.ZodObject, schemas: Components): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    id: __,
    ...schema
  } = z.toJSONSchema(shape, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.format) delete jsonSchema.pattern
      delete jsonSchema.propertyNames
      const [value, nothing, ...others] = jsonSchema.anyOf ?? []
      if (value?.type && nothing?.type === 'null' && others.length === 0) {
        delete jsonSchema.anyOf
        Object.assign(jsonSchema, orNull(value as JsonSchema))
      }
    },
  })
  const named = (part: unknown) =>
    withNamedEnums(JSON.parse(JSON.stringify(part).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema, schemas)
  for (const [name, { id: _, ...definition }] of Object.entries($defs)) schemas[name] ??= named(definition)
  return named(schema)
}

// Every enum is a component: the one of the GraphQL schema that has its values, or one by its title.
function withNamedEnums(schema: JsonSchema, schemas: Components): JsonSchema {
  if (Array.isArray(schema.enum)) {
    const { enum: listed, type, title, ...rest } = schema
    const values = (listed as unknown[]).filter(value => value !== null) as string[]
    const twin = enumsByValues.get(keyOf(values))
    if (!twin && typeof title !== 'string') throw new Error(`The enum ${values.join(', ')} has no name`)
    const name = twin ? enumSchema(twin, schemas) : ref(String(title))
    if (!twin) schemas[String(title)] ??= { type: 'string', title, enum: values }
    return Array.isArray(type) ? { ...orNull(name), ...rest } : { ...name, ...rest }
  }
  const inside = (part: unknown): unknown =>
    Array.isArray(part) ? part.map(inside) : part !== null && typeof part === 'object' ? withNamedEnums(part as JsonSchema, schemas) : part
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, inside(part)]))
}

const keyOf = (values: readonly string[]) => values.toSorted().join()
const enumsByValues = new Map(
  Object.values(wireSchema.getTypeMap())
    .filter(isEnumType)
    .map(type => [keyOf(type.getValues().map(({ name }) => name)), type]),
)
