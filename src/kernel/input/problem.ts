// Validation problems: a type, its parameters and a path. Types and sentences come from Pydantic v2, which clients of this API know.

import type { z } from 'zod'

/**
 * One problem of an input. `path` has the camelCase names of the input, which the REST router translates to `loc`; it does not translate a
 * path that begins with `header`. `context` has the parameters of the sentence.
 */
export interface Problem {
  path: readonly (string | number)[]
  type: string
  message: string
  input?: unknown
  context?: Readonly<Record<string, unknown>>
}

type Context = Readonly<Record<string, unknown>>
type Path = Problem['path'] | string

const plural = (count: unknown) => (count === 1 ? '' : 's')
const items = ({ field_type }: Context) => (field_type === 'Dictionary' ? 'Dictionary' : 'List')

/** The sentence of each type, as a function of its parameters. */
const sentences = {
  missing: () => 'Field required',
  value_error: ({ error }) => `Value error, ${error}`,
  string_type: () => 'Input should be a valid string',
  string_too_short: ({ min_length }) => `String should have at least ${min_length} character${plural(min_length)}`,
  string_too_long: ({ max_length }) => `String should have at most ${max_length} character${plural(max_length)}`,
  string_pattern_mismatch: ({ pattern }) => `String should match pattern '${pattern}'${exampleOf(pattern)}`,
  bool_type: () => 'Input should be a valid boolean',
  int_type: () => 'Input should be a valid integer',
  int_from_float: () => 'Input should be a valid integer, got a number with a fractional part',
  float_type: () => 'Input should be a valid number',
  finite_number: () => 'Input should be a finite number',
  decimal_max_places: ({ decimal_places }) => `Decimal input should have no more than ${decimal_places} decimal places`,
  greater_than: ({ gt }) => `Input should be greater than ${gt}`,
  greater_than_equal: ({ ge }) => `Input should be greater than or equal to ${ge}`,
  less_than: ({ lt }) => `Input should be less than ${lt}`,
  less_than_equal: ({ le }) => `Input should be less than or equal to ${le}`,
  list_type: () => 'Input should be a valid list',
  dict_type: () => 'Input should be a valid dictionary',
  model_attributes_type: () => 'Input should be a valid dictionary or object to extract fields from',
  too_short: of =>
    `${items(of)} should have at least ${of.min_length} item${plural(of.min_length)} after validation, not ${of.actual_length ?? 0}`,
  too_long: of =>
    `${items(of)} should have at most ${of.max_length} item${plural(of.max_length)} after validation, not ${of.actual_length}`,
  enum: ({ expected }) => `Input should be ${expected}`,
  literal_error: ({ expected }) => `Input should be ${expected}`,
  url_type: () => 'URL input should be a string or URL',
  url_parsing: ({ error }) => `Input should be a valid URL, ${error}`,
  url_scheme: ({ expected_schemes }) => `URL scheme should be ${expected_schemes}`,
  uuid_parsing: ({ error }) => `Input should be a valid UUID, ${error}`,
  date_parsing: ({ error }) => `Input should be a valid date in the format YYYY-MM-DD, ${error}`,
  datetime_parsing: ({ error }) => `Input should be a valid datetime, ${error}`,
  datetime_future: () => 'Input should be in the future',
  extra_forbidden: ({ closest }) => `Extra inputs are not permitted${closest === undefined ? '' : `; did you mean '${closest}'?`}`,
} satisfies Record<string, (context: Context) => string>

export type ProblemType = keyof typeof sentences

/** A problem of the field at `path`. `context` is absent for types without parameters. */
export const problem = (path: Path, type: ProblemType, input?: unknown, context?: Context): Problem => ({
  path: typeof path === 'string' ? [path] : path,
  type,
  message: sentences[type](context ?? {}),
  ...(input !== undefined && { input }),
  ...(context && { context }),
})

/** A problem for which there is no other type. `error` is a sentence without its capital letter and full stop. */
export const valueError = (path: Path, error: string, input?: unknown): Problem => problem(path, 'value_error', input, { error })

/** An invalid value, with its problems. Their paths begin at the value. */
export class Invalid {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    this.problems = problems
  }
}

