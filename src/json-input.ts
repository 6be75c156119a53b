// JSON from outside, whichever door it came to: how much of it is looked at, and what no text, list or name in it may be.

import { faultOf } from './body.ts'
import { maxProblems } from './bounded.ts'
import type { Problem } from './errors.ts'

/**
 * Values of one body. A hundred contacts with everything that a contact can have are a fifth of it; a megabyte of `1,1,1` is twenty
 * times as much, and each value is looked at several times.
 */
export const maxValues = 25_000
/** Values of one list, and fields of one object. None that a request means something with has more than 200. */
export const maxLength = 1000
/** Characters of the name of a field. */
export const maxNameLength = 1000
/** Characters of one text. */
export const maxTextLength = 65_536
/** Objects and lists within each other. */
export const maxLevels = 200

const [comma, backslash, quote, bracket, brace] = [',', '\\', '"', '[', '{'].map(character => character.charCodeAt(0))

/** Whether a body holds more values than anybody means. Counted before it is parsed: parsing costs most where there are many. */
export function hasTooManyValues(bytes: Buffer): boolean {
  // A value takes two bytes at least.
  if (bytes.length < 2 * maxValues) return false
  let values = 1
  let isInText = false
  for (let index = 0; index < bytes.length && values <= maxValues; index++) {
    const byte = bytes[index]
    if (isInText) {
      if (byte === backslash) index++
      else if (byte === quote) isInText = false
    } else if (byte === quote) isInText = true
    else if (byte === comma || byte === bracket || byte === brace) values++
  }
  return values > maxValues
}

export const tooManyValues = `the body must not hold more than ${maxValues.toLocaleString('en')} values; send it in parts`

/** Something that could not be stored and given back as it came. `reason` is a sentence without its subject. */
export interface Fault extends Problem {
  reason: string
  isName: boolean
}

export interface Findings {
  /** At most `maxProblems`: then nothing more is looked at. */
  faults: Fault[]
  isTooDeep: boolean
  /** Whether there is more that was not looked at, and nothing else should look at it either. */
  isPartial: boolean
  /** Values that were looked at. */
  values: number
}

export interface Limits {
  levels: number
  textLength?: number
  nameLength?: number
  /** Of lists and objects. */
  length?: number
}

// A place is a list from the inside out: building a path for every value would cost more than looking at it.
interface Place {
  key: string | number
  inside: Place | undefined
}

/** Looks at a parsed value. What is beyond the end of a list that is too long is dropped from it, so that nothing else looks at it either. */
export function examine(
  root: unknown,
  { levels, textLength = maxTextLength, nameLength = maxNameLength, length = maxLength }: Limits,
): Findings {
  const findings: Findings = { faults: [], isTooDeep: false, isPartial: false, values: 0 }
  const { faults } = findings
  const isOver = () => findings.isPartial || faults.length >= maxProblems
  const found = (place: Place | undefined, fault: Omit<Fault, 'path' | 'isName'>, isName = false) =>
    void faults.push({ path: pathOf(place), isName, ...fault })

  const lookAtText = (text: string, place: Place | undefined) => {
    if (text.length > textLength) found(place, tooLongText(text, textLength))
    const reason = faultOf(text)
    if (reason) found(place, wrongValue(reason, text))
  }
  const lookAtName = (name: string, place: Place): boolean => {
    const reason =
      name === '__proto__'
        ? 'no field may be named __proto__'
        : name.length > nameLength
          ? `it is longer than ${nameLength} characters`
          : faultOf(name)
    if (reason) found(place, { ...wrongValue(`in the name of the field: ${reason}`, name), reason }, true)
    return reason === null
  }
  const look = (value: unknown, place: Place | undefined, level: number): void => {
    findings.values++
    if (typeof value === 'string') lookAtText(value, place)
    // JSON's 1e400 is JavaScript's Infinity.
    if (typeof value === 'number' && !Number.isFinite(value)) found(place, infinite)
    if (value === null || typeof value !== 'object') return
    if (level > levels) {
      findings.isTooDeep = true
      findings.isPartial = true
    } else if (Array.isArray(value)) {
      if (value.length > length) {
        found(place, tooLong('List', value.length, length))
        value.length = length
      }
      for (let key = 0; key < value.length && !isOver(); key++) look(value[key], { key, inside: place }, level + 1)
    } else {
      const keys = Object.keys(value)
      if (keys.length > length) {
        found(place, tooLong('Dictionary', keys.length, length))
        findings.isPartial = true
      }
      for (const key of keys) {
        if (isOver()) return
        const within = { key, inside: place }
        if (lookAtName(key, within)) look(Reflect.get(value, key), within, level + 1)
      }
    }
  }
  look(root, undefined, 1)
  if (faults.length >= maxProblems) findings.isPartial = true
  return findings
}

function pathOf(place: Place | undefined): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = place; at; at = at.inside) path.push(at.key)
  return path.reverse()
}

const wrongValue = (reason: string, input: unknown) => ({
  type: 'value_error',
  message: `Value error, ${reason}`,
  reason,
  input,
  context: { error: reason },
})
const tooLongText = (input: string, length: number) => ({
  type: 'string_too_long',
  message: `String should have at most ${length} characters`,
  reason: `it is longer than ${length} characters`,
  input,
  context: { max_length: length },
})
const tooLong = (kind: 'List' | 'Dictionary', actual: number, length: number) => ({
  type: 'too_long',
  message: `${kind} should have at most ${length} items after validation, not ${actual}`,
  reason: `it has more than ${length} entries`,
  input: null,
  context: { field_type: kind, max_length: length, actual_length: actual },
})
const infinite = { type: 'finite_number', message: 'Input should be a finite number', reason: 'the number is too large', input: null }
