// Filters in the address: a reader for each parameter, and a list of dropped ones.

import { cutText } from '../language/characters.ts'
import { noteDropped } from './dropped.ts'
import type { RawSearch } from './search.ts'

/** Reads one parameter from its values in the address. Undefined when none of the values is valid. */
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

/** The values of a filter that has one value or several, for a parameter with several. */
export function several<Value>(values: readonly Value[] | null | undefined, one?: Value | null): Value[] | undefined {
  if (values && values.length > 0) return [...values]
  return one == null ? undefined : [one]
}

/** For `validateSearch` of a route. Invalid parameters are left out, and `DroppedFilters` names them. */
export function searchParams<const Params extends Record<string, Param<unknown>>>(params: Params): (raw: RawSearch) => ValuesOf<Params> {
  return raw => {
    const dropped: string[] = []
    // Every name has an entry: the router keeps the address's own value of a name that has none.
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
    // Guarantee: each value comes from the parameter of its name.
    return values as ValuesOf<Params>
  }
}
