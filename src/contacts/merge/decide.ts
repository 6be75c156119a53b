// Which of two values a merged record has, and why. Pure.

import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../kernel/errors.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'

export type MergeSide = 'winner' | 'loser'

export const mergeReasons = {
  same: 'Both have the same value, or none.',
  only_one: 'Only this one has a value.',
  winner: 'Both have a value, and the winner keeps its own.',
  chosen: 'The input says so.',
  united: 'The values of both.',
  either: 'A person who must not be called as one must not be called as the other.',
  latest: 'The later time.',
} as const
export type MergeReason = keyof typeof mergeReasons

export interface MergedField {
  /** The name of the field in camelCase, or `custom.<key>`. */
  field: string
  winnerValue: unknown
  loserValue: unknown
  value: unknown
  /** The side whose value is kept; null where both have the same value, or both are combined. */
  keeps: MergeSide | null
  reason: MergeReason
}

/** The side whose custom fields are kept where both have one. Default: the winner. */
export interface CustomChoices {
  custom?: readonly { key: string; keep: MergeSide }[] | null
}
interface WithCustom {
  custom: Readonly<Record<string, unknown>>
}

/** `why`: why the choice was made. */
export function decideField(
  field: string,
  winnerValue: unknown = null,
  loserValue: unknown = null,
  choice?: MergeSide | null,
  why: MergeReason = 'chosen',
): MergedField {
  const one = { field, winnerValue, loserValue }
  const keep = (keeps: MergeSide | null, reason: MergeReason): MergedField => ({
    ...one,
    value: keeps === 'loser' ? loserValue : winnerValue,
    keeps,
    reason,
  })
  if (isDeepStrictEqual(winnerValue, loserValue)) return keep(null, 'same')
  if (choice) return keep(choice, why)
  if (isEmpty(winnerValue)) return keep('loser', 'only_one')
  return keep('winner', isEmpty(loserValue) ? 'only_one' : 'winner')
}

export const combine = (field: string, winnerValue: unknown, loserValue: unknown, value: unknown, reason: MergeReason): MergedField => ({
  ...{ field, winnerValue, loserValue, value, keeps: null },
  reason: isDeepStrictEqual(winnerValue, loserValue) ? 'same' : reason,
})

/** The custom fields of both. */
export const decideCustom = (winner: WithCustom, loser: WithCustom, choices: CustomChoices): MergedField[] =>
  [...new Set([...Object.keys(winner.custom), ...Object.keys(loser.custom)])].map(key =>
    decideField(
      `custom.${key}`,
      ownMember(winner.custom, key),
      ownMember(loser.custom, key),
      choices.custom?.find(choice => choice.key === key)?.keep,
    ),
  )

/** The values of the decisions: of fields, and of custom fields by their keys. */
export function valuesOf(merged: readonly MergedField[]) {
  const isCustom = ({ field }: MergedField) => field.startsWith('custom.')
  return {
    own: Object.fromEntries(merged.filter(one => !isCustom(one)).map(({ field, value }) => [field, value])),
    custom: Object.fromEntries(merged.filter(isCustom).map(({ field, value }) => [field.slice('custom.'.length), value])),
  }
}

/** The fields in which one of the two has a value. */
export const shown = (merged: readonly MergedField[]): MergedField[] =>
  merged.filter(({ winnerValue, loserValue }) => !isEmpty(winnerValue) || !isEmpty(loserValue))

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)

export function checkKeys(winner: WithCustom, loser: WithCustom, { custom }: CustomChoices, noun: string): void {
  const problems: Problem[] = (custom ?? []).flatMap(({ key }, index) =>
    Object.hasOwn(winner.custom, key) || Object.hasOwn(loser.custom, key)
      ? []
      : [valueError(['fields', 'custom', index, 'key'], `neither ${noun} has a value in this custom field`, key)],
  )
  if (problems.length > 0) throw invalid(problems)
}

/**
 * The values without those from the merge that nobody has changed since. `changes`: `{ field: [before, after] }` of the merge. `united`: fields
 * whose lists have the values of both.
 */
export function unmerged<Fields extends WithCustom>(
  current: Fields,
  changes: Readonly<Record<string, readonly [unknown, unknown]>>,
  united: readonly (keyof Fields & string)[],
): Fields {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(current))
  const custom: Record<string, unknown> = { ...current.custom }
  for (const [field, [before, after]] of Object.entries(changes)) {
    if ((united as readonly string[]).includes(field)) {
      const brought = (after as string[]).filter(one => !(before as string[]).includes(one))
      fields[field] = (fields[field] as string[]).filter(one => !brought.includes(one))
    } else if (field.startsWith('custom.')) {
      const key = field.slice('custom.'.length)
      if (!isDeepStrictEqual(ownMember(custom, key) ?? null, after)) continue
      if (before === null) delete custom[key]
      else custom[key] = before
    } else if (isDeepStrictEqual(fields[field], after)) fields[field] = before
  }
  // `as`: these are earlier values of the same record.
  return { ...fields, custom } as unknown as Fields
}
