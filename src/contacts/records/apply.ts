// Applies changes to the tags and custom fields of a record, and computes the differences for its event. Pure.

import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../kernel/errors.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { at } from '../../kernel/input/problem.ts'
import { fitTags, tooManyTags } from './fields.ts'
import type { RecordChanges } from './input.ts'

interface Marked {
  tags: readonly string[]
  custom: Readonly<Record<string, unknown>>
}

/** The tags after the changes. Throws INVALID if there are too many. */
export function tagsAfter(tags: string[], { addTags, removeTags }: Pick<RecordChanges<unknown>, 'addTags' | 'removeTags'>): string[] {
  if (addTags.length === 0 && removeTags.length === 0) return tags
  const after = [...new Set([...tags, ...addTags])].filter(tag => !removeTags.includes(tag))
  if (!fitTags(after)) throw invalid(at('addTags', tooManyTags(after)))
  return after
}

/** The custom fields after the changes. */
export function customAfter(before: Marked['custom'], { custom }: Pick<RecordChanges<unknown>, 'custom'>): Marked['custom'] {
  if (custom === null) return {}
  if (Object.keys(custom).length === 0) return before
  return Object.fromEntries(Object.entries({ ...before, ...custom }).filter(([, value]) => value !== null))
}

/** `{ field: [before, after] }` for every field that differs; each property of `custom` counts as a field. */
export function differencesOf<Fields extends Marked>(
  names: readonly (keyof Fields & string)[],
  before: Fields,
  after: Fields,
): Record<string, [unknown, unknown]> {
  const changed: Record<string, [unknown, unknown]> = {}
  for (const name of names)
    if (before[name] !== after[name] && !isDeepStrictEqual(before[name], after[name])) changed[name] = [before[name], after[name]]
  if (changed.custom) {
    delete changed.custom
    for (const key of new Set([...Object.keys(before.custom), ...Object.keys(after.custom)])) {
      const [former, present] = [ownMember(before.custom, key), ownMember(after.custom, key)]
      if (!isDeepStrictEqual(former, present)) changed[`custom.${key}`] = [former ?? null, present ?? null]
    }
  }
  return changed
}
