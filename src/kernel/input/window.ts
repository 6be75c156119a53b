// Windows of days that figures are asked for.

import { invalid, type Problem } from '../errors.ts'

/** Days of UTC, both included. */
export interface Window {
  from: string
  to: string
}

export interface WindowArgs {
  /** UTC midnight of the day. Default: 29 days before `to`, so that the window has 30. */
  from?: Date | null
  /** Default: today. */
  to?: Date | null
}

const dayMs = 86_400_000
const defaultDays = 30

/** The window that is asked for. Throws INVALID for one that ends before it begins. */
export function windowOf(args: WindowArgs, now: Date): Window {
  const problems = windowProblems(args, now)
  if (problems.length > 0) throw invalid(problems)
  return daysOf(args, now)
}

/** What is wrong with the window that is asked for. */
export function windowProblems(args: WindowArgs, now: Date): Problem[] {
  const { from, to } = daysOf(args, now)
  const error = '`from` must not be after `to`'
  return from > to ? [{ path: ['from'], type: 'value_error', message: `Value error, ${error}`, input: from, context: { error } }] : []
}

function daysOf({ from, to }: WindowArgs, now: Date): Window {
  const last = to ?? now
  const first = from ?? new Date(last.getTime() - (defaultDays - 1) * dayMs)
  return { from: dayOf(first), to: dayOf(last) }
}

// PostgreSQL knows no year 0, where the calendar of JavaScript has one.
const dayOf = (date: Date) => (date.getUTCFullYear() < 1 ? '0001-01-01' : date.toISOString().slice(0, 10))
