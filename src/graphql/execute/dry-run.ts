// Dry runs of operations: whether a request is a dry run, and the receipt of its events.

import { type ArgumentNode, type DocumentNode, type ExecutionResult, Kind, parse, type ValueNode } from 'graphql'
import type { Context, DryRun } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { perObject } from '../../kernel/per-object.ts'
import { canBeTried } from '../schema/builder.ts'
import { dryRunArgument } from '../schema/dry-run.ts'
import { schema } from '../schema/root.ts'
import type { Compiled } from './compile.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * The dry run that the door or the argument `dryRun` requests; undefined for a real execution. Throws INVALID when the fields of the
 * operation disagree, and for a mutation that does not support dry runs.
 */
export function dryRunOf(compiled: Compiled, context: Context, variables: Variables = {}): DryRun | undefined {
  if (compiled.operation.operation !== 'mutation') return undefined
  const asked = argumentsOf(compiled)
  if (!context.dryRun && asked.length === 0) return undefined
  const isTried = asked.filter(({ value }) => valueIn(compiled, value, variables) === true).length
  if (!context.dryRun && isTried === 0) return undefined
  if (!context.dryRun && isTried < compiled.roots.length)
    throw invalid(valueError(dryRunArgument, 'give it to every field of the mutation: they are tried together or happen together', false))
  if (!isTriable(compiled)) throw new AppError('INVALID', cannotBeTried)
  return context.dryRun ?? {}
}

/** Whether the operation is a mutation whose fields all support dry runs. */
export const isTriable = ({ roots }: Pick<Compiled, 'roots'>): boolean =>
  roots.every(({ name }) => {
    const mutation = schema.getMutationType()?.getFields()[name.value]
    return mutation !== undefined && canBeTried(mutation)
  })

const cannotBeTried = 'This write cannot be tried: it can only happen'

const argumentsOf = perObject(({ roots }: Compiled): ArgumentNode[] =>
  roots.flatMap(root => root.arguments?.find(({ name }) => name.value === dryRunArgument) ?? []),
)

// Values of a wrong type are refused when the operation is executed.
function valueIn({ operation }: Compiled, node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.BOOLEAN) return node.value
  if (node.kind !== Kind.VARIABLE) return undefined
  const name = node.name.value
  const given = ownMember(variables, name)
  if (given !== undefined) return given
  const fallback = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  return fallback?.kind === Kind.BOOLEAN ? fallback.value : undefined
}

/** Reads the receipt of a dry run inside its transaction, with the caller's permissions. */
export const receiptDocument: DocumentNode = parse(`query DryRunReceipt($id: ID!) {
  operation(id: $id) {
    creditsTaken
    creditsReserved
    eventCount
    events(first: 200) { nodes { type: typeName entityId contactId companyId dealId changes { field before after } } }
  }
}`)

interface Receipt {
  creditsTaken: number | null
  creditsReserved: number | null
  eventCount: number
  events: { nodes: readonly unknown[] }
}

/** The receipt; without events if the write has recorded none that the caller may read. */
export function receiptOf({ data }: ExecutionResult): DryRun['receipt'] {
  const found = (data?.operation ?? null) as Receipt | null
  return {
    events: found?.events.nodes ?? [],
    eventCount: found?.eventCount ?? 0,
    creditsTaken: found?.creditsTaken ?? null,
    creditsReserved: found?.creditsReserved ?? null,
  }
}
