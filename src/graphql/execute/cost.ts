// What an operation costs, in objects: one for each that it can answer with. Known per document, but for page sizes in variables.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { AppError } from '../errors.ts'
import { limits } from './limits.ts'

type Variables = Record<string, unknown>
type Cost = (variables: Variables) => number

// A scalar is read off a row that is there already.
const scalar = 0.1
// Lists that take no `first` are short: tags, widgets, organizations.
const shortList = 10
// Rules refuse larger pages themselves, and say so better than a cost could.
const largestPage = 200

/** Throws INVALID when the operation would cost more than the limit with these variables. */
export type CheckCost = (variables: Variables) => void

/**
 * Works the cost of a valid operation out, once; what remains per request is arithmetic, and nothing where no page size is a variable.
 * A field may declare more in the schema: `complexity: 50` for one that costs as much as 50 objects.
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
  // Whether any page size stands in a variable. Without one the cost is a number.
  let varies = false
  // Per fragment, and per page that its lists are of.
  const ofFragments = new Map<FragmentDefinitionNode, Map<Cost | undefined, Cost>>()

  const ofSelections = ({ selections }: SelectionSetNode, type: GraphQLOutputType, page: Cost | undefined): Cost => {
    const parts = selections.map(selection => {
      if (selection.kind === Kind.FIELD) return ofField(selection, type, page)
      if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(fragments.get(selection.name.value), page)
      return ofSelections(selection.selectionSet, conditioned(selection.typeCondition?.name.value, type), page)
    })
    return variables => parts.reduce((sum, part) => sum + part(variables), 0)
  }
  const conditioned = (name: string | undefined, otherwise: GraphQLOutputType) => {
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
    if (!field || !node.selectionSet) return () => (field && declared(field)) ?? scalar
    const own = declared(field) ?? 1
    const pageOfField = pageOf(node, field)
    // A connection's page is the length of its `nodes` and `edges`.
    if (!isList(field.type)) {
      const inside = ofSelections(node.selectionSet, getNamedType(field.type), pageOfField)
      return variables => own + inside(variables)
    }
    const length = pageOfField ?? page ?? (() => shortList)
    const inside = ofSelections(node.selectionSet, getNamedType(field.type), undefined)
    return variables => length(variables) * (own + inside(variables))
  }
  const pageOf = (node: FieldNode, field: GraphQLField<unknown, unknown>): Cost | undefined => {
    const argument = field.args.find(({ name }) => name === 'first')
    if (!argument) return undefined
    const fallback = Number(argument.defaultValue ?? largestPage)
    const value = node.arguments?.find(({ name }) => name.value === 'first')?.value
    if (value?.kind !== Kind.VARIABLE) {
      const size = bounded(value ? valueFromASTUntyped(value) : fallback, fallback)
      return () => size
    }
    varies = true
    const name = value.name.value
    return variables => bounded(variables[name] === undefined ? defaults[name] : variables[name], fallback)
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

// Whatever else stands there is refused when the variables are looked at, or by the rule.
const bounded = (size: unknown, fallback: number) => (typeof size === 'number' ? Math.min(Math.max(size, 1), largestPage) : fallback)

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type)

function declared({ extensions }: GraphQLField<unknown, unknown>): number | undefined {
  const { complexity } = (extensions as { pothosOptions?: { complexity?: unknown } }).pothosOptions ?? {}
  return typeof complexity === 'number' ? complexity : undefined
}
