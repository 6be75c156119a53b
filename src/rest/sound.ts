// What is left of a body or query when everything that is wrong has been taken out of it.

import type { Fields } from './route.ts'

type Path = readonly string[]

/** The fields of `shape` in which nothing is wrong. Of a list of rows all rows stay, without their wrong fields. */
export function soundFields(value: unknown, shape: Fields, wrong: readonly Path[]): Fields | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const sound = Object.entries(value).flatMap(([name, inner]) => {
    if (!Object.hasOwn(shape, name)) return []
    const inside = pathsIn(name, wrong)
    if (inside.length === 0) return [[name, inner]]
    // Where an entry itself is wrong, nobody knows what the list is meant to be.
    const isRows = Array.isArray(inner) && inside.every(path => path.length > 1)
    return isRows ? [[name, inner.map((row: Fields, index) => soundRow(row, pathsIn(String(index), inside)))]] : []
  })
  return Object.fromEntries(sound)
}

const soundRow = (row: Fields, wrong: readonly Path[]): Fields =>
  Object.fromEntries(Object.entries(row).filter(([name]) => pathsIn(name, wrong).length === 0))

const pathsIn = (name: string, paths: readonly Path[]): Path[] => paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []))
