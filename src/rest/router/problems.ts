// The 422 body: converts zod's issues and the rules' problems to items of `detail`, each with its location in the request.

import type { z } from 'zod'
import { boundContext, boundInput, boundPath, cut, fitting, maxProblems } from '../../kernel/input/bounded.ts'
import { type Problem, problem, problemOfIssue } from '../../kernel/input/problem.ts'
import { nearest } from './nearest.ts'

/** One item of `{"detail": [...]}`. `loc` contains only strings; `input` and `ctx` are always present. */
export interface Detail {
  loc: string[]
  msg: string
  type: string
  input: unknown
  ctx: Readonly<Record<string, unknown>>
}

/** The problems of a request: the first hundred, and the number of further ones. */
export class Details {
  readonly list: Detail[] = []
  omitted = 0

  constructor(details: Iterable<Detail> = [], omitted = 0) {
    for (const detail of details) this.add(detail)
    this.omitted += omitted
  }
  get isEmpty(): boolean {
    return this.list.length === 0
  }
  /** How many more problems are listed. */
  get room(): number {
    return Math.max(0, maxProblems - this.list.length)
  }
  /** Whether further problems would only be counted, so that checks can stop. */
  get isFull(): boolean {
    return this.room === 0
  }
  add(detail: Detail): void {
    if (this.isFull) this.omitted++
    else this.list.push(detail)
  }
}

/** The 422 body: at most a hundred items and 64 kB. Of several problems with the same `loc` only the first is listed. */
export function validationBody(details: readonly Detail[], omitted = 0): { detail: Detail[] } {
  const places = new Set<string>()
  const first = details.filter(({ loc, type }) => {
    const place = `${loc.join('\n')}\n${type === 'extra_forbidden' ? type : ''}`
    return !places.has(place) && places.add(place)
  })
  const listed = fitting(first.slice(0, maxProblems).map(boundDetail))
  const left = first.length - listed.length + omitted
  if (left === 0) return { detail: listed }
  const kept = listed.slice(0, maxProblems - 1)
  return { detail: [...kept, omissionDetail(left + listed.length - kept.length)] }
}

const boundDetail = ({ loc, msg, type, input, ctx }: Detail): Detail => ({
  loc: boundPath(loc),
  msg: cut(msg),
  type,
  input: boundInput(input),
  ctx: boundContext(ctx),
})

function omissionDetail(omitted: number): Detail {
  const detail = valueError(['body'], `${omitted} more problems are not listed; correct those that are first`, null)
  return { ...detail, ctx: { ...detail.ctx, omitted } }
}

/** Converts a problem to an item of the 422 body. */
export const detailAt = (loc: string[], { message, type, input = null, context = {} }: Problem): Detail => ({
  loc,
  msg: message,
  type,
  input,
  ctx: context,
})

/** A required field of a body, query or header is missing. */
export const missing = (loc: string[], input: unknown = null): Detail => detailAt(loc, problem(loc, 'missing', input))

/** A value is invalid, and no more specific type of problem applies. */
export const valueError = (loc: string[], error: string, input: unknown): Detail =>
  detailAt(loc, problem(loc, 'value_error', input, { error }))

/** A name is unknown. `closest` is the most similar known name. */
export const unknownName = (loc: string[], input: unknown, closest: string | null): Detail =>
  detailAt(loc, problem(loc, 'extra_forbidden', input, closest === null ? {} : { closest }))

/** Adds zod's issues of one part of a request (`body`, `query`, ...), whose unparsed value is `raw`. Skips locations already reported. */
export function addIssues(
  details: Details,
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  part: string,
  /** The schema, from which similar names are suggested for unknown ones. */
  shape?: z.core.$ZodType,
): void {
  const reported = new Set(details.list.map(({ loc }) => loc.join('\n')))
  const isReported = (loc: string[]) => reported.has(loc.join('\n'))
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      const path = issue.path.map(String)
      const keys = issue.keys.slice(0, maxProblems).filter(key => !isReported([part, ...path, key]))
      // Only names that are listed are compared with the known ones: a batch can have 20,000.
      const listed = keys.slice(0, details.room)
      const known = listed.length > 0 ? namesAt(shape, issue.path) : []
      const object = valueAt(raw, path)
      for (const key of listed) details.add(unknownName([part, ...path, key], valueAt(object, [key]), nearest(key, known)))
      details.omitted += keys.length - listed.length + Math.max(0, issue.keys.length - maxProblems)
    } else if (details.isFull) details.omitted++
    else {
      const detail = detailOf(issue, raw, part)
      if (!isReported(detail.loc)) details.add(detail)
    }
  }
}

// The names of the object schema at this path; empty if there is none.
function namesAt(shape: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  const at = path.reduce<Definition>((at, key) => innerDefinition(at.shape ? at.shape[key] : at.element), innerDefinition(shape))
  return Object.keys(at.shape ?? {})
}

// The parts of zod's definitions of objects, arrays and wrappers (optional, nullable, default, transform) that are used here.
interface Definition {
  shape?: Record<PropertyKey, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
}
function innerDefinition(shape: z.core.$ZodType | undefined): Definition {
  const definition: object & Definition = { ...shape?._zod.def }
  const inner = definition.innerType ?? definition.in
  return inner ? innerDefinition(inner) : definition
}

function detailOf(issue: z.core.$ZodIssue, raw: unknown, part: string): Detail {
  const path = issue.path.map(String)
  const loc = [part, ...path]
  const input = valueAt(raw, path)
  if (input !== undefined) return detailAt(loc, problemOfIssue(issue, input, path))
  // Like Pydantic, `input` of a missing body field is the object that lacks it. Query and headers have no such object.
  const parent = path.length > 0 && part === 'body' ? valueAt(raw, path.slice(0, -1)) : undefined
  return missing(loc, parent ?? null)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}
