// What may be asked of an account: amounts that are amounts, grants that make sense.

import { invalid, type Problem } from '../errors.ts'
import { amountCeiling, isAmount, microOf } from '../money.ts'

// Room for any id of another system, and for two of them.
const longestReference = 255

/** What is wrong with an amount of credits that is to be moved; it is refused, never rounded. */
export function amountProblems(path: Problem['path'], amount: number, { allowNegative = false } = {}): Problem[] {
  const wrong = (type: string, message: string, context?: Record<string, unknown>): Problem[] => [
    { path, type, message, input: amount, ...(context && { context }) },
  ]
  if (!Number.isFinite(amount)) return wrong('finite_number', 'Input should be a finite number')
  if (amount === 0 && allowNegative) return wrong('value_error', 'Value error, 0 changes nothing', { error: '0 changes nothing' })
  if (amount <= 0 && !allowNegative) return wrong('greater_than', 'Input should be greater than 0', { gt: 0 })
  if (Math.abs(amount) >= amountCeiling) return wrong('less_than', `Input should be less than ${amountCeiling}`, { lt: amountCeiling })
  if (!isAmount(amount))
    return wrong('decimal_max_places', 'Decimal input should have no more than 6 decimal places', { decimal_places: 6 })
  return []
}

export function referenceProblems(reference: string | null | undefined): Problem[] {
  if (!reference || reference.length <= longestReference) return []
  const message = `String should have at most ${longestReference} characters`
  return [{ path: ['reference'], type: 'string_too_long', message, input: reference, context: { max_length: longestReference } }]
}

/** The amount in micro-credits. Throws INVALID with these problems and those of others. */
export function checkedAmount(amount: number, problems: readonly Problem[]): bigint {
  if (problems.length > 0) throw invalid(problems)
  return microOf(amount)
}
