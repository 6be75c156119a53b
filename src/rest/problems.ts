// What is wrong with a request, in the words of the contract: zod's issues and the rules' problems become items of the 422 body,
// spelled as Pydantic v2 spells them, because clients of this API know those (decisions §2).

import type { z } from 'zod'
import { worded } from '../issue-words.ts'

/** One item of `{"detail": [...]}`. `loc` is text only; `input` and `ctx` are always there. */
export interface Detail {
  loc: string[]
  msg: string
  type: string
  input: unknown
  ctx: Record<string, unknown>
}

// 100: enough to repair any honest request in one go; more would let 1 MB of unknown fields come back as many megabytes.
const mostDetails = 100
// A longer text is cut and a larger object left out: the sender has them already.
const longestInput = 1000

/** The 422 body. Of several problems at one place the first counts. */
export function validationBody(details: readonly Detail[]): { detail: Detail[] } {
  const places = new Set<string>()
  const first = details.filter(({ loc, type }) => {
    const place = `${loc.join('\n')}\n${type === 'extra_forbidden' ? type : ''}`
    return !places.has(place) && places.add(place)
  })
  return {
    detail: first.slice(0, mostDetails).map(({ loc, msg, type, input, ctx }) => ({ loc, msg, type, input: presentable(input), ctx })),
  }
}

function presentable(input: unknown): unknown {
  if (input === undefined || typeof input === 'function' || typeof input === 'bigint') return null
  if (typeof input === 'string') return input.length > longestInput ? `${input.slice(0, longestInput)}…` : input
  if (typeof input !== 'object') return input
  return (JSON.stringify(input)?.length ?? 0) > 4 * longestInput ? null : input
}

/** A field of a body, query or header that must be there and is not. */
export const missing = (loc: string[], input: unknown = null): Detail => ({ loc, msg: 'Field required', type: 'missing', input, ctx: {} })

/** Something that no Pydantic type has a word for. */
export const valueError = (loc: string[], reason: string, input: unknown): Detail => ({
  loc,
  msg: `Value error, ${reason}`,
  type: 'value_error',
  input,
  ctx: { error: reason },
})

/** The issues of one part of a request (`body`, `query`, ...) as details. `raw` is what was checked. */
export function detailsOf(issues: readonly z.core.$ZodIssue[], raw: unknown, part: string): Detail[] {
  return issues.flatMap(issue => {
    const path = issue.path.map(String)
    const loc = [part, ...path]
    const parent = path.length > 0 ? valueAt(raw, path.slice(0, -1)) : undefined
    const input = valueAt(raw, path)
    // Pydantic shows the object that lacks the field, which for the parts that are not JSON means nothing.
    if (input === undefined && issue.code !== 'unrecognized_keys') return [missing(loc, part === 'body' ? (parent ?? null) : null)]
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({
        loc: [...loc, key],
        msg: 'Extra inputs are not permitted',
        type: 'extra_forbidden',
        input: valueAt(input, [key]),
        ctx: {},
      }))
    return [{ loc, input, ...worded(issue, input, path.length === 0) }]
  })
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
