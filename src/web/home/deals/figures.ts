// Groups of deals as the rows of widgets. Amounts of different currencies are never added up: each currency has rows of its own. Pure.

import type { WidgetFieldsFragment } from '../../generated/operations.ts'
import { moneyText } from '../../language/format.ts'
import { locale } from '../../language/language.ts'

type Data = Extract<NonNullable<WidgetFieldsFragment['data']>, { __typename: 'Groups' }>
type Group = Data['groups'][number]

export interface FiguresProps {
  widget: WidgetFieldsFragment
  groups: readonly Group[]
  /** The title of the widget. */
  name: string
  /** Such as "in the last 30 days". */
  window: string
  isTable: boolean
}

export interface Row {
  key: string | null
  count: number
  amount: number
}

export interface Section {
  /** Null for deals without an amount. */
  currency: string | null
  count: number
  amount: number
  rows: readonly Row[]
}

/** The rows of each currency. The currency with most deals comes first, and deals without an amount last. */
export function sectionsOf(groups: readonly Group[]): Section[] {
  const byCurrency = Map.groupBy(groups, ({ keys: [, currency] }) => currency ?? null)
  return [...byCurrency]
    .map(([currency, found]) => {
      const rows = found.map(({ keys: [key = null], count, sum }) => ({ key, count, amount: sum ?? 0 }))
      return { currency, count: total(rows, 'count'), amount: total(rows, 'amount'), rows }
    })
    .toSorted((a, b) => Number(a.currency === null) - Number(b.currency === null) || b.count - a.count)
}

const total = (rows: readonly Row[], of: 'count' | 'amount'): number => rows.reduce((sum, row) => sum + row[of], 0)
export const rowOf = (rows: readonly Row[], key: string | null): Row => rows.find(row => row.key === key) ?? { key, count: 0, amount: 0 }

export const money = (amount: number, currency: string | null): string => moneyText(String(amount), currency)

/** "€120K", for an axis. */
export const shortMoney = (currency: string) => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 })
  return (amount: number) => format.format(amount)
}

const inDays = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 1 })
export const daysText = (days: number): string => inDays.format(days)

// Two years: a chart of more months cannot be read.
const maxMonths = 24

/** The first days of the months from the first to the last that has deals, so that the chart has no gaps. Other units have those with deals. */
export function monthsOf(keys: readonly string[], isMonthly: boolean): string[] {
  const found = [...new Set(keys)].toSorted()
  const [first, last] = [found[0], found.at(-1)]
  if (!isMonthly || first === undefined || last === undefined) return found
  const start = new Date(`${first}T00:00:00Z`)
  const months = Array.from({ length: maxMonths }, (_, index) =>
    new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index, 1)).toISOString().slice(0, 10),
  )
  return months.includes(last) ? months.slice(0, months.indexOf(last) + 1) : found
}
