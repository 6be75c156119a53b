// The addresses and numbers of two contacts that are merged into one, and those that remain when the merge is undone. Pure.

import { type Address, type Addressed, type AddressKind, addressesOf, keyOf, stored } from './address.ts'

/** The addresses of both, each once, with the primary one first. */
export function addressesOfBoth(kind: AddressKind, winner: Addressed, loser: Addressed, primary: string | null): Address[] {
  const own = addressesOf(winner, kind)
  const keys = new Set(own.map(keyIn(kind)))
  return withFirst(kind, [...own, ...addressesOf(loser, kind).filter(one => !keys.has(keyIn(kind)(one)))], primary)
}

/** The columns without the addresses that a merge brought. `primary`: the one that is to be the primary one, if it is among the others. */
export function withoutBrought(
  kind: AddressKind,
  current: Addressed,
  [before, after]: readonly [unknown, unknown],
  primary: string | null,
): Partial<Addressed> {
  // `as`: `addressDifferences` made both lists.
  const former = new Set((before as readonly Address[]).map(keyIn(kind)))
  const brought = new Set((after as readonly Address[]).map(keyIn(kind)).filter(key => !former.has(key)))
  const rest = addressesOf(current, kind).filter(one => !brought.has(keyIn(kind)(one)))
  return stored(kind, withFirst(kind, rest, primary))
}

const keyIn =
  (kind: AddressKind) =>
  ({ value }: Address) =>
    keyOf[kind](value)

function withFirst(kind: AddressKind, list: readonly Address[], primary: string | null): Address[] {
  const first = primary === null ? undefined : list.find(one => keyIn(kind)(one) === keyOf[kind](primary))
  return first ? [first, ...list.filter(one => one !== first)] : [...list]
}
