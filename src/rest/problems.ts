// What is wrong with a request, in the words of the contract: zod's issues and the rules' problems become items of the 422 body,
// spelled as Pydantic v2 spells them, because clients of this API know those (decisions §2).

import type { z } from 'zod'

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

type Words = Pick<Detail, 'type' | 'msg' | 'ctx'>
const words = (type: string, msg: string, ctx: Record<string, unknown> = {}): Words => ({ type, msg, ctx })

function worded(issue: z.core.$ZodIssue, input: unknown, isRoot: boolean): Words {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, input, isRoot)
    case 'too_small':
    case 'too_big':
      return wrongSize(issue, input)
    case 'invalid_format':
      return wrongFormat(issue)
    case 'invalid_value': {
      const expected = oneOf(issue.values.map(value => (typeof value === 'string' ? `'${value}'` : String(value))))
      return words(issue.values.length === 1 ? 'literal_error' : 'enum', `Input should be ${expected}`, { expected })
    }
    case 'custom': {
      // Shapes made in inputs.ts say themselves what is wrong.
      const { type = 'value_error', ctx = {} } = (issue.params ?? {}) as { type?: string; ctx?: Record<string, unknown> }
      return words(type, issue.message, ctx)
    }
    default:
      return words('value_error', `Value error, ${issue.message}`, { error: issue.message })
  }
}

function wrongType(expected: string, input: unknown, isRoot: boolean): Words {
  if (typeof input === 'number' && !Number.isFinite(input)) return words('finite_number', 'Input should be a finite number')
  switch (expected) {
    case 'string':
      return words('string_type', 'Input should be a valid string')
    case 'boolean':
      return words('bool_type', 'Input should be a valid boolean')
    case 'int':
      return typeof input === 'number'
        ? words('int_from_float', 'Input should be a valid integer, got a number with a fractional part')
        : words('int_type', 'Input should be a valid integer')
    case 'number':
      return words('float_type', 'Input should be a valid number')
    case 'array':
      return words('list_type', 'Input should be a valid list')
    case 'object':
      if (isRoot) return words('model_attributes_type', 'Input should be a valid dictionary or object to extract fields from')
      return words('dict_type', 'Input should be a valid dictionary')
    case 'record':
      return words('dict_type', 'Input should be a valid dictionary')
    default:
      return words(`${expected}_type`, `Input should be a valid ${expected}`)
  }
}

function wrongSize(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, input: unknown): Words {
  const [limit, isLow] = issue.code === 'too_small' ? [Number(issue.minimum), true] : [Number(issue.maximum), false]
  const plural = limit === 1 ? '' : 's'
  if (issue.origin === 'string')
    return isLow
      ? words('string_too_short', `String should have at least ${limit} character${plural}`, { min_length: limit })
      : words('string_too_long', `String should have at most ${limit} character${plural}`, { max_length: limit })
  if (issue.origin === 'array') {
    const actual = Array.isArray(input) ? input.length : 0
    const ctx = { field_type: 'List', [isLow ? 'min_length' : 'max_length']: limit, actual_length: actual }
    const bound = `List should have at ${isLow ? 'least' : 'most'} ${limit} item${plural} after validation, not ${actual}`
    return words(isLow ? 'too_short' : 'too_long', bound, ctx)
  }
  if (isLow)
    return issue.inclusive
      ? words('greater_than_equal', `Input should be greater than or equal to ${limit}`, { ge: limit })
      : words('greater_than', `Input should be greater than ${limit}`, { gt: limit })
  return issue.inclusive
    ? words('less_than_equal', `Input should be less than or equal to ${limit}`, { le: limit })
    : words('less_than', `Input should be less than ${limit}`, { lt: limit })
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): Words {
  const parsing = (what: string, error: string) => words(`${what}_parsing`, `Input should be a valid ${names[what]}, ${error}`, { error })
  switch (issue.format) {
    case 'email': {
      const reason = 'An address such as name@example.com is expected.'
      return words('value_error', `value is not a valid email address: ${reason}`, { reason })
    }
    case 'url':
      return parsing('url', 'an absolute http or https address is expected')
    case 'uuid':
      return parsing('uuid', '32 hexadecimal digits in the form 8-4-4-4-12 are expected')
    case 'datetime':
      return parsing('datetime', 'ISO 8601 with a time zone is expected')
    case 'date':
      return parsing('date', 'YYYY-MM-DD is expected')
    default: {
      const pattern = issue.pattern?.replace(/^\/|\/[a-z]*$/g, '') ?? issue.format
      return words('string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern })
    }
  }
}
const names: Record<string, string> = { url: 'URL', uuid: 'UUID', datetime: 'datetime', date: 'date in the format YYYY-MM-DD' }

/** `'a', 'b' or 'c'` */
export function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
