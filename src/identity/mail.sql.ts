// Emails that are sent at most once, and whose text a mail server was asked to take.

import { statement } from '../database/statement.ts'
import { rows, uuid } from '../database/table.ts'

/** Returns nothing if an earlier attempt came so far. */
export const beginHandover = statement(
  'mail_handover_begin',
  'insert into mail_handovers (id, handed_at) values ($1, $2) on conflict (id) do nothing returning id',
  rows({ id: uuid }),
)
export const endHandover = statement('mail_handover_end', 'delete from mail_handovers where id = $1')
