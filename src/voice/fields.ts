// Readers of what callers say about agents and calls, beyond those of contacts. Pure.

import { Failed, type Fault, type Read } from '../contacts/contact-value.ts'
import type { Problem } from '../errors.ts'
import { e164, patternWords } from '../issue-words.ts'
import type { ExtractedField } from './telephony.ts'

const failed = (input: unknown, fault: Fault, path: Problem['path'] = []) => new Failed([{ path, input, ...fault }])
export const valueFault = (error: string): Fault => ({ type: 'value_error', message: `Value error, ${error}`, context: { error } })

/** One problem of a field, where no reader found it. */
export const problem = (field: string, input: unknown, error: string): Problem => ({ path: [field], input, ...valueFault(error) })

/** A number that can be dialled from anywhere: E.164, nothing guessed. */
export const dialable: Read<string, string> = input => {
  if (e164.test(input)) return input
  const { type, msg, ctx } = patternWords(e164.source)
  return failed(input, { type, message: msg, context: ctx })
}

/** A whole number from a range. */
export const between =
  (min: number, max: number): Read<number, number> =>
  input => {
    if (!Number.isInteger(input))
      return failed(input, { type: 'int_from_float', message: 'Input should be a valid integer, got a number with a fractional part' })
    if (input < min)
      return failed(input, {
        type: 'greater_than_equal',
        message: `Input should be greater than or equal to ${min}`,
        context: { ge: min },
      })
    if (input > max)
      return failed(input, { type: 'less_than_equal', message: `Input should be less than or equal to ${max}`, context: { le: max } })
    return input
  }

// 16 kB: a screenful of data about one call. It travels to the provider with every dial, and with every message about it back.
const mostBytes = 16_384
/** A JSON object of the caller's own. */
export const data: Read<Record<string, unknown>, Record<string, unknown>> = input => {
  const text = JSON.stringify(input)
  if (Buffer.byteLength(text) > mostBytes) return failed(null, valueFault(`it must not be larger than ${mostBytes} bytes as JSON`))
  if (text.includes('\\u0000') || !text.isWellFormed()) return failed(null, valueFault('its text must be Unicode without NUL characters'))
  return input
}

const mostFields = 50
const fieldName = /^[a-z][a-z0-9_]{0,62}$/
const fieldTypes = ['string', 'number', 'integer', 'boolean'] as const

/** What to take from a conversation: `{ field: { type, description?, enum? } }`, or a flat JSON Schema that says the same. */
export const extraction: Read<Record<string, unknown>, Readonly<Record<string, ExtractedField>>> = input => {
  const properties = isObject(input.properties) && (input.type === 'object' || input.type === undefined) ? input.properties : input
  const entries = Object.entries(properties)
  if (entries.length > mostFields) return failed(null, valueFault(`at most ${mostFields} fields can be extracted`))
  const faults: Failed['faults'][number][] = []
  const fields: Record<string, ExtractedField> = {}
  for (const [name, given] of entries) {
    const field = fieldName.test(name) ? fieldOf(given) : `a field is named like ${fieldName.source}`
    if (typeof field === 'string') faults.push({ path: [name], input: given, ...valueFault(field) })
    else fields[name] = field
  }
  return faults.length > 0 ? new Failed(faults) : fields
}

function fieldOf(given: unknown): ExtractedField | string {
  if (!isObject(given)) return 'a field is an object with a type'
  const { type, description, enum: values } = given
  const known = fieldTypes.find(one => one === type)
  if (!known) return `the type of a field is one of ${fieldTypes.join(', ')}`
  if (description !== undefined && (typeof description !== 'string' || description.length > 1000))
    return 'the description of a field is text of at most 1000 characters'
  if (values === undefined) return { type: known, ...(typeof description === 'string' && { description }) }
  if (!Array.isArray(values) || values.length === 0 || values.length > 100) return 'enum lists 1 to 100 values'
  const fits = values.every((value: unknown) => (known === 'string' ? typeof value === 'string' : typeof value === 'number'))
  if (!fits || known === 'boolean') return 'the values of enum must have the type of the field'
  return { type: known, ...(typeof description === 'string' && { description }), enum: values }
}

/** The values that fit what was to be extracted; an agent that says nothing about it takes plain values as they come. */
export function fitting(
  fields: Readonly<Record<string, ExtractedField>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isOpen = Object.keys(fields).length === 0
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => {
        if (!fieldName.test(name)) return false
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        return field ? fits(field, value) : isOpen && isPlain(value)
      })
      .slice(0, mostFields),
  )
}

const isPlain = (value: unknown) =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && value.length <= 4000)

function fits({ type, enum: values }: ExtractedField, value: unknown): boolean {
  if (!isPlain(value)) return false
  if (type === 'integer' ? !Number.isInteger(value) : typeof value !== type) return false
  return values === undefined || values.some(one => one === value)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
