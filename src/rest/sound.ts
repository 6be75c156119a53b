// What is left of a body or query when everything that is wrong has been taken out of it.

import type { Fields } from './route.ts'

type Path = readonly string[]

/** The fields of `shape` in which nothing is wrong. Of a list of rows all rows stay, without their wrong fields. */
export function soundFields(value: unknown, shape: Fields, wrong: readonly Path[]): Fields | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const wrongIn = byFirst(wrong)
  const sound = Object.entries(value).flatMap(([name, inner]) => {
    if (!Object.hasOwn(shape, name)) return []
    const inside = wrongIn.get(name)
    if (!inside) return [[name, inner]]
    // Where an entry itself is wrong, nobody knows what the list is meant to be.
    if (!Array.isArray(inner) || inside.some(path => path.length < 2)) return []
    const wrongInRow = byFirst(inside)
    return [[name, inner.map((row: Fields, index) => soundRow(row, wrongInRow.get(String(index)) ?? []))]]
  })
  return Object.fromEntries(sound)
}

function soundRow(row: Fields, wrong: readonly Path[]): Fields {
  const names = new Set(wrong.map(([name]) => name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name)))
}

/** What follows the first step of each path, by that step. A body can hold very many things that are wrong. */
function byFirst(paths: readonly Path[]): Map<string | undefined, Path[]> {
  const rests = new Map<string | undefined, Path[]>()
  for (const [first, ...rest] of paths) {
    const known = rests.get(first)
    if (known) known.push(rest)
    else rests.set(first, [rest])
  }
  return rests
}
