// What a request says, read and checked as a whole: path, headers, query and body, every problem at once.

import type { Request } from 'express'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError, notFound } from '../errors.ts'
import { examine, maxLevels } from '../json-input.ts'
import { detailOf, type Locate } from './answer.ts'
import { readBody, readText } from './body.ts'
import { nearest } from './nearest.ts'
import { addIssues, type Detail, type Details, missing, valueError } from './problems.ts'
import { parametersOf, type Route } from './route.ts'
import { soundFields } from './sound.ts'

/** The variables of the route's document. */
export type Variables = Record<string, unknown>

/** A request that did not pass the checks; `details` become the 422 body. */
export const refused = ({ list, omitted }: Details) =>
  new AppError('INVALID', 'The request is not valid', { details: list, ...(omitted > 0 && { omitted }) })

/**
 * Prepares a route's reader. It throws NOT_FOUND for an id that cannot be one, UNSUPPORTED_MEDIA_TYPE and PAYLOAD_TOO_LARGE for a
 * body that is not read at all, and else INVALID with everything wrong, `details` found before included.
 */
export function readerOf(route: Route): (req: Request, context: Context, details: Details) => Variables | Promise<Variables> {
  if (route.isRaw) return readRaw
  const ids = parametersOf(route.path)
  const isWrite = route.method !== 'GET'
  const known = Object.keys(route.query?.shape ?? {})
  const several = new Set(known.filter(name => takesSeveral(route.query?.shape[name])))
  const unqueried = route.query?.safeParse({})

  const readHead = (req: Request, details: Details): Variables => {
    const variables: Variables = {}
    for (const name of ids) {
      const id = req.params[name]
      if (typeof id !== 'string' || !isId.test(id)) throw notFound(name.replace(/_id$/, '').replace('_', ' '), String(id))
      variables[name] = id
    }
    if (isWrite) checkIdempotencyKey(req.headers['idempotency-key'], details)
    if (route.ifMatch) readIfMatch(req.headers['if-match'], variables, details)
    const start = req.url.indexOf('?')
    if (start >= 0) readQuery(req.url.slice(start + 1), route, { known, several }, variables, details)
    else if (unqueried?.error) addIssues(details, unqueried.error.issues, {}, 'query')
    return variables
  }

  const { body } = route
  if (!body)
    return (req, context, details) => {
      const variables = readHead(req, details)
      return !details.isEmpty ? refusedWith(details, route, 'query', variables, context) : variables
    }
  return async (req, context, details) => {
    const variables = readHead(req, details)
    const read = await readBody(req)
    if (read.details) for (const detail of read.details) details.add(detail)
    else if (read.value === undefined && !route.bodyMayBeAbsent) details.add(missing(['body']))
    else {
      const value = read.value === undefined ? {} : read.value
      if (isStorable(value, 'body', details)) {
        const parsed = body.safeParse(value)
        if (parsed.success) Object.assign(variables, parsed.data)
        else addIssues(details, parsed.error.issues, value, 'body', body)
        if (!details.isEmpty) return refusedWith(details, route, 'body', value, context)
      }
    }
    if (!details.isEmpty) throw refused(details)
    return variables
  }
}

// Adds what could not be stored and given back as it came. False where there is no use in looking any further.
function isStorable(value: unknown, part: 'query' | 'body', details: Details): boolean {
  const { faults, isTooDeep, isPartial } = examine(value, { levels: maxLevels })
  if (isTooDeep) details.add(valueError([part], `JSON must not be nested deeper than ${maxLevels} levels`, null))
  else for (const fault of faults) details.add(detailOf(fault, path => [part, ...path.map(String)]))
  return !isPartial && !details.isFull
}

// Whoever speaks for somebody else has signed what they sent as they sent it: nothing is parsed, sorted out or repaired here.
async function readRaw(req: Request): Promise<Variables> {
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([, value]) => typeof value === 'string'))
  return { ...req.params, path: req.originalUrl, headers, body: await readText(req) }
}

