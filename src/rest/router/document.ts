// Derives from a stored document how a request becomes its variables, and how its result becomes a body.

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { snakeCase } from '../../kernel/input/case.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import { type Fields, parametersOf } from './route.ts'

/**
 * How a result becomes a body, determined by the names in the document: `data` and `page` are a list; `item` and `outcome` are a write
 * that may create or update; `results` are the rows of a batch, which succeed or fail separately; any other result is the body itself, or
 * where it is an array, the only page of a list.
 */
export type AnswerKind = 'item' | 'outcome' | 'list' | 'rows'

/** The innermost field of nested `result` fields, its depth, and the kind of its result. */
export function answerOf(document: DocumentNode): { depth: number; kind: AnswerKind; field: FieldNode } {
  let selections = operationOf(document).selectionSet
  for (let depth = 1; ; depth++) {
    const field = fieldNamed(document, selections, 'result')
    if (!field) throw new Error(`${operationOf(document).name?.value} has no field named result`)
    const inner = field.selectionSet && fieldNamed(document, field.selectionSet, 'result')
    // A `result` without a selection is a scalar property of an item, not a further level.
    if (field.selectionSet && inner?.selectionSet) {
      selections = field.selectionSet
      continue
    }
    const has = (name: string) => field.selectionSet !== undefined && fieldNamed(document, field.selectionSet, name) !== undefined
    const kind = has('data') && has('page') ? 'list' : has('item') && has('outcome') ? 'outcome' : has('results') ? 'rows' : 'item'
    return { depth, kind, field }
  }
}

export function operationOf(document: DocumentNode) {
  const operation = document.definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION)
  if (!operation) throw new Error('A stored document holds no operation')
  return operation
}

function fieldNamed(document: DocumentNode, selections: SelectionSetNode, name: string): FieldNode | undefined {
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      if ((selection.alias ?? selection.name).value === name) return selection
    } else {
      const set =
        selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragmentNamed(document, selection.name.value)?.selectionSet
      const found = set && fieldNamed(document, set, name)
      if (found) return found
    }
  }
  return undefined
}

export function fragmentNamed(document: DocumentNode, name: string) {
  return document.definitions.find(definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name) as
    | Extract<DocumentNode['definitions'][number], { kind: Kind.FRAGMENT_DEFINITION }>
    | undefined
}

/**
 * The fields of the variable `$input`, if the document passes the request through it: by their names in the request, which are in
 * snake_case, or for `id` the path parameter. Undefined for a document with one variable per value.
 */
export function inputFieldsOf(schema: GraphQLSchema, document: DocumentNode, path: string): InputFields | undefined {
  const definition = operationOf(document).variableDefinitions?.find(({ variable }) => variable.name.value === 'input')
  const type = definition && typeFromAST(schema, definition.type as NamedTypeNode)
  const input = type && getNullableType(type)
  if (!isInputObjectType(input)) return undefined
  const [id] = parametersOf(path)
  return new Map(Object.values(input.getFields()).map(field => [(field.name === 'id' && id) || snakeCase(field.name), field]))
}
export type InputFields = ReadonlyMap<string, GraphQLInputField>

/** The variables of a document from a request's values, given the fields of its `$input`. */
export function variablesOf(fields: InputFields | undefined, values: Fields): Record<string, unknown> {
  if (!fields) return values
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name)
    if (field && value !== undefined) input[field.name] = value
  }
  return { input }
}

/** Converts the path of a rule's problem to the names of the REST request, without the part (`body`, `query`). */
export type Spell = (path: Problem['path']) => string[]

/**
 * Rules report input fields (`after`, `ownerUserId`, `custom.plan`), REST callers know their own names (`cursor`, `owner_user_id`,
 * `custom.plan`). The mapping is read from the document, which passes variables to input fields, or from the fields of its `$input`.
 */
export function spellingOf(schema: GraphQLSchema, document: DocumentNode, fields: InputFields | undefined): Spell {
  const variables = new Map<string, { name: string; type: GraphQLInputType }>()
  const types = new TypeInfo(schema)
  const note = (field: string, argument: Pick<ArgumentNode, 'value'>) => {
    const type = types.getInputType()
    if (argument.value.kind === Kind.VARIABLE && type) variables.set(field, { name: argument.value.name.value, type })
  }
  if (fields) for (const [name, field] of fields) variables.set(field.name, { name, type: field.type })
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: argument => note(argument.name.value, argument),
      ObjectField: field => note(field.name.value, field),
    }),
  )
  // Problems of a batch begin with the row's index, without the name of the list variable.
  const rows = [...variables.values()].find(({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)))
  return path => {
    const [first, ...rest] = path
    if (first === undefined) return []
    if (typeof first === 'number' && rows) return [rows.name, ...spelled(path, rows.type)]
    const variable = variables.get(String(first))
    return variable ? [variable.name, ...spelled(rest, variable.type)] : [snakeCase(String(first)), ...rest.map(String)]
  }
}

// Names of input fields are converted to snake_case; keys inside a JSON value are the caller's and stay unchanged.
function spelled([step, ...rest]: Problem['path'], type: GraphQLInputType): string[] {
  if (step === undefined) return []
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [String(step), ...spelled(rest, nullable.ofType)]
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return [step, ...rest].map(String)
  const field = named.getFields()[String(step)]
  return [snakeCase(String(step)), ...(field ? spelled(rest, field.type) : rest.map(String))]
}
