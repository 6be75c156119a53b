// Requests in the OpenAPI document: the routes' zod schemas as JSON Schema, with descriptions from the GraphQL schema.

import { getNamedType, isEnumType, isInputObjectType } from 'graphql'
import { z } from 'zod'
import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import { wireSchema } from '../../graphql/execute/run.ts'
import { camelCase, snakeCase } from '../../kernel/input/case.ts'
import { type Inputs, inputsOf } from '../router/document.ts'
import type { Route } from '../router/route.ts'
import { type Components, componentOf, enumSchema, orNull, ref, titleCase } from './answer-schema.ts'

/** The query parameters of a route. */
export function queryParameters(route: Route, inputs: Inputs['byName'], schemas: Components): JsonSchema[] {
  if (!route.query) return []
  const { properties = {}, required = [] } = inputSchema(route.query, schemas) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, unlessGiven, ...schema }]) => {
    const isList = schema.type === 'array'
    const meaning = [description ?? inputs.get(name)?.description ?? [], isList ? 'Repeat the parameter for several.' : []].flat().join(' ')
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

/** The request body of a route. Adds its schema to the components. */
export function requestBody(route: Route, body: z.ZodObject, schemas: Components): JsonSchema {
  const inputs = inputsOf(wireSchema(), route.document, route.path).byName
  const schema = inputSchema(body, schemas)
  const name = typeof schema.$ref === 'string' ? componentOf(schema.$ref) : `${titleCase(snakeCase(route.operationId))}Body`
  schemas[name] = withDescriptions(schemas[name] ?? schema, value => inputs.get(value)?.description)
  for (const [field, { items }] of Object.entries(schemas[name].properties as Record<string, { items?: JsonSchema }>)) {
    const row = typeof items?.$ref === 'string' ? componentOf(items.$ref) : ''
    const type = getNamedType(inputs.get(field)?.type)
    if (schemas[row]?.properties && isInputObjectType(type))
      schemas[row] = withDescriptions(schemas[row], value => type.getFields()[camelCase(value)]?.description)
  }
  const example = route.examples?.body
  return {
    required: !route.bodyMayBeAbsent,
    content: { 'application/json': { schema: ref(name), ...(example !== undefined && { example }) } },
  }
}

// Adds the descriptions of the GraphQL fields to which the values are passed.
function withDescriptions(schema: JsonSchema, descriptionOf: (field: string) => string | null | undefined): JsonSchema {
  const { properties = {}, ...rest } = schema as { properties?: Record<string, JsonSchema> }
  const described = Object.entries(properties).map(([field, { unlessGiven, ...value }]) => {
    // The default is written in the description: code generators treat a body field with a `default` as required.
    const meaning = String(value.description ?? descriptionOf(field) ?? '')
    const isSaid = unlessGiven === undefined || meaning.includes('Default: ')
    const description = [meaning.replace(/(?<=Default: )[A-Z_]+/, word => word.toLowerCase()), isSaid ? '' : `Default: ${unlessGiven}.`]
    return [field, meaning === '' ? value : { ...value, description: description.join(' ').trim() }]
  })
  return { ...rest, properties: Object.fromEntries(described) }
}

// Zod schemas with an id become components. Patterns are dropped if there is a `format`, which says the same.
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
  const nameEnums = (part: unknown) =>
    withNamedEnums(JSON.parse(JSON.stringify(part).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema, schemas)
  for (const [name, { id: _, ...definition }] of Object.entries($defs)) schemas[name] ??= nameEnums(definition)
  return nameEnums(schema)
}

// Every enum becomes a component: the GraphQL enum with the same values, or a new one named by its title.
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
  Object.values(wireSchema().getTypeMap())
    .filter(isEnumType)
    .map(type => [keyOf(type.getValues().map(({ name }) => name)), type]),
)