// The rules will not be asked about a request that is refused here; what they would say of its sound fields is said too.
async function refusedWith(details: Details, route: Route, part: 'query' | 'body', value: unknown, context: Context): Promise<never> {
  const { problemsOf } = route
  const shape = route[part]?.shape ?? {}
  // Of very many problems not all are known, and so not what is sound either.
  const sound = problemsOf && !details.isFull ? soundFields(value, shape, wrongIn(part, details)) : undefined
  const problems = sound && problemsOf ? await problemsOf(sound, context) : []
  const locate: Locate = path => [part, ...path.map(String)]
  for (const problem of problems) details.add(detailOf(problem, locate))
  throw refused(details)
}
const wrongIn = (part: string, { list }: Details) => list.flatMap(({ loc: [first, ...path] }) => (first === part ? [path] : []))

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const visible = /^[\x21-\x7e]{1,255}$/

function checkIdempotencyKey(key: string | string[] | undefined, details: Details): void {
  if (key === undefined || (typeof key === 'string' && visible.test(key))) return
  details.add({
    loc: ['header', 'Idempotency-Key'],
    msg: 'String should have 1 to 255 visible ASCII characters',
    type: 'string_pattern_mismatch',
    input: key,
    ctx: { pattern: visible.source },
  })
}

// `"7"`, the version as an entity tag; a cache may have made it weak. `*` asks only that there is something.
const versionTag = /^(?:W\/)?"(\d{1,9})"$/

function readIfMatch(tag: string | undefined, variables: Variables, details: Details): void {
  if (tag === undefined || tag === '*') return
  const [, version] = versionTag.exec(tag) ?? []
  if (version === undefined) details.add(valueError(['header', 'If-Match'], 'a version in quotes such as "3" is expected', tag))
  else variables.if_version = Number(version)
}

/** The names of a route's parameters, and those of them that may be repeated. */
interface Parameters {
  known: readonly string[]
  several: ReadonlySet<string>
}

const takesSeveral = (shape: z.core.$ZodType | undefined): boolean =>
  shape instanceof z.ZodArray || (shape instanceof z.ZodOptional && takesSeveral(shape.unwrap()))

function readQuery(text: string, route: Route, { known, several }: Parameters, variables: Variables, details: Details): void {
  const given: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(given, name) ? given[name] : undefined
    if (details.isFull) details.omitted++
    else if (!known.includes(name)) details.add(unknownParameter(name, value, known))
    else if (before === undefined) given[name] = value
    else if (!several.has(name)) details.add(valueError(['query', name], 'the parameter is given more than once', value))
    else if (Array.isArray(before)) before.push(value)
    else given[name] = [before, value]
  }
  if (!isStorable(given, 'query', details) || !route.query) return
  const listed = Object.entries(given).map(([name, value]) => [name, several.has(name) ? [value].flat() : value])
  const parsed = route.query.safeParse(Object.fromEntries(listed))
  if (parsed.success) Object.assign(variables, parsed.data)
  else
    addIssues(
      details,
      parsed.error.issues.map(issue => placed(issue, given)),
      given,
      'query',
    )
}

// A value that stands alone is named by its parameter, one of several by its place among them too.
function placed(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): z.core.$ZodIssue {
  const [name] = issue.path
  return issue.path.length === 2 && typeof name === 'string' && typeof given[name] === 'string' ? { ...issue, path: [name] } : issue
}

function unknownParameter(name: string, value: string, known: readonly string[]): Detail {
  const near = nearest(name, known)
  const hint = near !== null ? `; did you mean '${near}'?` : known.length > 0 ? `; this endpoint takes ${known.join(', ')}` : ''
  return {
    loc: ['query', name],
    msg: `Extra inputs are not permitted${hint}`,
    type: 'extra_forbidden',
    input: value,
    ctx: near === null ? {} : { closest: near },
  }
}
