// The outcome that a row would have.

import { AppError, rowErrorOf } from '../../../kernel/errors.ts'
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

/** `isChange` returns whether the row would change its record. Its INVALID is the row's. */
export function outcomeOfChange(isChange: () => boolean): Pick<Outcome, 'outcome' | 'problems'> {
  try {
    return { outcome: isChange() ? 'updated' : 'skipped', problems: [] }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    return { outcome: 'failed', problems: [...(rowErrorOf(error).problems ?? [])] }
  }
}
