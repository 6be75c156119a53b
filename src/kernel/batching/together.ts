// Rules of many: a rule takes a list of inputs, and shows its statements. `together` joins the calls of a rule that arrive at the same time.

import type { Queries } from '../../database/client.ts'
import { type Context, inTransaction } from '../context.ts'
import { AppError } from '../errors.ts'
import { perObject } from '../per-object.ts'
import { type BatcherPerKey, batcherPerKey } from './batcher-per-key.ts'

export interface RuleCall<Input> {
  context: Context
  input: Input
}

/**
 * A rule for several inputs, on one database or in one transaction. Resolves with the results in the order of `asked`; a refusal is a value
 * among them. A result that still waits is a promise, so that it delays no other. When the rule throws, `together` repeats it for each input
 * alone. So a rule that throws must have written nothing.
 */
export type RuleOfMany<Input, Result> = (asked: readonly RuleCall<Input>[]) => Promise<readonly Outcome<Result>[]>
type Outcome<Result> = Result | AppError | Promise<Result>

/**
 * Calls a rule with this input and the inputs of other callers that arrive meanwhile. Throws the refusal. With `per`, such as an
 * organization, only inputs with an equal `per` are joined, one batch at a time: a batch that fails or waits delays no other `per`, and
 * batches are as large as they can be.
 */
export async function together<Input, Result>(
  context: Context,
  rule: RuleOfMany<Input, Result>,
  input: Input,
  { per }: { per?: string } = {},
): Promise<Result> {
  const batchers = batchersOf(context.db)
  const known = batchers.get(rule) as BatcherPerKey<string, RuleCall<Input>, Outcome<Result>> | undefined
  const batcher =
    known ?? batcherPerKey((_per: string, asked: readonly RuleCall<Input>[]) => rule(asked), per === undefined ? {} : oneAtATime)
  if (!known) batchers.set(rule, batcher)
  return unlessRefused(await batcher.send(per ?? '', { context, input }))
}

const oneAtATime = { concurrency: 1 }

// For each database or open transaction, by rule. A batcher has the types of its rule.
const batchersOf = perObject((_db: Queries) => new Map<unknown, BatcherPerKey<string, RuleCall<never>, unknown>>())

/** Calls a rule with one input. Throws the refusal. */
export async function alone<Input, Result>(context: Context, rule: RuleOfMany<Input, Result>, input: Input): Promise<Result> {
  const [result] = await rule([{ context, input }])
  // `as`: a rule has a result for each that is asked.
  return unlessRefused(result as Outcome<Result>)
}

/** The result. Throws the refusal. */
export async function unlessRefused<Result>(outcome: Outcome<Result>): Promise<Result> {
  const result = await outcome
  if (result instanceof AppError) throw result
  return result
}

/**
 * Runs the work of a rule in one transaction. `tx` is the first context inside it, for statements that all inputs share. After a deadlock a
 * single input is repeated here, several by their batcher.
 */
export async function inOneTransaction<Input, Result>(
  asked: readonly RuleCall<Input>[],
  work: (asked: readonly RuleCall<Input>[], tx: Context) => Promise<Result>,
): Promise<Result> {
  const [first] = asked
  if (!first) throw new Error('A rule was asked for nothing')
  return first.context.db.transaction(
    db => {
      const inside = asked.map(({ context, input }) => ({ context: inTransaction(context, db), input }))
      return work(inside, inTransaction(first.context, db))
    },
    { isShared: asked.length > 1, isRepeatable: asked.length === 1 },
  )
}

/**
 * Runs work that waits for locks in a transaction without other writes, and again after a deadlock. A transaction of several writes is rolled
 * back first, and each of its writes is repeated alone.
 */
export const inOwnTransaction = <Result>(context: Context, work: (tx: Context) => Promise<Result>): Promise<Result> =>
  context.db.transaction(db => work(inTransaction(context, db)), { isExclusive: true, isRepeatable: true })

/** The result of the work, or its refusal as a value. Throws every other error, such as UNAVAILABLE. */
export async function orRefused<Result>(work: () => Promise<Result> | Result): Promise<Result | AppError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code !== 'UNAVAILABLE') return error
    throw error
  }
}
