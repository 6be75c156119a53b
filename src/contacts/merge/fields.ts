// Which values a merged contact has, and from which contact they come. Pure.

import { isDeepStrictEqual } from 'node:util'
import { invalid } from '../../kernel/errors.ts'
import { ownMember } from '../../kernel/input/json.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import { type AddressKind, addressesOf, addressKinds, primaryOf, stored } from '../contact/addresses/address.ts'
import { addressesOfBoth, withoutBrought } from '../contact/addresses/union.ts'
import { apply } from '../contact/apply.ts'
import { formerCompany, isOfCompany } from '../contact/company/former.ts'
import type { CompanyOfContact } from '../contact/company/plan.ts'
import { type Contact, type ContactFields, contactFields } from '../contact/row.ts'
import { fitTags, tooManyTags } from '../records/fields.ts'

type MergeSide = 'winner' | 'loser'

/** The fields for which one of the two values is kept. For the other fields both values are combined. */
export const chosenFields = contactFields.filter(
  (field): field is ChosenField => !(['custom', 'tags', 'doNotCall', 'lastContactedAt'] as string[]).includes(field),
)
export type ChosenField = Exclude<keyof ContactFields, 'custom' | 'tags' | 'doNotCall' | 'lastContactedAt' | AddressKind>

/** The side whose value is kept where both have one. Default: the winner. */
export type MergeChoices = { [Field in ChosenField]?: MergeSide | null } & {
  custom?: readonly { key: string; keep: MergeSide }[] | null
}

export const mergeReasons = {
  same: 'Both have the same value, or none.',
  only_one: 'Only this one has a value.',
  winner: 'Both have a value, and the winner keeps its own.',
  chosen: 'The input says so.',
  united: 'The values of both.',
  either: 'A person who must not be called as one must not be called as the other.',
  latest: 'The later time.',
} as const
type MergeReason = keyof typeof mergeReasons

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

/** The winner's fields after the merge, and the origin of each value that one of the two contacts has. */
export function mergeFields(winner: Contact, loser: Contact, choices: MergeChoices): { fields: ContactFields; merged: MergedField[] } {
  checkKeys(winner, loser, choices)
  const company = companySide(winner, loser, choices)
  const merged = [
    ...chosenFields.map(field => {
      const { keep, reason } = (isOfCompany(field) ? company : null) ?? { keep: choices[field] }
      return decideField(field, winner[field], loser[field], keep, reason)
    }),
    ...addressKinds.flatMap(kind => combineAddresses(kind, winner, loser, choices)),
    combine('tags', winner.tags, loser.tags, [...new Set([...winner.tags, ...loser.tags])], 'united'),
    combine('doNotCall', winner.doNotCall, loser.doNotCall, winner.doNotCall || loser.doNotCall, 'either'),
    combine(
      'lastContactedAt',
      winner.lastContactedAt,
      loser.lastContactedAt,
      later(winner.lastContactedAt, loser.lastContactedAt),
      'latest',
    ),
    ...[...new Set([...Object.keys(winner.custom), ...Object.keys(loser.custom)])].map(key =>
      decideField(
        `custom.${key}`,
        ownMember(winner.custom, key),
        ownMember(loser.custom, key),
        choices.custom?.find(choice => choice.key === key)?.keep,
      ),
    ),
  ]
  const values = new Map(merged.map(({ field, value }) => [field, value]))
  const united = addressKinds.filter(kind => values.has(kind)).map(kind => [kind, { all: values.get(kind), add: [], remove: [] }])
  const own = Object.fromEntries(merged.filter(({ field }) => !field.startsWith('custom.')).map(({ field, value }) => [field, value]))
  const custom = Object.fromEntries(
    merged.filter(({ field }) => field.startsWith('custom.')).map(({ field, value }) => [field.slice('custom.'.length), value]),
  )
  // A full name that is derived from first and last name stays derived.
  if (!choices.fullName && winner.fullName !== null) delete own.fullName
  // `as`: each value belongs to its field, because it comes from the two contacts.
  const fields = apply(winner, {
    ...Object.fromEntries(united),
    fields: own as Partial<ContactFields>,
    custom,
    addTags: [],
    removeTags: [],
    problems: [],
  })
  if (!fitTags(fields.tags)) throw invalid(tooManyTags(fields.tags).problems.map(one => ({ ...one, path: ['tags', ...one.path] })))
  const shown = merged.map(one => (one.field === 'fullName' ? { ...one, value: fields.fullName } : one))
  return {
    fields,
    merged: shown.filter(({ winnerValue, loserValue }) => !isEmpty(winnerValue) || !isEmpty(loserValue) || values.size === 0),
  }
}

