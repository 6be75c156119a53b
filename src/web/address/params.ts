// Filters in the address: what each may be, and what was dropped because it cannot be.

import { cutText } from '../words/characters.ts'
import { noteDropped } from './dropped.ts'
import type { RawSearch } from './search.ts'

/** Reads one parameter from its values in the address; undefined where they mean nothing. */
export type Param<Value> = (values: readonly string[]) => Value | undefined

type ValuesOf<Params extends Record<string, Param<unknown>>> = { [Name in keyof Params]?: NonNullable<ReturnType<Params[Name]>> }

export const text =
  (maxLength = 200): Param<string> =>
  ([value]) =>
    (value && cutText(value, maxLength)) || undefined

export const oneOf =
  <const Value extends string>(values: readonly Value[]): Param<Value> =>
  ([given]) =>
    values.find(value => value === given)

/** At least one of the values; others are dropped. */
export const someOf =
  <const Value extends string>(values: readonly Value[]): Param<Value[]> =>
  given => {
    const known = values.filter(value => given.includes(value))
    return known.length > 0 ? known : undefined
  }

export const texts =
  (max = 20): Param<string[]> =>
  given => {
    const kept = [...new Set(given.filter(value => value !== ''))].slice(0, max)
    return kept.length > 0 ? kept : undefined
  }

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
export const id: Param<string> = ([value]) => (value && uuid.test(value) ? value : undefined)

export const flag: Param<boolean> = ([value]) => (value === 'true' ? true : value === 'false' ? false : undefined)

/** A day, such as 2026-12-03. */
export const day: Param<string> = ([value]) =>
  value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** For `validateSearch` of a route. What cannot be read is left out, and named by `DroppedFilters`. */
export function searchParams<const Params extends Record<string, Param<unknown>>>(params: Params): (raw: RawSearch) => ValuesOf<Params> {
  return raw => {
    const dropped: string[] = []
    // Each name is there: the router keeps what the address says of those that are not.
    const values: Record<string, unknown> = Object.fromEntries(Object.keys(params).map(name => [name, undefined]))
    for (const [name, given] of Object.entries(raw)) {
      if (given === undefined) continue
      const texts = (Array.isArray(given) ? given : [given]).map(String)
      const value = Object.hasOwn(params, name) ? params[name]?.(texts) : undefined
      if (value !== undefined) values[name] = value
      const isPartly = Array.isArray(value) && value.length < texts.length
      if (value === undefined || isPartly) dropped.push(`${name}=${cutText(texts.join(', '), 60)}`)
    }
    noteDropped(dropped)
    // Each value was read by the parameter of its name.
    return values as ValuesOf<Params>
  }
}
