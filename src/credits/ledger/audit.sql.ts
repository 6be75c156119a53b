// The statement of the audit.

import { statement } from '../../database/statement.ts'
import { bigint, boolean, rows, text } from '../../database/table.ts'

export const countLedger = statement(
  'audit_count',
  'select (select count(*) from credit_accounts) as accounts, (select count(*) from credit_entries) as entries',
  rows({ accounts: bigint, entries: bigint }),
)

/**
 * Differences between the stored accounts, grants and holds and the sums of their entries; at most 1,000. `granted` sums what entries added
 * to the available part of each grant. The settlement of a hold adds nothing, because the hold was taken from that part before.
 */
export const findDifferences = statement(
  'audit_check',
  `with summed as (
     select user_id, sum(amount_micro)::bigint as balance, sum(reserved_micro)::bigint as reserved, count(*) as entries, max(seq) as last
     from credit_entries group by user_id),
   chained as (
     select user_id, seq, balance_after_micro as balance, reserved_after_micro as reserved,
       (sum(amount_micro) over account)::bigint as balance_so_far, (sum(reserved_micro) over account)::bigint as reserved_so_far
     from credit_entries window account as (partition by user_id order by seq)),
   granted as (
     select (line ->> 'grantId')::uuid as id, sum(sign(amount_micro - reserved_micro) * (line ->> 'micro')::bigint)::bigint as remaining
     from credit_entries cross join jsonb_array_elements(breakdown) line group by 1),
   broken as (
     select user_id, seq, abs(case amount_micro when reserved_micro then amount_micro else amount_micro - reserved_micro end) as amount,
       (select coalesce(sum((line ->> 'micro')::bigint), 0)::bigint from jsonb_array_elements(breakdown) line) as parts
     from credit_entries),
   free as (select user_id, sum(remaining_micro)::bigint as remaining from credit_grants where status = 'active' group by user_id),
   held as (select user_id, sum(amount_micro)::bigint as amount from credit_holds where status = 'open' group by user_id)
   select user_id, 'balance' as what, coalesce(s.balance, 0) as expected, balance_micro as actual, false as is_count
     from credit_accounts left join summed s using (user_id) where coalesce(s.balance, 0) <> balance_micro
   union all select user_id, 'reserved by entries', coalesce(s.reserved, 0), reserved_micro, false
     from credit_accounts left join summed s using (user_id) where coalesce(s.reserved, 0) <> reserved_micro
   union all select user_id, 'reserved by open holds', coalesce(h.amount, 0), reserved_micro, false
     from credit_accounts left join held h using (user_id) where coalesce(h.amount, 0) <> reserved_micro
   union all select user_id, 'available by grants', coalesce(f.remaining, 0), balance_micro - reserved_micro, false
     from credit_accounts left join free f using (user_id) where coalesce(f.remaining, 0) <> balance_micro - reserved_micro
   union all select user_id, 'number of entries', coalesce(s.entries, 0), entry_count, true
     from credit_accounts left join summed s using (user_id)
     where (coalesce(s.entries, 0), coalesce(s.last, 0)) <> (entry_count, entry_count)
   union all select user_id, 'balance after entry ' || seq, balance_so_far, balance, false from chained where balance_so_far <> balance
   union all select user_id, 'reserved after entry ' || seq, reserved_so_far, reserved, false from chained where reserved_so_far <> reserved
   union all select user_id, 'direction of entry ' || seq, 0, amount_micro, false from credit_entries where not case type
     when 'grant' then amount_micro > 0 and reserved_micro = 0
     when 'debit' then amount_micro < 0 and reserved_micro = 0
     when 'hold' then amount_micro = 0 and reserved_micro > 0
     when 'settle' then amount_micro < 0 and reserved_micro in (amount_micro, 0)
     when 'release' then amount_micro = 0 and reserved_micro < 0
     when 'expire' then least(amount_micro, reserved_micro) < 0 and greatest(amount_micro, reserved_micro) = 0
     when 'void' then amount_micro < 0 and reserved_micro = 0
     else amount_micro <> 0 and reserved_micro = 0 end
   union all select user_id, 'entries without an account', 0, s.entries, true
     from summed s where not exists (select from credit_accounts where credit_accounts.user_id = s.user_id)
   union all select user_id, 'parts of entry ' || seq, amount, parts, false from broken where amount <> parts
   union all select user_id, 'parts of hold ' || id, amount_micro,
       (select coalesce(sum((line ->> 'micro')::bigint), 0)::bigint from jsonb_array_elements(breakdown) line), false
     from credit_holds
     where amount_micro <> (select coalesce(sum((line ->> 'micro')::bigint), 0) from jsonb_array_elements(breakdown) line)
   union all select user_id, 'rest of grant ' || id, coalesce(granted.remaining, 0), remaining_micro, false
     from credit_grants left join granted using (id)
     where coalesce(granted.remaining, 0) <> case status when 'pending' then 0 else remaining_micro end
   union all select user_id, 'rest of ' || status || ' grant ' || id, 0, remaining_micro, false
     from credit_grants where status in ('used', 'expired', 'voided') and remaining_micro <> 0
   limit 1000`,
  rows({ userId: text, what: text, expected: bigint, actual: bigint, isCount: boolean }),
)
