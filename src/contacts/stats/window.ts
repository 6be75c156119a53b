// The range of days of a statistics query.

import { invalid } from '../../kernel/errors.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'

/** The first and the last day, in UTC, both included. */
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

/** The requested window. Throws INVALID for one that ends before it begins. */
export function windowOf(args: WindowArgs, now: Date): Window {
  const problems = windowProblems(args, now)
  if (problems.length > 0) throw invalid(problems)
  return daysOf(args, now)
}

/** The problems of the requested window. */
export function windowProblems(args: WindowArgs, now: Date): Problem[] {
  const { from, to } = daysOf(args, now)
  return from > to ? [valueError('from', '`from` must not be after `to`', from)] : []
}

function daysOf({ from, to }: WindowArgs, now: Date): Window {
  const last = to ?? now
  const first = from ?? new Date(last.getTime() - (defaultDays - 1) * dayMs)
  return { from: dayOf(first), to: dayOf(last) }
}

// JavaScript has a year 0, PostgreSQL does not.
const dayOf = (date: Date) => (date.getUTCFullYear() < 1 ? '0001-01-01' : date.toISOString().slice(0, 10))
