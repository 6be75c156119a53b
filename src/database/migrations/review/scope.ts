// The scope of a review: the objects that earlier migrations have made, and the findings.

import type { RangeVar } from 'libpg-query'

/** A constraint of earlier migrations, by its name. */
interface Constraint {
  type: string
  /** `table.column` that a check keeps from being null. */
  notNull?: string
  isValidated: boolean
}

export interface Known {
  constraints: Map<string, Constraint>
}

export interface Scope {
  known: Known
  /** Objects that this migration has created so far: `table`, `table.column`, and names of other objects. */
  created: Set<string>
  /** Whether the statement is sent outside a transaction, and so without a limit on its wait for a lock. */
  isOutside: boolean
  isRepeated: boolean
  breaks(text: string): void
  blocks(text: string): void
}

export const nameOf = (relation: RangeVar | undefined): string => relation?.relname ?? ''
