// Fields on the command line: `-f name=text`, and `-F name=value` for numbers, true, false, null and @file.

import { readFileSync } from 'node:fs'
import { CommandError, exitStatus } from '../../terminal.ts'
import { pairOf } from '../contacts/fields.ts'

export interface FieldFlags {
  field?: string[]
  typedField?: string[]
}

type Fields = Record<string, unknown>

/** The fields as one object. `name[key]=` is a member of an object, `name[]=` an entry of a list. Throws CommandError. */
export function fieldsOf({ field = [], typedField = [] }: FieldFlags): Fields {
  const fields: Fields = {}
  for (const given of field) put(fields, ...pairOf(given))
  for (const given of typedField) {
    const [name, value] = pairOf(given)
    put(fields, name, parseValue(value))
  }
  return fields
}

function parseValue(value: string): unknown {
  if (value.startsWith('@')) return textOf(value.slice(1))
  if (value === 'true' || value === 'false') return value === 'true'
  if (value === 'null') return null
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? Number(value) : value
}

/** The text of a file. Throws CommandError if it cannot be read. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function put(fields: Fields, name: string, value: unknown): void {
  const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!path) throw new CommandError(`"${name}" is not a name: it looks like name, name[key] or name[]`, exitStatus.usage)
  const [, first = '', rest = ''] = path
  const keys = [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, key = '']) => key)]
  const isList = keys.at(-1) === ''
  if (isList) keys.pop()
  const last = keys.pop() ?? ''
  let holder = fields
  for (const key of keys) holder = member(holder, key)
  if (isList) holder[last] = [...listIn(holder, last), value]
  else define(holder, last, value)
}

function member(holder: Fields, key: string): Fields {
  const there = Object.hasOwn(holder, key) ? holder[key] : undefined
  if (isObject(there)) return there
  const made: Fields = {}
  define(holder, key, made)
  return made
}

const listIn = (holder: Fields, key: string): unknown[] => {
  const there = Object.hasOwn(holder, key) ? holder[key] : undefined
  return Array.isArray(there) ? there : []
}

// Not assigned: `__proto__` is a name like any other.
const define = (holder: Fields, key: string, value: unknown) =>
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
