// Amounts of money that records have: a decimal text outside, whole units of the currency inside. Pure.

import { decimalOf, minorOf } from '../../kernel/currencies/amounts.ts'
import { invalid } from '../../kernel/errors.ts'
import { at, Invalid, valueError } from '../../kernel/input/problem.ts'

/** As stored. Both are null without an amount. */
export interface Money {
  /** In the smallest unit of the currency. */
  minor: number | null
  /** By ISO 4217. */
  currency: string | null
}

/** The changes of an input: undefined leaves a value, null removes it. */
export interface MoneyChange {
  /** A decimal text that `amount` has read. */
  amount: string | null | undefined
  currency: string | null | undefined
}

/** The names of the two fields, for errors. */
type Names = { [Part in keyof MoneyChange]: string }

/** Whether the changes need the currency of the organization. */
export const needsUsual = ({ amount, currency }: MoneyChange): boolean => typeof amount === 'string' || currency === null

/**
 * The money after the changes. Another currency leaves the amount as people read it: 100.50 EUR becomes 100.50 USD, and is refused in yen.
 * `usual`: the currency of the organization. Throws INVALID.
 */
export function moneyAfter(before: Money, { amount, currency: asked }: MoneyChange, usual: string | null, names: Names): Money {
  const given = amount === undefined ? amountOf(before) : amount
  if (given === null) {
    if (asked) throw invalid(valueError(names.currency, `a currency needs an amount: send ${names.amount} as well`, asked))
    return { minor: null, currency: null }
  }
  const currency = asked ?? (asked === null ? null : before.currency) ?? usual
  if (currency === null)
    throw invalid(valueError(names.currency, 'an amount needs a currency, and the organization has none: send one, such as EUR'))
  const minor = minorOf(given, currency)
  if (minor instanceof Invalid) throw invalid(at(names.amount, minor))
  return { minor, currency }
}

/** The amount as a decimal text; null for none. */
export const amountOf = ({ minor, currency }: Money): string | null =>
  minor === null || currency === null ? null : decimalOf(minor, currency)
