// The definition of a saved view, checked against the schema: the filter and order of its list, and the fields of its rows.

import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { camelCase } from '../../kernel/input/case.ts'
import { type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { keyForm } from '../custom-fields/field.ts'
import { conditionsOfNoun, nounOfList } from '../records/list/conditions.ts'
import type { RecordNoun } from '../records/nouns.ts'
import { givenFilter } from './given-conditions.graphql.ts'
import type { SavedView, ViewNoun } from './view.sql.ts'
import type { Definition } from './view.ts'

interface DefinitionInput {
  filter?: Record<string, unknown> | null
  sort?: string | null
  columns?: readonly string[] | null
}

// 50: more than a table shows.
const maxColumns = 50
// In characters: a filter with 20 values of 200 characters in each of five conditions.
const maxFilter = 20_000

/** The definition as it is stored: enums have the values that rules use. Null resets a part to its default. */
export function readDefinition(
  schema: GraphQLSchema,
  noun: ViewNoun,
  input: DefinitionInput,
): { definition: Definition; problems: Problem[] } {
  const { filter, sort } = argumentsOf(schema, noun)
  const problems: Problem[] = []
  const definition: Definition = {}
  const given = givenFilter(noun, input)
  problems.push(...given.problems)
  if (given.value !== undefined && filter) {
    const value = given.isTyped ? (convertValue(filter, given.value ?? {}, outward) as SavedView['filter']) : (given.value ?? {})
    problems.push(...problemsOfFilter(noun, filter, value, given.path))
    if (problems.length === 0) definition.filter = convertValue(filter, value, inward) as SavedView['filter']
  }
  if (input.sort !== undefined) {
    const order = sort && isEnumType(sort) && input.sort !== null ? sort.getValue(input.sort) : undefined
    if (input.sort !== null && !order) problems.push(unknownSort(sort, input.sort))
    definition.sort = (order?.value as string | undefined) ?? null
  }
  if (input.columns !== undefined) {
    problems.push(...problemsOfColumns(schema, noun, input.columns ?? []))
    definition.columns = [...new Set(input.columns ?? [])]
  }
  return { definition, problems }
}

/** The filter spelled as in the schema. Conditions that the schema no longer has are left out. */
export function filterToShow(schema: GraphQLSchema, { noun, filter }: SavedView): Record<string, unknown> {
  const type = argumentsOf(schema, noun).filter
  return type ? (convertValue(type, filter, outward) as Record<string, unknown>) : {}
}

/** The order spelled as in the schema; null for the list's default. */
export function sortToShow(schema: GraphQLSchema, { noun, sort }: SavedView): string | null {
  const type = argumentsOf(schema, noun).sort
  return type ? ((convertValue(type, sort, outward) as string | null | undefined) ?? null) : null
}

// The root field `enrichmentJobs` is the list of `enrichment_jobs`. By name: compiled mutations have a schema whose queries are mutations.
function listOf(schema: GraphQLSchema, noun: ViewNoun) {
  const query = schema.getType('Query')
  return isObjectType(query) ? query.getFields()[camelCase(noun)] : undefined
}

function argumentsOf(schema: GraphQLSchema, noun: ViewNoun) {
  const args = new Map(listOf(schema, noun)?.args.map(({ name, type }) => [name, getNullableType(type)]))
  return { filter: args.get('filter'), sort: args.get('sort') }
}

type Convert = (type: GraphQLInputType, value: unknown) => unknown
const inward: Convert = (type, value) => (isEnumType(type) ? type.getValue(String(value))?.value : value)
const outward: Convert = (type, value) => {
  if (isEnumType(type)) return type.getValues().find(one => one.value === value)?.name
  return value instanceof Date ? textOfTime(type, value) : value
}
const textOfTime = (type: GraphQLInputType, time: Date) => (String(type) === 'Date' ? time.toISOString().slice(0, 10) : time.toISOString())

// Other scalars stay unchanged, and so do times that are texts.
function convertValue(given: GraphQLInputType, value: unknown, convert: Convert): unknown {
  const type = getNullableType(given)
  if (value === null || value === undefined) return value
  if (isListType(type)) return [value].flat().map(one => convertValue(type.ofType, one, convert))
  if (!isInputObjectType(type)) return convert(type, value)
  const fields = type.getFields()
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const field = fields[name]
    const value = field && convertValue(field.type, one, convert)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function problemsOfFilter(
  noun: ViewNoun,
  type: GraphQLInputType,
  filter: Readonly<Record<string, unknown>>,
  at: readonly string[],
): Problem[] {
  const { length } = JSON.stringify(filter)
  if (length > maxFilter) return [valueError(at, `it is longer than ${maxFilter} characters`)]
  const problems: Problem[] = []
  const coerced = coerceInputValue(filter, type, (path, value, { message }) => {
    problems.push(
      valueError(
        [...at, ...path],
        message.replace(/^./, letter => letter.toLowerCase()),
        value,
      ),
    )
  })
  const ofRecords = nounOfList(noun)
  return problems.length === 0 && ofRecords ? problemsOfRecords(ofRecords, coerced, at) : problems
}

// The problems that the list itself would report.
function problemsOfRecords(noun: RecordNoun, filter: unknown, at: readonly string[]): Problem[] {
  try {
    // GraphQL has coerced it by the type of the noun's filter.
    conditionsOfNoun[noun](filter as never)
    return []
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    const { problems = [] } = error.extras as { problems?: readonly Problem[] }
    return problems.map(one => ({ ...one, path: [...at, ...one.path] }))
  }
}

function unknownSort(sort: GraphQLInputType | undefined, given: string): Problem {
  const known = sort && isEnumType(sort) ? sort.getValues().map(({ name }) => `'${name}'`) : []
  return problem('sort', 'enum', given, { expected: known.join(', ') })
}

function problemsOfColumns(schema: GraphQLSchema, noun: ViewNoun, columns: readonly string[]): Problem[] {
  if (columns.length > maxColumns)
    return [problem('columns', 'too_long', undefined, { max_length: maxColumns, actual_length: columns.length })]
  const list = getNamedType(listOf(schema, noun)?.type)
  const node = isObjectType(list) ? getNamedType(list.getFields().nodes?.type) : undefined
  const fields = isObjectType(node) ? node.getFields() : {}
  const isKnown = (column: string) =>
    Object.hasOwn(fields, column) ||
    (nounOfList(noun) !== undefined && column.startsWith('custom.') && keyForm.test(column.slice('custom.'.length)))
  return columns.flatMap((column, index) =>
    isKnown(column) ? [] : [valueError(['columns', index], `rows of ${noun} have no such field`, column)],
  )
}