/** Name and domain belong to the company, so where one of the two is linked, all three are of one side. */
function companySide(winner: Contact, loser: Contact, choices: MergeChoices): { keep: MergeSide; reason: MergeReason } | null {
  if (winner.companyId === null && loser.companyId === null) return null
  const chosen = choices.companyId ?? choices.companyDomain ?? choices.companyName
  if (chosen) return { keep: chosen, reason: 'chosen' }
  const agrees = (one: string | null, other: string | null) => one === null || one === other
  const isOnlyOne =
    winner.companyId === null && agrees(winner.companyName, loser.companyName) && agrees(winner.companyDomain, loser.companyDomain)
  return isOnlyOne ? { keep: 'loser', reason: 'only_one' } : { keep: 'winner', reason: 'winner' }
}

/** `why`: why the choice was made. */
function decideField(
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

const combine = (field: string, winnerValue: unknown, loserValue: unknown, value: unknown, reason: MergeReason): MergedField => ({
  ...{ field, winnerValue, loserValue, value, keeps: null },
  reason: isDeepStrictEqual(winnerValue, loserValue) ? 'same' : reason,
})

/** Nothing where the field of the primary one says all. */
function combineAddresses(kind: AddressKind, winner: Contact, loser: Contact, choices: MergeChoices): MergedField[] {
  const field = primaryOf[kind]
  const primary = decideField(field, winner[field], loser[field], choices[field]).value
  const united = addressesOfBoth(kind, winner, loser, typeof primary === 'string' ? primary : null)
  return stored(kind, united)[kind]?.length === 0
    ? []
    : [combine(kind, addressesOf(winner, kind), addressesOf(loser, kind), united, 'united')]
}

const later = (one: string | null, other: string | null) => (one === null || (other !== null && other > one) ? other : one)

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0)

function checkKeys(winner: Contact, loser: Contact, { custom }: MergeChoices): void {
  const problems: Problem[] = (custom ?? []).flatMap(({ key }, index) =>
    Object.hasOwn(winner.custom, key) || Object.hasOwn(loser.custom, key)
      ? []
      : [valueError(['fields', 'custom', index, 'key'], 'neither contact has a value in this custom field', key)],
  )
  if (problems.length > 0) throw invalid(problems)
}

/**
 * The winner's fields without the values from the merge that nobody has changed since. `doNotCall` stays, so that a call stays forbidden.
 * `companies` has the company that the winner had before.
 */
export function unmergeFields(
  current: ContactFields,
  changes: Readonly<Record<string, readonly [unknown, unknown]>>,
  companies: ReadonlyMap<string, CompanyOfContact>,
): ContactFields {
  const fields: Record<string, unknown> = { ...current }
  const custom: Record<string, unknown> = { ...current.custom }
  const company = formerCompany(current, changes, companies)
  for (const [field, [before, after]] of Object.entries(changes)) {
    if (field === 'doNotCall' || field === 'emails' || field === 'phones') continue
    if (isOfCompany(field) && (changes.companyId || current.companyId !== null)) continue
    if (field === 'tags') {
      const brought = (after as string[]).filter(tag => !(before as string[]).includes(tag))
      fields.tags = current.tags.filter(tag => !brought.includes(tag))
    } else if (field.startsWith('custom.')) {
      const key = field.slice('custom.'.length)
      if (!isDeepStrictEqual(ownMember(custom, key) ?? null, after)) continue
      if (before === null) delete custom[key]
      else custom[key] = before
    } else if (isDeepStrictEqual(fields[field], after)) fields[field] = before
  }
  // `as`: these are earlier values of the same contact.
  const after = { ...fields, ...company, custom } as unknown as ContactFields
  const lists = addressKinds.map(kind => (changes[kind] ? withoutBrought(kind, current, changes[kind], after[primaryOf[kind]]) : {}))
  return Object.assign(after, ...lists)
}
