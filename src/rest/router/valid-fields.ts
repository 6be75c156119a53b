// The valid part of a body whose other fields are invalid, so that the rules can check it.

import { z } from 'zod'
import { camelCased } from '../routes/inputs.ts'
import type { Details } from './problems.ts'
import type { Fields } from './route.ts'

type Path = readonly string[]

/** The variables of the valid fields of a body. */
export function validVariables(body: z.ZodObject, value: unknown, details: Details): Fields {
  const fields = validFields(value, body.shape, wrongPaths(details)) ?? {}
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const parsed = z.safeParse(withoutRequired(body.shape[name]), field)
      return parsed.success ? [[name, parsed.data]] : []
    }),
  )
}

// Makes the fields of a batch's rows optional, so that a row whose required field is invalid is still checked.
function withoutRequired(shape: z.core.$ZodType = z.never()): z.core.$ZodType {
  const row = shape instanceof z.ZodArray && shape.element instanceof z.ZodPipe ? shape.element.in : undefined
  return row instanceof z.ZodObject ? z.array(row.partial().transform(camelCased)) : shape
}

const wrongPaths = ({ list }: Details): Path[] => list.flatMap(({ loc: [part, ...path] }) => (part === 'body' ? [path] : []))

/** The valid fields of `value` that `shape` has. `wrong`: paths of invalid values. Rows of a list stay, without their invalid fields. */
function validFields(value: unknown, shape: Fields, wrong: readonly Path[]): Fields | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const wrongIn = byFirst(wrong)
  const valid = Object.entries(value).flatMap(([name, inner]) => {
    if (!Object.hasOwn(shape, name)) return []
    const inside = wrongIn.get(name)
    if (!inside) return [[name, inner]]
    // If an entry itself is invalid and not only its fields, the whole list is dropped.
    if (!Array.isArray(inner) || inside.some(path => path.length < 2)) return []
    const wrongInRow = byFirst(inside)
    return [[name, inner.map((row: Fields, index) => validRow(row, wrongInRow.get(String(index)) ?? []))]]
  })
  return Object.fromEntries(valid)
}

function validRow(row: Fields, wrong: readonly Path[]): Fields {
  const names = new Set(wrong.map(([name]) => name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name)))
}

/** Groups paths by their first step; a map, because there can be very many invalid values. */
function byFirst(paths: readonly Path[]): Map<string | undefined, Path[]> {
  const rests = new Map<string | undefined, Path[]>()
  for (const [first, ...rest] of paths) {
    const known = rests.get(first)
    if (known) known.push(rest)
    else rests.set(first, [rest])
  }
  return rests
}
