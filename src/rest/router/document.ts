// Derives from a stored document how a request becomes its variables, and how its result becomes a body.

import {
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
  type TypeNode,
  typeFromAST,
} from 'graphql'
import { targetsOf } from '../../graphql/execute/json-schema.ts'
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

/** The target of a request's value: an input field or an argument, with the type that the document takes. */
export type Input = Pick<GraphQLInputField, 'name' | 'type' | 'description' | 'defaultValue' | 'extensions'>

/** The values that a document takes, by their names in the request. */
export interface Inputs {
  /** Whether they are passed as the fields of one variable `$input`; otherwise each has a variable of its own. */
  isWhole: boolean
  byName: ReadonlyMap<string, Input>
}

/** The names of the fields of `$input` are in snake_case in the request; `id` is the path parameter. Order: the document's or the schema's. */
export function inputsOf(schema: GraphQLSchema, document: DocumentNode, path: string): Inputs {
  const variables = operationOf(document).variableDefinitions ?? []
  const typeOf = (node: TypeNode) => typeFromAST(schema, node as NamedTypeNode) as GraphQLInputType
  const whole = variables.find(({ variable }) => variable.name.value === 'input')
  const input = whole && getNullableType(typeOf(whole.type))
  if (isInputObjectType(input)) {
    const [id] = parametersOf(path)
    const fields = Object.values(input.getFields())
    return { isWhole: true, byName: new Map(fields.map(field => [(field.name === 'id' && id) || snakeCase(field.name), field])) }
  }
  const targets = targetsOf(schema, document)
  const inputs = variables.flatMap(({ variable: { name }, type, defaultValue }) => {
    const target = targets.get(name.value)
    return target ? [[name.value, { ...target, type: typeOf(type), defaultValue }] as const] : []
  })
  return { isWhole: false, byName: new Map(inputs) }
}

/** The variables of a document from a request's values. */
export function variablesOf({ isWhole, byName }: Inputs, values: Fields): Record<string, unknown> {
  if (!isWhole) return values
  const input: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = byName.get(name)
    if (field && value !== undefined) input[field.name] = value
  }
  return { input }
}

/** Converts the path of a rule's problem to the names of the REST request, without the part (`body`, `query`). */
export type Spell = (path: Problem['path']) => string[]

/**
 * Rules report input fields (`after`, `ownerUserId`, `custom.plan`), REST callers know their own names (`cursor`, `owner_user_id`,
 * `custom.plan`).
 */
export function spellingOf({ byName }: Inputs): Spell {
  const variables = new Map([...byName].map(([name, input]) => [input.name, { name, type: input.type }]))
  // Problems of a batch begin with the row's index, without the name of the list variable.
  const rows = [...variables.values()].find(({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)))
  return path => {
    const [first, ...rest] = path
    if (first === undefined) return []
    if (typeof first === 'number' && rows) return [rows.name, ...spellPath(path, rows.type)]
    const variable = variables.get(String(first))
    return variable ? [variable.name, ...spellPath(rest, variable.type)] : [snakeCase(String(first)), ...rest.map(String)]
  }
}

// Names of input fields are converted to snake_case; keys inside a JSON value are the caller's and stay unchanged.
function spellPath([step, ...rest]: Problem['path'], type: GraphQLInputType): string[] {
  if (step === undefined) return []
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [String(step), ...spellPath(rest, nullable.ofType)]
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return [step, ...rest].map(String)
  const field = named.getFields()[String(step)]
  return [snakeCase(String(step)), ...(field ? spellPath(rest, field.type) : rest.map(String))]
}
