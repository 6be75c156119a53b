// Validates the addresses and numbers that callers give. Pure.

import { text, tooLong } from '../../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../../kernel/input/problem.ts'
import { email, phone } from '../fields.ts'
import { type Address, type AddressKind, type GivenAddress, keyOf, primaryOf } from './address.ts'

/** The most addresses, and the most numbers, of a contact. */
export const maxAddresses = 20
export const label = text(64)
export const readers = { emails: email, phones: phone } as const

export interface AddressInput {
  value: string
  label?: string | null
  isPrimary?: boolean | null
  verification?: Address['verification'] | null
}

/** An absent list stays as it is; null and an empty one remove all. */
export interface AddressesInput {
  emails?: readonly AddressInput[] | null
  phones?: readonly AddressInput[] | null
}

/** The list, with the primary one first: the one that says so, or equals `primary`, or is the first. The problems have paths in the list. */
export function readAddresses(
  kind: AddressKind,
  given: readonly AddressInput[],
  primary: string | null | undefined,
): GivenAddress[] | Invalid {
  if (given.length > maxAddresses) return tooLong(given, maxAddresses)
  const problems: Problem[] = []
  const list = given.map((one, index) => readAddress(kind, one, problem => problems.push({ ...problem, path: [index, ...problem.path] })))
  const [chosen, second] = [...given.entries()].filter(([, { isPrimary }]) => isPrimary).map(([index]) => index)
  if (second !== undefined) problems.push(valueError([second, 'isPrimary'], `another of the ${kind} is primary already; choose one`, true))
  const isPrimary = ({ value }: GivenAddress) => typeof primary === 'string' && keyOf[kind](value) === keyOf[kind](primary)
  const place = chosen ?? Math.max(0, list.findIndex(isPrimary))
  const [first] = list.splice(place, 1)
  if (primary !== undefined && problems.length === 0 && !(first ? isPrimary(first) : primary === null))
    problems.push(valueError([], `the primary one is not the same as ${primaryOf[kind]}; send one of the two fields`))
  return problems.length > 0 ? new Invalid(problems) : [...(first ? [first] : []), ...list]
}

/** One of them. Its problems go to `refuse`. */
export function readAddress(
  kind: AddressKind,
  { value: given, label: name, verification }: AddressInput,
  refuse: (problem: Problem) => void,
): GivenAddress {
  const value = readers[kind](given)
  if (value === null) refuse(problem('value', 'string_too_short', given, { min_length: 1 }))
  else if (value instanceof Invalid) at('value', value).forEach(refuse)
  const read = typeof name === 'string' ? label(name) : name
  if (read instanceof Invalid) at('label', read).forEach(refuse)
  return {
    value: typeof value === 'string' ? value : given,
    ...(read !== undefined && !(read instanceof Invalid) && { label: read }),
    ...(verification && { verification }),
  }
}
