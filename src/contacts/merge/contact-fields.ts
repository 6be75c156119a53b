// Which values a merged contact has, and from which contact they come. Pure.

import { invalid } from '../../kernel/errors.ts'
import { type AddressKind, addressesOf, addressKinds, primaryOf, stored } from '../contact/addresses/address.ts'
import { addressesOfBoth, withoutBrought } from '../contact/addresses/union.ts'
import { apply } from '../contact/apply.ts'
import { formerCompany, isOfCompany } from '../contact/company/former.ts'
import type { CompanyOfContact } from '../contact/company/plan.ts'
import { type Contact, type ContactFields, contactFields } from '../contact/row.ts'
import { fitTags, tooManyTags } from '../records/fields.ts'
import {
  type CustomChoices,
  checkKeys,
  combine,
  decideCustom,
  decideField,
  type MergedField,
  type MergeReason,
  type MergeSide,
  shown,
  unmerged,
  valuesOf,
} from './decide.ts'

/** The fields for which one of the two values is kept. For the other fields both values are combined. */
export const chosenFields = contactFields.filter(
  (field): field is ChosenField => !(['custom', 'tags', 'doNotCall', 'lastContactedAt'] as string[]).includes(field),
)
export type ChosenField = Exclude<keyof ContactFields, 'custom' | 'tags' | 'doNotCall' | 'lastContactedAt' | AddressKind>

/** The side whose value is kept where both have one. Default: the winner. */
export type MergeChoices = { [Field in ChosenField]?: MergeSide | null } & CustomChoices

/** The winner's fields after the merge, and the origin of each value that one of the two contacts has. */
export function mergeFields(winner: Contact, loser: Contact, choices: MergeChoices): { fields: ContactFields; merged: MergedField[] } {
  checkKeys(winner, loser, choices, 'contact')
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
    ...decideCustom(winner, loser, choices),
  ]
  const values = new Map(merged.map(({ field, value }) => [field, value]))
  const united = addressKinds.filter(kind => values.has(kind)).map(kind => [kind, { all: values.get(kind), add: [], remove: [] }])
  const { own, custom } = valuesOf(merged)
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
  return { fields, merged: shown(merged.map(one => (one.field === 'fullName' ? { ...one, value: fields.fullName } : one))) }
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

/**
 * The winner's fields without the values from the merge that nobody has changed since. `doNotCall` stays, so that a call stays forbidden.
 * `companies` has the company that the winner had before.
 */
export function unmergeFields(
  current: ContactFields,
  changes: Readonly<Record<string, readonly [unknown, unknown]>>,
  companies: ReadonlyMap<string, CompanyOfContact>,
): ContactFields {
  const company = formerCompany(current, changes, companies)
  const isLeft = (field: string) =>
    ['doNotCall', 'emails', 'phones'].includes(field) ||
    (isOfCompany(field) && (changes.companyId !== undefined || current.companyId !== null))
  const others = Object.fromEntries(Object.entries(changes).filter(([field]) => !isLeft(field)))
  const after = { ...unmerged(current, others, ['tags']), ...company }
  const lists = addressKinds.map(kind => (changes[kind] ? withoutBrought(kind, current, changes[kind], after[primaryOf[kind]]) : {}))
  return Object.assign(after, ...lists)
}
