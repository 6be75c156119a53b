// Validates amounts and references from callers.

import { invalid } from '../../kernel/errors.ts'
import { type Problem, type ProblemType, problem } from '../../kernel/input/problem.ts'
import { amountCeiling, isAmount, microOf } from '../../kernel/money.ts'

// 255: enough for two ids of other systems.
const maxReference = 255

/** The problems of an amount of credits. An amount with too many decimals is refused, never rounded. */
export function amountProblems(amount: number | undefined, { allowNegative = false } = {}): Problem[] {
  if (amount === undefined) return []
  const wrong = (type: ProblemType, context?: Problem['context']) => [problem('amount', type, amount, context)]
  if (!Number.isFinite(amount)) return wrong('finite_number')
  if (amount === 0 && allowNegative) return wrong('value_error', { error: '0 changes nothing' })
  if (amount <= 0 && !allowNegative) return wrong('greater_than', { gt: 0 })
  if (Math.abs(amount) >= amountCeiling) return wrong('less_than', { lt: amountCeiling })
  if (!isAmount(amount)) return wrong('decimal_max_places', { decimal_places: 6 })
  return []
}

/** The input of a field that moves credits, with the values that are valid so far. */
export interface GivenAmount {
  input: { amount?: number }
}

export function referenceProblems(reference: string | null | undefined): Problem[] {
  if (!reference || reference.length <= maxReference) return []
  return [problem('reference', 'string_too_long', reference, { max_length: maxReference })]
}

/** The amount in micro-credits. Throws INVALID if there are problems. */
export function checkAmount(amount: number, problems: readonly Problem[]): bigint {
  if (problems.length > 0) throw invalid(problems)
  return microOf(amount)
}
