// The outcome that a row would have.

import type { Problem } from '../../../kernel/input/problem.ts'
import type { Changes } from '../../contact/input.ts'
import type { WriteOutcome } from '../../contact/write.ts'

export interface Outcome {
  outcome: WriteOutcome
  /** Whether a contact has the address or the id of the row already, or an earlier row. */
  isTaken: boolean
  problems: Problem[]
  /** The contact that the row becomes. */
  changes: Changes | undefined
  /** The values of a row of another noun. */
  shown?: Readonly<Record<string, unknown>>
}
