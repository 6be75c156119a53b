// The statements that open, lock and update credit accounts.

import { statement } from '../../database/statement.ts'
import { bigint, boolean, rows, text, uuid } from '../../database/table.ts'
import type { Line } from '../ledger/ledger.sql.ts'

const firstOwned = `(select organization_id from memberships where user_id = $1 and role = 'owner' order by created_at, organization_id limit 1)`

export const insertAccount = statement(
  'credits_open',
  `with opened as (
     insert into credit_accounts (user_id, org_id, created_at, updated_at)
     select id, ${firstOwned}, $2::timestamptz, $2 from users where id = $1
     on conflict do nothing returning user_id)
   select exists (select from opened) as is_new, exists (select from users where id = $1) as is_user`,
  rows({ isNew: boolean, isUser: boolean }),
)

export const lockAccount = statement(
  'credits_lock',
  `select coalesce(due_at <= $2::timestamptz, false) as is_due from credit_accounts where user_id = $1 for no key update`,
  rows({ isDue: boolean }),
)

/** The next $3 users after $2 whose accounts have due changes. For an item of every minute: Prisma would be loaded for it in an idle process. */
export const selectDue = statement(
  'credits_due',
  'select user_id from credit_accounts where due_at <= $1::timestamptz and user_id > $2 order by user_id limit $3',
  rows({ userId: text }),
)

/** Ends grants. Returns the remaining amount of each before its end. */
export const endGrants = statement(
  'credits_end_grants',
  `update credit_grants g set status = 'expired', remaining_micro = 0
   from (select id, remaining_micro from credit_grants where user_id = $1 and status = 'active' and expires_at <= $2::timestamptz) ended
   where g.id = ended.id returning g.id, ended.remaining_micro, g.category, g.reference`,
  rows({ id: uuid, remainingMicro: bigint, category: text.as<Line['category']>(), reference: text.orNull() }),
)

/** Sets `due_at` to the time of the account's next change. */
export const updateDueAt = statement(
  'credits_next_due',
  `update credit_accounts set org_id = coalesce(org_id, ${firstOwned}), due_at = least(
     (select min(expires_at) from credit_holds where user_id = $1 and status = 'open'),
     (select min(effective_at) from credit_grants where user_id = $1 and status = 'pending'),
     (select min(expires_at) from credit_grants where user_id = $1 and status = 'active'))
   where user_id = $1 returning coalesce(due_at <= $2::timestamptz, false) as is_due`,
  rows({ isDue: boolean }),
)

export const addToGrants = statement(
  'credits_give_back',
  `update credit_grants g set remaining_micro = remaining_micro + line.micro, status = 'active'
   from jsonb_to_recordset($1) as line ("grantId" uuid, micro bigint) where g.id = line."grantId"`,
)
