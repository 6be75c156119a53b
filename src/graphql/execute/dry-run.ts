// Dry runs of operations: whether a mutation is only tried, and what it would have recorded.

import { type ArgumentNode, type DocumentNode, type ExecutionResult, Kind, parse, type ValueNode } from 'graphql'
import type { Context, DryRun } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { perObject } from '../../kernel/per-object.ts'
import { canBeTried, dryRunArgument } from '../schema/dry-run.ts'
import type { Compiled } from './compile.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * The dry run that the door or the arguments ask for; undefined when the operation is to happen. Throws INVALID when its fields disagree, and
 * for a mutation that cannot be tried.
 */
export function dryRunOf(compiled: Compiled, context: Context, variables: Variables = {}): DryRun | undefined {
  if (compiled.operation.operation !== 'mutation') return undefined
  const asked = argumentsOf(compiled)
  if (!context.dryRun && asked.length === 0) return undefined
  const isTried = asked.filter(({ value }) => givenIn(compiled, value, variables) === true).length
  if (!context.dryRun && isTried === 0) return undefined
  if (!context.dryRun && isTried < compiled.roots.length)
    throw invalid(valueError(dryRunArgument, 'give it to every field of the mutation: they are tried together or happen together', false))
  const other = compiled.roots.find(({ name }) => !canBeTried(name.value))
  if (other) throw new AppError('INVALID', cannotBeTried)
  return context.dryRun ?? { policy: null }
}

const cannotBeTried = 'This write cannot be tried: it can only happen'
export const secretInDryRun =
  'The answer to this write shows a new secret, which nobody has after a dry run: try it without selecting the secret'

const argumentsOf = perObject(({ roots }: Compiled): ArgumentNode[] =>
  roots.flatMap(root => root.arguments?.find(({ name }) => name.value === dryRunArgument) ?? []),
)

// Values of a wrong type are refused when the operation is executed.
function givenIn({ operation }: Compiled, node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.BOOLEAN) return node.value
  if (node.kind !== Kind.VARIABLE) return undefined
  const name = node.name.value
  if (variables[name] !== undefined) return variables[name]
  const fallback = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  return fallback?.kind === Kind.BOOLEAN ? fallback.value : undefined
}

/** What the tried write has recorded in its transaction: its receipt, as its caller would read it. */
export const receiptDocument: DocumentNode = parse(`query DryRunReceipt($id: ID!) {
  operation(id: $id) {
    creditsTaken
    creditsReserved
    eventCount
    events(first: 200) { nodes { type entityId contactId changes { field before after } } }
  }
}`)

interface Receipt {
  creditsTaken: number | null
  creditsReserved: number | null
  eventCount: number
  events: { nodes: readonly unknown[] }
}

/** A write that records nothing that its caller may read has no receipt. */
export function receiptOf({ data }: ExecutionResult): DryRun['receipt'] {
  const found = (data?.operation ?? null) as Receipt | null
  return {
    events: found?.events.nodes ?? [],
    eventCount: found?.eventCount ?? 0,
    creditsTaken: found?.creditsTaken ?? null,
    creditsReserved: found?.creditsReserved ?? null,
  }
}
