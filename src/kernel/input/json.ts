// Validation of JSON input, for all doors: limits on depth and length, and on text that PostgreSQL cannot store.

import { maxProblems } from './bounded.ts'
import { type Problem, problem, valueError } from './problem.ts'
import { storageFault } from './storable.ts'

/** The maximum number of items of a list and of fields of an object. No list or object of the API has more than 200. */
const maxLength = 1000
/** The maximum length of a field's name, in characters. */
const maxNameLength = 1000
/** The maximum length of one text, in characters. */
export const maxTextLength = 65_536
/** The maximum depth of nested objects and lists. */
export const maxLevels = 200

/** A value that cannot be stored and returned unchanged. `reason` is a sentence without its subject. */
export interface JsonProblem extends Problem {
  reason: string
  isName: boolean
}

type Found = Problem & Pick<JsonProblem, 'reason'>

export interface Findings {
  /** At most `maxProblems`; the check stops there. */
  problems: JsonProblem[]
  isTooDeep: boolean
  /** Whether part of the value was not checked. That part must not be used. */
  isPartial: boolean
  /** The number of values that were checked. */
  values: number
}

export interface Limits {
  levels: number
  textLength?: number
  nameLength?: number
  /** The most items of a list or fields of an object. */
  length?: number
}

// A place is a linked list from the inside out, because building a path for every value would cost more than checking it.
interface Place {
  key: string | number
  inside: Place | undefined
}

/** Checks a parsed value. A list that is too long is cut to its limit, so that later code does not read the rest. */
export function examine(
  root: unknown,
  { levels, textLength = maxTextLength, nameLength = maxNameLength, length = maxLength }: Limits,
): Findings {
  const findings: Findings = { problems: [], isTooDeep: false, isPartial: false, values: 0 }
  const { problems } = findings
  const isOver = () => findings.isPartial || problems.length >= maxProblems
  const add = (place: Place | undefined, found: Found, isName = false) => void problems.push({ ...found, path: pathOf(place), isName })

  const checkText = (text: string, place: Place | undefined) => {
    if (text.length > textLength) add(place, tooLongText(text, textLength))
    const reason = storageFault(text)
    if (reason) add(place, wrongValue(reason, text))
  }
  const checkName = (name: string, place: Place): boolean => {
    const reason =
      name === '__proto__'
        ? 'no field may be named __proto__'
        : name.length > nameLength
          ? `it is longer than ${nameLength} characters`
          : storageFault(name)
    if (reason) add(place, { ...wrongValue(`in the name of the field: ${reason}`, name), reason }, true)
    return reason === null
  }
  const visit = (value: unknown, place: Place | undefined, level: number): void => {
    findings.values++
    if (typeof value === 'string') checkText(value, place)
    // JSON's 1e400 is JavaScript's Infinity.
    if (typeof value === 'number' && !Number.isFinite(value)) add(place, infinite)
    if (value === null || typeof value !== 'object') return
    if (level > levels) {
      findings.isTooDeep = true
      findings.isPartial = true
    } else if (Array.isArray(value)) {
      if (value.length > length) {
        add(place, tooLong('List', value.length, length))
        value.length = length
      }
      for (let key = 0; key < value.length && !isOver(); key++) visit(value[key], { key, inside: place }, level + 1)
    } else {
      const keys = Object.keys(value)
      if (keys.length > length) {
        add(place, tooLong('Dictionary', keys.length, length))
        findings.isPartial = true
      }
      for (const key of keys) {
        if (isOver()) return
        const within = { key, inside: place }
        if (checkName(key, within)) visit(Reflect.get(value, key), within, level + 1)
      }
    }
  }
  visit(root, undefined, 1)
  if (problems.length >= maxProblems) findings.isPartial = true
  return findings
}

function pathOf(place: Place | undefined): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = place; at; at = at.inside) path.push(at.key)
  return path.reverse()
}

const wrongValue = (reason: string, input: unknown): Found => ({ ...valueError([], reason, input), reason })
const tooLongText = (input: string, length: number): Found => ({
  ...problem([], 'string_too_long', input, { max_length: length }),
  reason: `it is longer than ${length} characters`,
})
const tooLong = (kind: 'List' | 'Dictionary', actual: number, length: number): Found => ({
  ...problem([], 'too_long', null, { field_type: kind, max_length: length, actual_length: actual }),
  reason: `it has more than ${length} entries`,
})
const infinite: Found = { ...problem([], 'finite_number', null), reason: 'the number is too large' }

/** An object's own member with a name from outside; undefined without one. `object[name]` would find a `constructor` in every object. */
export const ownMember = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
