// The cost of an operation: the number of objects it can return. Computed once per document, except for page sizes in variables.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { defaultPageSize } from '../../kernel/lists/pagination.ts'
import { limits } from './limits.ts'

type Variables = Record<string, unknown>
type Cost = (variables: Variables) => number

// 0.1: a scalar is a column of a row that is already loaded.
const scalar = 0.1
// Lists without a `first` or `ids` argument are short: tags, widgets, organizations.
const shortList = 10
// 200: rules refuse larger pages with a more specific error.
const maxPageSize = 200

/** Throws INVALID when the operation's cost with these variables exceeds the limit. */
export type CheckCost = (variables: Variables) => void

/**
 * Builds the cost function of a valid operation once per document. A request only evaluates it; nothing is evaluated if no page size is a
 * variable. A field may declare a higher cost: `extensions: { complexity: 50 }` makes it cost as much as 50 objects, and `extensions: {
 * costShare: 0.3 }` that share of the maximum.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  maximum: number = limits.cost,
): CheckCost {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  const defaults: Variables = Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  )
  // A caller may name a variable `constructor`.
  const variableIn = (variables: Variables, name: string): unknown => {
    const given = ownMember(variables, name)
    return given === undefined ? ownMember(defaults, name) : given
  }
  // Whether a page size or a list of ids is a variable. Otherwise the cost is constant.
  let varies = false
  // Costs of fragments, by the page size of the connection in which they are spread.
  const ofFragments = new Map<FragmentDefinitionNode, Map<Cost | undefined, Cost>>()

  const ofSelections = ({ selections }: SelectionSetNode, type: GraphQLOutputType, page: Cost | undefined): Cost => {
    const always: Cost[] = []
    // An object has one type, so fragments on several types of a union are alternatives: the most expensive type counts.
    const byType = new Map<string, Cost[]>()
    for (const selection of selections) {
      const name = conditionOf(selection)
      const isAlternative = name !== undefined && isAbstractType(type) && isObjectType(schema.getType(name))
      const parts = isAlternative ? (byType.get(name) ?? []) : always
      parts.push(ofSelection(selection, type, page))
      if (isAlternative) byType.set(name, parts)
    }
    const sum = (parts: readonly Cost[], variables: Variables) => parts.reduce((total, part) => total + part(variables), 0)
    return variables => sum(always, variables) + Math.max(0, ...[...byType.values()].map(parts => sum(parts, variables)))
  }
  const ofSelection = (selection: SelectionNode, type: GraphQLOutputType, page: Cost | undefined): Cost => {
    if (selection.kind === Kind.FIELD) return ofField(selection, type, page)
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(fragments.get(selection.name.value), page)
    return ofSelections(selection.selectionSet, typeOfCondition(selection.typeCondition?.name.value, type), page)
  }
  const conditionOf = (selection: SelectionNode): string | undefined => {
    if (selection.kind === Kind.FIELD) return undefined
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.typeCondition?.name.value
    return fragments.get(selection.name.value)?.typeCondition.name.value
  }
  const typeOfCondition = (name: string | undefined, otherwise: GraphQLOutputType) => {
    const type = name === undefined ? undefined : schema.getType(name)
    return isCompositeType(type) ? type : otherwise
  }
  const ofFragment = (fragment: FragmentDefinitionNode | undefined, page: Cost | undefined): Cost => {
    const type = fragment && schema.getType(fragment.typeCondition.name.value)
    if (!fragment || !isCompositeType(type)) return () => 0
    const known = ofFragments.get(fragment) ?? new Map<Cost | undefined, Cost>()
    ofFragments.set(fragment, known)
    const cost = known.get(page) ?? ofSelections(fragment.selectionSet, type, page)
    known.set(page, cost)
    return cost
  }
  const ofField = (node: FieldNode, parent: GraphQLOutputType, page: Cost | undefined): Cost => {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined
    if (!field || !node.selectionSet) return () => (field && costOfField(field, maximum)) ?? scalar
    const perObject = costOfField(field, maximum) ?? 1
    const pageOfField = pageOf(node, field)
    // A connection's page is the length of its `nodes` and `edges`.
    if (!isList(field.type)) {
      const inside = ofSelections(node.selectionSet, getNamedType(field.type), pageOfField)
      return variables => perObject + inside(variables)
    }
    const length = pageOfField ?? idsOf(node, field) ?? page ?? (() => shortList)
    const inside = ofSelections(node.selectionSet, getNamedType(field.type), undefined)
    return variables => length(variables) * (perObject + inside(variables))
  }
  const pageOf = (node: FieldNode, field: GraphQLField<unknown, unknown>): Cost | undefined => {
    const names = field.args.flatMap(({ name }) => (name === 'first' || name === 'last' ? [name] : []))
    if (names.length === 0) return undefined
    const fallback = Number(
      field.args.find(({ name }) => name === 'first')?.defaultValue ?? (names.length > 1 ? defaultPageSize : maxPageSize),
    )
    const sizes = names.map((argument): ((variables: Variables) => unknown) => {
      const value = node.arguments?.find(({ name }) => name.value === argument)?.value
      if (value?.kind !== Kind.VARIABLE) {
        const size = value && valueFromASTUntyped(value)
        return () => size
      }
      varies = true
      const name = value.name.value
      return variables => variableIn(variables, name)
    })
    // If both are given, the larger one. Rules refuse such a request.
    return variables => {
      const given = sizes.flatMap(size => size(variables) ?? [])
      return given.length === 0 ? fallback : Math.max(...given.map(size => boundSize(size, fallback)))
    }
  }

  // A field with `ids` returns one entry per id. A single value is coerced to a list of one.
  const idsOf = (node: FieldNode, field: GraphQLField<unknown, unknown>): Cost | undefined => {
    if (!field.args.some(({ name, type }) => name === 'ids' && isListType(isNonNullType(type) ? type.ofType : type))) return undefined
    const value = node.arguments?.find(({ name }) => name.value === 'ids')?.value
    if (value?.kind !== Kind.VARIABLE) {
      const length = boundSize(value?.kind === Kind.LIST ? value.values.length : 1, 1)
      return () => length
    }
    varies = true
    const name = value.name.value
    return variables => {
      const ids = variableIn(variables, name)
      return boundSize(Array.isArray(ids) ? ids.length : 1, 1)
    }
  }

  const cost = ofSelections(operation.selectionSet, schema.getRootType(operation.operation) as GraphQLOutputType, undefined)
  const check: CheckCost = variables => {
    const actual = Math.ceil(cost(variables))
    if (actual > maximum)
      throw new AppError('INVALID', `The operation costs ${actual}, more than ${maximum}: ask for smaller pages or fewer fields`, {
        limit: 'cost',
        maximum,
        actual,
      })
  }
  if (varies) return check
  let refused: unknown
  try {
    check({})
  } catch (error) {
    refused = error
  }
  return () => {
    if (refused) throw refused
  }
}

// Other values are refused by variable coercion or by the rule.
const boundSize = (size: unknown, fallback: number) => (typeof size === 'number' ? Math.min(Math.max(size, 1), maxPageSize) : fallback)

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type)

function costOfField({ extensions }: GraphQLField<unknown, unknown>, maximum: number): number | undefined {
  if (typeof extensions.costShare === 'number') return extensions.costShare * maximum
  return typeof extensions.complexity === 'number' ? extensions.complexity : undefined
}
