// What the router reads from a stored document: the kind of its answer, and which variable an input field of a rule came from.

import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Problem } from '../errors.ts'
import { snakeCase } from './answer.ts'

/**
 * How an answer becomes a body. A document says it by the names it gives: `data`, `page` and `total` are a list; `item` and
 * `outcome` are a write that may not have created anything; `results` are rows that succeed or fail one by one; anything else is
 * the body itself.
 */
export type AnswerKind = 'item' | 'outcome' | 'list' | 'rows'

/** The document's answer: nested `result`s down to what the body is made of, and its kind. */
export function answerOf(document: DocumentNode): { depth: number; kind: AnswerKind; field: FieldNode } {
  let selections = operationOf(document).selectionSet
  for (let depth = 1; ; depth++) {
    const field = fieldNamed(document, selections, 'result')
    if (!field) throw new Error(`${operationOf(document).name?.value} has no field named result`)
    const inner = field.selectionSet && fieldNamed(document, field.selectionSet, 'result')
    // A thing may have a `result` of its own, which is no step down.
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

/** Spells the path of a rule's problem as the caller knows it, without saying yet in which part of the request. */
export type Spell = (path: Problem['path']) => string[]

/**
 * Rules speak of input fields (`after`, `ownerUserId`, `custom.plan`), callers of what they sent (`cursor`, `owner_user_id`,
 * `custom.plan`). The document has both words side by side.
 */
export function spellingOf(schema: GraphQLSchema, document: DocumentNode): Spell {
  const variables = new Map<string, { name: string; type: GraphQLInputType }>()
  const types = new TypeInfo(schema)
  const note = (field: string, argument: Pick<ArgumentNode, 'value'>) => {
    const type = types.getInputType()
    if (argument.value.kind === Kind.VARIABLE && type) variables.set(field, { name: argument.value.name.value, type })
  }
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: argument => note(argument.name.value, argument),
      ObjectField: field => note(field.name.value, field),
    }),
  )
  // The rules of a batch count its rows and leave out what holds them.
  const rows = [...variables.values()].find(({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)))
  return path => {
    const [first, ...rest] = path
    if (first === undefined) return []
    if (typeof first === 'number' && rows) return [rows.name, ...spelled(path, rows.type)]
    const variable = variables.get(String(first))
    return variable ? [variable.name, ...spelled(rest, variable.type)] : [snakeCase(String(first)), ...rest.map(String)]
  }
}

/**
 * What the GraphQL schema says about the field or argument that each variable ends in: variable to description, and for the fields
 * of a variable that is an input of its own `variable.field` to description.
 */
export function descriptionsOf(schema: GraphQLSchema, document: DocumentNode): Map<string, string> {
  const descriptions = new Map<string, string>()
  const types = new TypeInfo(schema)
  const note = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind !== Kind.VARIABLE) return
    const name = value.name.value
    if (description) descriptions.set(name, description)
    const type = getNamedType(types.getInputType())
    if (!isInputObjectType(type)) return
    for (const field of Object.values(type.getFields()))
      if (field.description) descriptions.set(`${name}.${snakeCase(field.name)}`, field.description)
  }
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: argument => note(argument.value, types.getArgument()?.description),
      ObjectField(field) {
        const parent = getNamedType(types.getParentInputType())
        if (isInputObjectType(parent)) note(field.value, parent.getFields()[field.name.value]?.description)
      },
    }),
  )
  return descriptions
}

// Fields of inputs are ours and change their spelling; keys inside a JSON value are the caller's own.
function spelled([step, ...rest]: Problem['path'], type: GraphQLInputType): string[] {
  if (step === undefined) return []
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [String(step), ...spelled(rest, nullable.ofType)]
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return [step, ...rest].map(String)
  const field = named.getFields()[String(step)]
  return [snakeCase(String(step)), ...(field ? spelled(rest, field.type) : rest.map(String))]
}
