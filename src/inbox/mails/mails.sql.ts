// Which inbox items a mail is to tell of, and when.

import { statement } from '../../database/statement.ts'
import { rows, timestamptz, uuid } from '../../database/table.ts'
import { allItems } from '../items/item.sql.ts'

/** Locks the items of a member that are due. $3 now, $4 how many, at most. */
export const lockDue = statement(
  'inbox_mails_lock_due',
  `select ${allItems.sql} from inbox_items where org_id = $1 and user_id = $2 and mail_at <= $3 order by mail_at, id limit $4 for update`,
  allItems,
)
export const endDue = statement('inbox_mails_end_due', 'update inbox_items set mail_at = null where id = any($1::uuid[])')

/** Moves what waits for the daily mail of a member. $3 now, $4 the time of the next daily mail. */
export const moveWaiting = statement(
  'inbox_mails_move',
  'update inbox_items set mail_at = $4 where org_id = $1 and user_id = $2 and mail_at > $3 returning id, mail_at',
  rows({ id: uuid, mailAt: timestamptz }),
)
