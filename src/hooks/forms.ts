// Forms as payloads of mapped hooks: `application/x-www-form-urlencoded` and `multipart/form-data`. Their fields become one object: a name
// that comes several times, or ends in `[]`, a list; `data[merges][EMAIL]` nested objects; `items[0][id]` and `items[][id]` a list of them. A
// file is its name, type and size.

import { isUtf8 } from 'node:buffer'
import { AppError } from '../kernel/errors.ts'
import { parseForm } from '../kernel/input/body.ts'
import { parseJson } from '../kernel/input/json-text.ts'
import { mediaTypeOf } from '../kernel/input/media-type.ts'
import { formInUtf8 } from './charset.ts'

// Each field costs more than its bytes. 1,000: ten times what known senders use.
const maxFields = 1000
const maxLevels = 20

/** The fields of a form as an object, or the JSON in its only field; null for another Content-Type. Throws INVALID with the reason. */
export async function formPayload(bytes: Buffer, contentType = ''): Promise<object | null> {
  const { type, charset } = mediaTypeOf(contentType)
  if (type === 'application/x-www-form-urlencoded') {
    if (!isUtf8(bytes)) throw new AppError('INVALID', 'The form is not UTF-8, nor in the charset that its Content-Type names')
    return objectOf([...parseForm(formInUtf8(bytes.toString(), charset))])
  }
  if (type !== 'multipart/form-data') return null
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
  // Where a name leads through a field that is a value already, it is a plain name: neither of the two is lost.
  for (const [name, value] of fields) if (!put(root, stepsOf(name), value)) put(root, [name], value)
  for (const [name, value] of Object.entries(root)) root[name] = withLists(value)
  return withJson(root)
}

/** The value with a list for each object whose names are the numbers from 0 on. */
function withLists(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withLists)
  const entries = Object.entries(value)
  const isList = entries.every(([name], index) => name === String(index))
  if (isList && entries.length > 0) return entries.map(([, item]) => withLists(item))
  return Object.assign(emptyObject(), Object.fromEntries(entries.map(([name, item]) => [name, withLists(item)])))
}

// Without a prototype, so that every name is a plain one.
const emptyObject = (): Branch => Object.create(null) as Branch

function stepsOf(name: string): string[] {
  const [, first, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (first === undefined) return [name]
  const steps = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
  if (steps.length > maxLevels) throw new AppError('INVALID', `The form is nested deeper than ${maxLevels} levels`)
  return steps
}

type Branch = Record<string, unknown>
const isBranch = (value: unknown): value is Branch => value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === null

/** False, and nothing is put, where the path leads through a value. */
function put(root: Branch, steps: readonly string[], value: unknown): boolean {
  const isList = steps.length > 1 && steps.at(-1) === ''
  const path = isList ? steps.slice(0, -1) : steps
  let place = root
  for (const [at, step] of path.slice(0, -1).entries()) {
    const name = step === '' ? String(elementFor(place, path.slice(at + 1), isList)) : step
    const inner = (place[name] ??= emptyObject())
    if (!isBranch(inner)) return false
    place = inner
  }
  const end = path.at(-1) ?? ''
  // `lists[][]`: each value begins a list.
  const last = end === '' && path.length > 1 ? String(Object.keys(place).length) : end
  const before = place[last]
  if (Array.isArray(before)) before.push(value)
  else if (before === undefined) place[last] = isList ? [value] : value
  else place[last] = [before, value]
  return true
}

/** The element of `items[][id]`: the last one, or a new one where that has such a field already. */
function elementFor(list: Branch, path: readonly string[], isList: boolean): number {
  const count = Object.keys(list).length
  let inner = list[String(count - 1)]
  if (inner === undefined || isList) return Math.max(0, count - 1)
  for (const step of path) inner = isBranch(inner) ? inner[step] : undefined
  return inner === undefined ? count - 1 : count
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
