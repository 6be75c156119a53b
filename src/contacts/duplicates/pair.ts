// Two records that may be the same, why, and how certain that is. Pure.

import type { MergedNoun } from '../merge/move.sql.ts'

export const duplicateReasons = {
  email: 'The same mailbox: upper and lower case, what follows a plus, and dots at Gmail do not count.',
  domain: 'The same domain, or subdomains of one.',
  website: 'Websites on the same domain, or a website on the domain of the other.',
  phone: 'The same telephone number.',
  name: 'The same name: case, accents, punctuation and legal forms, such as GmbH and Inc., do not count.',
  name_and_company: 'The same name in the same company.',
  similar_name: 'Similar names; of companies in different places only if they are very similar, and never of different countries.',
} as const
export type DuplicateReason = keyof typeof duplicateReasons

/** The reasons, the most certain first, with the certainty of each, 0 to 1. */
export type Certainties = Readonly<Partial<Record<DuplicateReason, number>>>

export interface DuplicatePair<Row> {
  noun: MergedNoun
  /** The id of `duplicate`, by which the pair is sorted in a list. */
  id: string
  /** The older of the two records. */
  first: Row
  duplicate: Row
  reasons: DuplicateReason[]
  /** 0 to 1. */
  score: number
}

/** The pair, with its reasons. Each further reason makes it more certain. */
export function pairOf<Row extends { id: string }>(noun: MergedNoun, one: Row, other: Row, certainties: Certainties): DuplicatePair<Row> {
  const [first, duplicate] = one.id < other.id ? [one, other] : [other, one]
  const doubt = Object.values(certainties).reduce((rest, one) => rest * (1 - one), 1)
  const score = Number((1 - doubt).toFixed(3))
  return { noun, id: duplicate.id, first, duplicate, reasons: Object.keys(certainties) as DuplicateReason[], score }
}
