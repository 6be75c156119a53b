// Routes whose bodies follow from their documents: names, types and bounds come from the GraphQL inputs.

import { type DocumentNode, type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import { z } from 'zod'
import { type Bounds, boundsOf } from '../../graphql/execute/json-schema.ts'
import { declaredSchema } from '../../graphql/execute/run.ts'
import { snakeCase } from '../../kernel/input/case.ts'
import { camelCased, day, id, text, time } from '../routes/inputs.ts'
import { type Input, inputsOf } from './document.ts'
import { type Document, type Entry, type Ids, type Method, operationIdOf, parametersOf, type Route } from './route.ts'

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? (First extends Lowercase<First> ? First : `_${Lowercase<First>}`) : First}${Snake<Rest>}`
  : ''
type InRest<Fields> = { [Name in keyof Fields & string as Snake<Name>]-?: NonNullable<Fields[Name]> }
type Row<Value> = Value extends readonly (infer Item)[] ? Item : Value
/** The values of a document's variables, by their names in REST. */
type Taken<Variables> = InRest<Variables extends { input: infer Input } ? Input : Variables>
/** The path, if its parameters are variables of the document, or the `id` of its `$input`. */
type Fitting<Path extends string, Variables> = Variables extends { input: infer Input }
  ? Path extends `${string}{${string}`
    ? Input extends { id: string }
      ? Path
      : never
    : Path
  : keyof Ids<Path> extends keyof Variables
    ? Path
    : never

/** How a body differs from the input of the GraphQL schema. */
interface Takes<Values> {
  /** The name of its schema in the API reference. */
  name?: string
  /** Fields that REST requires although GraphQL does not. */
  required?: readonly (keyof Values & string)[]
  /** Optional fields that are never null. All other optional fields may be null. */
  neverNull?: readonly (keyof Values & string)[]
  /** Fields that the body does not have. */
  without?: readonly (keyof Values & string)[]
  /** Descriptions that replace the GraphQL schema's. */
  described?: { readonly [Name in keyof Values]?: string }
  /** The same for a field that is an object or a list of objects. */
  of?: { readonly [Name in keyof Values]?: Takes<InRest<Row<Values[Name]>>> }
}

interface DerivedEntry<Variables> extends Omit<Entry, 'body'> {
  takes: Takes<Taken<Variables>>
  instead?: { given: string; document: Document<Variables> }
}

/**
 * Declares a route whose body has the values that the document takes and the path, query and headers do not give. Their types and bounds
 * come from the GraphQL schema. The body is made at its first use, because that needs the whole schema.
 */
export function derivedRoute<const Path extends string, Variables>(
  method: Method,
  path: Path & Fitting<Path, Variables>,
  document: Document<Variables>,
  { takes, ...entry }: DerivedEntry<Variables>,
): Route {
  let body: z.ZodObject | undefined
  return {
    status: 200,
    ...entry,
    method,
    path,
    document,
    operationId: operationIdOf(document),
    get body() {
      return (body ??= bodyOf({ document, path, query: entry.query }, takes))
    },
  }
}

/** `Takes` without the types of its values. */
interface Differences extends Omit<Takes<Record<string, unknown>>, 'of'> {
  of?: Readonly<Record<string, Differences | undefined>>
}

function bodyOf({ path, document, query }: Pick<Route, 'path' | 'query'> & { document: DocumentNode }, takes: Differences): z.ZodObject {
  const elsewhere = new Set([...parametersOf(path), 'if_version', ...Object.keys(query?.shape ?? {})])
  // Not `wireSchema`, which sorts fields and values by their names.
  const inputs = [...inputsOf(declaredSchema, document, path).byName]
  return objectOf(
    inputs.filter(([name]) => !elsewhere.has(name)),
    takes,
  )
}

function objectOf(inputs: readonly (readonly [name: string, Input])[], takes: Differences): z.ZodObject {
  const { name, required = [], neverNull = [], without = [], described = {}, of = {} } = takes
  const shape = inputs
    .filter(([field]) => !without.includes(field))
    .map(([field, input]) => {
      const isRequired = required.includes(field) || (isNonNullType(input.type) && input.defaultValue === undefined)
      const value = schemaOf(input.type, boundsOf(input), of[field])
      const given = isRequired ? value : neverNull.includes(field) ? value.optional() : value.nullish()
      const description = described[field]
      return [field, description === undefined ? given : given.meta({ description })]
    })
  const object = z.strictObject(Object.fromEntries(shape) as Record<string, z.ZodType>)
  return name === undefined ? object : object.meta({ id: name })
}

function schemaOf(type: GraphQLInputType, bounds: Bounds, takes: Differences = {}): z.ZodType {
  if (isNonNullType(type)) return schemaOf(type.ofType, bounds, takes)
  if (isListType(type)) {
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = bounds
    const list = z.array(schemaOf(type.ofType, bounds, takes))
    return maxItems < Number.POSITIVE_INFINITY ? list.min(minItems).max(maxItems) : list
  }
  if (isEnumType(type)) return z.enum(type.getValues().map(({ name }) => name.toLowerCase()))
  if (!isInputObjectType(type)) return scalars[type.name]?.(bounds) ?? z.unknown()
  const fields = Object.values(type.getFields()).map(field => [snakeCase(field.name), field] as const)
  // A document passes the object as it is, so its names are converted here.
  return objectOf(fields, takes).transform(camelCased)
}

const wordOf = ({ maxLength }: Bounds) => (maxLength === undefined ? z.string() : text(maxLength))
const numberOf = <Value extends z.ZodNumber>(number: Value, { minimum, maximum }: Bounds) => {
  const from = minimum === undefined ? number : number.min(minimum)
  return maximum === undefined ? from : from.max(maximum)
}

const scalars: Readonly<Record<string, (bounds: Bounds) => z.ZodType>> = {
  String: wordOf,
  // Ids of other systems have a maximum length, ours a format.
  ID: bounds => (bounds.maxLength === undefined ? id() : wordOf(bounds)),
  Boolean: () => z.boolean(),
  Int: bounds => numberOf(z.int(), bounds),
  Float: bounds => numberOf(z.number(), bounds),
  Date: () => day,
  DateTime: () => time,
  JSONObject: () => z.record(z.string(), z.unknown()),
}
