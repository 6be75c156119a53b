// The bodies of REST agree with the documents that they are passed to: names, types, and what is required. Bodies that are derived from
// their documents have all their values.

import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type JsonSchema, scalarSchemas } from '../../src/graphql/execute/json-schema.ts'
import { wireSchema } from '../../src/graphql/execute/run.ts'
import { snakeCase } from '../../src/kernel/input/case.ts'
import { inputsOf } from '../../src/rest/router/document.ts'
import { parametersOf } from '../../src/rest/router/route.ts'
import { routes } from '../../src/rest/routes/routes.ts'

const writes = routes.flatMap(({ body, ...route }) => (body ? [{ ...route, body }] : []))
const derived = routes.filter(route => route.body && Object.getOwnPropertyDescriptor(route, 'body')?.get)
// An upsert always updates.
// REST has the conditions of views in `filter`.
const left: Readonly<Record<string, readonly string[]>> = {
  upsertContact: ['on_conflict'],
  createSavedView: ['conditions'],
  updateSavedView: ['conditions'],
}

type Shape = string | readonly Shape[] | { readonly [field: string]: Shape }

/** What a value of the type looks like in JSON, null aside: `string`, the values of an enum, `[item]` or `{ field }`. */
function shapeOf(given: GraphQLInputType): Shape {
  const type = getNullableType(given)
  if (isListType(type)) return [shapeOf(type.ofType)]
  if (isEnumType(type))
    return type
      .getValues()
      .map(({ name }) => name)
      .toSorted()
      .join(' | ')
  if (!isInputObjectType(type)) return String(scalarSchemas[type.name]?.type ?? 'anything')
  return Object.fromEntries(Object.values(type.getFields()).map(field => [snakeCase(field.name), shapeOf(field.type)]))
}

/** The same of a body's JSON Schema, and whether it may be null. */
function shownBy({ anyOf, ...schema }: JsonSchema, definitions: Record<string, JsonSchema>): { shape: Shape; isNullable: boolean } {
  const [value, nothing] = (anyOf ?? [schema]) as JsonSchema[]
  const { $ref, type, items, properties, enum: values } = { ...schema, ...value } as Shown
  const [only, ...more] = [type ?? []].flat()
  const isNullable = nothing?.type === 'null' || more.includes('null') || (only === undefined && $ref === undefined)
  const inside = (inner: JsonSchema) => shownBy(inner, definitions).shape
  if ($ref) return { shape: inside(definitionOf($ref, definitions)), isNullable }
  if (values)
    return {
      shape: values
        .filter(one => one !== null)
        .toSorted()
        .join(' | '),
      isNullable,
    }
  if (items) return { shape: [inside(items)], isNullable }
  if (!properties) return { shape: only ?? 'anything', isNullable }
  return { shape: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inside(one)])), isNullable }
}

const definitionOf = (reference: string, definitions: Record<string, JsonSchema>) => definitions[reference.replace('#/$defs/', '')] ?? {}

interface Shown {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  required?: string[]
  type?: string | string[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  enum?: (string | null)[]
}

describe.each(writes)('the body of $operationId', ({ body, document, path }) => {
  const { $defs = {}, $ref, ...unnamed } = z.toJSONSchema(body, { io: 'input' }) as Shown
  // A body with a name stands among the definitions.
  const { properties = {}, required = [] }: Shown = $ref ? definitionOf($ref, $defs) : unnamed
  const { byName } = inputsOf(wireSchema(), document, path)
  const fields = Object.entries(properties).map(([name, property]) => ({ name, ...shownBy(property, $defs), type: byName.get(name)?.type }))

  test('has the types of its document', () => {
    expect(fields).not.toEqual([])
    const shapes = fields.map(({ name, shape }) => [name, shape])
    expect(shapes).toEqual(fields.map(({ name, type }) => [name, type && shapeOf(type)]))
  })

  test('requires what its document requires, and takes null only where that does', () => {
    const must = fields
      .filter(({ name, type }) => isNonNullType(type) && byName.get(name)?.defaultValue === undefined)
      .map(({ name }) => name)
    expect(must.filter(name => !required.includes(name))).toEqual([])
    expect(fields.filter(({ type, isNullable }) => isNullable && isNonNullType(type))).toEqual([])
  })
})

test.each(derived)('$operationId takes all values of its document', ({ operationId, document, path, query, body }) => {
  const elsewhere = ['if_version', ...parametersOf(path), ...Object.keys(query?.shape ?? {}), ...(left[operationId] ?? [])]
  const expected = [...inputsOf(wireSchema(), document, path).byName.keys()].filter(name => !elsewhere.includes(name))

  expect(Object.keys(body?.shape ?? {}).toSorted()).toEqual(expected.toSorted())
})
