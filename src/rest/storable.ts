// What no request may contain, wherever it stands, because it could not be stored and given back as it came.

import { faultOf } from '../body.ts'
import { type Detail, valueError } from './problems.ts'

/** Levels of objects and lists. */
export const deepest = 200
/** Characters of one text. */
export const longestText = 65_536

/** Everything wrong with a value that came from outside, whatever it is meant to be. It must not be too deep. */
export function unstorable(value: unknown, loc: readonly string[], details: Detail[]): void {
  if (typeof value === 'string') {
    if (value.length > longestText)
      details.push({
        loc: [...loc],
        msg: `String should have at most ${longestText} characters`,
        type: 'string_too_long',
        input: value,
        ctx: { max_length: longestText },
      })
    const fault = faultOf(value)
    if (fault) details.push(valueError([...loc], fault, value))
  } else if (typeof value === 'number') {
    // JSON's 1e400 is JavaScript's Infinity.
    if (!Number.isFinite(value))
      details.push({ loc: [...loc], msg: 'Input should be a finite number', type: 'finite_number', input: null, ctx: {} })
  } else if (value !== null && typeof value === 'object') {
    if (Array.isArray(value)) for (let index = 0; index < value.length; index++) unstorable(value[index], [...loc, String(index)], details)
    else
      for (const key of Object.keys(value)) {
        const fault = key === '__proto__' ? 'no field may be named __proto__' : faultOf(key)
        if (fault) details.push(valueError([...loc, key], `in the name of the field: ${fault}`, key))
        else unstorable((value as Record<string, unknown>)[key], [...loc, key], details)
      }
  }
}

/** Whether a value is nested so deep that walking it, or writing it down again, would need more stack than there is. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth === deepest || Object.values(value).some(inner => isTooDeep(inner, depth + 1))
}
