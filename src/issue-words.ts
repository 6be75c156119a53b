// What zod finds wrong in the words of Pydantic v2, which clients of this API know (decisions §2).

import type { z } from 'zod'

/** What is wrong, without where. */
export interface Words {
  type: string
  msg: string
  ctx: Record<string, unknown>
}
const words = (type: string, msg: string, ctx: Record<string, unknown> = {}): Words => ({ type, msg, ctx })

/** The words for an issue. `isRoot`: it is about the whole of what was checked. */
export function worded(issue: z.core.$ZodIssue, input: unknown, isRoot: boolean): Words {
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
    default:
      return patternWords(issue.pattern?.replace(/^\/|\/[a-z]*$/g, '') ?? issue.format)
  }
}

/** A telephone number that can be dialled from anywhere. */
export const e164 = /^\+[1-9]\d{6,14}$/
const examples: Readonly<Record<string, string>> = { [e164.source]: '+ and the country code, such as +14155550123' }

/** The words for a text that does not match; with an example where the pattern alone is hard to read. */
export function patternWords(pattern: string): Words {
  const example = examples[pattern]
  return words('string_pattern_mismatch', `String should match pattern '${pattern}'${example ? `: ${example}` : ''}`, { pattern })
}
const names: Record<string, string> = { url: 'URL', uuid: 'UUID', datetime: 'datetime', date: 'date in the format YYYY-MM-DD' }

/** `'a', 'b' or 'c'` */
export function oneOf(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
