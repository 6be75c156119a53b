// Amounts of money in SQL.

import { currencies, decimalsOf } from './currencies.ts'

const listed = (decimals: number) => [...currencies].flatMap(code => (decimalsOf(code) === decimals ? [`'${code}'`] : [])).toSorted()

/** An amount that is stored in the smallest unit, in the unit that people read. Two columns. */
export const amountSql = (amount: string, currency: string): string =>
  `case when ${currency} in (${listed(0)}) then ${amount}::numeric when ${currency} in (${listed(3)}) then ${amount} / 1000.0 else ${amount} / 100.0 end`
