// The statements of the readiness check.

import { shortRead, statement } from '../database/statement.ts'
import { integer, rows, text } from '../database/table.ts'

/** Sent on a shared connection. */
export const pingShared = shortRead('ping', 'select 1 as one', rows({ one: integer }))
/** Whether the transaction may write: `on` when it may not, as on a standby. */
export const readOnly = statement(
  'ping_writer',
  `select current_setting('transaction_read_only') as read_only`,
  rows({ readOnly: text.as<'on' | 'off'>() }),
)
