// The time limit of the following statements in a transaction.

import { statement } from '../../database/statement.ts'
import { rows, text } from '../../database/table.ts'

/** $1: milliseconds. */
export const setTimeLimit = statement(
  'time_limit',
  `select set_config('statement_timeout', $1, true) as time_limit`,
  rows({ timeLimit: text }),
)
