// Validates the addresses and numbers that callers give. Pure.

import { text, tooLong } from '../../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../../kernel/input/problem.ts'
import { email, phone } from '../fields.ts'
import {
  type Address,
  type AddressKind,
  addingTo,
  type GivenAddress,
  keyOf,
  type ListChanges,
  maxAddresses,
  primaryOf,
  removingFrom,
} from './address.ts'

export const label = text(64)
export const readers = { emails: email, phones: phone } as const

interface AddressInput {
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

/** Changes of the lists. One that is added may be there already; its label and verification then change. */
export interface AddressesPatch extends AddressesInput {
  addEmails?: readonly AddressInput[] | null
  removeEmails?: readonly string[] | null
  addPhones?: readonly AddressInput[] | null
  removePhones?: readonly string[] | null
}

/** The changes of a list; undefined for none. `primary`: the value of the field of the primary one. */
export function readListChanges(
  kind: AddressKind,
  input: AddressesPatch,
  primary: string | null | undefined,
): { changes: ListChanges | undefined; problems: Problem[] } {
  const [all, adding, removing] = [input[kind], input[addingTo[kind]] ?? [], input[removingFrom[kind]] ?? []]
  if (all === undefined && adding.length + removing.length === 0) return { changes: undefined, problems: [] }
  const list = all === undefined ? undefined : readAddresses(kind, all ?? [], primary)
  const add = readAddresses(kind, adding, undefined)
  const tooMany = removing.length > maxAddresses ? tooLong(removing, maxAddresses) : []
  const problems = [
    ...(list instanceof Invalid ? at(kind, list) : []),
    ...(add instanceof Invalid ? at(addingTo[kind], add) : []),
    ...(tooMany instanceof Invalid ? at(removingFrom[kind], tooMany) : []),
  ]
  if (list instanceof Invalid || add instanceof Invalid || problems.length > 0) return { changes: undefined, problems }
  // An address that is not valid is none of the contact.
  const remove = removing.flatMap(given => readers[kind](given)).filter(value => typeof value === 'string')
  return { changes: { ...(list && { all: list }), add, remove }, problems }
}

/** The list, with the primary one first: the one that says so, or equals `primary`, or is the first. The problems have paths in the list. */
function readAddresses(kind: AddressKind, given: readonly AddressInput[], primary: string | null | undefined): GivenAddress[] | Invalid {
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
function readAddress(
  kind: AddressKind,
  { value: given, label: name, verification, isPrimary }: AddressInput,
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
    ...(isPrimary && { isPrimary }),
  }
}
