// Runs the rules' checks on the arguments of a stored operation without executing it. With it, a door that refuses the shape of a request
// can also report what the rules would refuse.

import {
  type ArgumentNode,
  coerceInputValue,
  type DocumentNode,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  Kind,
  type ObjectFieldNode,
  valueFromAST,
} from 'graphql'
import type { Context } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/input/problem.ts'
import type { CheckArguments } from '../schema/builder.ts'
import { wireSchema } from './run.ts'

/** Absent variables are not checked. Returns no problems if the operation's field declares no check. */
export async function problemsOf(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<readonly Problem[]> {
  const operation = document.definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION)
  const root = operation && wireSchema().getRootType(operation.operation)
  const [selection] = operation?.selectionSet.selections ?? []
  const field = selection?.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined
  const check = field?.extensions.problemsOf as CheckArguments<Record<string, unknown>> | undefined
  if (!check || !field || selection?.kind !== Kind.FIELD) return []
  const types = new Map(field.args.map(({ name, type }) => [name, type]))
  return check(
    valuesOf(selection.arguments ?? [], name => types.get(name), variables),
    context,
  )
}

type Nodes = readonly (ArgumentNode | ObjectFieldNode)[]

function valuesOf(
  nodes: Nodes,
  typeOf: (name: string) => GraphQLInputType | undefined,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, value } of nodes) {
    const type = typeOf(name.value)
    if (!type) continue
    const known = valueOfNode(value, type, variables)
    if (known !== undefined) values[name.value] = known
  }
  return values
}

function valueOfNode(node: ArgumentNode['value'], type: GraphQLInputType, variables: Readonly<Record<string, unknown>>): unknown {
  if (node.kind === Kind.VARIABLE) {
    const given = variables[node.name.value]
    // The door has already reported values of the wrong type, so coercion errors are ignored.
    return given === undefined ? undefined : coerceInputValue(given, type, () => {})
  }
  const named = getNullableType(type)
  // An object literal with variables as fields: required fields may be absent.
  if (node.kind === Kind.OBJECT && isInputObjectType(named)) return valuesOf(node.fields, name => named.getFields()[name]?.type, variables)
  return valueFromAST(node, type)
}