/** The problems of a value, seen from the object or list that contains it: `step` is prepended to each path. */
export const at = (step: string | number, { problems }: Invalid): Problem[] => problems.map(one => ({ ...one, path: [step, ...one.path] }))

/** A phone number in the international format E.164. */
export const e164 = /^\+[1-9]\d{6,14}$/
/** A phone number in any usual spelling. */
export const phonePattern = /^\+?[0-9 ().-]{3,32}$/
// Error messages show an example in place of these patterns.
const examples = new Map([e164, phonePattern].map(({ source }) => [source, '+ and the country code, such as +14155550123']))
const exampleOf = (pattern: unknown) => (examples.has(String(pattern)) ? `: ${examples.get(String(pattern))}` : '')

/** `'a', 'b' or 'c'` */
export function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

/** An issue of zod as a problem at `path`. `isRoot`: the issue is about the whole value. */
export function problemOfIssue(issue: z.core.$ZodIssue, input: unknown, path: Problem['path'], isRoot = path.length === 0): Problem {
  const of = (type: ProblemType, context: Context = {}) => problem(path, type, input, context)
  switch (issue.code) {
    case 'invalid_type':
      if (typeof input === 'number' && !Number.isFinite(input)) return of('finite_number')
      return of(wrongType(issue.expected, input, isRoot))
    case 'too_small':
    case 'too_big':
      return of(...wrongSize(issue, input))
    case 'invalid_format':
      return of(...wrongFormat(issue))
    case 'invalid_value': {
      const expected = oneOf(issue.values.map(value => (typeof value === 'string' ? `'${value}'` : String(value))))
      return of(issue.values.length === 1 ? 'literal_error' : 'enum', { expected })
    }
    case 'custom': {
      // A check written in the schema provides the type and the sentence itself.
      const { type = 'value_error', ctx = {} } = (issue.params ?? {}) as { type?: string; ctx?: Context }
      return { path, type, message: issue.message, input, context: ctx }
    }
    default:
      return of('value_error', { error: issue.message })
  }
}

const typeProblems: Readonly<Record<string, ProblemType>> = {
  string: 'string_type',
  boolean: 'bool_type',
  number: 'float_type',
  array: 'list_type',
  record: 'dict_type',
}

function wrongType(expected: string, input: unknown, isRoot: boolean): ProblemType {
  if (expected === 'int') return typeof input === 'number' ? 'int_from_float' : 'int_type'
  if (expected === 'object' && isRoot) return 'model_attributes_type'
  return typeProblems[expected] ?? 'dict_type'
}

function wrongSize(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, input: unknown): [ProblemType, Context] {
  const [limit, isLow] = issue.code === 'too_small' ? [Number(issue.minimum), true] : [Number(issue.maximum), false]
  if (issue.origin === 'string') return isLow ? ['string_too_short', { min_length: limit }] : ['string_too_long', { max_length: limit }]
  if (issue.origin === 'array') {
    const list = {
      field_type: 'List',
      [isLow ? 'min_length' : 'max_length']: limit,
      actual_length: Array.isArray(input) ? input.length : 0,
    }
    return [isLow ? 'too_short' : 'too_long', list]
  }
  if (isLow) return issue.inclusive ? ['greater_than_equal', { ge: limit }] : ['greater_than', { gt: limit }]
  return issue.inclusive ? ['less_than_equal', { le: limit }] : ['less_than', { lt: limit }]
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): [ProblemType, Context] {
  switch (issue.format) {
    case 'url':
      return ['url_parsing', { error: 'an absolute http or https address is expected' }]
    case 'uuid':
      return ['uuid_parsing', { error: '32 hexadecimal digits in the form 8-4-4-4-12 are expected' }]
    case 'datetime':
      return ['datetime_parsing', { error: 'ISO 8601 with a time zone is expected' }]
    case 'date':
      return ['date_parsing', { error: 'YYYY-MM-DD is expected' }]
    default:
      return ['string_pattern_mismatch', { pattern: issue.pattern?.replace(/^\/|\/[a-z]*$/g, '') ?? issue.format }]
  }
}
