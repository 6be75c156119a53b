// The statement of long work.

import { statement } from '../../database/statement.ts'

/** Does nothing, so that PostgreSQL does not end the transaction as idle. */
export const stayOpen = statement('transaction_stay_open', 'select')
