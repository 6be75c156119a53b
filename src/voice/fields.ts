// Validation of fields of agents and calls. Pure.

import { contactFields, contactFieldTable } from '../contacts/contact/row.ts'
import { snakeCase } from '../kernel/input/case.ts'
import type { Read } from '../kernel/input/fields.ts'
import { e164, Invalid, type Problem, type ProblemType, problem, valueError } from '../kernel/input/problem.ts'
import { isStorable } from '../kernel/input/storable.ts'
import type { Destination, ExtractedField } from './providers/telephony.ts'

const invalid = (input: unknown, type: ProblemType, context?: Problem['context']) => new Invalid([problem([], type, input, context)])
const invalidValue = (error: string) => new Invalid([valueError([], error, null)])

/** A phone number in E.164. Other formats are refused; the country is not guessed. */
export const dialable: Read<string, string> = input => {
  return e164.test(input) ? input : invalid(input, 'string_pattern_mismatch', { pattern: e164.source })
}

// 20: an agent that chooses among more chooses wrongly.
const maxDestinations = 20

/** Where an agent may transfer calls: names for the agent, and numbers in E.164. */
export const destinations: Read<readonly Destination[], readonly Destination[]> = input => {
  if (input.length > maxDestinations) return invalidValue(`an agent may transfer to at most ${maxDestinations} numbers`)
  const problems: Problem[] = []
  const read = input.map(({ name, phone }, index) => {
    const given = name.trim()
    if (given === '' || given.length > 100 || !isStorable(given))
      problems.push(valueError([String(index), 'name'], 'a name has 1 to 100 characters', name))
    if (!e164.test(phone)) problems.push(problem([String(index), 'phone'], 'string_pattern_mismatch', phone, { pattern: e164.source }))
    return { name: given, phone }
  })
  const names = new Set(read.map(({ name }) => name.toLowerCase()))
  if (names.size < read.length) problems.push(valueError([], 'two destinations have the same name', null))
  return problems.length > 0 ? new Invalid(problems) : read
}

/** An integer in a range. */
export const between =
  (min: number, max: number): Read<number, number> =>
  input => {
    if (!Number.isInteger(input)) return invalid(input, 'int_from_float')
    if (input < min) return invalid(input, 'greater_than_equal', { ge: min })
    if (input > max) return invalid(input, 'less_than_equal', { le: max })
    return input
  }

// 16 kB: the object is sent to the provider with the dial, and returned with every message.
const maxBytes = 16_384
/** A JSON object of the caller. */
export const data: Read<Record<string, unknown>, Record<string, unknown>> = input => {
  if (Buffer.byteLength(JSON.stringify(input)) > maxBytes) return invalidValue(`it must not be larger than ${maxBytes} bytes as JSON`)
  if (!isStorable(input)) return invalidValue('its text must be Unicode without NUL characters')
  return input
}

const maxFields = 50
const fieldName = /^[a-z][a-z0-9_]{0,62}$/
const fieldTypes = ['string', 'number', 'integer', 'boolean'] as const

/** The fields to extract from a conversation: `{ field: { type, title?, description?, format?, enum?, field? } }`, or an equivalent flat JSON Schema. */
export const extraction: Read<Record<string, unknown>, Readonly<Record<string, ExtractedField>>> = input => {
  const properties = isObject(input.properties) && (input.type === 'object' || input.type === undefined) ? input.properties : input
  const entries = Object.entries(properties)
  if (entries.length > maxFields) return invalidValue(`at most ${maxFields} fields can be extracted`)
  const problems: Problem[] = []
  const fields: Record<string, ExtractedField> = {}
  for (const [name, given] of entries) {
    const field = fieldName.test(name) ? fieldOf(given) : `a field is named like ${fieldName.source}`
    if (typeof field === 'string') problems.push(valueError([name], field, given))
    else fields[name] = field
  }
  return problems.length > 0 ? new Invalid(problems) : fields
}

function fieldOf(given: unknown): ExtractedField | string {
  if (!isObject(given)) return 'a field is an object with a type'
  const { type, title, description, format, enum: values, field, order } = given
  const known = fieldTypes.find(one => one === type)
  if (!known) return `the type of a field is one of ${fieldTypes.join(', ')}`
  if (description !== undefined && (typeof description !== 'string' || description.length > 1000))
    return 'the description of a field is text of at most 1000 characters'
  if (title !== undefined && (typeof title !== 'string' || title.length > 200))
    return 'the title of a field is text of at most 200 characters'
  if (field !== undefined && field !== null && !(typeof field === 'string' && isTarget(field)))
    return `field is a field of contacts, such as job_title or custom.renewal, or null for none; contacts have ${targets.join(', ')}`
  const about: ExtractedField = {
    type: known,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    // Other formats of JSON Schema are not checked, and not kept.
    ...(known === 'string' && format === 'date' && { format }),
    ...(field !== undefined && { field }),
    ...(typeof order === 'number' && Number.isInteger(order) && order >= 0 && order < 1000 && { order }),
  }
  if (values === undefined) return about
  if (!Array.isArray(values) || values.length === 0 || values.length > 100) return 'enum lists 1 to 100 values'
  const fits = values.every((value: unknown) => (known === 'string' ? typeof value === 'string' : typeof value === 'number'))
  if (!fits || known === 'boolean') return 'the values of enum must have the type of the field'
  return { ...about, enum: values }
}

/** The contact fields that a value may be suggested for, besides custom fields. */
const targets = contactFields.filter(name => contactFieldTable[name].suggestedAs).map(snakeCase)
const customTarget = /^custom\.[a-z][a-z0-9_]{0,62}$/
const isTarget = (field: string) => targets.includes(snakeCase(field)) || customTarget.test(field)

/**
 * The extracted values that match the agent's fields: models write numbers as text, and text as numbers. If the agent defines no fields, all
 * plain values.
 */
export function fitting(
  fields: Readonly<Record<string, ExtractedField>>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isOpen = Object.keys(fields).length === 0
  return Object.fromEntries(
    Object.entries(values)
      .flatMap(([name, given]) => {
        if (!fieldName.test(name)) return []
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        const value = field ? asDay(field, ofType(field.type, given)) : given
        return (field ? fits(field, value) : isOpen && isPlain(value)) ? [[name, value] as const] : []
      })
      .slice(0, maxFields),
  )
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** The value in the type, where it means the same there. */
function ofType(type: ExtractedField['type'], value: unknown): unknown {
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof value !== 'string') return value
  if (type === 'boolean') return /^true$/i.test(value) || (/^false$/i.test(value) ? false : value)
  // Without a leading zero, which numbers of something have.
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(value) ? Number(value) : value
}

const asDay = ({ format }: ExtractedField, value: unknown): unknown =>
  format === 'date' && typeof value === 'string' ? value.slice(0, 10) : value

const isPlain = (value: unknown) =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && value.length <= 4000)

function fits({ type, format, enum: values }: ExtractedField, value: unknown): boolean {
  if (!isPlain(value)) return false
  if (format === 'date' && !(typeof value === 'string' && isDay(value))) return false
  if (type === 'integer' ? !Number.isInteger(value) : typeof value !== type) return false
  return values === undefined || values.some(one => one === value)
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
