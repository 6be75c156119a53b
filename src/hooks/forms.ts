// Forms as payloads of mapped hooks: `application/x-www-form-urlencoded` and `multipart/form-data`. Their fields become one object: a name
// that comes several times, or ends in `[]`, a list; `data[merges][EMAIL]` nested objects; `items[0][id]` a list of them. A file is its name,
// type and size.

import { isUtf8 } from 'node:buffer'
import { AppError } from '../kernel/errors.ts'
import { parseForm } from '../kernel/input/body.ts'
import { parseJson } from '../kernel/input/json-text.ts'

// Each field costs more than its bytes. 1,000: ten times what known senders use.
const maxFields = 1000
const maxLevels = 20

/** The fields of a form as an object, or the JSON in its only field; null for another Content-Type. Throws INVALID with the reason. */
export async function formPayload(bytes: Buffer, contentType = ''): Promise<object | null> {
  const [type = ''] = contentType.toLowerCase().split(';', 1)
  if (type.trim() === 'application/x-www-form-urlencoded') {
    if (!isUtf8(bytes)) throw new AppError('INVALID', 'The form is not UTF-8')
    return objectOf([...parseForm(bytes.toString())])
  }
  if (type.trim() !== 'multipart/form-data') return null
  checkCount(occurrences(bytes, 'ontent-'))
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch((cause: unknown) => {
    throw new AppError('INVALID', 'The body is not multipart/form-data with the boundary that its Content-Type names', { cause })
  })
  return objectOf([...form].map(([name, value]) => [name, typeof value === 'string' ? value : fileOf(value)]))
}

const fileOf = ({ name, type, size }: File) => ({ filename: name, content_type: type, size })

function occurrences(bytes: Buffer, text: string): number {
  let count = 0
  for (let at = bytes.indexOf(text); at >= 0 && count <= maxFields * 3; at = bytes.indexOf(text, at + 1)) count++
  return count
}

// A part of a multipart form has two such headers, a file three.
function checkCount(count: number): void {
  if (count > maxFields * 3) throw new AppError('INVALID', `The form must have at most ${maxFields} fields`)
}

function objectOf(fields: readonly (readonly [string, unknown])[]): object {
  if (fields.length > maxFields) throw new AppError('INVALID', `The form must have at most ${maxFields} fields`)
  const root = emptyObject()
  for (const [name, value] of fields) put(root, stepsOf(name), value)
  for (const [name, value] of Object.entries(root)) root[name] = listed(value)
  return withJson(root)
}

/** The value with a list for each object whose names are the numbers from 0 on, or none: `items[0][id]`, `items[][id]`. */
function listed(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(listed)
  const entries = Object.entries(value)
  const isList = entries.every(([name], index) => name === String(index)) || (entries.length === 1 && entries[0]?.[0] === '')
  if (isList && entries.length > 0) return entries.map(([, item]) => listed(item))
  return Object.assign(emptyObject(), Object.fromEntries(entries.map(([name, item]) => [name, listed(item)])))
}

// Without a prototype, so that every name is a plain one.
const emptyObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>

function stepsOf(name: string): string[] {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (first === undefined) return [name]
  const steps = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
  if (steps.length > maxLevels) throw new AppError('INVALID', `The form is nested deeper than ${maxLevels} levels`)
  return steps
}

function put(root: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const isList = steps.length > 1 && steps.at(-1) === ''
  const path = isList ? steps.slice(0, -1) : steps
  let place = root
  for (const step of path.slice(0, -1)) {
    const inner = place[step]
    const isObject = inner !== null && typeof inner === 'object' && !Array.isArray(inner)
    place = (isObject ? inner : (place[step] = emptyObject())) as Record<string, unknown>
  }
  const last = path.at(-1) ?? ''
  const before = place[last]
  if (Array.isArray(before)) before.push(value)
  else if (before === undefined) place[last] = isList ? [value] : value
  else place[last] = [before, value]
}

// GitHub, Slack and others send JSON in a form's only field, `payload`.
function withJson(form: Record<string, unknown>): object {
  const { payload, ...others } = form
  if (typeof payload !== 'string' || Object.keys(others).length > 0) return form
  try {
    const value: unknown = parseJson(payload, { values: 100_000 })
    return value !== null && typeof value === 'object' ? value : form
  } catch {
    return form
  }
}
