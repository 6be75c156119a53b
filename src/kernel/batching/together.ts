// Rules of many: a rule takes everything that is asked at once and says its statements openly. A door joins what arrives together.

import type { Queries } from '../../database/client.ts'
import { type Context, inTransaction } from '../context.ts'
import { AppError } from '../errors.ts'
import { perObject } from '../per-object.ts'
import { type BatcherPerKey, batcherPerKey } from './batcher-per-key.ts'

export interface Asked<Input> {
  context: Context
  input: Input
}

/**
 * A rule for everything that is asked at once, on one database or in one transaction. Resolves with the results in the order of `asked`. A
 * refusal is a value among them. When the rule throws, each is asked again alone: nothing may be written then.
 */
export type RuleOfMany<Input, Result> = (asked: readonly Asked<Input>[]) => Promise<readonly (Result | Error)[]>

/**
 * Asks a rule together with others that arrive meanwhile. Throws the refusal. With `per`, such as an organization, only those with an equal
 * one are joined, one batch at a time: what fails or waits delays no other, and batches are as large as they can be.
 */
export async function together<Input, Result>(
  context: Context,
  rule: RuleOfMany<Input, Result>,
  input: Input,
  { per }: { per?: string } = {},
): Promise<Result> {
  const batchers = batchersOf(context.db)
  const known = batchers.get(rule) as BatcherPerKey<string, Asked<Input>, Result | Error> | undefined
  const batcher = known ?? batcherPerKey((_per: string, asked: readonly Asked<Input>[]) => rule(asked), per === undefined ? {} : oneAtATime)
  if (!known) batchers.set(rule, batcher)
  return unlessRefused(await batcher.send(per ?? '', { context, input }))
}

const oneAtATime = { concurrency: 1 }

// For each database or open transaction, by rule. A batcher has the types of its rule.
const batchersOf = perObject((_db: Queries) => new Map<unknown, BatcherPerKey<string, Asked<never>, unknown>>())

/** Asks a rule for one. Throws the refusal. */
export async function alone<Input, Result>(context: Context, rule: RuleOfMany<Input, Result>, input: Input): Promise<Result> {
  const [result] = await rule([{ context, input }])
  // `as`: a rule has a result for each that is asked.
  return unlessRefused(result as Result | Error)
}

/** The result. Throws the refusal. */
export function unlessRefused<Result>(result: Result | Error): Result {
  if (result instanceof Error) throw result
  return result
}

/**
 * Runs the work of a rule in one transaction. `tx` is the first context in it, for what all share. After a deadlock a single one is repeated
 * here, and several by their batcher.
 */
export async function inOneTransaction<Input, Result>(
  asked: readonly Asked<Input>[],
  work: (asked: readonly Asked<Input>[], tx: Context) => Promise<Result>,
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

/** The result of the work, or its refusal as a value. Throws every other error, such as UNAVAILABLE. */
export async function orRefused<Result>(work: () => Promise<Result> | Result): Promise<Result | AppError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code !== 'UNAVAILABLE') return error
    throw error
  }
}

/** The result of the work, or its failure as a value, for a rule that has written for others already. */
export async function orFailed<Result>(work: () => Promise<Result>): Promise<Result | Error> {
  try {
    return await work()
  } catch (error) {
    return error instanceof Error ? error : new Error('The work failed', { cause: error })
  }
}
