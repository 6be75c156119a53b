// What is wrong with a request, in the words of the contract: zod's issues and the rules' problems become items of the 422 body,
// spelled as Pydantic v2 spells them, because clients of this API know those (decisions §2).

import type { z } from 'zod'
import { boundedContext, boundedInput, boundedPath, cut, fitting, maxProblems } from '../bounded.ts'
import { worded } from '../issue-words.ts'
import { nearest } from './nearest.ts'

/** One item of `{"detail": [...]}`. `loc` is text only; `input` and `ctx` are always there. */
export interface Detail {
  loc: string[]
  msg: string
  type: string
  input: unknown
  ctx: Record<string, unknown>
}

/** What is wrong with a request: the first hundred things, and how many more there are. */
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
  /** Nothing more needs to be looked at: nobody would hear of it. */
  get isFull(): boolean {
    return this.list.length >= maxProblems
  }
  add(detail: Detail): void {
    if (this.isFull) this.omitted++
    else this.list.push(detail)
  }
}

/** The 422 body, at most a hundred entries and 64 kB. Of several problems at one place the first counts. */
export function validationBody(details: readonly Detail[], omitted = 0): { detail: Detail[] } {
  const places = new Set<string>()
  const first = details.filter(({ loc, type }) => {
    const place = `${loc.join('\n')}\n${type === 'extra_forbidden' ? type : ''}`
    return !places.has(place) && places.add(place)
  })
  const listed = fitting(first.slice(0, maxProblems).map(bounded))
  const left = first.length - listed.length + omitted
  if (left === 0) return { detail: listed }
  const kept = listed.slice(0, maxProblems - 1)
  return { detail: [...kept, unlisted(left + listed.length - kept.length)] }
}

const bounded = ({ loc, msg, type, input, ctx }: Detail): Detail => ({
  loc: boundedPath(loc),
  msg: cut(msg),
  type,
  input: boundedInput(input),
  ctx: boundedContext(ctx),
})

function unlisted(omitted: number): Detail {
  const detail = valueError(['body'], `${omitted} more problems are not listed; correct those that are first`, null)
  return { ...detail, ctx: { ...detail.ctx, omitted } }
}

/** A field of a body, query or header that must be there and is not. */
export const missing = (loc: string[], input: unknown = null): Detail => ({ loc, msg: 'Field required', type: 'missing', input, ctx: {} })

/** Something that no Pydantic type has a word for. */
export const valueError = (loc: string[], reason: string, input: unknown): Detail => ({
  loc,
  msg: `Value error, ${reason}`,
  type: 'value_error',
  input,
  ctx: { error: reason },
})

/** Adds the issues of one part of a request (`body`, `query`, ...). `raw` is what was checked. What was said of a place before counts. */
export function addIssues(
  details: Details,
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  part: string,
  /** Tells names that were nearly right. */
  shape?: z.core.$ZodType,
): void {
  const told = new Set(details.list.map(({ loc }) => loc.join('\n')))
  const add = (detail: Detail) => {
    if (!told.has(detail.loc.join('\n'))) details.add(detail)
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      const object = valueAt(raw, issue.path.map(String))
      const keys = issue.keys.slice(0, maxProblems)
      const known = namesAt(shape, issue.path)
      for (const key of keys) add(extra([part, ...issue.path.map(String), key], valueAt(object, [key]), nearest(key, known)))
      details.omitted += issue.keys.length - keys.length
    } else if (details.isFull) details.omitted++
    else add(detailOf(issue, raw, part))
  }
}

const extra = (loc: string[], input: unknown, near: string | null): Detail => ({
  loc,
  msg: `Extra inputs are not permitted${near === null ? '' : `; did you mean '${near}'?`}`,
  type: 'extra_forbidden',
  input,
  ctx: near === null ? {} : { closest: near },
})

// The names that the object at this place of the shape has; none where the shape does not say.
function namesAt(shape: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  const at = path.reduce<Definition>((at, key) => unwrapped(at.shape ? at.shape[key] : at.element), unwrapped(shape))
  return Object.keys(at.shape ?? {})
}

// What zod's definitions of objects, lists and wrappers (optional, nullable, default, transform) have.
interface Definition {
  shape?: Record<PropertyKey, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
}
function unwrapped(shape: z.core.$ZodType | undefined): Definition {
  const definition: object & Definition = { ...shape?._zod.def }
  const inner = definition.innerType ?? definition.in
  return inner ? unwrapped(inner) : definition
}

function detailOf(issue: z.core.$ZodIssue, raw: unknown, part: string): Detail {
  const path = issue.path.map(String)
  const loc = [part, ...path]
  const input = valueAt(raw, path)
  if (input !== undefined) return { loc, input, ...worded(issue, input, path.length === 0) }
  // Pydantic shows the object that lacks the field, which for the parts that are not JSON means nothing.
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
